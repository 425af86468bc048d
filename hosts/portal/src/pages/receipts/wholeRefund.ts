import { bodyOf, decodeProformaTrainingRequest, dryRunProformaTraining, issueProformaTraining, type Operation, readDocument, totalAmount } from "@overa/domain"
import { Effect, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { facts } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { amount } from "../../language/formats.ts"
import { askedUnder } from "../drafts/askedUnder.ts"
import { buyerFaults, buyerIdOf } from "../drafts/buyer.ts"
import { type BuyerAndReason, buyerAndReasonHtml, buyerAndReasonIn, buyerAndReasonOf, buyerAndReasonPressed } from "../drafts/buyerAndReason.ts"
import type { DraftKind, Shown } from "../drafts/DraftKind.ts"
import { draftRoutes } from "../drafts/draftPages.ts"
import { lineMembers } from "../drafts/lineMembers.ts"
import { reasonMembers, reasonTooLong } from "../drafts/refundReason.ts"
import { cashierFaults, readCashier } from "./cashier.ts"
import { documentId } from "./documentId.ts"
import { paymentWords } from "./receiptWords.ts"

/** Whether a document is given back as a whole or not at all: a proforma or training sale (Decisions §5, Proforma and training). */
export const isGivenBackWhole = ({ content: { invoiceType, transactionType }, status }: Operation): boolean =>
  status === "FISCALIZED" && transactionType === "SALE" && (invoiceType === "PROFORMA" || invoiceType === "TRAINING")

const subject = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["proforma"])
  const document = id === null ? null : yield* readDocument(visit.tenant, id)
  return document === null || !isGivenBackWhole(document) ? yield* new NotFound({}) : document
})

const entries = (visit: MemberVisit, shown: Shown<Operation, BuyerAndReason>): Html => {
  const { say } = visit
  const { subject: sale } = shown
  return all(
    facts([
      [say("Враћа се", "What is given back"), el("a", { href: `/receipts/${sale.id}` }, sale.answer?.pfr.invoiceNumber ?? sale.id)],
      ...sale.content.payments.map((payment) => [paymentWords(say, payment.type), `${amount(payment.amount)} RSD`] as const),
      [say("Укупно", "Total"), `${amount(totalAmount(sale.content.items))} RSD`]
    ]),
    buyerAndReasonHtml(visit, shown)
  )
}

const read: DraftKind<Operation, BuyerAndReason>["read"] = (visit, draft, typed, sale) => {
  const { say } = visit
  const cashier = readCashier(visit)
  const missing = say("Рефундација тражи идентификацију купца.", "A refund needs the buyer's identification.")
  const faults = { ...buyerFaults(visit, typed.buyer, { missing, signed: sale.content.buyer?.id ?? null }), ...cashierFaults(visit) }
  if (cashier === null || Object.keys(faults).length > 0) return faults
  const { clientReference, invoiceType, items, payments } = sale.content
  const body = bodyOf({
    taxpayerId: sale.taxpayerId, businessPremiseId: sale.businessPremiseId, clientReference, invoiceType, transactionType: "REFUND",
    cashier: { id: cashier }, buyer: { id: buyerIdOf(typed.buyer) }, items: items.map(lineMembers), payments,
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
const wholeRefund: DraftKind<Operation, BuyerAndReason> = {
  route: "/receipts/:proforma/whole-refund/:draft",
  title: ({ say }, { content }) => content.invoiceType === "PROFORMA" ? say("Рефундација предрачуна", "Refund of the proforma") : say("Рефундација рачуна за обуку", "Refund of the training receipt"),
  subject,
  start: (_visit, _draft, { content: { buyer } }, source) => buyerAndReasonOf(buyer?.id, source),
  typedIn: buyerAndReasonIn,
  pressed: buyerAndReasonPressed,
  read,
  entries,
  issueWords: ({ say }) => say("Издај рефундацију", "Issue the refund"),
  nothing: () => null
}

export const wholeRefundRoutes = draftRoutes(wholeRefund)
