import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EmptyFolder } from "../EmptyFolder.ts"
import { filesOf } from "../sourceTree.ts"

interface Manifest {
  readonly name: string
  readonly bin?: Readonly<Record<string, string>>
}
const manifestOf = (path: string): Manifest => JSON.parse(filesOf(path)[0]?.text ?? "{}") as Manifest

const libraries = [...filesOf("adapters/*/package.json").map(({ path }) => path.replace("/package.json", "")), "contract-tests/store-contracts"]
const commands = ["hosts/vpfr-simulator", "hosts/witness", "verify"]
const sentence = /^@overa\/[\w-]+ needs Node (?:22|22\.19|24\.7) or later; this is Node 20\.\d+\.\d+\.$/m

describe("packages that need a newer Node, on Node 20", () => {
  let folder: EmptyFolder
  let old: string
  beforeAll(() => {
    folder = EmptyFolder.with(["domain", ...libraries, ...commands])
    old = mkdtempSync(join(tmpdir(), "overa-old-node-"))
    writeFileSync(join(old, "package.json"), JSON.stringify({ name: "old", private: true }))
    execFileSync("npm", ["install", "node@20", "--no-audit", "--no-fund"], { cwd: old, stdio: "ignore" })
  }, 900_000)
  afterAll(() => {
    folder.remove()
    rmSync(old, { recursive: true, force: true })
  })
  const run = (...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = spawnSync(join(old, "node_modules/node/bin/node"), args, { cwd: folder.path, encoding: "utf8" })
    return { status, said: `${stdout}${stderr}` }
  }

  it.each(libraries)("%s is not imported, and says why in one sentence", (workspace) => {
    const { name } = manifestOf(`${workspace}/package.json`)
    const { said } = run("--input-type=module", "-e", `await import("${name}").then(() => console.log("loaded"), (error) => console.log(error.stack))`)
    expect(said).toMatch(sentence)
    expect(said).toContain(`${name} needs Node`)
    expect(said).not.toMatch(/^ {4}at /m)
  })

  it.each(commands)("the command of %s says it in one line and ends with 1", (workspace) => {
    const { bin = {}, name } = manifestOf(`${workspace}/package.json`)
    const { said, status } = run(join("node_modules", name, Object.values(bin)[0] ?? ""))
    expect([status, said.trim().split("\n").length]).toEqual([1, 1])
    expect(said).toMatch(sentence)
  })
})
