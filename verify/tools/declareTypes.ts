import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../", import.meta.url))
const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))
const declared = join(folder, "dist/declared")

const relative = /(from ")(\.[^"]+)\.ts(")/g

/** A module's declarations and those of the modules that they name. */
const declare = (module: string, known = new Set<string>()): void => {
  if (known.has(module)) return
  known.add(module)
  const text = readFileSync(join(declared, "verify/src", `${module}.d.ts`), "utf8")
  if (text.includes('"@overa/')) throw new Error(`The declarations of ${module} name a package that an installation does not have.`)
  const into = join(folder, "dist", `${module}.d.ts`)
  mkdirSync(dirname(into), { recursive: true })
  writeFileSync(into, text.replaceAll(relative, "$1$2.js$3"))
  for (const [, , path = ""] of text.matchAll(relative)) declare(join(dirname(module), path), known)
}

/** Writes the types of the functions beside them. The sources of the domain are compiled with them, and none of its types is published here. */
export const declareTypes = (): void => {
  execFileSync(process.execPath, [compiler, "-p", join(folder, "tsconfig.build.json")], { stdio: ["ignore", process.stderr, process.stderr] })
  declare("index")
  rmSync(declared, { recursive: true })
}
