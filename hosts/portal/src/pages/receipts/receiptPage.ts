import { anyTime, DeliveryStore, type DocumentStatus, type LineItem, lineAmount, mayDo, type Operation, pfrInstant, readOperation, type ReceiptDelivery, roundToPara, totalAmount, type Transition } from "@overa/domain"
import { Effect, Option } from "effect"
import { assets } from "../../assets/assets.ts"
import { all, el, type Html } from "../../html/el.ts"
import { card, facts, notice, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { amount, moment, quantity } from "../../language/formats.ts"
import type { Say } from "../../language/Language.ts"
import { doneNotice } from "../doneNotice.ts"
import { chainHtml } from "./chainHtml.ts"
import { deliveryTable } from "./deliveryTable.ts"
import { causeWords, kindWords, paymentWords, statusBadge, statusName, summaryWords } from "./receiptWords.ts"
import { afterFailureHtml } from "./afterFailure.ts"
import { documentId } from "./documentId.ts"
import { reasonOf } from "../drafts/refundReason.ts"
import { paperCard } from "./paperCard.ts"
import { isGivenBackWhole } from "./wholeRefund.ts"

const items = (say: Say, lines: ReadonlyArray<LineItem>): Html =>
  table(
    [say("Назив", "Item"), say("Количина", "Quantity"), say("Цена", "Price"), say("Ознаке пореза", "Tax labels"), say("Износ", "Amount")],
    lines.map((line) => [
      line.name,
      `${quantity(line.quantity)} ${line.unitOfMeasure ?? ""}`,
      amount(line.unitPrice),
      line.taxLabels.join(", "),
      amount(lineAmount(line))
    ]),
    { caption: say("Ставке", "Items"), empty: "–", numbers: [1, 2, 4] }
  )

const timeline = (say: Say, transitions: ReadonlyArray<Transition>): Html =>
  el(
    "ol",
    { class: "timeline" },
    transitions.map((move) =>
      el(
        "li",
        {},
        el("time", {}, moment(move.at)),
        el("strong", {}, statusName(say, move.to)),
        ": ",
        causeWords(say, move.cause),
        el("span", { class: "hint" }, ` (${move.actor})`)
      ))
  )

const isNormalSale = ({ content }: Operation): boolean => content.invoiceType === "NORMAL" && content.transactionType === "SALE"
const isCopyable = ({ content }: Operation): boolean => content.invoiceType === "NORMAL" || content.invoiceType === "ADVANCE"

const acts = (visit: MemberVisit, operation: Operation): Html => {
  if (operation.status !== "FISCALIZED") return null
  const mayIssue = mayDo(visit.role, "receipts:issue")
  return el(
    "div",
    { class: "actions" },
    mayDo(visit.role, "receipts:send") ? el("a", { class: "button", href: `/receipts/${operation.id}/send` }, visit.say("Пошаљи е-поштом", "Send by e-mail")) : null,
    mayIssue && isNormalSale(operation) ? el("a", { class: "button", href: `/receipts/${operation.id}/refund` }, visit.say("Рефундирај", "Refund")) : null,
    mayIssue && isGivenBackWhole(operation) ? el("a", { class: "button", href: `/receipts/${operation.id}/whole-refund` }, visit.say("Рефундирај", "Refund")) : null,
    mayIssue && isCopyable(operation) ? el("a", { class: "button", href: `/receipts/${operation.id}/copy` }, visit.say("Издај копију", "Issue a copy")) : null
  )
}

const rejection = (say: Say, { rejection: found }: Operation): Html =>
  found === null ? null : notice(
    "bad",
    el("p", {}, say("В-ПФР је одбио ова поља:", "The V-PFR refused these fields:")),
    el("ul", {}, found.items.map((it) => el("li", {}, `${it.property}: ${it.codes.join(", ")}`)))
  )

/** In Belgrade's time, like every other time of the page; the V-PFR's own digits are on the paper and in the files. */
const signedAt = (time: string): string => Option.match(pfrInstant(time), { onNone: () => time, onSome: moment })

const details = (say: Say, operation: Operation): Html =>
  facts([
    [say("Врста", "Kind"), kindWords(say, operation)],
    [say("Износ", "Amount"), `${amount(totalAmount(operation.content.items))} RSD`],
    ...operation.content.payments.map((payment) => [paymentWords(say, payment.type), `${amount(payment.amount)} RSD`] as const),
    ...(operation.answer?.taxes ?? []).map((tax) => [`${say("Порез", "Tax")} ${tax.label}`, `${amount(roundToPara(tax.amount))} RSD`] as const),
    [say("Ознака продавнице", "Shop's reference"), operation.content.clientReference],
    ...(operation.content.transactionType === "REFUND" && reasonOf(operation) !== "" ? [[say("Разлог", "Reason"), reasonOf(operation)] as const] : []),
    [say("Касир", "Cashier"), operation.content.cashier.displayName ?? operation.content.cashier.id],
    [say("Купац", "Buyer"), operation.buyerDetails?.legalName ?? operation.content.buyer?.id ?? "–"],
    ...(operation.answer === null ? [] : [[say("Потписан", "Signed"), signedAt(operation.answer.pfr.sdcTime)] as const]),
    [say("Ознака документа", "Document id"), el("span", { class: "secret" }, operation.id)]
  ])

const proofLink = ({ say }: MemberVisit, { id }: Operation): Html =>
  el("p", {}, el("a", { href: `/receipts/${id}/proof` }, say("Преузми доказ", "Download the proof")), el("span", { class: "hint" }, " ", say("све о документу у једној датотеци, за спор или контролу", "everything about the document in one file, for a dispute or an inspection")))

/** The deliveries of the receipt. */
const deliveriesOf = Effect.fnUntraced(function*(visit: MemberVisit, { id }: Operation) {
  const filter = { status: null, fiscalDocumentId: id, recipient: null, pfr: anyTime, created: anyTime }
  return yield* (yield* DeliveryStore).list(visit.tenant, filter, { after: null, limit: 20 })
})

const inFlight: ReadonlySet<DocumentStatus> = new Set(["RECEIVED", "VALIDATED", "SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING"])

const sent = (visit: MemberVisit, deliveries: ReadonlyArray<ReceiptDelivery>): Html =>
  deliveries.length === 0 ? null : card(visit.say("Послато е-поштом", "Sent by e-mail"), deliveryTable(visit, deliveries))

/** What may change by itself, as one text; empty where nothing does any more. */
const changing = ({ status }: Operation, transitions: ReadonlyArray<Transition>, deliveries: ReadonlyArray<ReceiptDelivery>): string =>
  inFlight.has(status) || deliveries.some((delivery) => delivery.status === "QUEUED")
    ? [status, transitions.length, ...deliveries.map((delivery) => delivery.status)].join(" ")
    : ""

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  if (id === null) return yield* new NotFound({})
  const { operation, transitions } = yield* readOperation(visit.tenant, id)
  const { say } = visit
  const title = operation.answer?.pfr.invoiceNumber ?? say("Документ без броја", "Document without a number")
  const isReceipt = operation.status === "FISCALIZED"
  const deliveries = yield* deliveriesOf(visit, operation)
  const changes = changing(operation, transitions, deliveries)
  const now = all(
    el("h1", {}, title),
    doneNotice(visit),
    el("p", { "data-status": "" } as object, statusBadge(say, operation.status), " ", summaryWords(say, operation)),
    rejection(say, operation),
    yield* afterFailureHtml(visit, operation),
    acts(visit, operation),
    el(
      "div",
      { class: "columns" },
      el("div", {}, card(say("Подаци", "Details"), details(say, operation)), card(say("Ставке", "Items"), items(say, operation.content.items)), yield* chainHtml(visit, operation), sent(visit, deliveries)),
      el("div", {}, isReceipt ? paperCard(visit, operation) : null, card(say("Шта се десило", "What happened"), timeline(say, transitions), proofLink(visit, operation)))
    )
  )
  const content = all(
    el("p", { class: "unseen", role: "status", "data-said": "" } as object),
    el("div", { "data-changing": changes } as object, now)
  )
  return page(title, content, 200, changes === "" ? [] : [assets.status])
})

/** One document: its history, its paper, and the possible acts. */
export const receiptRoutes = [memberRoute("GET", "/receipts/:id", "receipts:read", show)]
