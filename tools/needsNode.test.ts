import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { commandGuard, libraryGuard } from "./needsNode.mjs"
import { filesOf } from "./sourceTree.ts"

const manifest = { name: "@overa/example", engines: { node: ">=22.19" } }

/** Runs a guard on a Node of the version; the answer is what it said and how it ended. */
const run = (code: string, node: string | null): string => {
  const said: Array<string> = []
  const process = { versions: { node }, stderr: { write: (line: string) => said.push(line) }, exit: (status: number) => said.push(`status ${status}`) }
  try {
    runInNewContext(code, node === null ? {} : { process })
  } catch (error) {
    return `thrown: ${(error as Error).message}`
  }
  return said.join("")
}

describe("a package on a Node that is too old", () => {
  it.each(["18.20.4", "20.20.2", "22.18.9"])("says one sentence on Node %s", (node) => {
    expect(run(libraryGuard(manifest), node)).toBe(`thrown: @overa/example needs Node 22.19 or later; this is Node ${node}.`)
    expect(run(commandGuard(manifest), node)).toBe(`@overa/example needs Node 22.19 or later; this is Node ${node}.\nstatus 1`)
  })

  it.each(["22.19.0", "22.100.0", "24.0.0", "100.1.0", null])("says nothing on %s", (node) => {
    for (const code of [libraryGuard(manifest), commandGuard(manifest)]) expect(run(code, node)).toBe("")
  })

  it("needs to be told which Node the package needs", () => {
    for (const node of [undefined, "22", "^22", ">=22 <26"]) expect(() => libraryGuard({ name: "@overa/example", engines: { node } })).toThrow("@overa/example does not say")
  })

  it("every package that is published says it", () => {
    const manifests = filesOf("*/package.json", "{adapters,contract-tests,hosts}/*/package.json").map(({ text }) => JSON.parse(text) as { readonly name: string; readonly private?: boolean })
    const published = manifests.filter(({ private: isPrivate }) => isPrivate !== true)
    expect(published.length).toBeGreaterThan(12)
    for (const one of published) expect(libraryGuard(one)).toContain("needs Node")
  })

  it("the simulator's command, which is a file of the sources, begins with its own sentence", () => {
    const folder = new URL("../hosts/vpfr-simulator/", import.meta.url)
    const written = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as typeof manifest
    expect(readFileSync(new URL("bin/overa-vpfr-simulator.mjs", folder), "utf8")).toContain(commandGuard(written))
  })
})
