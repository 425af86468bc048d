import type { ClaimRecord, RuleRecord } from "../domain/test/rules/ruleBook.ts"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { anchorOf, anchorsIn, linkedSource } from "./citations.ts"
import type { RuleReach } from "./ruleReach.ts"
import { type SpecificationRow, specificationRows } from "./specificationRows.ts"

/** The records of one rule file, as its run wrote them. */
export interface RuleFile {
  readonly file: string
  readonly seed: number
  readonly records: ReadonlyArray<RuleRecord>
}

/** Where one code of the error catalogue is proven. */
export interface CodeProof {
  readonly code: string
  readonly rules: ReadonlyArray<string>
  readonly contractTests: ReadonlyArray<string>
  /** Why it is not proven yet; null where it is proven. */
  readonly open: string | null
}

const kinds = { cases: "generated cases", rows: "rows, all", histories: "generated histories" } as const

const tried = ({ kind, run }: ClaimRecord): string => `${run} ${kinds[kind]}`

const anchors = new Map(
  ["decisions.md", "interface.md", "v-pfr.md"].map((page) =>
    [page, new Set(anchorsIn(readFileSync(join(import.meta.dirname, "..", "docs", "specification", page), "utf8")))] as const)
)

const sourceLine = (source: string): string =>
  `Source: ${linkedSource(source, "specification", (citation) => anchorOf(citation, anchors.get(citation.page) ?? new Set()))}`

const codeList = (words: ReadonlyArray<string>): string => words.map((word) => `\`${word}\``).join(", ")

/** Why the rule's bindings do not all run in production, if so. */
const reachLines = (reach: RuleReach | undefined): ReadonlyArray<string> => [
  ...(reach === undefined || reach.waitsFor.length === 0
    ? []
    : ["", `Open: ${reach.shipped.some((binding) => /#[a-z]/.test(binding)) ? "in part, " : ""}not built yet: ${codeList(reach.waitsFor)}`]),
  ...(reach === undefined || reach.suites.length === 0 ? [] : ["", `Of the memory store, or of a caller; the product is held to the same by ${codeList(reach.suites)}`])
]

const ruleSection = (file: string, record: RuleRecord, reach: RuleReach | undefined): string =>
  [
    `### ${record.id}`,
    "",
    record.says,
    "",
    sourceLine(record.source),
    ...reachLines(reach),
    ...(record.proves.length === 0 ? [] : ["", `Refuses with: ${codeList(record.proves)}`]),
    "",
    `Proof, in \`domain/test/rules/${file}\`:`,
    "",
    ...record.claims.map(({ sentence }) => `- ${sentence.replaceAll("\n", " ")}`),
    ""
  ].join("\n")

const topicOf = (file: string): string => file.replace(/\.rules\.test\.ts$/, "")

const fileSection = (file: RuleFile, reach: ReadonlyMap<string, RuleReach>): string =>
  [
    `## ${topicOf(file.file)}`,
    "",
    ...file.records.map((record) => ruleSection(file.file, record, reach.get(record.id)))
  ].join("\n")

/** How often each claim was tried, apart from the book, by rule in the order of its claims. */
const triedSection = (files: ReadonlyArray<RuleFile>): string =>
  [
    "## Appendix: how often each claim was tried",
    "",
    `Seed ${[...new Set(files.map(({ seed }) => seed))].join(", ")}. It replays the cases: \`OVERA_RULES_SEED=<seed> npx vitest run domain/test/rules\`; \`npm run rules -- --seeds 50\` tries fifty new ones.`,
    "",
    "| Rule | Its claims, in their order |",
    "| --- | --- |",
    ...files.flatMap(({ records }) => records).map(({ claims, id }) => `| ${id} | ${claims.map(tried).join("; ")} |`),
    ""
  ].join("\n")

const proofText = (proof: CodeProof): string => {
  const places = [...proof.rules, ...proof.contractTests.map((file) => `\`${file}\``)]
  if (places.length > 0) return places.join(", ")
  return proof.open === null ? "**nowhere**" : `open: ${proof.open}`
}

const codeSection = (proofs: ReadonlyArray<CodeProof>): string =>
  [
    "## Where each code of the error catalogue is proven",
    "",
    "| Code | Proven by |",
    "| --- | --- |",
    ...proofs.map((proof) => `| \`${proof.code}\` | ${proofText(proof)} |`),
    ""
  ].join("\n")

const rowText = ({ row, about, provenBy }: SpecificationRow): string => {
  const places = provenBy.map((proof) => (proof.endsWith(".ts") ? `\`${proof}\`` : proof))
  return `| ${row} | ${about} | ${places.join(", ")} |`
}

const specificationSection = [
  "## Where each rule, transition, limit and matrix row of the specification is held",
  "",
  "| Row | About | Held by |",
  "| --- | --- | --- |",
  ...specificationRows.map(rowText),
  ""
].join("\n")

/** The totals in a sentence. They are not in docs/rules.md, where every change of a rule would change them. */
export const summary = ({ files, proofs, reach }: RulesIndex): string => {
  const rules = files.flatMap((file) => file.records)
  const claims = rules.flatMap((record) => record.claims)
  const tried = claims.reduce((sum, claim) => sum + claim.run, 0)
  const open = proofs.filter((proof) => proof.open !== null).length
  const waiting = reach.filter(({ waitsFor }) => waitsFor.length > 0).length
  return `${rules.length} rules, ${claims.length} claims, ${tried} cases run. ` +
    `${rules.length - waiting} rules exercise what ships, ${waiting} wait for an operation that is not built yet. ` +
    `${proofs.length} codes: ${proofs.length - open} proven, ${open} open. ` +
    `${specificationRows.length} rows of the specification.`
}

/** The content of docs/rules.md. */
export interface RulesIndex {
  readonly files: ReadonlyArray<RuleFile>
  readonly proofs: ReadonlyArray<CodeProof>
  readonly reach: ReadonlyArray<RuleReach>
  /** The domain's tables, printed. */
  readonly tables: string
}

/** docs/rules.md: every rule with its source and claims, then the tables, counts and seeds last, every row of the specification and every code with its proof. */
export const rulesMarkdown = ({ files, proofs, reach, tables }: RulesIndex): string =>
  [
    "# The fiscal rules, as they are executed",
    "",
    "Each rule is a sentence, its source, and its proof: the claims that a program tries on generated cases, on every row of a table, or on generated",
    "histories of events. A rule exercises functions and tables that a host in production reaches, or says which operation they wait for. Then follow the",
    "domain's tables, each row of the specification and each error code with its rule, and an appendix with counts and seeds. `npm run rules` writes this page",
    "from `domain/test/rules`; it is not edited by hand.",
    "",
    ...files.map((file) => fileSection(file, new Map(reach.map((each) => [each.id, each])))),
    tables,
    specificationSection,
    codeSection(proofs),
    triedSection(files)
  ].join("\n")
