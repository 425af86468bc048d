import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { anchorOf, anchorsIn, type Citation, citationsOf, proseOf } from "./citations.ts"
import { filesOf } from "./sourceTree.ts"

const pageNames = ["decisions.md", "interface.md", "v-pfr.md"] as const
const listed = new Map(pageNames.map((name) => [name, anchorsIn(readFileSync(`docs/specification/${name}`, "utf8"))]))
const present = new Map(pageNames.map((name) => [name, new Set(listed.get(name))]))

const isResolved = (citation: Citation): boolean => anchorOf(citation, present.get(citation.page) ?? new Set()) !== undefined
const lost = (text: string): ReadonlyArray<string> =>
  citationsOf(proseOf(text)).filter((citation) => !isResolved(citation)).map(({ page, words }) => `${words} (docs/specification/${page})`)

const generated = /^docs\/rules\.md$/
const cited = filesOf("*.md", "{domain,adapters,hosts,client,orders,contract-tests,tools,docs,bench,verify}/**/*.{ts,md,sql,yaml,mjs}")
  .filter(({ path }) => !generated.test(path) && !path.startsWith("tools/citations"))

it("every citation in code, tests and documents has its anchor in docs/specification", () => {
  expect(cited.flatMap(({ path, text }) => lost(text).map((words) => `${path}: no anchor for ${words}`))).toEqual([])
  expect(cited.flatMap(({ text }) => citationsOf(proseOf(text))).length).toBeGreaterThan(1000)
})

it.each(pageNames)("%s has each anchor once", (name) => {
  const anchors = listed.get(name) ?? []
  expect(anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at)).toEqual([])
})

it.each([
  "Decisions §4", "Decisions §4, Trust", "Decisions §4, Trust, with the element's own chain", "Decisions §§3, 4", "Decisions §1, Numbers and Bounds",
  "Decisions §4, the operator decides", "V-PFR §7.4", "V-PFR §2, §8.7", "Spec, Refunds rule 4", "Spec, fiscal-documents rules 4 and 7",
  "Spec, Authentication 1, 2, 4", "Spec, Errors, Catalogue (the export)", "Spec,\n * Document\n * transitions", "Spec, LineItem and Payment"
])("finds the anchors of: %s", (text) => {
  expect(citationsOf(proseOf(text)).length).toBeGreaterThan(0)
  expect(lost(text)).toEqual([])
})

it.each([
  ["Decisions §18", "§18"], ["Decisions §4, §99", "§99"], ["Decisions §4, Thrust", "Thrust"], ["V-PFR §7.9", "§7.9"], ["V-PFR §2, §8.9", "§8.9"],
  ["Spec, Refunds rule 9", undefined], ["Spec, Nothing at all", "Nothing at all"], ["Spec, Limits, Moods", "Moods"], ["Spec, Authentication 1, 12", "12"],
  ["Decisions §1, Bounds and Leaps", "Leaps"], ["Spec, fiscal-documents rules 4 and 17", "17"]
])("misses the anchor of: %s", (text, words) => {
  expect(lost(text).map((line) => line.replace(/ \(.*/, ""))).toEqual([words ?? "Refunds rule 9"])
})
