import * as fc from "fast-check"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { InvoiceType, TransactionType } from "../../src/documents/InvoiceType.ts"
import type { ReferencedDocument } from "../../src/references/ReferencedDocument.ts"
import type { DocumentKind } from "../../src/references/referenceMatrix.ts"
import { BusinessPremiseId, FiscalDocumentId, TaxpayerId } from "../../src/tenancy/identifiers.ts"

const uuid = (group: number, number: number): string =>
  `0190${group.toString(16).padStart(4, "0")}-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

/** One of a few taxpayers, so that equal and different ones both occur. */
export const taxpayerId = fc.integer({ min: 1, max: 2 }).map((number) => TaxpayerId.make(uuid(1, number)))
export const businessPremiseId = fc.integer({ min: 1, max: 2 }).map((number) => BusinessPremiseId.make(uuid(2, number)))
export const fiscalDocumentId = fc.integer({ min: 1, max: 999_999 }).map((number) => FiscalDocumentId.make(uuid(3, number)))

/** All ten kinds of document. */
export const documentKinds: ReadonlyArray<DocumentKind> = InvoiceType.literals.flatMap((invoiceType) =>
  TransactionType.literals.map((transactionType) => ({ invoiceType, transactionType }))
)

export const documentKind = fc.constantFrom(...documentKinds)

/** A document that another may want to refer to: any kind, any status, signed exactly when it is fiscalized. */
export const referencedDocument: fc.Arbitrary<ReferencedDocument> = fc
  .record({
    fiscalDocumentId,
    taxpayerId,
    businessPremiseId,
    kind: documentKind,
    status: fc.constantFrom(...DocumentStatus.literals),
    counter: fc.integer({ min: 1, max: 99_999 })
  })
  .map(({ kind, counter, ...document }) => ({
    ...document,
    ...kind,
    pfr: document.status === "FISCALIZED"
      ? { invoiceNumber: `AAAA1111-AAAA1111-${counter}`, sdcTime: "2026-08-29T12:30:00.1234567+02:00" }
      : null
  }))
