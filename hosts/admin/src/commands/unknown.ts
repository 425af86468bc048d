import { signerModuli } from "@overa/adapter-vpfr"
import {
  type Attempt,
  decideUnknown,
  ElementOversight,
  type FiscalDocumentId,
  InstallationOversight,
  mayHaveArrived,
  type Operation,
  OperationOversight,
  OperationHistory,
  OperationStore,
  type OperatorDecision,
  operatorOf,
  readReceiptFound,
  signedTin
} from "@overa/domain"
import { Command } from "commander"
import { DateTime, Effect, Option } from "effect"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { fileText } from "../input/readFiles.ts"
import { shownTime, table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asFinalAct, withExamples } from "./describe.ts"
import { caseFile, shownCase } from "./unknownCase.ts"

const list = (desk: Desk) =>
  new Command("list").description("operations with an unknown outcome, oldest first").option("--limit <number>", "default 100")
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const entries = yield* (yield* OperationOversight).unresolved(yield* input.wholeNumber("limit", 100, 10_000))
        const rows = entries.map((it) => [it.id, it.environment, it.status, shownTime(it.createdAt), String(it.checks), shownTime(it.nextCheckAt), it.organizationId])
        const heads = ["OPERATION", "ENVIRONMENT", "STATUS", "SINCE", "SEARCHES", "NEXT", "ORGANIZATION"]
        return { text: table(heads, rows, "There is no unknown outcome."), json: { items: entries } }
      })
    ))

/** The operation with the given id, in any organization. */
export const openOperation = Effect.fnUntraced(function*(id: FiscalDocumentId) {
  const found = yield* (yield* OperationOversight).operation(id)
  if (Option.isNone(found)) return yield* new Refusal({ sentence: `There is no operation ${id}.` })
  const { environment, organizationId } = found.value
  const tenant = { organizationId, environment }
  const operation = yield* (yield* OperationStore).get(tenant, id)
  if (Option.isNone(operation)) return yield* new Refusal({ sentence: `There is no operation ${id}.` })
  return { tenant, operation: operation.value }
})

const show = (desk: Desk) =>
  new Command("show").description("everything known of an operation: request, attempts, searches, answers, attention").argument("<operation>")
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const { operation } = yield* openOperation(yield* input.id("operation", input.argument(0)))
        const file = yield* caseFile(operation)
        return { text: shownCase(file), json: file }
      })
    ))

// Several attempts may have reached the V-PFR; the last one is taken unless the operator names another.
const attemptOf = Effect.fnUntraced(function*(input: Input, attempts: ReadonlyArray<Attempt>) {
  const open = attempts.filter(mayHaveArrived)
  const asked = input.text("attempt")
  const attempt = asked === null ? open.at(-1) : open.find((it) => String(it.number) === asked)
  if (attempt !== undefined) return attempt
  return yield* new Refusal({
    sentence: asked === null ? "No attempt of this operation can have reached the V-PFR." : `Attempt ${asked} cannot have reached the V-PFR; see unknown show.`
  })
})

const statedOn = (input: Input) => {
  const [invoiceNumber, sdcTime] = [input.text("number"), input.text("time")]
  return invoiceNumber === null || sdcTime === null ? null : { invoiceNumber, sdcTime }
}

const issuedDecision = Effect.fnUntraced(function*(input: Input, operation: Operation) {
  const { environment, id, organizationId } = operation
  const [url, journalFile] = [input.text("url"), input.text("journalFile")]
  if (url === null || journalFile === null) {
    return yield* new Refusal({ sentence: "An issued receipt is proven with --url, the link of its QR code, and --journal-file, its text." })
  }
  const attempt = yield* attemptOf(input, yield* (yield* OperationHistory).attempts(organizationId, id))
  const installationOversight = yield* InstallationOversight
  const elementOversight = yield* ElementOversight
  const moduli = signerModuli(yield* installationOversight.referenceKeys, environment)
  const element = yield* elementOversight.element(attempt.elementId)
  const tin = Option.getOrNull(Option.map(element, (it) => signedTin(it.tin, environment)))
  const { against, answer } = yield* Effect.fromResult(readReceiptFound(
    { jid: attempt.jid, content: operation.content, taxRates: null },
    { verificationUrl: url.trim(), journal: yield* fileText(journalFile), stated: statedOn(input) },
    {
      submittedAt: attempt.startedAt,
      verificationRoot: input.config.vpfr[environment]?.verificationRoot ?? null,
      signerModulus: (jid) => moduli.get(jid),
      tin
    }
  ))
  if (against.length > 0 && !input.flag("despiteDifferences")) {
    return yield* new Refusal({
      sentence: `That receipt is not accepted: ${against.join("; ")}. If it belongs to this operation nevertheless, decide with --despite-differences.`
    })
  }
  const decision: OperatorDecision = { _tag: "CONFIRMED_ISSUED", attempt: attempt.number, answer, despite: against }
  const warning = against.length === 0 ? "" : ` although ${against.join("; ")}`
  return { decision, consequence: `The receipt ${answer.pfr.invoiceNumber} will belong to this operation permanently${warning}.` }
})

const notIssued = {
  decision: { _tag: "CONFIRMED_NOT_ISSUED" } satisfies OperatorDecision,
  consequence: "The caller may issue the document again; if the V-PFR has signed it after all, there will be two receipts."
}

const decide = (desk: Desk) =>
  asFinalAct(
    new Command("decide").description("decides an unknown outcome; refused when it is too early, or when the V-PFR did not answer the last search")
      .argument("<operation>").argument("<decision>", "issued or not-issued")
      .option("--url <link>", "issued: the link of the receipt's QR code").option("--journal-file <file>", "issued: the receipt's text")
      .option("--despite-differences", "issued: although the receipt contradicts the operation; the contradictions are kept on the attention list")
      .option("--number <number>", "issued: the receipt's number, where its link cannot be read")
      .option("--time <time>", "issued: the receipt's time, where its link cannot be read: 2026-03-04T05:06:07+01:00")
      .option("--attempt <number>", "issued: which attempt's receipt it is; the last one when absent")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const what = yield* input.choice("decision", input.argument(1), ["issued", "not-issued"])
      const act = yield* input.act
      const { operation, tenant } = yield* openOperation(yield* input.id("operation", input.argument(0)))
      const { consequence, decision } = what === "issued" ? yield* issuedDecision(input, operation) : notIssued
      yield* input.confirm(consequence)
      const decided = yield* decideUnknown({ tenant, id: operation.id, decision, operator: operatorOf(act) })
      return { text: `Decided: the operation is ${decided.status}.`, json: { id: operation.id, status: decided.status, at: yield* DateTime.now } }
    })
  ))

/** `unknown`: unknown outcomes, and the operator's decisions about them. */
export const unknown = (desk: Desk): Command =>
  withExamples(
    new Command("unknown").description("unknown outcomes: evidence and decision").addCommand(list(desk)).addCommand(show(desk)).addCommand(decide(desk)),
    [
      `unknown list`,
      `unknown show <operation>`,
      `unknown decide <operation> issued --url "https://suf.purs.gov.rs/v/?vl=..." --journal-file receipt.txt --reason "found in the portal, ticket 88"`,
      `unknown decide <operation> not-issued --reason "the tax authority confirmed by letter, ticket 88" --yes`
    ]
  )
