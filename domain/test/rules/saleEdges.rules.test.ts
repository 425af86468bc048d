import { DateTime, Option, Result } from "effect"
import * as fc from "fast-check"
import { advanceLiteral, advanceLiteralLabel, signedItemName } from "../../src/documents/signedItemName.ts"
import { checkPaymentDay } from "../../src/requests/AdvancePaymentRequest.ts"
import { decodeFiscalDocumentRequest, decodeNormalSale } from "../../src/requests/FiscalDocumentRequest.ts"
import { decodeIdempotencyKey } from "../../src/idempotency/boundKey.ts"
import { decodeProformaTrainingRequest } from "../../src/requests/ProformaTrainingRequest.ts"
import { UnrepresentableNumber } from "../../src/requests/bodyTree.ts"
import { documentUuid, externalCopyBody, faultsOf, hasFaultAt, itemBody, saleBody, withAt } from "../arbitraries/SaleBody.ts"
import { decimal } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

rule("NAME-1", {
  says: "An item is signed as name/unit; a prescribed advance item is signed as it is, byte for byte.",
  source: "Spec, fiscal-documents rules 4 and 7; Decisions §1"
}, ({ holds, holdsForEvery }) => {
  holds("an ordinary item", { name: fc.string({ minLength: 1, maxLength: 9 }), unitOfMeasure: fc.constantFrom("kom", "kg") }, ({ name, unitOfMeasure }) =>
    signedItemName({ name, unitOfMeasure }, "production") === `${name}/${unitOfMeasure}`)
  holdsForEvery("a literal, whether a unit was sent or not", ["10: Аванс (Ђ)", "11: Аванс (Е)", "12: Аванс (Г)", "13: Аванс (А)"], (name) =>
    signedItemName({ name, unitOfMeasure: null }, "production") === name && signedItemName({ name, unitOfMeasure: "kom" }, "production") === name)
  holdsForEvery("the unit that was sent with a literal is not kept either, an ordinary item's is", [["10: Аванс (Ђ)", null], ["Хлеб", "kom"]] as const, ([name, kept]) => {
    const item = { name, unitOfMeasure: "kom", quantity: decimal("1"), unitPrice: decimal("10"), taxLabels: ["Ђ"] }
    const read = decodeNormalSale({ ...saleBody, items: [item], payments: [{ type: "CARD", amount: decimal("10") }] }, { environment: "production" })
    return Result.isSuccess(read) && read.success.items[0]?.unitOfMeasure === kept
  })
  holdsForEvery("what is a literal in the other environment only is an ordinary name", ["10: Аванс (F)"], (name) =>
    signedItemName({ name, unitOfMeasure: "kom" }, "production") === `${name}/kom` && signedItemName({ name, unitOfMeasure: "kom" }, "sandbox") === name)
  holdsForEvery("a unit the composed item lacks is not written", ["Хлеб"], (name) => signedItemName({ name, unitOfMeasure: null }, "production") === name)
})

rule("NAME-2", {
  says: "The literal that names an advance with a label is the one that is read back as that label; production prescribes four.",
  source: "Spec, fiscal-documents rule 7; Decisions §5, Advance case"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("production", [["Ђ", "10: Аванс (Ђ)"], ["Е", "11: Аванс (Е)"], ["Г", "12: Аванс (Г)"], ["А", "13: Аванс (А)"]] as const, ([label, literal]) =>
    Option.getOrNull(advanceLiteral(label, "production")) === literal && Option.getOrNull(advanceLiteralLabel(literal, "production")) === label)
  holdsForEvery("no other label has one in production", ["E", "A", "F", ""], (label) => Option.isNone(advanceLiteral(label, "production")))
  holds("sandbox, any label", { label: fc.stringMatching(/^[A-ZЖЂ]{1,2}$/u) }, ({ label }) =>
    Option.getOrNull(Option.flatMap(advanceLiteral(label, "sandbox"), (literal) => advanceLiteralLabel(literal, "sandbox"))) === label)
})

const kindOf = (body: unknown): string => {
  const read = decodeFiscalDocumentRequest(body, { environment: "production" })
  return Result.isSuccess(read) ? `${read.success._tag} ${read.success.reference?.source ?? "none"}` : "refused"
}

rule("SALE-11", {
  says: "A Normal Sale that names a reference is still a Normal Sale, so that the reference matrix refuses it by its own code; it is never " +
    "taken for a copy.",
  source: "Decisions §5, Copies"
}, ({ holdsForEvery }) => {
  const external = externalCopyBody["reference"]
  holdsForEvery("with either kind of reference or none", [
    [saleBody, "NormalSale none"],
    [{ ...saleBody, reference: null }, "NormalSale none"],
    [{ ...saleBody, reference: { source: "SVC", fiscalDocumentId: documentUuid } }, "NormalSale SVC"],
    [{ ...saleBody, reference: external }, "NormalSale EXTERNAL"],
    [externalCopyBody, "ExternalCopy EXTERNAL"],
    [{ ...externalCopyBody, reference: null }, "refused"],
    [{ ...saleBody, invoiceType: "ADVANCE", reference: external }, "refused"]
  ] as const, ([body, kind]) => kindOf(body) === kind)
  holdsForEvery("rules for the copy's reference do not touch the sale's", ["PROFORMA", "COPY"], (invoiceType) =>
    kindOf(withAt({ ...saleBody, reference: external }, ["reference", "invoiceType"], invoiceType)) === "NormalSale EXTERNAL")
})

rule("SALE-12", {
  says: "A rule is silent where its ingredient is missing or wrong, which is reported by itself.",
  source: "Decisions §1, Problem body"
}, ({ holdsForEvery }) => {
  const withOptionalField = { ...saleBody, buyer: { optionalField: "20:1" } }
  holdsForEvery("an optional field is not judged while the types are unknown", [["invoiceType", undefined], ["transactionType", undefined], ["transactionType", 5]] as const,
    ([name, value]) => faultsOf(withAt(withOptionalField, [name], value)).map((fault) => fault.pointer).join() === `/${name}`)
  holdsForEvery("of a Normal Refund it is refused, beside the operation", ["REFUND"], (transactionType) =>
    faultsOf({ ...withOptionalField, transactionType }).map((fault) => fault.key).sort().join() === "Buyer.OptionalField,InvoiceType")
  holdsForEvery("an advance item without a quantity or labels misses just these", ["quantity", "taxLabels"], (name) => {
    const sale = { ...saleBody, items: [{ name: "10: Аванс (Ђ)", quantity: decimal("1"), unitPrice: decimal("10"), taxLabels: ["Ђ"] }] }
    return faultsOf(withAt(sale, ["items", 0, name], undefined)).map((fault) => fault.pointer).join() === `/items/0/${name}`
  })
  holdsForEvery("an item whose unit or name is no text is judged for that alone", [["unitOfMeasure", 5], ["name", 5], ["name", "x".repeat(2049)]] as const,
    ([name, value]) => faultsOf(withAt(saleBody, ["items", 0, name], value)).map((fault) => fault.pointer).join() === `/items/0/${name}`)
  holdsForEvery("a price before discount is not judged without a price", [undefined], (price) =>
    faultsOf({ ...saleBody, items: [{ ...itemBody, unitPriceBeforeDiscount: decimal("1"), unitPrice: price }] })
      .every((fault) => fault.pointer !== "/items/0/unitPriceBeforeDiscount"))
  holdsForEvery("an item of 2 045 characters whose unit is no text is judged for its unit alone", [5], (unit) => {
    const sale = withAt(withAt(saleBody, ["items", 0, "name"], "н".repeat(2045)), ["items", 0, "unitOfMeasure"], unit)
    return faultsOf(sale).map((fault) => fault.pointer).join() === "/items/0/unitOfMeasure"
  })
  holdsForEvery("a copy of a document of this service is judged for its operation, not for what an EXTERNAL reference must be", ["COPY", "PROFORMA"],
    (invoiceType) => {
      const reference = { source: "SVC", fiscalDocumentId: documentUuid, invoiceType, transactionType: "REFUND" }
      const faults = faultsOf({ ...saleBody, invoiceType: "COPY", reference })
      return faults.every((fault) => fault.key === "InvoiceType" || fault.message === "is not a field of this request")
    })
  holdsForEvery("a copy whose own or whose original's type is missing misses just that", [["transactionType"], ["reference", "transactionType"]],
    (path) => faultsOf(withAt(externalCopyBody, path, undefined)).map((fault) => fault.pointer).join() === `/${path.join("/")}`)
  holdsForEvery("a corporate card is not judged by a payment of no known kind", [undefined], (type) => {
    const sale = { ...saleBody, buyer: { id: "10:101670560", optionalField: "50:1" } }
    return faultsOf(withAt(sale, ["payments", 0, "type"], type)).map((fault) => fault.pointer).join() === "/payments/0/type"
  })
})

rule("SALE-13", {
  says: "The words of a refusal say which rule it was.",
  source: "Decisions §1, Problem body"
}, ({ holdsForEvery }) => {
  const messageAt = (body: unknown, pointer: string): string => faultsOf(body).find((fault) => fault.pointer === pointer)?.message ?? ""
  holdsForEvery("by what they speak of", [
    [["invoiceType"], "COPY", "/invoiceType", "EXTERNAL"],
    [["metadata"], { "": "x" }, "/metadata/", "must have a name"],
    [["metadata"], { ["k".repeat(65)]: "x" }, `/metadata/${"k".repeat(65)}`, "a name of at most 64 characters"],
    [["metadata"], { "a\u0007": "x" }, "/metadata/a\u0007", "has a name that must not contain control characters"],
    [["metadata"], { n: new UnrepresentableNumber("1e999") }, "/metadata/n", "at most 15 significant digits"],
    [["cashier", "id"], undefined, "/cashier/id", "is required"],
    [["items", 0, "name"], null, "/items/0/name", "must be a text, not null"],
    [["items", 0, "name"], new UnrepresentableNumber("1e999"), "/items/0/name", "must be a text"],
    [["commercialFooter"], {}, "/commercialFooter", "must be a text"],
    [["invoiceType"], { source: "SVC" }, "/invoiceType", "must be one of NORMAL, COPY, ADVANCE, PROFORMA, TRAINING"],
    [["reference"], "SVC", "/reference", "must be an object"],
    [["reference"], [], "/reference", "must be an object"],
    [["items", 0, "name"], "н".repeat(2048), "/items/0/name", "together with /kom"],
    // Characters that are two units of UTF-16 each: the V-PFR counts characters.
    [["items", 0, "name"], "𐐀".repeat(2045), "/items/0/name", "together with /kom"]
  ] as const, ([path, value, pointer, words]) => messageAt(withAt(saleBody, path, value), pointer).includes(words))
  holdsForEvery("only a copy is told of the EXTERNAL reference", ["ADVANCE", "PROFORMA"], (invoiceType) =>
    !messageAt({ ...saleBody, invoiceType }, "/invoiceType").includes("EXTERNAL"))
  holdsForEvery("a missing Idempotency-Key is not called malformed", [undefined, ""], (header) => {
    const read = decodeIdempotencyKey(header)
    return Result.isFailure(read) && read.failure.message.includes("required")
  })
  holdsForEvery("a payment of today is refused at its field", ["2026-08-29T10:00:00Z"], (instant) => {
    const today = DateTime.makeUnsafe(instant)
    const checked = checkPaymentDay(today, today)
    return Result.isFailure(checked) && checked.failure.faults.map((fault) => fault.key).join() === "PaymentOccurredAt"
  })
  holdsForEvery("a GTIN with a letter before, after or between its digits", ["a12345678", "12345678a", "1234a5678"], (gtin) =>
    hasFaultAt(withAt(saleBody, ["items", 0, "gtin"], gtin), "/items/0/gtin"))
})

rule("SALE-14", {
  says: "A proforma or training refund is of a document of this service.",
  source: "Spec, Reference matrix; Decisions §5, Proforma and training"
}, ({ holdsForEvery }) => {
  const refund = { ...saleBody, invoiceType: "TRAINING", transactionType: "REFUND", buyer: { id: "20:1" }, reference: externalCopyBody["reference"] }
  holdsForEvery("another ESIR's is refused at the source, and only there", [refund], (body) => {
    const read = decodeProformaTrainingRequest(body, { environment: "production" })
    return Result.isFailure(read) && read.failure.faults.map((fault) => fault.pointer).join() === "/reference/source"
  })
  holdsForEvery("a pair that is no document is not sent anywhere", ["GIFT"], (transactionType) => {
    const read = decodeProformaTrainingRequest({ ...saleBody, invoiceType: "NORMAL", transactionType }, { environment: "production" })
    return Result.isFailure(read) && read.failure.faults.map((fault) => fault.pointer).join() === "/transactionType"
  })
})
