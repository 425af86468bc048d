import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..")

/** The files of tests, by path and by name alone. */
const tests = new Set(globSync(["*/**/*.test.ts", "*/**/*.contract.ts"], { cwd: root, exclude: (path) => path.split("/").includes("node_modules") }).flatMap((path) => [path, basename(path)]))

/** The files of tests that a document names as its proof. */
const namedIn = (document: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, document), "utf8").matchAll(/[\w./-]+\.(?:test|contract)\.ts/g)].map(([name]) => name.replace(/^(?:\.\.\/)+/, ""))

describe("documents for auditors", () => {
  it.each([["SECURITY.md", 8], ["docs/authentication.md", 25]] as const)("%s names tests that exist", (document, atLeast) => {
    const named = namedIn(document)
    expect(named.length).toBeGreaterThanOrEqual(atLeast)
    expect(named.filter((name) => !tests.has(name))).toEqual([])
  })

  it("and a file that was renamed would be noticed", () => {
    expect(tests.has("portal.access.test.ts")).toBe(true)
    expect(tests.has("portal.accesses.test.ts")).toBe(false)
  })
})
