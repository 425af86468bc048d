import { lineAmount, type Operation, Quantity, type Refundable, type RefundItem } from "@overa/domain"
import { BigDecimal } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, field } from "../../html/forms.ts"
import type { Form } from "../../http/Form.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, quantity } from "../../language/formats.ts"
import type { Say } from "../../language/Language.ts"
import { buyerHtml, buyerIn, type TypedBuyer, typedBuyerOf } from "../drafts/buyer.ts"
import type { Shown } from "../drafts/DraftKind.ts"
import { paymentsHtml, paymentsIn, type TypedPayment } from "../drafts/payments.ts"
import { reasonField, reasonOf, refundBuyerLegend } from "../drafts/refundReason.ts"

/** The receipt that is given back, and what is left of it. */
export interface RefundSubject {
  readonly original: Operation
  readonly refundable: Refundable
}

/** The entries as they were typed. */
export interface TypedRefund {
  /** Quantities by the line of the receipt. */
  readonly lines: ReadonlyMap<number, string>
  readonly payments: ReadonlyArray<TypedPayment>
  readonly buyer: TypedBuyer
  /** Why; kept with the refund, never on the receipt. */
  readonly reason: string
}

/** The field of a line. */
export const lineField = (index: number): string => `line-${index}`

const lineName = /^line-(\d{1,4})$/

export const refundIn = (form: Form): TypedRefund => ({
  lines: new Map(form.entries().flatMap(([name, value]) => {
    const index = lineName.exec(name)?.[1]
    return index === undefined ? [] : [[Number(index), value.trim()] as const]
  })),
  payments: paymentsIn(form),
  buyer: buyerIn(form),
  reason: form.text("reason")
})

const typedQuantity = (value: BigDecimal.BigDecimal): string => quantity(value).replaceAll(".", "")

/** Everything that is left, to the buyer and in the way of payment of the receipt; or the entries of a refund that failed. */
export const refundStart = ({ original, refundable }: RefundSubject, failed: Operation | null): TypedRefund => {
  const asked = new Map(failed?.content.items.map(({ originalLineIndex, quantity: of }) => [originalLineIndex, of] as const))
  return {
    lines: new Map(refundable.lines.map(({ originalLineIndex, quantity: left }) => {
      const wanted = failed === null ? left : asked.get(originalLineIndex) ?? BigDecimal.fromBigInt(0n)
      return [originalLineIndex, typedQuantity(BigDecimal.min(wanted, left))] as const
    })),
    payments: failed === null ? [{ type: original.content.payments[0]?.type ?? "CARD", amount: "" }] : failed.content.payments.map(({ amount: paid, type }, at, { length }) => ({ type, amount: at === length - 1 ? "" : amount(paid) })),
    buyer: typedBuyerOf((failed ?? original).content.buyer?.id),
    reason: failed === null ? "" : reasonOf(failed)
  }
}

/** `1,5` and `1.5` alike; null for anything else. */
const readQuantity = (text: string): BigDecimal.BigDecimal | null =>
  /^\d{1,11}(?:[.,]\d{1,3})?$/.test(text) ? BigDecimal.fromStringUnsafe(text.replace(",", ".")) : null

/** The lines that are given back. */
export const refundItems = ({ lines: typed }: TypedRefund, { lines }: Refundable): ReadonlyArray<RefundItem> =>
  lines.flatMap(({ item, originalLineIndex }) => {
    const asked = readQuantity(typed.get(originalLineIndex) || "0")
    return item === null || asked === null || BigDecimal.isZero(asked) ? [] : [{ ...item, quantity: Quantity.make(asked) }]
  })

const lineFault = (say: Say, text: string, left: BigDecimal.BigDecimal): string | null => {
  const asked = readQuantity(text || "0")
  if (asked === null) return say("Унесите број, највише три децимале, нпр. 1,5.", "Enter a number with at most three decimals, 1,5 for example.")
  return BigDecimal.isGreaterThan(asked, left) ? say("Толико није остало за враћање. Унесите мање.", "That much is not left to give back. Enter less.") : null
}

/** What is wrong with the quantities. */
export const lineFaults = (say: Say, typed: TypedRefund, { lines }: Refundable): Faults => {
  const faults = Object.fromEntries(lines.flatMap(({ originalLineIndex, quantity: left }) => {
    const fault = lineFault(say, typed.lines.get(originalLineIndex) ?? "", left)
    return fault === null ? [] : [[lineField(originalLineIndex), fault]]
  }))
  const first = lines.find(({ item }) => item !== null)?.originalLineIndex ?? 0
  const isNothing = Object.keys(faults).length === 0 && refundItems(typed, { lines, fiscalDocumentId: "" as Refundable["fiscalDocumentId"] }).length === 0
  return isNothing ? { [lineField(first)]: say("Унесите количину бар једне ставке.", "Enter the quantity of at least one item.") } : faults
}

/** What the lines come to, where the ledger says nothing else. */
export const plainTotal = (items: ReadonlyArray<RefundItem>): BigDecimal.BigDecimal => BigDecimal.sumAll(items.map(lineAmount))

const linesHtml = (visit: MemberVisit, { faults, subject: { original, refundable }, typed }: Shown<RefundSubject, TypedRefund>): Html =>
  el(
    "fieldset",
    {},
    el("legend", {}, visit.say("Колико се враћа", "How much is given back")),
    refundable.lines.map((line) => {
      const item = original.content.items[line.originalLineIndex]
      if (line.item === null) return el("p", {}, item?.name ?? "", " – ", visit.say("већ враћено или се управо враћа", "given back already, or being given back now"))
      const left = `${quantity(line.quantity)} ${item?.unitOfMeasure ?? ""} · ${amount(line.amount)} RSD`
      return field({
        name: lineField(line.originalLineIndex),
        label: item?.name ?? "",
        hint: [visit.say("Може да се врати: ", "Can be given back: "), left],
        value: typed.lines.get(line.originalLineIndex) ?? "",
        inputmode: "decimal",
        autocomplete: "off",
        fault: faults[lineField(line.originalLineIndex)]
      })
    })
  )

/** The fields of the entries. */
export const refundEntries = (visit: MemberVisit, shown: Shown<RefundSubject, TypedRefund>): Html => {
  const { say } = visit
  const { address, faults, looked, subject: { original }, typed } = shown
  return all(
    el("p", {}, say("Рачун ", "Receipt "), el("a", { href: `/receipts/${original.id}` }, original.answer?.pfr.invoiceNumber ?? original.id)),
    linesHtml(visit, shown),
    paymentsHtml(visit, {
      address, faults, payments: typed.payments, legend: say("Новац се враћа као", "The money is given back as"),
      hint: say("За готовину се издаје и копија коју купац потписује.", "Cash also brings a copy that the customer signs.")
    }),
    buyerHtml(visit, { address, faults, looked, typed: typed.buyer, legend: refundBuyerLegend(say) }),
    reasonField(visit, typed.reason, faults)
  )
}
