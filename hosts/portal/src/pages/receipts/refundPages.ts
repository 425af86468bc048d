import { askRefund, type Operation, PaymentType, readDocument, readRefundable, type Refundable, RefundStore } from "@overa/domain"
import { type BigDecimal, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { facts, notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { amount, quantity } from "../../language/formats.ts"
import { alreadySent } from "./alreadySent.ts"
import { cashierField, hiddenCashier, keepCashier } from "./cashier.ts"
import { refusedPage } from "./copyAct.ts"
import { hasFormId, refusalSentence } from "./issueForm.ts"
import { paymentWords } from "./receiptWords.ts"
import { documentId } from "./documentId.ts"
import { issueRefund } from "./refundAct.ts"
import { type AskedRefund, isRefund, lineField, readRefund } from "./refundForm.ts"

/** The receipt and what can still be refunded. */
const opened = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  if (id === null) return yield* new NotFound({})
  const original = yield* readDocument(visit.tenant, id)
  return { id, original, refundable: yield* readRefundable(visit.tenant, id) }
})

const quantityText = (visit: MemberVisit, line: Refundable["lines"][number]): string =>
  visit.form === null ? quantity(line.quantity).replaceAll(".", "") : visit.form.text(lineField(line.originalLineIndex))

const lineFields = (visit: MemberVisit, original: Operation, { lines }: Refundable, faults: Faults): Html =>
  el(
    "fieldset",
    {},
    el("legend", {}, visit.say("Колико се враћа", "How much is given back")),
    lines.map((line) => {
      const item = original.content.items[line.originalLineIndex]
      const left = `${quantity(line.quantity)} ${item?.unitOfMeasure ?? ""} · ${amount(line.amount)} RSD`
      if (line.item === null) return el("p", {}, item?.name ?? "", " – ", visit.say("већ враћено или се управо враћа", "given back already, or being given back now"))
      return field({
        name: lineField(line.originalLineIndex),
        label: item?.name ?? "",
        hint: [visit.say("Може да се врати: ", "Can be given back: "), left],
        value: quantityText(visit, line),
        inputmode: "decimal",
        fault: faults[lineField(line.originalLineIndex)]
      })
    })
  )

const askForm = (visit: MemberVisit, original: Operation, refundable: Refundable, faults: Faults): Html =>
  form(
    visit,
    { action: `/receipts/${original.id}/refund/check`, submit: visit.say("Даље", "Continue") },
    lineFields(visit, original, refundable, faults),
    choice({
      name: "payment",
      label: visit.say("Новац се враћа као", "The money is given back as"),
      value: visit.form?.text("payment") ?? original.content.payments[0]?.type ?? "CARD",
      options: PaymentType.literals.map((type) => [type, paymentWords(visit.say, type)] as const),
      hint: visit.say("За готовину се издаје и копија коју купац потписује.", "Cash also brings a copy that the customer signs."),
      fault: faults["payment"]
    }),
    field({
      name: "buyer",
      label: visit.say("Идентификација купца", "The buyer's identification"),
      hint: visit.say("Закон је тражи за сваку рефундацију: 10: и ПИБ, 11: и ЈМБГ, 20: и лична карта…", "The law asks for it on every refund: 10: and tax id, 11: and personal number, 20: and identity card…"),
      value: visit.form?.text("buyer") ?? original.content.buyer?.id ?? "",
      required: true,
      fault: faults["buyer"]
    }),
    cashierField(visit, faults)
  )

const askPage = (visit: MemberVisit, original: Operation, refundable: Refundable, faults: Faults = {}) => {
  const { say } = visit
  const title = say("Рефундација", "Refund")
  const isOver = refundable.lines.every((line) => line.item === null)
  const content = all(
    el("h1", {}, title),
    el("p", {}, say("Рачун ", "Receipt "), el("a", { href: `/receipts/${original.id}` }, original.answer?.pfr.invoiceNumber ?? original.id)),
    faultSummary(visit, faults),
    isOver
      ? notice("wait", el("p", {}, say("Од овог рачуна нема шта да се врати.", "There is nothing of this receipt to give back.")))
      : askForm(visit, original, refundable, faults)
  )
  return page(title, el("div", { class: "card" }, content), faultStatus(faults))
}

/** The money of a refund by the receipt's current ledger. */
const moneyOf = Effect.fnUntraced(function*(original: Operation, asked: AskedRefund) {
  const ledger = yield* (yield* RefundStore).ledger(original)
  return (yield* Effect.fromResult(askRefund(original.content.items, ledger, asked.items))).total
})

const hidden = (asked: AskedRefund, total: BigDecimal.BigDecimal): Html => [
  ...asked.items.map((item) => el("input", { type: "hidden", name: lineField(item.originalLineIndex), value: quantity(item.quantity).replaceAll(".", "") })),
  el("input", { type: "hidden", name: "payment", value: asked.payment }),
  el("input", { type: "hidden", name: "buyer", value: asked.buyerId }),
  hiddenCashier(asked.cashier),
  el("input", { type: "hidden", name: "total", value: amount(total) })
]

const confirmPage = (visit: MemberVisit, original: Operation, asked: AskedRefund, total: BigDecimal.BigDecimal, changed: boolean) => {
  const { say } = visit
  const title = say("Потврдите рефундацију", "Confirm the refund")
  const rows = asked.items.map((item) => [item.name, `${quantity(item.quantity)} ${item.unitOfMeasure ?? ""}`] as const)
  const content = all(
    el("h1", {}, title),
    changed
      ? notice("wait", el("p", {}, say("Износ се у међувремену променио. Погледајте га поново.", "The amount has changed meanwhile. Look at it again.")))
      : null,
    facts([
      ...rows,
      [say("Враћа се", "Given back"), el("strong", {}, `${amount(total)} RSD`)],
      [say("Као", "As"), paymentWords(say, asked.payment)],
      [say("Купац", "Buyer"), asked.buyerId],
      [say("Касир на рачуну", "Cashier on the receipt"), asked.cashier]
    ]),
    el("p", {}, say("Рефундација се не може повући.", "A refund cannot be taken back.")),
    form(visit, { action: `/receipts/${original.id}/refund`, submit: say("Издај рефундацију", "Issue the refund") }, hidden(asked, total)),
    form(
      visit,
      { action: `/receipts/${original.id}/refund/check`, submit: say("Назад на унос", "Back to the entry"), kind: "quiet" },
      hidden(asked, total),
      el("input", { type: "hidden", name: "edit", value: "yes" })
    )
  )
  return page(title, el("div", { class: "card" }, content))
}

const ask = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { original, refundable } = yield* opened(visit)
  return askPage(visit, original, refundable)
})

const check = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { original, refundable } = yield* opened(visit)
  if (visit.form === null) return yield* new NotFound({})
  if (visit.form.text("edit") === "yes") return askPage(visit, original, refundable)
  const read = readRefund(visit, visit.form, refundable, original.content.buyer?.id ?? null)
  if (!isRefund(read)) return askPage(visit, original, refundable, read)
  yield* keepCashier(visit, read.cashier)
  return confirmPage(visit, original, read, yield* moneyOf(original, read), false)
})

/** A replay may find its lines taken already: then the earlier request decides, so the ledger is read only for a new form. */
const issue = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { id, original, refundable } = yield* opened(visit)
  if (visit.form === null || !hasFormId(visit)) return yield* new NotFound({})
  const earlier = yield* alreadySent(visit, id)
  if (earlier !== null) return redirect(`/receipts/${earlier}`)
  const read = readRefund(visit, visit.form, refundable, original.content.buyer?.id ?? null)
  if (!isRefund(read)) return askPage(visit, original, refundable, read)
  const total = yield* moneyOf(original, read)
  // Exactly the amount that the person confirmed is given back, to the para.
  if (amount(total) !== visit.form.text("total")) return confirmPage(visit, original, read, total, true)
  const { refund } = yield* issueRefund(visit, original, read, total)
  return redirect(`/receipts/${refund.refund.id}`)
})

/** Of two concurrent clicks, the second may find the lines held by the first: it then redirects to the first one's result. */
const refusedOrSent = Effect.fnUntraced(function*(visit: MemberVisit, sentence: string) {
  const id = documentId(visit.params["id"])
  const sent = id === null ? null : yield* alreadySent(visit, id)
  return sent === null ? refusedPage(visit, `/receipts/${id ?? ""}`, sentence) : redirect(`/receipts/${sent}`)
})

const refused = <A, E, R>(effect: Effect.Effect<A, E, R>, visit: MemberVisit) =>
  Effect.catchIf(
    effect,
    (error) => refusalSentence(visit, error) !== null && (error as { readonly _tag?: string })._tag !== "FiscalDocumentNotFound",
    (error) => refusedOrSent(visit, refusalSentence(visit, error) ?? "")
  )

/** Refunding a receipt: form, check, confirmation. */
export const refundRoutes = [
  memberRoute("GET", "/receipts/:id/refund", "receipts:issue", ask),
  memberRoute("POST", "/receipts/:id/refund/check", "receipts:issue", (visit) => refused(check(visit), visit)),
  memberRoute("POST", "/receipts/:id/refund", "receipts:issue", (visit) => refused(issue(visit), visit))
]
