import type { FinishedRun, Violation } from "./FinishedRun.ts"

/** Clocks are wrong, and a request may be under way for ten minutes: a sale that is sent about the change may be taxed by either group. */
const marginMillis = 15 * 60_000

/**
 * What the service computes is what was signed: refunds and copies by the rates of what they refer to, everything else by those of its time. A person is told of
 * nothing else than sales that were sent about the moment of a change.
 */
export const checkRates = ({ rates, store, vpfr }: FinishedRun): ReadonlyArray<Violation> =>
  [...store.memory.byId.values()].flatMap(({ attention, operation: { answer, content, id } }) => {
    const item = attention.find(({ kind }) => kind === "TAX_DIFFERS")
    if (item === undefined) return []
    const isOfOther = content.reference !== null && (content.transactionType === "REFUND" || content.invoiceType === "COPY")
    const receipts = vpfr.receiptsOf(content.clientReference)
    const signed = vpfr.receipts.find(({ invoiceNumber }) => invoiceNumber === answer?.pfr.invoiceNumber) ?? receipts[0]
    const isAbout = rates.changeAt !== null && signed !== undefined && (signed.isTooLate || Math.abs(signed.signedAt - rates.changeAt) < marginMillis)
    return !isOfOther && isAbout ? [] : [`${content.clientReference}, ${content.invoiceType} ${content.transactionType} ${id}: ${item.detail}`]
  })
