import { buyerIdFault, digitExpectedInBuyerId, PaymentType, Quantity, type Refundable, type RefundItem } from "@overa/domain"
import { BigDecimal } from "effect"
import type { Form } from "../../http/Form.ts"
import type { Faults } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import type { Say } from "../../language/Language.ts"
import { taxIdDigitWords } from "../checkDigitWords.ts"
import { cashierFaults, readCashier } from "./cashier.ts"

/** A refund as requested in the form. */
export interface AskedRefund {
  readonly items: ReadonlyArray<RefundItem>
  readonly payment: PaymentType
  readonly buyerId: string
  readonly cashier: string
}

/** The field of a line. */
export const lineField = (index: number): string => `line-${index}`

/** `1,5` and `1.5` alike; null for anything else. */
const readQuantity = (text: string): BigDecimal.BigDecimal | null =>
  /^\d{1,11}(?:[.,]\d{1,3})?$/.test(text) ? BigDecimal.fromStringUnsafe(text.replace(",", ".")) : null

const lineItems = (form: Form, { lines }: Refundable): ReadonlyArray<RefundItem> =>
  lines.flatMap(({ item, originalLineIndex }) => {
    const asked = readQuantity(form.text(lineField(originalLineIndex)) || "0")
    return item === null || asked === null || BigDecimal.isZero(asked) ? [] : [{ ...item, quantity: Quantity.make(asked) }]
  })

const lineFaults = (say: Say, form: Form, { lines }: Refundable): Faults =>
  Object.fromEntries(lines.flatMap(({ originalLineIndex, quantity }) => {
    const name = lineField(originalLineIndex)
    const text = form.text(name)
    if (text === "") return []
    const asked = readQuantity(text)
    if (asked === null) return [[name, say("Унесите број, највише три децимале, нпр. 1,5.", "Enter a number with at most three decimals, 1,5 for example.")]]
    return BigDecimal.isGreaterThan(asked, quantity)
      ? [[name, say("Толико није остало за враћање. Унесите мање.", "That much is not left to give back. Enter less.")]]
      : []
  }))

/** The buyer of the receipt itself is taken as it was signed there, whatever its last digit. */
const buyerFaults = (say: Say, buyerId: string, signed: string | null): Faults => {
  if (buyerId === "" || buyerIdFault(buyerId) !== undefined) {
    return {
      buyer: say(
        "Рефундација тражи идентификацију купца, нпр. 11:0101990710009 (ЈМБГ) или 10:100000008 (ПИБ).",
        "A refund needs the buyer's identification, for example 11:0101990710009 (personal number) or 10:100000008 (tax id)."
      )
    }
  }
  const expected = buyerId === signed ? undefined : digitExpectedInBuyerId(buyerId)
  return expected === undefined ? {} : { buyer: taxIdDigitWords(say, expected) }
}

/** The refund in the form, or its faults; `signed` is the buyer on the receipt. */
export const readRefund = (visit: MemberVisit, form: Form, refundable: Refundable, signed: string | null): AskedRefund | Faults => {
  const { say } = visit
  const cashier = readCashier(visit)
  const items = lineItems(form, refundable)
  const payment = PaymentType.literals.find((it) => it === form.text("payment")) ?? null
  const buyerId = form.text("buyer")
  const faults: Faults = {
    ...lineFaults(say, form, refundable),
    ...(items.length > 0 ? {} : { [lineField(0)]: say("Унесите количину бар једне ставке.", "Enter the quantity of at least one item.") }),
    ...(payment === null ? { payment: say("Изаберите како се новац враћа.", "Choose how the money is given back.") } : {}),
    ...buyerFaults(say, buyerId, signed),
    ...cashierFaults(visit)
  }
  return Object.keys(faults).length > 0 || payment === null || cashier === null ? faults : { items, payment, buyerId, cashier }
}

/** Whether the result is a refund. */
export const isRefund = (read: AskedRefund | Faults): read is AskedRefund => Array.isArray((read as AskedRefund).items)
