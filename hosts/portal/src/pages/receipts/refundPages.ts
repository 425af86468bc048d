import {
  askRefund, bodyOf, decodeRefundRequest, dryRunRefund, type Fault, readDocument, readRefundable, type RefundItem, type RefundLedger, RefundStore, refundSale, refundTotalsFault
} from "@overa/domain"
import { type BigDecimal, Effect, Result } from "effect"
import { el } from "../../html/el.ts"
import type { Faults } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { askedUnder } from "../drafts/askedUnder.ts"
import { buyerFaults, buyerIdOf, lookUpBuyer } from "../drafts/buyer.ts"
import type { Asked, DraftKind, Pressed } from "../drafts/DraftKind.ts"
import { draftRoutes } from "../drafts/draftPages.ts"
import { paidWith, paymentsAfter } from "../drafts/payments.ts"
import { lineMembers } from "../drafts/lineMembers.ts"
import { faultWords } from "../drafts/faultWords.ts"
import { reasonMembers, reasonTooLong } from "../drafts/refundReason.ts"
import { cashierFaults, readCashier } from "./cashier.ts"
import { documentId } from "./documentId.ts"
import { lineFaults, plainTotal, refundEntries, refundIn, refundItems, refundStart, type RefundSubject, type TypedRefund } from "./refundForm.ts"

/** The receipt, what can still be refunded, and the ledger that decides the money. */
interface Subject extends RefundSubject {
  readonly ledger: RefundLedger
}

const subjectOf = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  if (id === null) return yield* new NotFound({})
  const original = yield* readDocument(visit.tenant, id)
  const subject: Subject = { original, refundable: yield* readRefundable(visit.tenant, id), ledger: yield* (yield* RefundStore).ledger(original) }
  return subject
})

/** What the lines come to by the ledger; where it refuses them, the dry run says why. */
const totalOf = ({ ledger, original }: Subject, items: ReadonlyArray<RefundItem>): BigDecimal.BigDecimal => {
  const accepted = askRefund(original.content.items, ledger, items)
  return Result.isSuccess(accepted) ? accepted.success.total : plainTotal(items)
}

const bodyFor = ({ original }: Subject, typed: TypedRefund, items: ReadonlyArray<RefundItem>, said: { readonly cashier: string; readonly total: BigDecimal.BigDecimal }): unknown =>
  bodyOf({
    taxpayerId: original.taxpayerId,
    businessPremiseId: original.businessPremiseId,
    clientReference: original.content.clientReference,
    original: { source: "SVC", fiscalDocumentId: original.id },
    cashier: { id: said.cashier },
    buyer: { id: buyerIdOf(typed.buyer) },
    items: items.map((item) => ({ ...lineMembers(item), originalLineIndex: item.originalLineIndex })),
    payments: paidWith(typed.payments, said.total),
    ...reasonMembers(typed.reason)
  })

const spoken = ({ say }: MemberVisit, { payments }: TypedRefund, faults: ReadonlyArray<Fault>): Faults =>
  Object.fromEntries(faults.map(({ pointer }) => {
    const [, list = "", index = "", member = ""] = pointer.split("/")
    if (list === "metadata") return ["reason", reasonTooLong(say)] as const
    const { field, words } = faultWords(index === "" ? `/${list}` : `/${list}/${member}`)
    return [list === "payments" ? `${field}-${index || payments.length - 1}` : field, say(...words)] as const
  }))

const read = (visit: MemberVisit, draft: string, typed: TypedRefund, subject: Subject): Asked | Faults => {
  const { say } = visit
  const { original, refundable } = subject
  const cashier = readCashier(visit)
  const missing = say("Рефундација тражи идентификацију купца, нпр. 11:0101990710009 (ЈМБГ) или 10:100000008 (ПИБ).", "A refund needs the buyer's identification, for example 11:0101990710009 (personal number) or 10:100000008 (tax id).")
  const faults: Faults = { ...lineFaults(say, typed, refundable), ...buyerFaults(visit, typed.buyer, { missing, signed: original.content.buyer?.id ?? null }), ...cashierFaults(visit) }
  if (cashier === null || Object.keys(faults).length > 0) return faults
  const items = refundItems(typed, refundable)
  const total = totalOf(subject, items)
  const body = bodyFor(subject, typed, items, { cashier, total })
  const decoded = decodeRefundRequest(body, { environment: visit.environment })
  if (Result.isFailure(decoded)) return spoken(visit, typed, decoded.failure.faults)
  const unpaid = refundTotalsFault(total, decoded.success.payments)
  if (unpaid !== null) return spoken(visit, typed, [{ ...unpaid, pointer: "/payments" }])
  return askedUnder(visit, { draft, target: "POST /v1/refund-workflows", body }, (request) => ({
    tried: Effect.map(dryRunRefund(visit.tenant, decoded.success), (receipt) => [{ title: null, receipt }]),
    issued: Effect.map(refundSale(request, decoded.success), ({ refund: { refund } }) => refund.id)
  }))
}

/** Refunding a receipt: entries and the refund as it would be signed, on one page. */
const refund: DraftKind<Subject, TypedRefund> = {
  route: "/receipts/:id/refund/:draft",
  title: ({ say }) => say("Рефундација", "Refund"),
  subject: subjectOf,
  start: (_, _draft, subject, source) => refundStart(subject, source),
  typedIn: refundIn,
  pressed: Effect.fnUntraced(function*(visit, form, typed) {
    const { buyer, looked } = yield* lookUpBuyer(visit, form, typed.buyer)
    const after: Pressed<TypedRefund> = { typed: { ...typed, buyer, payments: paymentsAfter(typed.payments, form) }, looked: { ...looked, products: null } }
    return after
  }),
  read,
  entries: refundEntries,
  issueWords: ({ say }) => say("Издај рефундацију", "Issue the refund"),
  nothing: ({ say }, { refundable }) =>
    refundable.lines.every(({ item }) => item === null) ? notice("wait", el("p", {}, say("Од овог рачуна нема шта да се врати.", "There is nothing of this receipt to give back."))) : null
}

export const refundRoutes = draftRoutes(refund)
