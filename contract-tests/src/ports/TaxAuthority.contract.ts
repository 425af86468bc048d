import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, DateTime, Effect } from "effect"
import { afterAll, afterEach, beforeAll } from "vitest"
import {
  counterExtension,
  type DocumentContent,
  type InvoiceToSign,
  type InvoiceType,
  type SearchOutcome,
  type SubmissionOutcome,
  TaxAuthority,
  totalAmount,
  type TransactionType
} from "@overa/domain"
import { lineItem, saleContent } from "../support/documentContents.ts"

/** What can happen to the next submission. */
export type Misfortune =
  | "refuseConnection"
  | "failHandshake"
  | "resetBeforeRequest"
  | "resetMidRequest"
  | "signThenHang"
  | "signThenReset"
  | "truncateAnswer"
  | "mangleAnswer"
  | "foreignAnswer"
  | "wrongAmount"
  | "serverError"
  | "signThenServerError"
  | "tooManyRequests"
  | "webPage"
  | "refuseElement"
  | "rejectLabel"

/** A tax authority and the server behind it, which counts separately. */
export interface TaxAuthorityWorld {
  readonly run: <A, E>(effect: Effect.Effect<A, E, TaxAuthority>) => Promise<A>
  readonly invoice: (content: DocumentContent) => InvoiceToSign
  /** The same document, with an element that was not used before. */
  readonly invoiceOfFreshElement: (content: DocumentContent) => Promise<InvoiceToSign>
  readonly befall: (misfortune: Misfortune) => Promise<void>
  readonly clear: () => Promise<void>
  /** How many receipts were signed for a RequestId. */
  readonly signed: (requestId: string) => number
  readonly close: () => Promise<void>
}

const submitting = (invoice: InvoiceToSign, requestId: string, callerGone = new AbortController().signal) =>
  Effect.gen(function*() {
    const authority = yield* TaxAuthority
    const opened = yield* authority.open(invoice)
    const submittedAt = yield* DateTime.now
    return yield* opened.submit(invoice, { requestId, firstByteWithinMillis: 5_000, callerGone, submittedAt })
  })

const searching = (invoice: InvoiceToSign, requestId: string) =>
  Effect.gen(function*() {
    const authority = yield* TaxAuthority
    const submittedAt = yield* DateTime.now
    return yield* authority.find(invoice, { requestId, submittedAt })
  })

const kinds: ReadonlyArray<readonly [InvoiceType, TransactionType]> = (
  ["NORMAL", "ADVANCE", "COPY", "PROFORMA", "TRAINING"] as const
).flatMap((invoiceType) => (["SALE", "REFUND"] as const).map((transactionType) => [invoiceType, transactionType] as const))

/** What each misfortune proves, how many receipts exist then, and what a search shows (Decisions §4). */
const misfortunes: ReadonlyArray<readonly [Misfortune, string, number, SearchOutcome["_tag"]]> = [
  ["refuseConnection", "NotSent PFR_UNAVAILABLE", 0, "NothingFound"],
  ["failHandshake", "NotSent PFR_UNAVAILABLE", 0, "NothingFound"],
  ["resetBeforeRequest", "NoAnswer OUTCOME_UNKNOWN", 0, "NothingFound"],
  ["resetMidRequest", "NoAnswer OUTCOME_UNKNOWN", 0, "NothingFound"],
  ["signThenHang", "NoAnswer OUTCOME_UNKNOWN", 1, "Found"],
  ["signThenReset", "NoAnswer OUTCOME_UNKNOWN", 1, "Found"],
  ["truncateAnswer", "NoAnswer OUTCOME_UNKNOWN", 1, "Found"],
  ["mangleAnswer", "NoAnswer OUTCOME_UNKNOWN", 1, "Found"],
  ["foreignAnswer", "NoAnswer OUTCOME_UNKNOWN", 1, "Found"],
  ["wrongAmount", "NoAnswer OUTCOME_UNKNOWN", 1, "FoundForeign"],
  ["serverError", "NoAnswer OUTCOME_UNKNOWN", 0, "NothingFound"],
  ["signThenServerError", "NoAnswer OUTCOME_UNKNOWN", 1, "Found"],
  ["tooManyRequests", "NoAnswer OUTCOME_UNKNOWN", 0, "NothingFound"],
  ["webPage", "NoAnswer OUTCOME_UNKNOWN", 0, "NothingFound"],
  ["refuseElement", "NotSent PFR_SECURITY_ELEMENT_UNAVAILABLE", 0, "NothingFound"],
  ["rejectLabel", "Rejected items[0].taxLabels[0] 2310", 0, "NothingFound"]
]

const summary = (outcome: SubmissionOutcome): string => {
  if (outcome._tag === "Signed") return `Signed ${outcome.remarks.map((remark) => `${remark.kind}: ${remark.detail}`).join("; ")}`.trim()
  if (outcome._tag === "Rejected") {
    return `Rejected ${outcome.rejection.items.map((item) => `${item.property} ${item.codes.join(" ")}`).join(", ")}`
  }
  return `${outcome._tag} ${outcome.failureCode}`
}

const pfrOf = (outcome: SubmissionOutcome | SearchOutcome) =>
  outcome._tag === "Signed" || outcome._tag === "Found" ? outcome.answer.pfr : assert.fail(JSON.stringify(outcome))

/** The contract of every tax authority behind the port, whatever its server does. */
export const taxAuthorityContract = (name: string, open: () => Promise<TaxAuthorityWorld>) =>
  describe(`TaxAuthority: ${name}`, () => {
    let world: TaxAuthorityWorld
    let requests = 0
    const newRequestId = () => `f${String((requests += 1)).padStart(31, "0")}`
    beforeAll(async () => {
      world = await open()
    })
    afterEach(() => world.clear())
    afterAll(() => world.close())

    const referring = async (transactionType: TransactionType): Promise<DocumentContent["reference"]> => {
      const pfr = pfrOf(await world.run(submitting(world.invoice(saleContent()), newRequestId())))
      return {
        source: "SVC",
        fiscalDocumentId: null,
        pfrNumber: pfr.invoiceNumber,
        pfrTime: pfr.sdcTime,
        invoiceType: "NORMAL",
        transactionType
      }
    }

    it.each(kinds)("signs %s %s once, and nothing about the answer is remarkable", async (invoiceType, transactionType) => {
      const needsReference = invoiceType === "COPY" || transactionType === "REFUND"
      const content = saleContent({
        invoiceType,
        transactionType,
        buyer: { id: "10:123456789", optionalField: null },
        reference: needsReference ? await referring("SALE") : null
      })
      const requestId = newRequestId()
      const outcome = await world.run(submitting(world.invoice(content), requestId))
      assert.strictEqual(summary(outcome), "Signed")
      assert.strictEqual(pfrOf(outcome).invoiceCounterExtension, counterExtension({ invoiceType, transactionType }))
      assert.strictEqual(world.signed(requestId), 1)
    })

    it.each<readonly [string, Partial<DocumentContent>]>([
      ["the smallest quantity", { items: [lineItem({ quantity: "0.001", unitPrice: "0.01" })] }],
      ["a line rounded up", { items: [lineItem({ quantity: "0.123", unitPrice: "9.95" })] }],
      ["large amounts", { items: [lineItem({ quantity: "99999.999", unitPrice: "9999999.99" })] }],
      ["three hundred lines", { items: Array.from({ length: 300 }, (_, index) => lineItem({ name: `Роба ${index}`, unitPrice: `${index}.99` })) }],
      ["several labels and kinds of tax", { items: [lineItem({ taxLabels: ["E", "T"] }), lineItem({ taxLabels: ["P", "Ж"], quantity: "3" })] }],
      ["names that need escaping", { items: [lineItem({ name: 'Књига "Ћ\\Њ" \u2028 🎁' })] }],
      ["several payments, one of nothing", {
        payments: [{ type: "CASH", amount: BigDecimal.make(60n, 0) }, { type: "VOUCHER", amount: BigDecimal.make(40n, 0) }, { type: "OTHER", amount: BigDecimal.make(0n, 0) }]
      }],
      ["an earlier wire transfer", { invoiceType: "ADVANCE", dateAndTimeOfIssue: DateTime.makeUnsafe("2026-01-02T10:00:00Z") }],
      ["an optional field", { buyer: { id: "10:123456789", optionalField: "50:1234" } }],
      ["no ESIR number", { esirNumber: "" }]
    ])("signs %s exactly", async (_, change) => {
      const content = saleContent(change)
      const outcome = await world.run(submitting(world.invoice(content), newRequestId()))
      assert.strictEqual(summary(outcome), "Signed")
      assert.isTrue(BigDecimal.equals(pfrOf(outcome).totalAmount, totalAmount(content.items)))
    })

    it.each(misfortunes)("%s: %s, with %i receipt, %s", async (misfortune, expected, receipts, shown) => {
      const invoice = await world.invoiceOfFreshElement(saleContent())
      await world.befall(misfortune)
      const requestId = newRequestId()
      const outcome = await world.run(submitting(invoice, requestId))
      assert.strictEqual(summary(outcome), expected)
      assert.strictEqual(world.signed(requestId), receipts)
      await world.clear()
      assert.strictEqual((await world.run(searching(invoice, requestId)))._tag, shown)
    })

    it("a receipt found by its RequestId is the one that was signed", async () => {
      const invoice = world.invoice(saleContent())
      const requestId = newRequestId()
      const first = pfrOf(await world.run(submitting(invoice, requestId)))
      const found = pfrOf(await world.run(searching(invoice, requestId)))
      assert.strictEqual(found.invoiceNumber, first.invoiceNumber)
      assert.strictEqual(found.sdcTime, first.sdcTime)
      assert.strictEqual(world.signed(requestId), 1)
    })

    it("a receipt of another document under that RequestId is not ours", async () => {
      const requestId = newRequestId()
      await world.run(submitting(world.invoice(saleContent()), requestId))
      const other = world.invoice(saleContent({ items: [lineItem({ unitPrice: "101" })] }))
      assert.strictEqual((await world.run(searching(other, requestId)))._tag, "FoundForeign")
    })

    it("the caller gone before the first byte stops it; nothing is signed", async () => {
      const requestId = newRequestId()
      const outcome = await world.run(submitting(world.invoice(saleContent()), requestId, AbortSignal.abort()))
      assert.strictEqual(summary(outcome), "NotSent PFR_SUBMISSION_CANCELLED_BEFORE_SEND")
      assert.strictEqual(world.signed(requestId), 0)
    })

    it("many at once are each signed once, under their own number", async () => {
      const ids = Array.from({ length: 60 }, newRequestId)
      const outcomes = await world.run(
        Effect.all(ids.map((id) => submitting(world.invoice(saleContent()), id)), { concurrency: "unbounded" })
      )
      assert.strictEqual(new Set(outcomes.map((outcome) => pfrOf(outcome).invoiceNumber)).size, 60)
      assert.deepStrictEqual(ids.map(world.signed), ids.map(() => 1))
    })
  })
