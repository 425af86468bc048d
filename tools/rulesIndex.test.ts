import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { ErrorCode } from "../domain/src/ErrorCode.ts"
import { openCodes } from "./openCodes.ts"
import { codesProvenByContractTests } from "./provenCodes.ts"
import { filesOf } from "./sourceTree.ts"
import { specificationRows } from "./specificationRows.ts"

const root = join(import.meta.dirname, "..")
const index = readFileSync(join(root, "docs", "rules.md"), "utf8")
const ids = filesOf("domain/test/rules/*.rules.test.ts")
  .flatMap(({ text }) => [...text.matchAll(/^rule\("([A-Z0-9-]+)"/gm)].map((found) => found[1] ?? ""))

// What can be compared without running the rules; the numbers in it are compared by `npm run rules -- --check`.
it("docs/rules.md has every rule once and no other", () => {
  expect(ids.length).toBeGreaterThan(100)
  expect([...index.matchAll(/^### (.+)$/gm)].map((found) => found[1]).toSorted()).toEqual(ids.toSorted())
})

it("docs/rules.md has every code, and calls open exactly those that tools/openCodes.ts names", () => {
  const rows = [...index.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map((found) => ({ code: found[1], proof: found[2] ?? "" }))
  expect(rows.map(({ code }) => code)).toEqual([...ErrorCode.literals].toSorted())
  expect(rows.filter(({ proof }) => proof.startsWith("open:")).map(({ code }) => code)).toEqual([...openCodes.keys()].toSorted())
  expect(rows.filter(({ proof }) => proof.includes("nowhere"))).toEqual([])
})

it("no code is called open that a contract test proves", () => {
  const proven = codesProvenByContractTests(root)
  expect([...openCodes.keys()].filter((code) => proven.has(code))).toEqual([])
})

it.each(specificationRows)("$row is in docs/rules.md and names rules that exist", ({ row, provenBy }) => {
  expect(index).toContain(`| ${row} |`)
  expect(provenBy.filter((proof) => !proof.endsWith(".ts") && !ids.includes(proof))).toEqual([])
})
