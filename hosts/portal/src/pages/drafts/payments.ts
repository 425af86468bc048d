import { PaymentType } from "@overa/domain"
import { BigDecimal } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, field } from "../../html/forms.ts"
import type { Form } from "../../http/Form.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { typedAmount } from "../../language/typedAmount.ts"
import { paymentWords } from "../receipts/receiptWords.ts"
import { entryButton } from "./draftForm.ts"

export interface TypedPayment {
  readonly type: string
  readonly amount: string
}

/** One of each type. */
const mostPayments = PaymentType.literals.length

/** The payments in a form, in their order. */
export const paymentsIn = (form: Form): ReadonlyArray<TypedPayment> =>
  Array.from({ length: mostPayments }, (_, at) => at)
    .filter((at) => form.has(`payment-${at}`))
    .map((at) => ({ type: form.text(`payment-${at}`), amount: form.text(`amount-${at}`) }))

/** The payments after a button was pressed. */
export const paymentsAfter = (payments: ReadonlyArray<TypedPayment>, form: Form): ReadonlyArray<TypedPayment> =>
  payments.length === 0 || (form.text("act") === "payment" && payments.length < mostPayments) ? [...payments, { type: "CASH", amount: "" }] : payments

const sum = (amounts: ReadonlyArray<BigDecimal.BigDecimal>): BigDecimal.BigDecimal => amounts.reduce(BigDecimal.sum, BigDecimal.fromBigInt(0n))

/** The payments of a request; the last one without an amount pays what the others leave. */
export const paidWith = (payments: ReadonlyArray<TypedPayment>, total: BigDecimal.BigDecimal): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const others = sum(payments.flatMap(({ amount }) => typedAmount(amount) ?? []))
  return payments.map(({ amount, type }, at) => ({
    type,
    amount: typedAmount(amount) ?? (amount === "" && at === payments.length - 1 ? BigDecimal.subtract(total, others) : null)
  }))
}

const paymentHtml = (visit: MemberVisit, faults: Faults, payment: TypedPayment, at: number): Html =>
  el(
    "div",
    { class: "filter" },
    choice({ name: `payment-${at}`, label: `${visit.say("Плаћање", "Payment")} ${at + 1}`, value: payment.type, options: PaymentType.literals.map((type) => [type, paymentWords(visit.say, type)] as const), fault: faults[`payment-${at}`] }),
    field({ name: `amount-${at}`, label: `${visit.say("Износ", "Amount")} ${at + 1}, RSD`, inputmode: "decimal", autocomplete: "off", value: payment.amount, fault: faults[`amount-${at}`] })
  )

/** The fields of the payments. */
export const paymentsHtml = (
  visit: MemberVisit,
  { address, faults, hint, legend, payments }: { readonly address: string; readonly faults: Faults; readonly payments: ReadonlyArray<TypedPayment>; readonly legend: string; readonly hint?: string }
): Html =>
  el(
    "fieldset",
    {},
    el("legend", {}, legend),
    el("p", { class: "hint" }, visit.say("Последње без износа плаћа остатак. ", "The last one without an amount pays the rest. "), hint ?? null),
    all(...payments.map((payment, at) => paymentHtml(visit, faults, payment, at))),
    entryButton({ address }, "act", "payment", visit.say("Додај плаћање", "Add a payment"))
  )
