import { advanceSales, bodyOf, cancelAdvanceSale, caseDocuments, decodeAdvanceCancellationRequest, dryRunCancellation, latestAdvance, type StandingAdvance, type StoredAdvanceCase, totalAmount } from "@overa/domain"
import { Effect, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { facts, notice } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount } from "../../language/formats.ts"
import { askedUnder } from "../drafts/askedUnder.ts"
import { buyerFaults, buyerHtml, buyerIdOf, buyerIn, lookUpBuyer, type TypedBuyer, typedBuyerOf } from "../drafts/buyer.ts"
import type { DraftKind, Pressed, Shown } from "../drafts/DraftKind.ts"
import { reasonField, reasonMembers, reasonOf, reasonTooLong, refundBuyerLegend } from "../drafts/refundReason.ts"
import { cashierFaults, readCashier } from "../receipts/cashier.ts"
import { paymentWords } from "../receipts/receiptWords.ts"
import { namedCase } from "./namedCase.ts"

interface TypedCancellation {
  readonly buyer: TypedBuyer
  readonly reason: string
}

/** The payment that can be given back: the latest one that stands. */
const targetOf = ({ documents }: StoredAdvanceCase): StandingAdvance | null => latestAdvance(advanceSales(caseDocuments(documents)))

const entries = (visit: MemberVisit, { address, faults, looked, subject, typed }: Shown<StoredAdvanceCase, TypedCancellation>): Html => {
  const { say } = visit
  const target = targetOf(subject)
  return all(
    facts([
      [say("Аванс", "Advance"), el("a", { href: `/advances/${subject.opened.id}` }, subject.opened.clientReference)],
      [say("Враћа се уплата", "The payment that is given back"), target?.pfr.invoiceNumber ?? "–"],
      ...(target?.payments ?? []).map((payment) => [paymentWords(say, payment.type), `${amount(payment.amount)} RSD`] as const),
      [say("Укупно", "Total"), `${amount(totalAmount(target?.items ?? []))} RSD`]
    ]),
    buyerHtml(visit, { address, faults, looked, typed: typed.buyer, legend: refundBuyerLegend(say) }),
    reasonField(visit, typed.reason, faults)
  )
}

const read: DraftKind<StoredAdvanceCase, TypedCancellation>["read"] = (visit, draft, typed, subject) => {
  const { say } = visit
  const cashier = readCashier(visit)
  const missing = say("Рефундација тражи идентификацију купца.", "A refund needs the buyer's identification.")
  const faults = { ...buyerFaults(visit, typed.buyer, { missing, signed: subject.opened.buyer?.id ?? null }), ...cashierFaults(visit) }
  const target = targetOf(subject)
  if (cashier === null || target === null || Object.keys(faults).length > 0) return faults
  const { id } = subject.opened
  const body = bodyOf({
    advanceSaleId: target.id, cashier: { id: cashier }, buyer: { id: buyerIdOf(typed.buyer) }, ...reasonMembers(typed.reason)
  })
  const decoded = decodeAdvanceCancellationRequest(body)
  if (Result.isFailure(decoded)) return { reason: reasonTooLong(say) }
  return askedUnder(visit, { draft, target: `POST /v1/advance-cases/${id}/cancellations`, body }, (request) => ({
    tried: Effect.map(dryRunCancellation(visit.tenant, id, decoded.success), (receipt) => [{ title: null, receipt }]),
    issued: Effect.map(cancelAdvanceSale(request, id, decoded.success), ({ current }) => current.id)
  }))
}

/** Giving back the latest payment of an advance. */
export const cancellation: DraftKind<StoredAdvanceCase, TypedCancellation> = {
  route: "/advances/:case/refund/:draft",
  title: ({ say }) => say("Врати последњу уплату аванса", "Give the latest payment of the advance back"),
  subject: namedCase,
  start: (_visit, _draft, { opened }, source) => ({ buyer: typedBuyerOf(source?.content.buyer?.id ?? opened.buyer?.id), reason: source === null ? "" : reasonOf(source) }),
  typedIn: (form) => ({ buyer: buyerIn(form), reason: form.text("reason") }),
  pressed: Effect.fnUntraced(function*(visit, form, typed) {
    const { buyer, looked } = yield* lookUpBuyer(visit, form, typed.buyer)
    const after: Pressed<TypedCancellation> = { typed: { ...typed, buyer }, looked: { ...looked, products: null } }
    return after
  }),
  read,
  entries,
  issueWords: ({ say }) => say("Издај рефундацију аванса", "Issue the refund of the advance"),
  nothing: ({ say }, subject) =>
    targetOf(subject) === null ? notice("wait", el("p", {}, say("Овај аванс нема уплату која може да се врати.", "This advance has no payment that can be given back."))) : null
}
