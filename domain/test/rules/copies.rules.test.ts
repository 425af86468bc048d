import { Result } from "effect"
import * as fc from "fast-check"
import { PaymentType } from "../../src/documents/LineItem.ts"
import { formatDecimal } from "../../src/money/decimals.ts"
import { Dinars } from "../../src/money/Dinars.ts"
import { hasCash } from "../../src/documents/composeContent.ts"
import { copiedContent, copyReference } from "../../src/references/checkReference.ts"
import { documentKinds, fiscalDocumentId, referencedDocument } from "../arbitraries/ReferencedDocument.ts"
import { decimal, dinars, saleLine } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

rule("COPY-1", {
  says: "A copy is made of a fiscalized Normal or Advance document, sale or refund; otherwise it is refused for the first of: not " +
    "found, not copyable, not fiscalized.",
  source: "Spec, Reference matrix; Decisions §2, Precedence inside step 10",
  proves: ["FISCAL_DOCUMENT_NOT_FOUND", "COPY_SOURCE_NOT_COPYABLE", "COPY_SOURCE_NOT_FISCALIZED"]
}, ({ holds }) => {
  holds("a document that is not there cannot be copied", { id: fiscalDocumentId }, ({ id }) => {
    const answer = copyReference(id, null)
    return Result.isFailure(answer) && answer.failure.code === "FISCAL_DOCUMENT_NOT_FOUND"
  })
  holds("a copy, proforma or training document is never copied, whatever its status", { source: referencedDocument }, ({ source }) => {
    const answer = copyReference(source.fiscalDocumentId, source)
    const copyable = source.invoiceType === "NORMAL" || source.invoiceType === "ADVANCE"
    return copyable !== (Result.isFailure(answer) && answer.failure.code === "COPY_SOURCE_NOT_COPYABLE")
  })
  holds("of the others exactly a FISCALIZED one is copied, and its copy refers to it", {
    source: referencedDocument,
    kind: fc.constantFrom(...documentKinds.filter(({ invoiceType }) => invoiceType === "NORMAL" || invoiceType === "ADVANCE"))
  }, ({ source, kind }) => {
    const document = { ...source, ...kind }
    const answer = copyReference(document.fiscalDocumentId, document)
    return document.status === "FISCALIZED"
      ? Result.isSuccess(answer) && answer.success.fiscalDocumentId === document.fiscalDocumentId
      : Result.isFailure(answer) && answer.failure.code === "COPY_SOURCE_NOT_FISCALIZED"
  })
})

rule("COPY-2", {
  says: "A copy repeats the items, payments and buyer of its source, without the buyer's optional field.",
  source: "Spec, fiscal-documents rule 5; Decisions §5, Copies"
}, ({ holds }) => {
  const payment = fc.record({ type: fc.constantFrom(...PaymentType.literals), amount: dinars() })
  const buyer = fc.option(fc.record({
    id: fc.option(fc.constant("10:123456789")),
    optionalField: fc.option(fc.constant("50:1234"))
  }))
  holds("items and payments unchanged, the buyer's identification kept alone", {
    items: fc.array(saleLine, { minLength: 1, maxLength: 3 }),
    payments: fc.array(payment, { minLength: 1, maxLength: 3 }),
    buyer
  }, (source) => {
    const copy = copiedContent(source)
    return copy.items === source.items && copy.payments === source.payments &&
      (copy.buyer?.id ?? null) === (source.buyer?.id ?? null) && (copy.buyer?.optionalField ?? null) === null
  })
  holds("a buyer known by the optional field alone is no buyer of the copy", { items: fc.array(saleLine), card: fc.constantFrom(null, "50:1234") },
    ({ items, card }) => copiedContent({ items, payments: [], buyer: { id: null, optionalField: card } }).buyer === null)
})

rule("COPY-3", {
  says: "A refund that gives any cash back needs a signed copy at once; one without cash, or with a payment of 0 in cash, does not.",
  source: "Spec, Refunds rule 4"
}, ({ holds }) => {
  const amount = fc.oneof(dinars(), fc.constantFrom(Dinars.make(decimal("0")), Dinars.make(decimal("0.01"))))
  const payments = fc.array(fc.record({ type: fc.constantFrom(...PaymentType.literals), amount }), { minLength: 1, maxLength: 4 })
  holds("cash of more than 0 anywhere among the payments decides it", { payments }, ({ payments: paid }) =>
    hasCash(paid) === paid.some(({ amount: of, type }) => type === "CASH" && formatDecimal(of) !== "0"))
})
