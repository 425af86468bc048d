import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EmptyFolder } from "../EmptyFolder.ts"

const whole = '"es2022", "dom"'

/** What each README names: the oldest TypeScript, the library types, the packages with types of globals. */
const told = [
  { names: ["client", "orders"], typescript: "5.0", lib: whole, types: "" },
  { names: ["client", "orders"], typescript: "5.0", lib: '"es2022"', types: '"node"' },
  { names: ["verify"], typescript: "5.0", lib: '"es2022"', types: "" },
  { names: ["domain"], typescript: "5.8", lib: whole, types: "" }
] as const

describe("the oldest TypeScript that a README names", () => {
  let folder: EmptyFolder
  let old: string
  beforeAll(() => {
    folder = EmptyFolder.with(["domain", "client", "orders", "verify"])
    old = mkdtempSync(join(tmpdir(), "overa-old-types-"))
    writeFileSync(join(old, "package.json"), JSON.stringify({ name: "old", private: true }))
    const versions = ["5.0", "5.8"].map((version) => `typescript-${version}@npm:typescript@~${version}.0`)
    execFileSync("npm", ["install", ...versions, "@types/node@20", "--no-audit", "--no-fund"], { cwd: old, stdio: "ignore" })
  }, 900_000)
  afterAll(() => {
    folder.remove()
    rmSync(old, { recursive: true, force: true })
  })

  it.each(told)("$typescript accepts $names with lib $lib and types $types, strictly and without skipLibCheck", ({ lib, names, types, typescript }) => {
    writeFileSync(join(folder.path, "typed.ts"), names.map((name, at) => `import * as it${at} from "@overa/${name}"\nexport const names${at} = Object.keys(it${at})\n`).join(""))
    writeFileSync(join(folder.path, "tsconfig.json"), `{ "compilerOptions": { "noEmit": true, "strict": true, "exactOptionalPropertyTypes": true, "noUncheckedIndexedAccess": true,
      "module": "nodenext", "target": "es2022", "lib": [${lib}], "types": [${types}], "typeRoots": [${JSON.stringify(join(old, "node_modules/@types"))}] }, "files": ["typed.ts"] }`)
    expect(spawnSync(process.execPath, [join(old, `node_modules/typescript-${typescript}/bin/tsc`), "-p", "."], { cwd: folder.path, encoding: "utf8" }).stdout).toBe("")
  })
})
