import { type CopyOfElsewhere, copyOfElsewhere, type ElsewhereReceipt, ElsewhereReceipts, type NotCopied, type StoredElsewhereReceipt } from "@overa/domain"
import { jsonNumber } from "@overa/host-kit"
import { Effect, Option, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { card, facts, notice } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { amount, moment } from "../../language/formats.ts"
import { chosenTaxpayer } from "../catalogue/ownTaxpayers.ts"
import { kindWords } from "../receipts/receiptWords.ts"
import { elsewhereBadge, standingBadge } from "./elsewhereList.ts"

/** Serbia's authority has its pages at these hosts; another address is shown and not followed. */
const authority = /^https:\/\/(?:[a-z0-9-]+\.)*purs\.gov\.rs\//

const notCopied = (visit: MemberVisit, why: NotCopied): string => {
  const words: Readonly<Record<NotCopied, readonly [string, string]>> = {
    KIND: ["Копија се издаје само за промет и аванс.", "Only Normal and Advance receipts are copied."],
    NO_TEXT: ["Познат је само линк, а он нема ставке. Увезите и текст рачуна.", "Only the link is known, which has no items. Import the receipt's text too."],
    AMOUNTS: ["Одштампани износи се не слажу са потписаним збиром, па се захтев не може саставити сам. Саставите га по рачуну.", "The printed amounts do not sum to the signed total, so the request cannot be composed by itself. Compose it from the receipt."]
  }
  return visit.say(...words[why])
}

/** The body of `POST /v1/fiscal-documents`; the caller adds premise, reference and cashier. */
const copyBody = (taxpayerId: string, { buyerId, items, payments, reference, transactionType }: CopyOfElsewhere): string =>
  JSON.stringify({
    taxpayerId,
    businessPremiseId: "…",
    clientReference: `copy of ${reference.pfrNumber}`,
    invoiceType: "COPY",
    transactionType,
    cashier: { id: "…" },
    ...(buyerId === null ? {} : { buyer: { id: buyerId } }),
    items: items.map((item) => ({ ...item, quantity: jsonNumber(item.quantity), unitPrice: jsonNumber(item.unitPrice) })),
    payments: payments.map((payment) => ({ ...payment, amount: jsonNumber(payment.amount) })),
    reference
  }, null, 2)

const copyCard = (visit: MemberVisit, { receipt, taxpayerId }: StoredElsewhereReceipt): Html => {
  const { say } = visit
  const copied = copyOfElsewhere(receipt)
  return card(
    say("Копија", "Copy"),
    ...(Result.isFailure(copied) ? [el("p", {}, notCopied(visit, copied.failure))] : [
      el("p", {}, say("Копију издаје ", "The copy is issued by "), el("code", {}, "POST /v1/fiscal-documents"), say(" са овим телом:", " with this body:")),
      el("pre", {}, copyBody(taxpayerId, copied.success))
    ])
  )
}

const refundCard = ({ say }: MemberVisit): Html =>
  card(
    say("Рефундација", "Refund"),
    notice("wait", el("p", {}, say(
      "Рефундација овог рачуна се не издаје овде. Издаје је ЕСИР који је издао рачун, или други одобрени ЕСИР истог обвезника који прима број оригинала као референтни број. Задржите претходни ЕСИР и његов безбедносни елемент док купци могу да врате купљено.",
      "A refund of this receipt is not issued here. The ESIR that issued it does, or another approved ESIR of the same taxpayer that takes the original's number as reference. Keep the former ESIR and its security element until buyers can return nothing."
    )))
  )

const factsOf = (visit: MemberVisit, receipt: ElsewhereReceipt): Html => {
  const { say } = visit
  const url = receipt.verificationUrl
  return facts([
    [say("Врста", "Kind"), kindWords(say, { content: receipt })],
    [say("ПФР време", "PFR time"), moment(receipt.pfrTime)],
    [say("Бројач", "Counter"), receipt.counter],
    [say("Износ, RSD", "Amount, RSD"), amount(receipt.totalAmount)],
    [say("Порез, RSD", "Tax, RSD"), receipt.totalTax === null ? "–" : amount(receipt.totalTax)],
    [say("Купац", "Buyer"), receipt.buyerId ?? "–"],
    [say("Провера код Пореске управе", "Check at the tax authority"), url === null ? "–" : authority.test(url) ? el("a", { href: url, rel: "noreferrer" }, say("отвори", "open")) : el("span", { class: "hint" }, `${url.slice(0, 80)}…`)]
  ])
}

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { query, say } = visit
  const taxpayerId = yield* chosenTaxpayer(visit, query.get("taxpayer") ?? "")
  const found = Option.getOrNull(yield* (yield* ElsewhereReceipts).get(visit.tenant, taxpayerId, query.get("number") ?? ""))
  if (found === null) return yield* new NotFound({})
  return page(found.pfrNumber, all(
    el("h1", {}, found.pfrNumber),
    el("p", {}, elsewhereBadge(visit), " ", standingBadge(visit, found.standing)),
    el("div", { class: "card" }, factsOf(visit, found)),
    found.journal === null ? null : card(say("Текст рачуна", "The receipt's text"), el("pre", { class: "journal" }, found.journal)),
    copyCard(visit, { receipt: found, taxpayerId }),
    refundCard(visit),
    el("p", {}, el("a", { href: "/elsewhere" }, say("Сви рачуни другог ЕСИР-а", "All receipts of another ESIR")))
  ))
})

export const elsewhereReceiptRoutes = [memberRoute("GET", "/elsewhere/receipt", "receipts:read", show)]
