import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { compareReleases, needsApproval } from "../proof/approval/newApproval/compareReleases.ts"
import { type Evidence, evidenceOf } from "../proof/approval/newApproval/evidence.ts"

const approved: Evidence = {
  commit: "a",
  requests: new Map([["normal-sale", "{\"invoiceType\":0}"]]),
  goldens: new Map([["normal-sale/official-text.txt", "1"], ["normal-sale/pdf-58mm.txt", "2"], ["normal-sale/preview.png", "3"], ["normal-sale/qr.svg", "4"], ["normal-sale/canonical-json.json", "5"]]),
  layoutVersion: "7",
  operations: new Set(["POST /v1/fiscal-documents"])
}
const golden = (name: string, digest: string): Pick<Evidence, "goldens"> => ({ goldens: new Map([...approved.goldens, [name, digest]]) })
const changes = (change: Partial<Evidence>) => compareReleases(approved, { ...approved, commit: "b", ...change })

describe("whether a release needs a new approval (TU §7.9)", () => {
  it("not where nothing of it differs", () => {
    expect(changes({})).toEqual([])
    expect(needsApproval([])).toBe(false)
  })

  it.each([
    ["a request with another byte", { requests: new Map([["normal-sale", "{\"invoiceType\":1}"]]) }, "request"],
    ["a request that nobody composes any more", { requests: new Map() }, "request"],
    ["another journal", golden("normal-sale/official-text.txt", "x"), "journal"],
    ["another text on paper", golden("normal-sale/pdf-58mm.txt", "x"), "paper"],
    ["another picture", golden("normal-sale/preview.png", "x"), "paper"],
    ["another QR code", golden("normal-sale/qr.svg", "x"), "paper"],
    ["a paper that is gone", { goldens: new Map([...approved.goldens].filter(([name]) => !name.includes("58mm"))) }, "paper"],
    ["a new layout", { layoutVersion: "8" }, "layout"],
    ["an operation that is gone", { operations: new Set<string>() }, "operation"]
  ])("it counts: %s", (_, change, kind) => {
    const found = changes(change)
    expect(found.map((it) => [it.weight, it.kind])).toEqual([["COUNTS", kind]])
    expect(needsApproval(found)).toBe(true)
  })

  it.each([
    ["another form of the JSON, which is no receipt", golden("normal-sale/canonical-json.json", "x"), "answer"],
    ["a sample more", golden("copy-sale/preview.png", "x"), "sample"],
    ["an operation more", { operations: new Set([...approved.operations, "GET /v1/events"]) }, "operation"],
    ["requests that could not be composed", { requests: null }, "request"]
  ])("a person reads: %s", (_, change, kind) => {
    const found = changes(change)
    expect(found.map((it) => [it.weight, it.kind])).toEqual([["READ", kind]])
    expect(needsApproval(found)).toBe(false)
  })
})

describe("the release's own command", () => {
  it("begins with the comparison, and npm ends there where something counts", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly scripts: Readonly<Record<string, string>> }
    expect(scripts["prerelease"]).toMatch(/^npm run (?:--silent )?approval:release$/)
    expect(scripts["release"]).toMatch(/tools\/release\.ts/)
  })
})

describe("the evidence of a commit", () => {
  it("is whole for this one: requests of every sample, papers, layout, operations", () => {
    const found = evidenceOf("HEAD")
    expect(found.requests?.get("normal-sale")).toMatch(/^\{.*"buyerId":"10:101670560".*"invoiceType":0/)
    expect(found.requests?.size).toBe(new Set([...found.goldens.keys()].map((name) => name.split("/")[0])).size)
    expect(found.layoutVersion).toMatch(/^\d+$/)
    expect(found.operations).toContain("POST /v1/fiscal-documents")
  }, 120_000)
})
