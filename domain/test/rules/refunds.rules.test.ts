import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import type { LineItem } from "../../src/documents/LineItem.ts"
import { Dinars } from "../../src/money/Dinars.ts"
import { lineAmount, totalAmount } from "../../src/money/rounding.ts"
import { differingFields, type RepeatedField } from "../../src/refunds/refundable.ts"
import type { RefundItem } from "../../src/refunds/RefundWorkflow.ts"
import { type AcceptedRefund, askRefund, refundTotalsFault } from "../../src/refunds/refundQuantities.ts"
import { consumeRefund, holdRefund, openLedger } from "../../src/refunds/RefundLedger.ts"
import { partsOf, refundOf, workflowId } from "../arbitraries/RefundItem.ts"
import { decimal, lineOf, quantity, saleLine } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const receipt = fc.array(saleLine, { minLength: 1, maxLength: 4 })
const half = decimal("0.5")

const refusedWith = (answer: ReturnType<typeof askRefund>, code: string): boolean =>
  Result.isFailure(answer) && answer.failure.code === code

/** Gives back the parts of one line one after the other, each of them signed, and answers the amount of each. */
const refundInParts = (line: LineItem, parts: ReadonlyArray<BigDecimal.BigDecimal>): ReadonlyArray<AcceptedRefund> => {
  let ledger = openLedger([line])
  return parts.map((part, at) => {
    const accepted = Result.getOrThrow(askRefund([line], ledger, [refundOf(line, 0, part)]))
    ledger = consumeRefund(holdRefund(ledger, workflowId(at + 1), accepted.entries), workflowId(at + 1))
    return accepted
  })
}

rule("REFUND-1", {
  says: "Every refunded item names a line that the original receipt has.",
  source: "Spec, Refunds rule 2; Spec, Errors, Catalogue",
  proves: ["REFUND_ORIGINAL_LINE_NOT_FOUND"]
}, ({ holds }) => {
  holds("an index beyond the last line is refused, and all such items are named", { receipt, beyond: fc.integer({ min: 0, max: 5 }) },
    ({ receipt: lines, beyond }) => {
      const first = lines[0] as LineItem
      const items = [refundOf(first, 0, first.quantity), refundOf(first, lines.length + beyond, first.quantity)]
      const answer = askRefund(lines, openLedger(lines), items)
      return Result.isFailure(answer) && answer.failure.code === "REFUND_ORIGINAL_LINE_NOT_FOUND" &&
        answer.failure.details.length === 1 && answer.failure.details[0]?.itemIndex === 1 &&
        answer.failure.details[0].pointer === "/items/1/originalLineIndex" &&
        answer.failure.details[0].message === `must name a line of the original, 0 to ${lines.length - 1}` &&
        answer.failure.details[0].originalLineIndex === lines.length + beyond
    })
})

type Change = (line: LineItem, other: LineItem, paras: number) => Partial<LineItem> | null

const differently = (sentence: string, field: RepeatedField, changed: Change) => ({ sentence, field, changed })
const priceMoved = (line: LineItem, paras: number): Dinars => Dinars.make(BigDecimal.sum(line.unitPrice, BigDecimal.make(BigInt(paras), 2)))

// Each way in which an item can differ from its line; null where this line cannot differ in that way.
const otherFields = [
  differently("another name is refused, also one that only looks like it", "name", (line, other) =>
    ({ name: other.name === line.name ? `${line.name} ` : other.name })),
  differently("another unit is refused", "unitOfMeasure", (line, other) =>
    ({ unitOfMeasure: other.unitOfMeasure === line.unitOfMeasure ? `${line.unitOfMeasure}.` : other.unitOfMeasure })),
  differently("a missing unit is refused", "unitOfMeasure", () => ({ unitOfMeasure: null })),
  differently("a higher price is refused", "unitPrice", (line, _, paras) => ({ unitPrice: priceMoved(line, paras) })),
  differently("a lower price is refused", "unitPrice", (line, _, paras) =>
    BigDecimal.isLessThan(line.unitPrice, BigDecimal.make(BigInt(paras), 2)) ? null : { unitPrice: priceMoved(line, -paras) }),
  differently("a missing GTIN is refused", "gtin", (line) => (line.gtin === null ? null : { gtin: null })),
  differently("a GTIN is refused where the line has none", "gtin", (line) => (line.gtin === null ? { gtin: "40063813" } : null)),
  differently("another GTIN is refused", "gtin", (line) => (line.gtin === null ? null : { gtin: [...line.gtin].map((digit) => 9 - Number(digit)).join("") })),
  differently("a label in place of another is refused", "taxLabels", (line) => ({ taxLabels: ["Ж", ...line.taxLabels.slice(1)] })),
  differently("a label too many is refused", "taxLabels", (line) => ({ taxLabels: [...line.taxLabels, "Ж"] })),
  differently("a label too few is refused", "taxLabels", (line) => (line.taxLabels.length === 1 ? null : { taxLabels: line.taxLabels.slice(1) })),
  differently("a label named twice does not stand for the one left out", "taxLabels", (line) =>
    line.taxLabels.length === 1 ? null : { taxLabels: [line.taxLabels[0] ?? "", ...line.taxLabels.slice(0, -1)] })
]

/** Whether exactly this field of the one item is refused, at its pointer and with its line. */
const mustMatchAt = (lines: ReadonlyArray<LineItem>, index: number, item: RefundItem, field: RepeatedField): boolean => {
  const answer = askRefund(lines, openLedger(lines), [item])
  return Result.isFailure(answer) && answer.failure.code === "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE" &&
    answer.failure.details.length === 1 && answer.failure.details[0]?.pointer === `/items/0/${field}` &&
    answer.failure.details[0].originalLineIndex === index
}

rule("REFUND-2", {
  says: "A refunded item repeats name, unit, price, labels and GTIN of its line; the quantity may be smaller, the order of labels, the " +
    "price before discount and the catalogue product may differ.",
  source: "Spec, Refunds rule 2; Decisions §5, Refund workflow",
  proves: ["REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE"]
}, ({ holds, holdsForEvery }) => {
  holds("what may differ does not stop a refund", { line: saleLine, reversed: fc.boolean(), product: fc.uuid() },
    ({ line, reversed, product }) =>
      differingFields({
        ...line,
        quantity: quantityOfOneThousandth,
        taxLabels: reversed ? [...line.taxLabels].reverse() : line.taxLabels,
        unitPriceBeforeDiscount: Dinars.make(BigDecimal.sum(line.unitPrice, decimal("1"))),
        catalogProductId: product
      }, line).length === 0)
  for (const { field, sentence, changed } of otherFields) {
    holds(sentence, { lines: receipt, at: fc.nat(), other: saleLine, paras: fc.integer({ min: 1, max: 1_000 }) }, ({ lines, at, other, paras }) => {
      const index = at % lines.length
      const line = lines[index] as LineItem
      const change = changed(line, other, paras)
      return change === null || mustMatchAt(lines, index, refundOf({ ...line, ...change }, index, line.quantity), field)
    })
  }
  const changes: ReadonlyArray<{ readonly field: string; readonly change: Partial<LineItem> }> = [
    { field: "name", change: { name: "Xлеб" } },
    { field: "unitOfMeasure", change: { unitOfMeasure: "KOM" } },
    { field: "unitOfMeasure", change: { unitOfMeasure: null } },
    { field: "unitPrice", change: { unitPrice: Dinars.make(decimal("9.98")) } },
    { field: "taxLabels", change: { taxLabels: ["Е"] } },
    { field: "taxLabels", change: { taxLabels: ["Ђ", "Е"] } },
    { field: "gtin", change: { gtin: "12345678" } }
  ]
  holdsForEvery("each changed field is refused and named", changes, ({ field, change }) => {
    const line = lineOf("9.99", "1")
    const answer = askRefund([line], openLedger([line]), [refundOf({ ...line, ...change }, 0, line.quantity)])
    return Result.isFailure(answer) && answer.failure.code === "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE" &&
      answer.failure.details.map(({ pointer }) => pointer).join() === `/items/0/${field}`
  })
  holdsForEvery("a literal that was stored with a unit is repeated without one", [["10: Аванс (Ђ)", true], ["Хлеб", false]] as const, ([name, matches]) => {
    const line = { ...lineOf("9.99", "1"), name }
    return Result.isSuccess(askRefund([line], openLedger([line]), [refundOf({ ...line, unitOfMeasure: null }, 0, line.quantity)])) === matches
  })
  holdsForEvery("what the field has to be is said", [
    [{ gtin: "40063813" }, "must be absent, as on the original's line"],
    [{ name: "Млеко" }, "must be \"Хлеб\", as on the original's line"],
    [{ unitPrice: Dinars.make(decimal("1")) }, "must be 9.99, as on the original's line"]
  ] as const, ([change, message]) => {
    const line = lineOf("9.99", "1")
    const answer = askRefund([line], openLedger([line]), [refundOf({ ...line, ...change }, 0, line.quantity)])
    return Result.isFailure(answer) && "details" in answer.failure && answer.failure.details[0]?.message === message
  })
  holdsForEvery("a price of 9.9 and one of 9.90 are the same price", ["9.9", "9.90"], (price) =>
    differingFields(lineOf(price, "1"), lineOf("9.90", "1")).length === 0)
  holdsForEvery("Cyrillic Е and Latin E are different labels", [["Е", "E"]], ([cyrillic, latin]) =>
    differingFields(lineOf("1", "1", { taxLabels: [cyrillic ?? ""] }), lineOf("1", "1", { taxLabels: [latin ?? ""] })).join() ===
      "taxLabels")
})

rule("REFUND-3", {
  says: "Of a line no more is given back than was sold; several items of one line count together.",
  source: "Spec, Errors, Catalogue; Decisions §5, Refund workflow",
  proves: ["REFUND_QUANTITY_EXCEEDS_ORIGINAL"]
}, ({ holds }) => {
  holds("a thousandth more than was sold is refused, at once or in two items", { line: saleLine, split: fc.boolean() }, ({ line, split }) => {
    const step = decimal("0.001")
    const items = split
      ? [refundOf(line, 0, line.quantity), refundOf(line, 0, step)]
      : [refundOf(line, 0, BigDecimal.sum(line.quantity, step))]
    const answer = askRefund([line], openLedger([line]), items)
    return Result.isFailure(answer) && answer.failure.code === "REFUND_QUANTITY_EXCEEDS_ORIGINAL" &&
      answer.failure.details[0]?.pointer === "/items/0/quantity" && answer.failure.details[0].originalLineIndex === 0
  })
  holds("two items of one line are entered once, with their quantities and amounts added", { line: saleLine }, ({ line }) => {
    const step = decimal("0.001")
    fc.pre(BigDecimal.isGreaterThan(line.quantity, decimal("0.002")))
    const answer = askRefund([line], openLedger([line]), [refundOf(line, 0, step), refundOf(line, 0, step)])
    const [entry, ...others] = Result.isSuccess(answer) ? answer.success.entries : []
    return Result.isSuccess(answer) && entry !== undefined && others.length === 0 &&
      BigDecimal.equals(entry.quantity, decimal("0.002")) && BigDecimal.equals(entry.amount, answer.success.total)
  })
  holds("exactly what was sold is accepted, at once or in two items", { line: saleLine, parts: fc.boolean() }, ({ line, parts }) => {
    const first = BigDecimal.truncate(BigDecimal.multiply(line.quantity, half), 3)
    const rest = BigDecimal.subtract(line.quantity, first)
    const items = parts && BigDecimal.isPositive(first)
      ? [refundOf(line, 0, first), refundOf(line, 0, rest)]
      : [refundOf(line, 0, line.quantity)]
    const answer = askRefund([line], openLedger([line]), items)
    return Result.isSuccess(answer) && BigDecimal.equals(answer.success.total, lineAmount(line)) &&
      answer.success.entries.length === 1 && BigDecimal.equals(totalAmount(answer.success.items), lineAmount(line))
  })
})

rule("REFUND-4", {
  says: "All refunds of a line together never give back more than was sold, whether they are signed or their outcome is still open.",
  source: "Spec, Refunds rule 2; Decisions §5, Refund workflow",
  proves: ["REFUND_CUMULATIVE_QUANTITY_EXCEEDED"]
}, ({ holds }) => {
  holds("after any earlier refund, one that exceeds what is left is refused and told what is left", {
    line: saleLine,
    earlier: quantity(),
    asked: quantity(),
    signed: fc.boolean()
  }, ({ line, earlier, asked, signed }) => {
    fc.pre(BigDecimal.isLessThanOrEqualTo(earlier, line.quantity) && BigDecimal.isLessThanOrEqualTo(asked, line.quantity))
    const first = Result.getOrThrow(askRefund([line], openLedger([line]), [refundOf(line, 0, earlier)]))
    const held = holdRefund(openLedger([line]), workflowId(1), first.entries)
    const answer = askRefund([line], signed ? consumeRefund(held, workflowId(1)) : held, [refundOf(line, 0, asked)])
    const left = BigDecimal.subtract(line.quantity, earlier)
    if (BigDecimal.isLessThanOrEqualTo(asked, left)) return Result.isSuccess(answer)
    return Result.isFailure(answer) && answer.failure.code === "REFUND_CUMULATIVE_QUANTITY_EXCEEDED" &&
      BigDecimal.equals(answer.failure.details[0]?.quantityRefundable ?? decimal("-1"), left)
  })
})

rule("REFUND-5", {
  says: "A refund that fails in several ways is refused for the first kind: line not found, item differs, more than sold, more than left.",
  source: "Decisions §2, Precedence inside step 10",
  proves: [
    "REFUND_ORIGINAL_LINE_NOT_FOUND",
    "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE",
    "REFUND_QUANTITY_EXCEEDS_ORIGINAL",
    "REFUND_CUMULATIVE_QUANTITY_EXCEEDED"
  ]
}, ({ holds }) => {
  const line = lineOf("9.99", "2")
  const taken = Result.getOrThrow(askRefund([line, line], openLedger([line, line]), [refundOf(line, 1, decimal("2"))]))
  const ledger = holdRefund(openLedger([line, line]), workflowId(1), taken.entries)
  const faulty = [
    { code: "REFUND_ORIGINAL_LINE_NOT_FOUND", item: refundOf(line, 7, decimal("1")) },
    { code: "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE", item: { ...refundOf(line, 0, decimal("1")), name: "Млеко" } },
    { code: "REFUND_QUANTITY_EXCEEDS_ORIGINAL", item: refundOf(line, 0, decimal("3")) },
    { code: "REFUND_CUMULATIVE_QUANTITY_EXCEEDED", item: refundOf(line, 1, decimal("1")) }
  ] as const
  holds("whatever faults come together, in any order of items", { some: fc.shuffledSubarray([...faulty], { minLength: 1 }) }, ({ some }) => {
    const first = faulty.find((fault) => some.includes(fault))
    return refusedWith(askRefund([line, line], ledger, some.map((fault) => fault.item)), first?.code ?? "")
  })
})

rule("REFUND-6", {
  says: "Partial refunds of a line, in whatever parts and order, give back its signed money to the para once it is complete, and never " +
    "more before.",
  source: "Decisions §5, Money"
}, ({ holds, holdsForEvery }) => {
  holds("the parts add up to the line; no part and no sum of parts exceeds it", {
    refunded: saleLine.chain((line) => partsOf(line.quantity).map((parts) => ({ line, parts })))
  }, ({ refunded: { line, parts } }) => {
    const amounts = refundInParts(line, parts).map((accepted) => accepted.total)
    const sums = amounts.map((_, at) => BigDecimal.sumAll(amounts.slice(0, at + 1)))
    return BigDecimal.equals(BigDecimal.sumAll(amounts), lineAmount(line)) &&
      sums.every((sum) => BigDecimal.isLessThanOrEqualTo(sum, lineAmount(line))) &&
      amounts.every((amount) => !BigDecimal.isNegative(amount))
  })
  holdsForEvery("worked examples: what each part gives back", [
    { price: "9.99", sold: "1", parts: ["0.5", "0.5"], amounts: ["5.00", "4.99"] },
    { price: "0.01", sold: "3", parts: ["1", "1", "1"], amounts: ["0.01", "0.01", "0.01"] },
    { price: "0.01", sold: "1", parts: ["0.5", "0.25", "0.25"], amounts: ["0.01", "0.00", "0.00"] },
    { price: "10.00", sold: "0.333", parts: ["0.111", "0.111", "0.111"], amounts: ["1.11", "1.11", "1.11"] },
    { price: "0.05", sold: "0.1", parts: ["0.05", "0.05"], amounts: ["0.00", "0.01"] },
    { price: "0.30", sold: "1", parts: ["0.1", "0.2", "0.7"], amounts: ["0.03", "0.06", "0.21"] }
  ], ({ price, sold, parts, amounts }) => {
    const refunds = refundInParts(lineOf(price, sold), parts.map(decimal))
    return refunds.every((accepted, at) => BigDecimal.equals(accepted.total, decimal(amounts[at] ?? "")))
  })
})

rule("REFUND-7", {
  says: "The payments of a refund sum to the money of its items exactly; otherwise the fault on totals states the amount expected.",
  source: "Spec, Refunds rule 4; Decisions §5, Money"
}, ({ holds, holdsForEvery }) => {
  holds("payments of exactly that sum pass, one para off does not", {
    total: fc.integer({ min: 1, max: 1_000_000 }),
    cash: fc.integer({ min: 0, max: 1_000_000 }),
    off: fc.constantFrom(-1, 0, 1)
  }, ({ total, cash, off }) => {
    const inCash = Math.min(cash, total)
    const paras = (amount: number): BigDecimal.BigDecimal => BigDecimal.make(BigInt(amount), 2)
    const fault = refundTotalsFault(paras(total), [
      { type: "CASH", amount: paras(inCash) },
      { type: "CARD", amount: paras(total - inCash + off) }
    ])
    return off === 0 ? fault === null : fault?.key === "totals"
  })
  holdsForEvery("the fault states what is expected", [["4.99", "5.00"]], ([expected, paid]) =>
    refundTotalsFault(decimal(expected ?? ""), [{ type: "CARD", amount: decimal(paid ?? "") }])?.message.includes("4.99") === true)
})

const quantityOfOneThousandth = lineOf("1", "0.001").quantity
