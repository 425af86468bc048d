import { BigDecimal } from "effect"
import * as fc from "fast-check"
import { PaymentType } from "../../src/documents/LineItem.ts"
import { formatDecimal } from "../../src/money/decimals.ts"
import { totalAmount } from "../../src/money/rounding.ts"
import {
  type Body,
  documentUuid,
  externalCopyBody,
  faultsOf,
  hasFaultAt,
  isAccepted,
  isOnlyFaultAt,
  itemBody,
  saleBody,
  validSale,
  withAt
} from "../arbitraries/SaleBody.ts"
import { decimal } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const itemsOf = (sale: Body) => sale["items"] as Parameters<typeof totalAmount>[0]
const paidBy = (...payments: ReadonlyArray<readonly [string, string]>) =>
  payments.map(([type, amount]) => ({ type, amount: decimal(amount) }))

rule("SALE-1", {
  says: "The payments of a sale sum to exactly its total: the sum of its lines, each quantity × unit price rounded to the para.",
  source: "Spec, fiscal-documents rule 1; Decisions §1, Totals"
}, ({ holds, holdsForEvery }) => {
  holds("payments that sum to the total are accepted, however they are split", { sale: validSale }, ({ sale }) => isAccepted(sale))
  holds("one para more is refused under `totals`, and both sums are stated", { sale: validSale, more: fc.integer({ min: 1, max: 999 }) },
    ({ sale, more }) => {
      const total = totalAmount(itemsOf(sale))
      const paid = BigDecimal.sum(total, BigDecimal.make(BigInt(more), 2))
      const [fault, ...others] = faultsOf({ ...sale, payments: [{ type: "CARD", amount: paid }] })
      return fault?.key === "totals" && others.length === 0 && fault.message.includes(formatDecimal(total, 2)) &&
        fault.message.includes(formatDecimal(paid, 2))
    })
  holds("wrong totals are reported although the cashier is wrong too", { sale: validSale }, ({ sale }) => {
    const keys = faultsOf({ ...sale, cashier: { id: "" }, payments: paidBy(["CARD", "123456789.01"]) }).map((fault) => fault.key)
    return keys.includes("totals") && keys.includes("Cashier.Id")
  })
  holdsForEvery("a total above 999 999 999 999.99 is refused under totals, though each line is within", [2], (count) => {
    const largest = { ...itemBody, unitPrice: decimal("999999999999.99") }
    const [fault, ...others] = faultsOf({ ...saleBody, items: Array.from({ length: count }, () => largest), payments: paidBy(...Array.from({ length: count }, () => ["CARD", "999999999999.99"] as const)) })
    return others.length === 0 && fault?.key === "totals" && fault.message.includes("1999999999999.98")
  })
  holdsForEvery("where a quantity, price or amount is no number, or a list is empty, totals are not judged", [
    withAt(saleBody, ["items", 0, "quantity"], "1"),
    withAt(saleBody, ["items", 0, "unitPrice"], undefined),
    withAt(saleBody, ["payments", 0, "amount"], null),
    { ...saleBody, items: [] },
    { ...saleBody, payments: [] }
  ], (sale) => faultsOf(sale).every((fault) => fault.key !== "totals") && faultsOf(sale).length === 1)
  holdsForEvery("0.1 and 0.2 make 0.3, exactly", [["0.1", "0.2", "0.3"], ["0.7", "0.1", "0.8"], ["1.10", "2.2", "3.30"]], ([one, other, sum]) =>
    isAccepted({
      ...saleBody,
      items: [{ ...itemBody, unitPrice: decimal(one ?? "") }, { ...itemBody, unitPrice: decimal(other ?? "") }],
      payments: paidBy(["CARD", sum ?? ""])
    }))
})

rule("SALE-2", {
  says: "Every item has a unit of measure, except the prescribed advance items of its environment.",
  source: "Spec, Resources, LineItem; Spec, fiscal-documents rule 7; Decisions §1"
}, ({ holds, holdsForEvery }) => {
  const named = (name: string, labels: ReadonlyArray<string>) => ({
    ...saleBody,
    items: [{ name, quantity: decimal("1"), unitPrice: decimal("10"), taxLabels: labels }]
  })
  holds("an item without a unit is refused at its unit", { sale: validSale, at: fc.nat() }, ({ sale, at }) => {
    const index = at % itemsOf(sale).length
    return isOnlyFaultAt(withAt(sale, ["items", index, "unitOfMeasure"], undefined), `/items/${index}/unitOfMeasure`, "Items.UnitOfMeasure")
  })
  holdsForEvery("in production the four literals need none",
    [["10: Аванс (Ђ)", "Ђ"], ["11: Аванс (Е)", "Е"], ["12: Аванс (Г)", "Г"], ["13: Аванс (А)", "А"]] as const,
    ([name, label]) => isAccepted(named(name, [label]), "production"))
  holdsForEvery("in production nothing else is a literal: other numbers, spellings, look-alike letters",
    ["10: Аванс (Е)", "11: Аванс (Ђ)", "11: Аванс (E)", "10:Аванс (Ђ)", "10: Avans (Ђ)", "10: Аванс (Ђ) ", "10: аванс (Ђ)", "14: Аванс (Ђ)"],
    (name) => hasFaultAt(named(name, ["Ђ"]), "/items/0/unitOfMeasure"))
  holds("in sandbox 10: Аванс with any one label needs none", { label: fc.stringMatching(/^[A-ZА-ШЂ]{1,3}$/u) },
    ({ label }) => isAccepted(named(`10: Аванс (${label})`, [label]), "sandbox"))
  holdsForEvery("in sandbox the production literals of other numbers are ordinary names", ["11: Аванс (Е)", "10: Аванс ()"],
    (name) => faultsOf(named(name, ["Е"]), "sandbox").some((fault) => fault.key === "Items.UnitOfMeasure"))
})

rule("SALE-3", {
  says: "An advance item carries only the label in its brackets, and quantity 1.",
  source: "Decisions §1, advance literals"
}, ({ holdsForEvery }) => {
  const advance = { name: "10: Аванс (Ђ)", quantity: decimal("1"), unitPrice: decimal("10"), taxLabels: ["Ђ"] }
  const sale = { ...saleBody, items: [advance] }
  holdsForEvery("another label, a second one, or a look-alike is refused", [["Е"], ["Ђ", "Е"], ["Đ"]],
    (labels) => isOnlyFaultAt(withAt(sale, ["items", 0, "taxLabels"], labels), "/items/0/taxLabels", "Items.TaxLabels"))
  holdsForEvery("another quantity is refused", ["0.5", "2", "1.001"],
    (quantity) => hasFaultAt(withAt(sale, ["items", 0, "quantity"], decimal(quantity)), "/items/0/quantity"))
  holdsForEvery("1, however written, is accepted", ["1", "1.0", "1.000"],
    (quantity) => isAccepted(withAt(sale, ["items", 0, "quantity"], decimal(quantity))))
})

rule("SALE-4", {
  says: "A price before discount is greater than the price.",
  source: "Spec, Resources, LineItem"
}, ({ holds }) => {
  holds("at or below the price it is refused, above it is accepted", { paras: fc.integer({ min: 1, max: 100_000 }), gap: fc.integer({ min: -50, max: 50 }) },
    ({ paras, gap }) => {
      const price = BigDecimal.make(BigInt(paras), 2)
      const before = BigDecimal.make(BigInt(Math.max(paras + gap, 0)), 2)
      const sale = {
        ...saleBody,
        items: [{ ...itemBody, unitPrice: price, unitPriceBeforeDiscount: before }],
        payments: [{ type: "CARD", amount: price }]
      }
      return gap > 0 ? isAccepted(sale) : isOnlyFaultAt(sale, "/items/0/unitPriceBeforeDiscount", "Items.UnitPriceBeforeDiscount")
    })
})

rule("SALE-5", {
  says: "The buyer's optional field is allowed on a Normal Sale only.",
  source: "Spec, fiscal-documents rule 5"
}, ({ holdsForEvery }) => {
  const buyer = { id: "10:101670560", optionalField: "20:SNPDV-1" }
  holdsForEvery("on a Normal Sale it is accepted", [saleBody], (sale) => isAccepted({ ...sale, buyer }))
  holdsForEvery("on a copy it is refused", [externalCopyBody],
    (copy) => isOnlyFaultAt({ ...copy, buyer }, "/buyer/optionalField", "Buyer.OptionalField"))
})

rule("SALE-6", {
  says: "A corporate card (optional field 50:) pays with vouchers alone.",
  source: "Spec, Payment types; Decisions §1, Buyer forms"
}, ({ holds }) => {
  const half = (type: string) => ({ type, amount: decimal("5") })
  holds("any other payment beside it is refused at the optional field",
    { one: fc.constantFrom(...PaymentType.literals), other: fc.constantFrom(...PaymentType.literals) }, ({ one, other }) => {
      const sale = { ...saleBody, buyer: { id: "10:101670560", optionalField: "50:123" }, payments: [half(one), half(other)] }
      const allVouchers = one === "VOUCHER" && other === "VOUCHER"
      return allVouchers ? isAccepted(sale) : isOnlyFaultAt(sale, "/buyer/optionalField", "Buyer.OptionalField")
    })
})

const otherKinds = [
  ["NORMAL", "REFUND", "/v1/refund-workflows"],
  ["ADVANCE", "SALE", "/v1/advance-cases"],
  ["ADVANCE", "REFUND", "/v1/advance-cases"],
  ["PROFORMA", "SALE", "/v1/proforma-training-workflows"],
  ["PROFORMA", "REFUND", "/v1/proforma-training-workflows"],
  ["TRAINING", "SALE", "/v1/proforma-training-workflows"],
  ["TRAINING", "REFUND", "/v1/proforma-training-workflows"],
  ["COPY", "SALE", "/v1/fiscal-documents/{id}/copies"],
  ["COPY", "REFUND", "/v1/fiscal-documents/{id}/copies"]
] as const

rule("SALE-7", {
  says: "This operation issues Normal Sales, and copies of another ESIR's documents; any other kind is refused on InvoiceType, which names " +
    "the operation that issues it.",
  source: "Spec, fiscal-documents; Spec, Document types; Decisions §1, §5 Copies"
}, ({ holdsForEvery }) => {
  holdsForEvery("each other pair", otherKinds, ([invoiceType, transactionType, operation]) => {
    const [fault, ...others] = faultsOf({ ...saleBody, invoiceType, transactionType })
    return others.length === 0 && fault?.key === "InvoiceType" && fault.message.includes(operation)
  })
  holdsForEvery("a copy of one of our own documents is sent to the copies operation", [documentUuid], (fiscalDocumentId) => {
    const [fault] = faultsOf({ ...saleBody, invoiceType: "COPY", reference: { source: "SVC", fiscalDocumentId } })
    return fault?.key === "InvoiceType" && fault.message.includes("/v1/fiscal-documents/{id}/copies")
  })
})

rule("SALE-8", {
  says: "A copy of another ESIR's document names it whole: a NORMAL or ADVANCE document of the copy's own transaction type.",
  source: "Spec, Reference matrix; Decisions §5, Copies"
}, ({ holdsForEvery }) => {
  const referring = (fields: Body) => ({ ...externalCopyBody, reference: { ...(externalCopyBody["reference"] as Body), ...fields } })
  holdsForEvery("NORMAL and ADVANCE, sale and refund, are accepted", [["NORMAL", "SALE"], ["ADVANCE", "SALE"], ["NORMAL", "REFUND"], ["ADVANCE", "REFUND"]],
    ([invoiceType, transactionType]) => isAccepted({ ...referring({ invoiceType, transactionType }), transactionType }))
  holdsForEvery("copies, proforma and training documents are refused", ["COPY", "PROFORMA", "TRAINING"],
    (invoiceType) => isOnlyFaultAt(referring({ invoiceType }), "/reference/invoiceType", "Reference.InvoiceType"))
  holdsForEvery("the other transaction type is refused", ["REFUND"],
    (transactionType) => isOnlyFaultAt(referring({ transactionType }), "/reference/transactionType", "Reference.TransactionType"))
  holdsForEvery("each fact of it is required", ["pfrNumber", "pfrTime", "invoiceType", "transactionType"],
    (fact) => hasFaultAt(withAt(externalCopyBody, ["reference", fact], undefined), `/reference/${fact}`))
  holdsForEvery("what is no official number is refused", ["15", "ABCD1234-15", "abcd123-abcd1234-15", `ABCD1234-ABCD1234-${"1".repeat(40)}`],
    (pfrNumber) => hasFaultAt(referring({ pfrNumber }), "/reference/pfrNumber"))
  holdsForEvery("a source that is neither SVC nor EXTERNAL is refused", ["svc", "OTHER", null], (source) => hasFaultAt(referring({ source }), "/reference/source"))
})

rule("SALE-9", {
  says: "The caller never sends the receipt's time: transactionOccurredAt is always refused here.",
  source: "Spec, Limits, Time rules; Decisions §1"
}, ({ holdsForEvery }) => {
  holdsForEvery("on a sale and on a copy, with any payment",
    [saleBody, externalCopyBody, { ...saleBody, payments: paidBy(["WIRE_TRANSFER", "10"]) }],
    (body) => isOnlyFaultAt({ ...body, transactionOccurredAt: "2026-08-28T10:00:00+02:00" }, "/transactionOccurredAt", "TransactionOccurredAt"))
})

rule("SALE-10", {
  says: "Labels are at least one and never repeated; a GTIN is 8 to 14 digits; payment and document types are those of the contract.",
  source: "Spec, Resources, LineItem and Payment"
}, ({ holdsForEvery }) => {
  holdsForEvery("no label, or one twice", [[], ["Ђ", "Ђ"]],
    (labels) => isOnlyFaultAt(withAt(saleBody, ["items", 0, "taxLabels"], labels), "/items/0/taxLabels", "Items.TaxLabels"))
  holdsForEvery("GTINs", [["1234567", false], ["12345678", true], ["12345678901234", true], ["123456789012345", false], ["1234567a", false]] as const,
    ([gtin, accepted]) => isAccepted(withAt(saleBody, ["items", 0, "gtin"], gtin)) === accepted)
  holdsForEvery("every payment type is read, none other", [...PaymentType.literals, "card", "BITCOIN", ""],
    (type) => isAccepted(withAt(saleBody, ["payments", 0, "type"], type)) === (PaymentType.literals as ReadonlyArray<string>).includes(type))
  holdsForEvery("document types", [["NORMAL", "sale"], ["Normal", "SALE"], ["INVOICE", "SALE"]],
    ([invoiceType, transactionType]) => !isAccepted({ ...saleBody, invoiceType, transactionType }))
})
