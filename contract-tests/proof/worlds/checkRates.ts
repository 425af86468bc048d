import { advancePartOf, type DocumentContent } from "@overa/domain"
import { documentUnder, type FinishedRun, stoodStillOver, type Violation } from "./FinishedRun.ts"
import { orderKeyOf } from "./SimulatedVpfr.ts"

/** Clocks are wrong, and a request may be under way for ten minutes: a sale that is sent about the change may be taxed by either group. */
const marginMillis = 15 * 60_000

/**
 * What the service computes is what was signed for the document: refunds and copies by the rates of what they refer to, everything else by those of its time. A person is told of
 * nothing else than sales that were sent about the moment of a change.
 */
const checkTaxes = ({ rates, store, vpfr }: FinishedRun): ReadonlyArray<Violation> =>
  [...store.memory.byId.values()].flatMap(({ attention, operation: { answer, content, id } }) => {
    const item = attention.find(({ kind }) => kind === "TAX_DIFFERS")
    if (item === undefined) return []
    const isOfOther = content.reference !== null && (content.transactionType === "REFUND" || content.invoiceType === "COPY")
    const receipts = vpfr.receiptsOf(content.clientReference)
    const signed = vpfr.receipts.find(({ invoiceNumber }) => invoiceNumber === answer?.pfr.invoiceNumber) ?? receipts[0]
    // Exchanged answers of equal totals cannot be told apart when they arrive (`checkRun.ts`): the tax is that of the other document, and a person is told.
    if (signed !== undefined && signed.key !== orderKeyOf(content)) return []
    const isAbout = rates.changeAt !== null && signed !== undefined && (signed.isTooLate || Math.abs(signed.signedAt - rates.changeAt) < marginMillis)
    return !isOfOther && isAbout ? [] : [`${content.clientReference}, ${content.invoiceType} ${content.transactionType} ${id}: ${item.detail}`]
  })

/**
 * Whether a closing's Advance Refund was made while its process knew no rates. Unknown rates stop no refund (Decisions §2), so it is sent, and only the V-PFR
 * can refuse it. A process of a world forgets rates in one of five looks, also those that it was given a moment ago; the service keeps what the V-PFR gave it, and
 * begins no closing without today's rates, so it has them here. The look comes just before the document gets its time, in the same millisecond of the world.
 * Another look of that millisecond excuses too, one of another time does not: without the product's check of these labels, seed 1788 still shows it.
 */
const wasUnchecked = (run: FinishedRun, content: DocumentContent): boolean => {
  const stored = documentUnder(run, orderKeyOf(content))?.operation
  return stored !== undefined && advancePartOf(stored) === "CLOSING_REFUND" && run.rates.wereUnknownAt(stored.createdAt)
}

/**
 * Nothing is sent that the V-PFR must reject: a refund with a label that what it refers to cannot have, or a sale with a label that was withdrawn long before.
 * The copy of a refund is sent: the refund is a receipt already, and only the V-PFR can say that its copy, which has the rates of the refund's own time, is not.
 */
const checkLabels = (run: FinishedRun): ReadonlyArray<Violation> =>
  run.vpfr.rejectedForLabels.flatMap(({ at, content }) => {
    const { clientReference, invoiceType, transactionType } = content
    const { changeAt } = run.rates
    const isAbout = changeAt !== null && (at - changeAt < marginMillis || stoodStillOver(run, { checkedBefore: changeAt, at, marginMillis }))
    const mayBe = transactionType === "REFUND" ? invoiceType === "COPY" || wasUnchecked(run, content) : isAbout
    return mayBe ? [] : [`${clientReference}, ${invoiceType} ${transactionType}: sent with a label that was withdrawn`]
  })

/** What is sent can be signed, and is taxed as the service has computed. */
export const checkRates = (run: FinishedRun): ReadonlyArray<Violation> => [...checkTaxes(run), ...checkLabels(run)]
