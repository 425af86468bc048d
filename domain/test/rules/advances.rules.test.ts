import { BigDecimal, Option, Result } from "effect"
import * as fc from "fast-check"
import { advanceClosing, advanceLimitFault, checkClosing, taxOnAdvance, totalAdvance } from "../../src/advances/advanceArithmetic.ts"
import { advanceRefundKey, type ExternalAdvance } from "../../src/advances/AdvanceCase.ts"
import { type AdvanceSale, chainReference, latestAdvance, standingAdvances } from "../../src/advances/advanceChain.ts"
import { composeAdvanceRefund, composeCancellation } from "../../src/advances/composeAdvanceRefund.ts"
import { advanceLiteral, advanceLiteralLabel } from "../../src/documents/signedItemName.ts"
import { formatDecimal } from "../../src/money/decimals.ts"
import { totalAmount } from "../../src/money/rounding.ts"
import { advanceSaleId, advanceSales, externalAdvance } from "../arbitraries/AdvanceSale.ts"
import { decimal, dinars, lineOf } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const external = fc.option(externalAdvance)
const environment = fc.constantFrom("sandbox" as const, "production" as const)
const sumOf = (amounts: ReadonlyArray<BigDecimal.BigDecimal>): BigDecimal.BigDecimal => BigDecimal.sumAll(amounts)
const paid = (sales: ReadonlyArray<AdvanceSale>): BigDecimal.BigDecimal =>
  sumOf(sales.flatMap((sale) => sale.payments.map((payment) => payment.amount)))

rule("ADVANCE-1", {
  says: "The total advance is the sum of the Advance Sales that are receipts and not cancelled, and of the external advance.",
  source: "Decisions §5, Advance case"
}, ({ holds }) => {
  holds("rejected, unsent, unknown and cancelled ones never count", { sales: advanceSales, external }, ({ sales, external: other }) => {
    const counted = sales.filter((sale) => sale.status === "FISCALIZED" && !sale.cancelled)
    return BigDecimal.equals(totalAdvance(sales, other), BigDecimal.sum(paid(counted), other?.amount ?? decimal("0")))
  })
})

rule("ADVANCE-2", {
  says: "The chain ends at the latest Advance Sale that stands: the next Advance Sale and the Advance Refund refer to it.",
  source: "Spec, Reference matrix; Decisions §5, Advance case"
}, ({ holds }) => {
  holds("the reference is to the last one that stands, with its exact number and time; none where none stands", { sales: advanceSales },
    ({ sales }) => {
      const last = standingAdvances(sales).at(-1)
      const reference = chainReference(sales)
      if (last === undefined) return reference === null && latestAdvance(sales) === null
      return reference?.fiscalDocumentId === last.id && reference.pfrNumber === last.pfr?.invoiceNumber &&
        reference.pfrTime === last.pfr.sdcTime && reference.invoiceType === "ADVANCE" && reference.transactionType === "SALE" &&
        reference.source === "SVC"
    })
  holds("a receipt without its number and time is referred to by nothing", { sales: advanceSales }, ({ sales }) => {
    const unread = sales.map((sale) => ({ ...sale, pfr: null }))
    return chainReference(unread) === null && composeAdvanceRefund(unread, "production") === null && standingAdvances(unread).length === 0
  })
})

rule("ADVANCE-3", {
  says: "A case is closed with exactly the final total less the total advance; where nothing remains that is one payment of 0.",
  source: "Spec, advance-cases; Decisions §5, Advance case",
  proves: ["ADVANCE_CLOSE_TOTAL_MISMATCH"]
}, ({ holds, holdsForEvery }) => {
  holds("the exact remainder closes, one para off does not and is told what is expected", {
    sales: advanceSales,
    other: externalAdvance,
    onTop: dinars(),
    off: fc.constantFrom(-1, 0, 1)
  }, ({ sales, other, onTop, off }) => {
    const finalTotal = BigDecimal.sum(totalAdvance(sales, other), onTop)
    const amount = BigDecimal.sum(onTop, BigDecimal.make(BigInt(off), 2))
    const items = [lineOf(BigDecimal.format(finalTotal), "1")]
    const answer = checkClosing(sales, other, { items, remainingPayments: [{ type: "CARD", amount }] })
    if (off === 0) return Result.isSuccess(answer) && BigDecimal.equals(answer.success, onTop)
    return Result.isFailure(answer) && answer.failure.code === "ADVANCE_CLOSE_TOTAL_MISMATCH" &&
      BigDecimal.equals(answer.failure.expected, onTop) && BigDecimal.equals(answer.failure.finalTotal, finalTotal) &&
      BigDecimal.equals(answer.failure.totalAdvance, totalAdvance(sales, other)) && BigDecimal.equals(answer.failure.remainingPayments, amount)
  })
  const closings = [
    { remaining: ["0"], closes: true },
    { remaining: ["0", "0"], closes: false },
    { remaining: ["0.01"], closes: false }
  ]
  holdsForEvery("with 100.00 paid in advance for goods of 100.00 only a single 0 closes", closings, ({ remaining, closes }) =>
    Result.isSuccess(checkClosing([], hundred, {
      items: [lineOf("100", "1")],
      remainingPayments: remaining.map((amount) => ({ type: "CASH", amount: decimal(amount) }))
    })) === closes)
  holdsForEvery("what remains may be paid in several parts", [["30", "20"], ["49.99", "0.01"], ["50"]], (parts) => {
    const remainingPayments = parts.map((amount) => ({ type: "CARD" as const, amount: decimal(amount) }))
    const answer = checkClosing([], hundred, { items: [lineOf("150", "1")], remainingPayments })
    return Result.isSuccess(answer) && BigDecimal.equals(answer.success, decimal("50"))
  })
  holdsForEvery("goods that cost less than was paid in advance cannot close the case", ["99.99", "0.01"], (price) => {
    const answer = checkClosing([], hundred, { items: [lineOf(price, "1")], remainingPayments: [zeroPayment] })
    return Result.isFailure(answer) && answer.failure.code === "ADVANCE_CLOSE_TOTAL_MISMATCH" &&
      BigDecimal.isNegative(answer.failure.expected)
  })
})

rule("ADVANCE-4", {
  says: "A case in which no advance stands, and without an external one, cannot be closed.",
  source: "Spec, Errors, Catalogue",
  proves: ["ADVANCE_CASE_HAS_NO_FISCALIZED_SALE"]
}, ({ holds }) => {
  holds("exactly then it is refused, before its totals are looked at", { sales: advanceSales, external }, ({ sales, external: other }) => {
    const answer = checkClosing(sales, other, { items: [lineOf("1", "1")], remainingPayments: [zeroPayment] })
    const refused = Result.isFailure(answer) && answer.failure.code === "ADVANCE_CASE_HAS_NO_FISCALIZED_SALE"
    return refused === (standingAdvances(sales).length === 0 && other === null)
  })
})

rule("ADVANCE-5", {
  says: "The Advance Refund of a closing gives back all that was paid in advance and not cancelled, with one item per label and one " +
    "payment per type; the external advance is no part of it.",
  source: "Decisions §5, Advance case; V-PFR §8.7"
}, ({ holds, holdsForEvery }) => {
  const chain = [
    receipt({ items: [lineOf("100", "1"), lineOf("50", "1", { taxLabels: ["P", "A"] })], payments: [cash("90"), card("60")] }),
    receipt({ cancelled: true, items: [lineOf("7", "1")], payments: [cash("7")] }),
    receipt({ items: [lineOf("12.75", "2", { taxLabels: ["A", "P"] }), lineOf("20", "1")], payments: [card("45.50")] })
  ]
  holdsForEvery("of two advances with the same labels in any order, letter by letter", [chain], (sales) => {
    const refund = composeAdvanceRefund(sales, "production")
    return JSON.stringify(refund?.items.map(({ quantity, unitPrice, ...item }) => [formatDecimal(quantity), formatDecimal(unitPrice, 2), item])) ===
        JSON.stringify([
          ["1", "120.00", composed("10: Аванс (Ђ)", null, ["Ђ"])],
          ["1", "75.50", composed("Аванс (A, P)", "ком", ["A", "P"])]
        ]) &&
      refund?.payments.map((payment) => `${payment.type} ${formatDecimal(payment.amount, 2)}`).join() === "CASH 90.00,CARD 105.50"
  })
  const given = { sales: advanceSales, environment }
  holds("items and payments each sum to the advances of ours", given, ({ sales, environment: where }) => {
    const refund = composeAdvanceRefund(sales, where)
    const expected = totalAdvance(sales, null)
    if (refund === null) return standingAdvances(sales).length === 0
    return BigDecimal.equals(totalAmount(refund.items), expected) &&
      BigDecimal.equals(sumOf(refund.payments.map((payment) => payment.amount)), expected)
  })
  holds("no label set and no payment type occurs twice, and none is lost", given, ({ sales, environment: where }) => {
    const refund = composeAdvanceRefund(sales, where)
    const labelsOf = (items: AdvanceSale["items"]): ReadonlyArray<string> => items.map((item) => [...item.taxLabels].sort().join())
    const standing = standingAdvances(sales)
    const labels = labelsOf(refund?.items ?? [])
    const types = (refund?.payments ?? []).map((payment) => payment.type)
    return new Set(labels).size === labels.length && new Set(types).size === types.length &&
      standing.flatMap((sale) => labelsOf(sale.items)).every((label) => labels.includes(label)) &&
      standing.flatMap((sale) => sale.payments).every((payment) => types.includes(payment.type))
  })
  holds("an item of one label bears the literal of its environment where one is prescribed; every other item has a unit", given,
    ({ sales, environment: where }) =>
      (composeAdvanceRefund(sales, where)?.items ?? []).every((item) => {
        const [label = ""] = item.taxLabels
        const literal = item.taxLabels.length === 1 ? advanceLiteral(label, where) : Option.none<string>()
        return Option.match(literal, {
          onNone: () => item.unitOfMeasure !== null,
          onSome: (name) => item.name === name && item.unitOfMeasure === null &&
            Option.getOrElse(advanceLiteralLabel(item.name, where), () => "") === label
        }) && BigDecimal.equals(item.quantity, decimal("1"))
      }))
})

rule("ADVANCE-6", {
  says: "A cancellation repeats the items and payments of the advance it gives back and refers to it.",
  source: "Decisions §5, Advance case (cancellations)"
}, ({ holds }) => {
  holds("unchanged, for every advance that stands", { sales: advanceSales }, ({ sales }) =>
    standingAdvances(sales).every((sale) => {
      const refund = composeCancellation(sale)
      return refund?.items === sale.items && refund.payments === sale.payments && refund.reference.fiscalDocumentId === sale.id
    }))
})

rule("ADVANCE-7", {
  says: "Below the closing line of the final sale stand the last advance receipt, what was paid in advance, the tax on it and what remains.",
  source: "Decisions §5, Advance case; V-PFR §8.5, §6.3 (rounded per label)"
}, ({ holds, holdsForEvery }) => {
  holds("the last receipt is ours where one stands, else the external one", { sales: advanceSales, external, remaining: dinars() },
    ({ sales, external: other, remaining }) => {
      const block = advanceClosing(sales, other, remaining)
      const ours = latestAdvance(sales)?.pfr?.invoiceNumber
      const number = ours ?? other?.documentNumber
      if (number === undefined) return block === null
      const time = latestAdvance(sales)?.pfr?.sdcTime ?? other?.documentTime
      return block?.lastAdvanceNumber === number && block.lastAdvanceTime === time && BigDecimal.equals(block.totalAdvance, totalAdvance(sales, other)) &&
        BigDecimal.equals(block.remaining, remaining) && BigDecimal.equals(block.taxOnAdvance, taxOnAdvance(sales, other))
    })
  holdsForEvery("the tax of each label is summed to four decimals over the chain and rounded once", [["0.0050", "0.0050", "0.01"]],
    ([first = "", second = "", expected = ""]) =>
      BigDecimal.equals(taxOnAdvance([taxed(first), taxed(second)], null), decimal(expected)))
  holdsForEvery("what was taxed of an external advance counts as its caller says it", [hundred], (other) =>
    BigDecimal.equals(taxOnAdvance([taxed("10.005")], other), decimal("26.68")) && BigDecimal.equals(taxOnAdvance([], other), decimal("16.67")))
  holdsForEvery("each label is rounded by itself", [["10.3082", "107.3266", "117.64"]], ([one = "", two = "", expected = ""]) => {
    const [vat] = taxed(one).taxes
    const both = { ...taxed(one), taxes: [vat, { ...vat, label: "Е", amount: decimal(two) }] } as AdvanceSale
    return BigDecimal.equals(taxOnAdvance([both], null), decimal(expected))
  })
  holdsForEvery("the Advance Refund's own key is the closing's followed by :advance-refund", ["close-1234567890"], (key) =>
    advanceRefundKey(key) === `${key}:advance-refund`)
})

rule("ADVANCE-8", {
  says: "The advances of a case together never exceed what one document can say, for one Advance Refund gives them all back.",
  source: "Decisions §1, Bounds"
}, ({ holdsForEvery }) => {
  const payments = [
    { price: "999999999899.99", fits: true },
    { price: "999999999900", fits: false },
    { price: "0.01", fits: true }
  ]
  holdsForEvery("with 100.00 paid before, one para beyond 999 999 999 999.99 is refused on totals", payments, ({ price, fits }) =>
    (advanceLimitFault([], hundred, [lineOf(price, "1")])?.key ?? null) === (fits ? null : "totals"))
})

const cash = (amount: string) => ({ type: "CASH", amount: decimal(amount) }) as const
const card = (amount: string) => ({ type: "CARD", amount: decimal(amount) }) as const
/** An item of an Advance Refund as the service writes it, its money aside. */
const composed = (name: string, unitOfMeasure: string | null, taxLabels: ReadonlyArray<string>) => ({
  name,
  unitOfMeasure,
  unitPriceBeforeDiscount: null,
  gtin: null,
  catalogProductId: null,
  taxLabels,
  originalLineIndex: null
})
const zeroPayment = { type: "CASH", amount: decimal("0") } as const
const hundred: ExternalAdvance = {
  documentNumber: "12345678-ABCDEFGH-1",
  documentTime: "2022-01-05T12:00:00+01:00",
  amount: lineOf("100", "1").unitPrice,
  taxAmount: lineOf("16.67", "1").unitPrice
}
function receipt(fields: Partial<AdvanceSale>): AdvanceSale {
  return {
    id: advanceSaleId(1),
    status: "FISCALIZED",
    previousId: null,
    cancelled: false,
    items: [],
    payments: [],
    taxes: [],
    pfr: { invoiceNumber: "AAAA1111-AAAA1111-1", sdcTime: "2026-08-29T12:30:00.1234567+02:00" },
    ...fields
  }
}
const taxed = (amount: string): AdvanceSale => receipt({
  taxes: [{ label: "Ђ", category: "О-ПДВ", categoryType: 0, rate: decimal("20"), amount: decimal(amount) }]
})
