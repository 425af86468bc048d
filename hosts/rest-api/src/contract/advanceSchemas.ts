import { AdvanceCaseState, externalAdvanceField } from "@overa/domain"
import { decimal, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "./JsonSchema.ts"
import { memberSchema } from "./shapeSchemas.ts"

/** Advance cases: answers. Source: Spec, Operations known by name only; Decisions §5, Advance case. */
export const advanceSchemas: Readonly<Record<string, JsonSchema>> = {
  ExternalAdvance: object("An advance taken with a receipt of another system.", {
    documentNumber: memberSchema(externalAdvanceField, "documentNumber"),
    amount: memberSchema(externalAdvanceField, "amount"),
    taxAmount: memberSchema(externalAdvanceField, "taxAmount"),
    documentTime: text("Time of the document, Belgrade local time with its offset.", { format: "date-time" })
  }),
  AdvanceCancellation: object("An advance given back.", {
    refund: ref("FiscalDocument"),
    copy: nullable(ref("FiscalDocument"))
  }),
  AdvanceCase: object("Payments in advance for one delivery, up to the sale that closes them.", {
    id: uuid("The case."),
    taxpayerId: uuid("The taxpayer that issues its documents."),
    businessPremiseId: uuid("The premise they are issued in."),
    clientReference: text("The caller's reference."),
    state: oneOfTexts("OPEN: takes payments. AWAITING_OUTCOME: an outcome is unknown, or a closing is under way.", AdvanceCaseState.literals),
    buyer: nullable(ref("AdvanceBuyer")),
    advanceSales: list("Every attempt at an advance, oldest first.", ref("FiscalDocument")),
    cancelledAdvanceSaleIds: list("Advances that were given back.", uuid("An Advance Sale.")),
    advanceCancellations: list("The Advance Refunds of cancelled advances.", ref("AdvanceCancellation")),
    externalAdvance: nullable(ref("ExternalAdvance")),
    totalAdvance: decimal("All signed advances that are not cancelled, the external one included, dinars."),
    remainingPayments: { type: ["array", "null"], description: "What was paid at the closing in addition to the advances.", items: ref("Payment") },
    advanceRefund: nullable(ref("FiscalDocument")),
    finalSale: nullable(ref("FiscalDocument")),
    current: nullable(ref("FiscalDocument")),
    failureCode: nullable(ref("FailureCode")),
    createdAt: utcTime("When it was opened."),
    updatedAt: utcTime("When one of its documents last changed.")
  })
}
