import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ErrorCode } from "../domain/src/errorCatalogue.ts"
import { openCodes } from "./openCodes.ts"
import { openFunctions } from "./openOperations.ts"
import { codesProvenByContractTests } from "./provenCodes.ts"
import { reachableBindings } from "./reachability.ts"
import { isBuilt, reachFaults, type RuleReach, ruleReach } from "./ruleReach.ts"
import { tablesSection } from "./ruleTables.ts"
import { filesOf } from "./sourceTree.ts"
import { specificationRows } from "./specificationRows.ts"

const root = join(import.meta.dirname, "..")
const index = readFileSync(join(root, "docs", "rules.md"), "utf8")
const ids = filesOf("domain/test/rules/*.rules.test.ts")
  .flatMap(({ text }) => [...text.matchAll(/^rule\("([A-Z0-9-]+)"/gm)].map((found) => found[1] ?? ""))

// What can be compared without running the rules; `npm run rules -- --check` compares the numbers.
it("docs/rules.md has every rule once and no other", () => {
  expect(ids.length).toBeGreaterThan(100)
  expect([...index.matchAll(/^### ([A-Z][A-Z0-9-]+)$/gm)].map((found) => found[1]).toSorted()).toEqual(ids.toSorted())
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

describe("a rule proves what ships", { timeout: 60_000 }, () => {
  it("every rule exercises what a host reaches, or what waits for an operation that is not built yet", () => {
    const rules = ruleReach()
    expect(reachFaults(rules)).toEqual([])
    expect(rules.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(rules.filter(({ waitsFor }) => waitsFor.some(isBuilt))).toEqual([])
  })

  it("sees a function of the domain that no host reaches, and a rule that exercises nothing", () => {
    const rule: RuleReach = { id: "TWIN-1", shipped: [], waitsFor: [], suites: [], lost: [] }
    expect(reachFaults([{ ...rule, lost: ["domain/src/references/checkReference.ts#needsSignedCopy"] }])[0]).toContain("needsSignedCopy, which no host reaches")
    expect(reachFaults([rule])).toContain("rule TWIN-1 exercises nothing of domain/src")
    const reached = reachableBindings()
    expect(reached.has("domain/src/documents/composeContent.ts#hasCash")).toBe(true)
    expect(reached.has("domain/src/refunds/RefundLedger.ts#holdRefund")).toBe(false)
    expect([...reached].filter((binding) => binding.startsWith("domain/test/"))).toEqual([])
  })

  it("every place that waits for an operation is there", () => {
    const places = openFunctions.map(({ place }) => place.replace(/#.*/, ""))
    expect(places.filter((place) => filesOf(`domain/src/${place}${place.endsWith("/") ? "*.ts" : ""}`).length === 0)).toEqual([])
  })

  it("docs/rules.md shows the tables as they are", async () => {
    expect(index).toContain(await tablesSection())
  })
})
