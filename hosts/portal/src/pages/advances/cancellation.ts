import { advanceSales, bodyOf, cancelAdvanceSale, caseDocuments, decodeAdvanceCancellationRequest, dryRunCancellation, latestAdvance, type StandingAdvance, type StoredAdvanceCase, totalAmount } from "@overa/domain"
import { Effect, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { facts, notice } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount } from "../../language/formats.ts"
import { askedUnder } from "../drafts/askedUnder.ts"
import { buyerFaults, buyerIdOf } from "../drafts/buyer.ts"
import { type BuyerAndReason, buyerAndReasonHtml, buyerAndReasonIn, buyerAndReasonOf, buyerAndReasonPressed } from "../drafts/buyerAndReason.ts"
import type { DraftKind, Shown } from "../drafts/DraftKind.ts"
import { reasonMembers, reasonTooLong } from "../drafts/refundReason.ts"
import { cashierFaults, readCashier } from "../receipts/cashier.ts"
import { paymentWords } from "../receipts/receiptWords.ts"
import { namedCase } from "./namedCase.ts"

/** The payment that can be given back: the latest one that stands. */
const targetOf = ({ documents }: StoredAdvanceCase): StandingAdvance | null => latestAdvance(advanceSales(caseDocuments(documents)))

const entries = (visit: MemberVisit, shown: Shown<StoredAdvanceCase, BuyerAndReason>): Html => {
  const { say } = visit
  const { subject } = shown
  const target = targetOf(subject)
  return all(
    facts([
      [say("Аванс", "Advance"), el("a", { href: `/advances/${subject.opened.id}` }, subject.opened.clientReference)],
      [say("Враћа се уплата", "The payment that is given back"), target?.pfr.invoiceNumber ?? "–"],
      ...(target?.payments ?? []).map((payment) => [paymentWords(say, payment.type), `${amount(payment.amount)} RSD`] as const),
      [say("Укупно", "Total"), `${amount(totalAmount(target?.items ?? []))} RSD`]
    ]),
    buyerAndReasonHtml(visit, shown)
  )
}

const read: DraftKind<StoredAdvanceCase, BuyerAndReason>["read"] = (visit, draft, typed, subject) => {
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
export const cancellation: DraftKind<StoredAdvanceCase, BuyerAndReason> = {
  route: "/advances/:case/refund/:draft",
  title: ({ say }) => say("Врати последњу уплату аванса", "Give the latest payment of the advance back"),
  subject: namedCase,
  start: (_visit, _draft, { opened }, source) => buyerAndReasonOf(opened.buyer?.id, source),
  typedIn: buyerAndReasonIn,
  pressed: buyerAndReasonPressed,
  read,
  entries,
  issueWords: ({ say }) => say("Издај рефундацију аванса", "Issue the refund of the advance"),
  nothing: ({ say }, subject) =>
    targetOf(subject) === null ? notice("wait", el("p", {}, say("Овај аванс нема уплату која може да се врати.", "This advance has no payment that can be given back."))) : null
}
