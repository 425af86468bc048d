import { mayBeIssuedAnew, mayBeSentAgain, mayDo, type Operation } from "@overa/domain"
import { Effect } from "effect"
import { el, type Html } from "../../html/el.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { draftAnew, successorOf } from "../drafts/draftOfDocument.ts"

/** The page that issues documents of this kind by hand, where there is one. */
const issuingPage = ({ content: { invoiceType, reference, transactionType }, workflow }: Operation): string | null => {
  const isSale = transactionType === "SALE"
  if (workflow?.type === "ADVANCE") {
    const part = invoiceType === "NORMAL" ? "closing" : isSale ? "payment" : "refund"
    return `/advances/${workflow.id}/${part}`
  }
  if (invoiceType === "NORMAL" && !isSale) return `/receipts/${reference?.fiscalDocumentId ?? ""}/refund`
  if ((invoiceType === "PROFORMA" || invoiceType === "TRAINING") && !isSale) return `/receipts/${reference?.fiscalDocumentId ?? ""}/whole-refund`
  return isSale && invoiceType !== "COPY" && invoiceType !== "ADVANCE" ? "/issue" : null
}

const anew = Effect.fnUntraced(function*(visit: MemberVisit, operation: Operation) {
  const { say } = visit
  const { content: { invoiceType, reference }, id } = operation
  const successor = yield* successorOf(visit, id)
  if (successor !== null) return el("p", {}, el("a", { href: `/receipts/${successor}` }, say("Уместо овог издат је други документ", "Another document was issued instead of this one")))
  if (invoiceType === "COPY") {
    const source = reference?.fiscalDocumentId ?? null
    return source === null ? null : el("a", { class: "button", href: `/receipts/${source}/copy` }, say("Издај копију поново", "Issue the copy anew"))
  }
  const page = issuingPage(operation)
  return page === null ? null : el("a", { class: "button", href: `${page}/${draftAnew(id)}?from=${id}` }, say("Исправи и издај поново", "Correct it and issue it anew"))
})

/** What may be done about a document that is no receipt: the same again where that is allowed, else a corrected one. Nothing while the outcome is unknown. */
export const afterFailureHtml = Effect.fnUntraced(function*(visit: MemberVisit, operation: Operation) {
  const none: Html = null
  if (!mayDo(visit.role, "receipts:issue")) return none
  if (mayBeIssuedAnew(operation)) return el("div", { class: "actions" }, yield* anew(visit, operation))
  return mayBeSentAgain(operation)
    ? el("div", { class: "actions" }, el("a", { class: "button", href: `/receipts/${operation.id}/again` }, visit.say("Пошаљи поново", "Send it again")))
    : none
})
