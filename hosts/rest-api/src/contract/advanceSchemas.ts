import { AdvanceCaseState } from "@overa/domain"
import { decimal, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "./JsonSchema.ts"
import { clientReference, commercialFooter, metadata } from "./requestSchemas.ts"

const optionalMutationFields = { clientReference: nullable(clientReference), commercialFooter, metadata }
const optionalMutationNames = Object.keys(optionalMutationFields)
const items = list("The lines: an advance literal of the environment with its one label, or ordinary items.", ref("LineItem"), {
  minItems: 1,
  maxItems: 1_000
})
const externalAdvance = {
  documentNumber: text("Number of the document.", { minLength: 1, maxLength: 50 }),
  amount: decimal("Dinars, tax included; more than 0.", { exclusiveMinimum: 0, maximum: 999_999_999_999.99 }),
  taxAmount: decimal("The tax in it, dinars.", { minimum: 0, maximum: 999_999_999_999.99 })
}

/** Advance cases: requests and answers. Source: Spec, Operations known by name only; Decisions §5, Advance case. */
export const advanceSchemas: Readonly<Record<string, JsonSchema>> = {
  ExternalAdvanceRequest: object("An advance taken on paper of another system: counted, never refunded or referred to by the service.", {
    ...externalAdvance,
    documentTime: text("Time of the document, with an offset or Z.", { format: "date-time" })
  }),
  ExternalAdvance: object("An advance taken on paper of another system.", {
    ...externalAdvance,
    documentTime: text("Time of the document, Belgrade local time with its offset.", { format: "date-time" })
  }),
  AdvanceCaseRequest: object("A case to open.", {
    taxpayerId: uuid("The taxpayer that issues the documents of the case."),
    businessPremiseId: uuid("An active distance-commerce premise of that taxpayer."),
    clientReference,
    buyer: nullable(ref("AdvanceBuyer")),
    externalAdvance: nullable(ref("ExternalAdvanceRequest"))
  }, ["buyer", "externalAdvance"]),
  AdvanceBuyer: object("The buyer of the case; an id is needed to cancel and to close.", {
    id: nullable(text("`prefix:value`, e.g. `10:100000008`.", { minLength: 1, maxLength: 20 }))
  }, ["id"]),
  AdvancePaymentRequest: object("An advance that was paid.", {
    cashier: ref("Cashier"),
    items,
    payments: list("Must sum to exactly the total of the items.", ref("Payment"), { minItems: 1, maxItems: 50 }),
    paymentOccurredAt: nullable(
      text("When a wire transfer arrived, if on an earlier day (Belgrade): only with a WIRE_TRANSFER among the payments.", {
        format: "date-time"
      })
    ),
    ...optionalMutationFields
  }, ["paymentOccurredAt", ...optionalMutationNames]),
  AdvanceCancellationRequest: object("The latest advance, to be given back.", {
    advanceSaleId: uuid("The latest advance that is signed and not cancelled."),
    cashier: ref("Cashier"),
    buyer: ref("IdentifiedBuyer"),
    ...optionalMutationFields
  }, optionalMutationNames),
  AdvanceClosingRequest: object("The goods are delivered: what they are, and what is paid on top of the advances.", {
    cashier: ref("Cashier"),
    items: list("Everything that is delivered, at its full price.", ref("LineItem"), { minItems: 1, maxItems: 1_000 }),
    remainingPayments: list(
      "Must sum to the total of the items less all advances; one payment of amount 0 when nothing remains.",
      ref("Payment"),
      { minItems: 1, maxItems: 50 }
    ),
    buyer: nullable(ref("Buyer")),
    ...optionalMutationFields
  }, ["buyer", ...optionalMutationNames]),
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
    totalAdvance: decimal("All advances that stand, the external one included, dinars."),
    remainingPayments: { type: ["array", "null"], description: "What the closing took on top of the advances.", items: ref("Payment") },
    advanceRefund: nullable(ref("FiscalDocument")),
    finalSale: nullable(ref("FiscalDocument")),
    current: nullable(ref("FiscalDocument")),
    failureCode: nullable(ref("FailureCode")),
    createdAt: utcTime("When it was opened."),
    updatedAt: utcTime("When one of its documents last changed.")
  })
}
