import { Schema } from "effect"
import type { Buyer } from "../parties/Buyer.ts"
import { buyerIdFault, buyerIdPattern } from "../parties/BuyerId.ts"
import { isCorporateCard, optionalFieldFault, optionalFieldPattern } from "../parties/BuyerOptionalField.ts"
import { listMember, member, textMember } from "./bodyTree.ts"
import type { BodyRule } from "./decodeRequest.ts"
import { faultAt } from "./Fault.ts"
import { optional, textField } from "./textField.ts"

const buyerIdField = textField(20, { form: buyerIdFault, pattern: buyerIdPattern }).annotate({
  description: "`prefix:value`, e.g. `10:100000008`; visible ASCII, without spaces and diacritics."
})
const buyerOptionalField = textField(50, { form: optionalFieldFault, pattern: optionalFieldPattern }).annotate({
  description: "`prefix:value`; only on a Normal Sale."
})

/** Source: Spec, Resources, Buyer; forms: Decisions §1. */
export const buyerField = Schema.Struct({ id: optional(buyerIdField), optionalField: optional(buyerOptionalField) }).annotate({
  identifier: "Buyer",
  description: "The buyer, where the regulations require identification."
})

/** The buyer of a document that is not a Normal Sale. An optional field is read too, so that its refusal has its own message. */
const withoutOptionalField = <F extends Schema.Struct.Fields>(id: F, as: { readonly identifier: string; readonly description: string }) => ({
  published: Schema.Struct(id).annotate(as),
  read: Schema.Struct({ ...id, optionalField: optional(buyerOptionalField) })
})

/** The buyer of a refund: identified always (Spec, Refunds rule 3). */
export const identifiedBuyer = withoutOptionalField({ id: buyerIdField }, {
  identifier: "IdentifiedBuyer",
  description: "The buyer of a refund; identification is mandatory."
})

/** The buyer of an advance case. */
export const advanceBuyer = withoutOptionalField({ id: optional(buyerIdField) }, {
  identifier: "AdvanceBuyer",
  description: "The buyer of the case; an id is needed to cancel and to close."
})

/** The buyer of a proforma or training document. */
export const proformaTrainingBuyer = withoutOptionalField({ id: optional(buyerIdField) }, {
  identifier: "ProformaTrainingBuyer",
  description: "The buyer; `id` is required on a refund."
})

/** The buyer as stored; null when the request has none. */
export const toBuyer = (
  buyer: { readonly id?: string | null; readonly optionalField?: string | null } | null | undefined
): Buyer | null => {
  const id = buyer?.id ?? null
  const optionalField = buyer?.optionalField ?? null
  return id === null && optionalField === null ? null : { id, optionalField }
}

/** Refuses an optional field where the document is no Normal Sale (Spec, fiscal-documents rule 5). */
export const optionalFieldRefused = (document: string): BodyRule => (body) =>
  member(member(body, "buyer"), "optionalField") === undefined
    ? []
    : [faultAt(["buyer", "optionalField"], `is allowed only on a Normal Sale, not on ${document}`)]

/** A corporate card pays with vouchers alone (Decisions §1). `payments` names the list that pays the document. */
export const corporateCardPaysByVoucher = (payments: string): BodyRule => (body) => {
  const field = textMember(member(body, "buyer"), "optionalField")
  if (field === undefined || !isCorporateCard(field)) return []
  const types = listMember(body, payments).map((payment) => textMember(payment, "type"))
  return types.every((type) => type === undefined || type === "VOUCHER")
    ? []
    : [faultAt(["buyer", "optionalField"], "names a corporate card (50:), so every payment must be a VOUCHER")]
}
