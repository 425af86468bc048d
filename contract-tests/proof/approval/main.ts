/**
 * The tax authority's test book for an ESIR ("Ručno testiranje ESIR-a" 1.1), case by case, and the folder that a supplier hands in.
 *
 *   npm run approval                               with the V-PFR simulator, into ./approval
 *   npm run approval -- --into docs/approval
 *   npm run approval -- --site path/to/site.json   with an installation that already runs, connected to any V-PFR
 *
 * `--site` names a file like the sandbox's `.overa/sandbox.json`: baseUrl, authUrl, taxpayerId, businessPremiseId, clientId, clientSecret. Only for a sandbox: the book issues receipts.
 * Needs `pdftoppm` (poppler) for the pictures and Chromium for the PDF. Exits with 1 when a case has failed.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { type CaseGround, type CaseResult, tried } from "./BookCase.ts"
import { bookCases } from "./bookCases.ts"
import { FifteenSamples } from "./fifteenSamples.ts"
import { type Installation, openInstallation } from "./Installation.ts"
import { writePdf } from "./pdf.ts"
import { type Outcome, pictureFiles, reportHtml } from "./report.ts"

const { values } = parseArgs({ options: { into: { type: "string", default: "approval" }, site: { type: "string" } } })
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const writeFolder = async (folder: string, outcome: Outcome): Promise<void> => {
  for (const [name, bytes] of pictureFiles(outcome.samples)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  mkdirSync(join(folder, "journals"), { recursive: true })
  for (const { number, text } of outcome.samples) writeFileSync(join(folder, `journals/${String(number).padStart(2, "0")}.txt`), text)
  writeFileSync(join(folder, "release.json"), `${JSON.stringify({ commit: outcome.runtime["buildCommit"], at: outcome.at, esirNumber: outcome.approved.esirNumber }, null, 2)}\n`)
  writeFileSync(join(folder, "report.html"), reportHtml(outcome))
  await writePdf(folder, "report")
}

// Read at the start: whoever commits during the minutes of a run changes what the checkout is at, not what runs.
const checkout = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim()

/** The commit that is tried: what the installation says of itself, or, for a sandbox of this checkout, which knows none, the checkout's. */
const commitOf = (stated: unknown): string => values.site === undefined ? checkout : String(stated)

/** Hosts read the number anew within a minute after an operator has set it. */
const runtimeOf = async (at: Installation) => {
  for (let turn = 0;; turn++) {
    const { json } = await at.call("GET", "/v1/runtime")
    if (json.esirNumber !== "" || values.site !== undefined || turn === 90) return json
    await pause(1_000)
  }
}

const perform = async (at: Installation): Promise<Outcome> => {
  const runtime = await runtimeOf(at)
  const { json: { labels } } = await at.call("GET", `/v1/tax-rates?${new URLSearchParams(at.place)}`)
  // The book's samples have two rates; a rate in dinars for each unit is left to the case that tries every label.
  const percent = labels.filter(({ categoryType, rate }: { readonly categoryType: number; readonly rate: number }) => categoryType === 0 && rate > 0)
  const fifteen = new FifteenSamples(at, percent.map(({ label }: { readonly label: string }) => label))
  await fifteen.issue()
  say(`${fifteen.samples.length} samples issued`)
  at.takeSteps()
  const samples = [...fifteen.samples, ...fifteen.others]
  const approved = { esirNumber: runtime.esirNumber === "" ? null : runtime.esirNumber as string, receiptOf: (pfrNumber: string) => samples.find(({ printed }) => printed.invoiceNumber === pfrNumber) }
  const content: CaseGround["content"] = (change) => ({
    ...at.place, clientReference: "odobrenje", cashier: { id: "Продавац 1" },
    items: [{ name: "Књига", unitOfMeasure: "ком", quantity: 1, unitPrice: 100, taxLabels: [percent[0].label] }], payments: [{ type: "CARD", amount: 100 }], ...change
  })
  const sale: CaseGround["sale"] = async (title, change) => {
    const asked = { ...content(change), invoiceType: "NORMAL", transactionType: "SALE" }
    const { json } = await at.post("/v1/fiscal-documents", asked)
    if (json.status !== "FISCALIZED") throw new Error(`${title}: ${JSON.stringify(json)}`)
    return at.sample({ number: null, title, withBuyer: change["buyer"] !== undefined, asked }, json.id)
  }
  const cases: Array<CaseResult> = []
  for (const book of bookCases) {
    const result = await tried(book, { at, labels, samples, approved, content, sale })
    cases.push(result)
    say(`${result.status.padEnd(14)} ${result.title}${result.checks.filter(({ holds }) => !holds).map(({ what }) => `\n  ${what}`).join("")}`)
  }
  const signer = at.control === null ? `В-ПФР: ${samples[0]?.link.root}` : "симулатор В-ПФР-а из овог репозиторијума: ништа није послато Пореској управи"
  return { at: new Date().toISOString(), signer, runtime: { ...runtime, buildCommit: commitOf(runtime.buildCommit) }, approved, cases, samples: fifteen.samples }
}

const { close, installation } = await openInstallation(values.site)
try {
  const outcome = await perform(installation)
  await writeFolder(resolve(values.into), outcome)
  say(`written into ${values.into}`)
  process.exitCode = outcome.cases.some(({ status }) => status === "FAILED") ? 1 : 0
} finally {
  await close()
}
