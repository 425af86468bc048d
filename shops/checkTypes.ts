import { execFileSync } from "node:child_process"
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** What each engine's build makes of the sources. */
const compilerOptions = { noEmit: true, lib: ["es2025", "dom"], module: "esnext", moduleResolution: "bundler", rewriteRelativeImportExtensions: false }

/** Compiles the plugin's sources against the engine and our packages as they are installed in this folder; throws with the compiler's words. */
export const checkTypes = (name: string, folder: string): void => {
  const copy = join(folder, "types")
  for (const part of [name, "shared"]) cpSync(join(root, "shops", part, "src"), join(copy, part, "src"), { recursive: true })
  cpSync(join(root, "tsconfig.base.json"), join(copy, "base.json"))
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ extends: "./base.json", compilerOptions, include: [`${name}/src`, "shared/src"] }))
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", copy], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  } catch (refused) {
    throw new Error(`The plugin does not compile against ${name}:\n${(refused as { readonly stdout: string }).stdout}`, { cause: refused })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
