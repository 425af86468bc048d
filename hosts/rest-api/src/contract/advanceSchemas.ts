import { type AdvanceCase, AdvanceCaseState, externalAdvanceField, type FiscalDocument } from "@overa/domain"
import { jsonNumber, utcTime as utcText } from "@overa/host-kit"
import { AssembledJson, documentWritten } from "../json/WrittenJson.ts"
import { answer, decimal, type JsonSchema, list, memberSchema, nullable, object, oneOfTexts, orNull, ref, text, utcTime, uuid } from "@overa/host-kit/contract"

const externalAdvance = answer<NonNullable<AdvanceCase["externalAdvance"]>>("An advance taken with a receipt of another system.", {
  documentNumber: [memberSchema(externalAdvanceField, "documentNumber"), (advance) => advance.documentNumber],
  documentTime: [text("Time of the document, Belgrade local time with its offset.", { format: "date-time" }), (advance) => advance.documentTime],
  amount: [memberSchema(externalAdvanceField, "amount"), (advance) => jsonNumber(advance.amount)],
  taxAmount: [memberSchema(externalAdvanceField, "taxAmount"), (advance) => jsonNumber(advance.taxAmount)]
})

const cancellation = answer<AdvanceCase["advanceCancellations"][number]>("An advance given back.", {
  refund: [ref("FiscalDocument"), ({ refund }) => documentWritten(refund)],
  copy: orNull(ref("FiscalDocument"), ({ copy }) => copy, documentWritten)
})

const document = (of: (advanceCase: AdvanceCase) => FiscalDocument | null) => orNull(ref("FiscalDocument"), of, documentWritten)

/** An advance case as the contract writes it. Source: Decisions §5, Advance case. */
const advanceCase = answer<AdvanceCase>("Payments in advance for one delivery, up to the sale that closes them.", {
  id: [uuid("The case."), ({ id }) => id],
  taxpayerId: [uuid("The taxpayer that issues its documents."), ({ taxpayerId }) => taxpayerId],
  businessPremiseId: [uuid("The premise they are issued in."), ({ businessPremiseId }) => businessPremiseId],
  clientReference: [text("The caller's reference."), ({ clientReference }) => clientReference],
  state: [
    oneOfTexts("OPEN: takes payments. AWAITING_OUTCOME: an outcome is unknown, or a closing is under way.", AdvanceCaseState.literals),
    ({ state }) => state
  ],
  buyer: orNull(ref("AdvanceBuyer"), ({ buyer }) => buyer, ({ id }) => ({ id })),
  advanceSales: [list("Every attempt at an advance, oldest first.", ref("FiscalDocument")), ({ advanceSales }) => advanceSales.map(documentWritten)],
  cancelledAdvanceSaleIds: [list("Advances that were given back.", uuid("An Advance Sale.")), (stored) => stored.cancelledAdvanceSaleIds],
  advanceCancellations: [
    list("The Advance Refunds of cancelled advances.", ref("AdvanceCancellation")),
    ({ advanceCancellations }) => advanceCancellations.map(cancellation.write)
  ],
  externalAdvance: orNull(ref("ExternalAdvance"), (stored) => stored.externalAdvance, externalAdvance.write),
  totalAdvance: [
    decimal("All signed advances that are not cancelled, the external one included, dinars."),
    ({ totalAdvance }) => jsonNumber(totalAdvance)
  ],
  remainingPayments: [
    nullable(list("What was paid at the closing in addition to the advances.", ref("Payment"))),
    ({ remainingPayments }) => remainingPayments?.map(({ amount, type }) => ({ type, amount: jsonNumber(amount) })) ?? null
  ],
  advanceRefund: document(({ advanceRefund }) => advanceRefund),
  finalSale: document(({ finalSale }) => finalSale),
  current: document(({ current }) => current),
  failureCode: [nullable(ref("FailureCode")), ({ failureCode }) => failureCode],
  createdAt: [utcTime("When it was opened."), ({ createdAt }) => utcText(createdAt)],
  updatedAt: [utcTime("When one of its documents last changed."), ({ updatedAt }) => utcText(updatedAt)]
})

/** The members of a case, its documents written: a part of a list. */
export const advanceCaseMembers = advanceCase.write

export const advanceCaseJson = (stored: AdvanceCase): AssembledJson => new AssembledJson(advanceCase.write(stored))

/** Advance cases: answers. Source: Spec, Operations known by name only; Decisions §5, Advance case. */
export const advanceSchemas: Readonly<Record<string, JsonSchema>> = {
  ExternalAdvance: externalAdvance.schema,
  AdvanceCasePage: object("Advance cases, latest first.", {
    items: list("With their documents, without `pfrRejection`, which a single read has. A page may have fewer than were asked for, or none, where states are asked for.", ref("AdvanceCase")),
    nextCursor: nullable(text("To be sent as `cursor`, with the same filters, for the next page; null at the end."))
  }),
  AdvanceCancellation: cancellation.schema,
  AdvanceCase: advanceCase.schema
}
