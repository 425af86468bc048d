import { bodyOf, decodeProformaTrainingRequest, dryRunProformaTraining, issueProformaTraining, type LineItem, type Operation, readDocument, totalAmount } from "@overa/domain"
import { Effect, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { facts } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { amount } from "../../language/formats.ts"
import { askedUnder } from "../drafts/askedUnder.ts"
import { buyerFaults, buyerHtml, buyerIdOf, buyerIn, lookUpBuyer, type TypedBuyer, typedBuyerOf } from "../drafts/buyer.ts"
import type { DraftKind, Pressed, Shown } from "../drafts/DraftKind.ts"
import { draftRoutes } from "../drafts/draftPages.ts"
import { reasonField, reasonMembers, reasonOf, reasonTooLong, refundBuyerLegend } from "../drafts/refundReason.ts"
import { cashierFaults, readCashier } from "./cashier.ts"
import { documentId } from "./documentId.ts"
import { paymentWords } from "./receiptWords.ts"

interface TypedWholeRefund {
  readonly buyer: TypedBuyer
  readonly reason: string
}

/** Whether a document is given back as a whole or not at all: a proforma or training sale (Decisions §5, Proforma and training). */
export const isGivenBackWhole = ({ content: { invoiceType, transactionType }, status }: Operation): boolean =>
  status === "FISCALIZED" && transactionType === "SALE" && (invoiceType === "PROFORMA" || invoiceType === "TRAINING")

const subject = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["proforma"])
  const document = id === null ? null : yield* readDocument(visit.tenant, id)
  return document === null || !isGivenBackWhole(document) ? yield* new NotFound({}) : document
})

const itemOf = ({ catalogProductId, gtin, name, quantity, taxLabels, unitOfMeasure, unitPrice, unitPriceBeforeDiscount }: LineItem) =>
  ({ catalogProductId, gtin, name, quantity, taxLabels, unitOfMeasure, unitPrice, unitPriceBeforeDiscount })

const entries = (visit: MemberVisit, { address, faults, looked, subject: sale, typed }: Shown<Operation, TypedWholeRefund>): Html => {
  const { say } = visit
  return all(
    facts([
      [say("Враћа се", "What is given back"), el("a", { href: `/receipts/${sale.id}` }, sale.answer?.pfr.invoiceNumber ?? sale.id)],
      ...sale.content.payments.map((payment) => [paymentWords(say, payment.type), `${amount(payment.amount)} RSD`] as const),
      [say("Укупно", "Total"), `${amount(totalAmount(sale.content.items))} RSD`]
    ]),
    buyerHtml(visit, { address, faults, looked, typed: typed.buyer, legend: refundBuyerLegend(say) }),
    reasonField(visit, typed.reason, faults)
  )
}

const read: DraftKind<Operation, TypedWholeRefund>["read"] = (visit, draft, typed, sale) => {
  const { say } = visit
  const cashier = readCashier(visit)
  const missing = say("Рефундација тражи идентификацију купца.", "A refund needs the buyer's identification.")
  const faults = { ...buyerFaults(visit, typed.buyer, { missing, signed: sale.content.buyer?.id ?? null }), ...cashierFaults(visit) }
  if (cashier === null || Object.keys(faults).length > 0) return faults
  const { clientReference, invoiceType, items, payments } = sale.content
  const body = bodyOf({
    taxpayerId: sale.taxpayerId, businessPremiseId: sale.businessPremiseId, clientReference, invoiceType, transactionType: "REFUND",
    cashier: { id: cashier }, buyer: { id: buyerIdOf(typed.buyer) }, items: items.map(itemOf), payments,
    reference: { source: "SVC", fiscalDocumentId: sale.id }, ...reasonMembers(typed.reason)
  })
  const decoded = decodeProformaTrainingRequest(body, { environment: visit.environment })
  if (Result.isFailure(decoded)) return { reason: reasonTooLong(say) }
  return askedUnder(visit, { draft, target: "POST /v1/proforma-training-workflows", body }, (request) => ({
    tried: Effect.map(dryRunProformaTraining(request, decoded.success), (receipt) => [{ title: null, receipt }]),
    issued: Effect.map(issueProformaTraining(request, decoded.success), ({ operation }) => operation.id)
  }))
}

/** Giving a proforma or training document back. */
const wholeRefund: DraftKind<Operation, TypedWholeRefund> = {
  route: "/receipts/:proforma/whole-refund/:draft",
  title: ({ say }, { content }) => content.invoiceType === "PROFORMA" ? say("Рефундација предрачуна", "Refund of the proforma") : say("Рефундација рачуна за обуку", "Refund of the training receipt"),
  subject,
  start: (_visit, _draft, sale, source) => ({ buyer: typedBuyerOf((source ?? sale).content.buyer?.id), reason: source === null ? "" : reasonOf(source) }),
  typedIn: (form) => ({ buyer: buyerIn(form), reason: form.text("reason") }),
  pressed: Effect.fnUntraced(function*(visit, form, typed) {
    const { buyer, looked } = yield* lookUpBuyer(visit, form, typed.buyer)
    const after: Pressed<TypedWholeRefund> = { typed: { ...typed, buyer }, looked: { ...looked, products: null } }
    return after
  }),
  read,
  entries,
  issueWords: ({ say }) => say("Издај рефундацију", "Issue the refund"),
  nothing: () => null
}

export const wholeRefundRoutes = draftRoutes(wholeRefund)
