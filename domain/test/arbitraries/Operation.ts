import { DateTime } from "effect"
import * as fc from "fast-check"
import { DocumentStatus, FailureCode } from "../../src/documents/DocumentStatus.ts"
import type { SignedAnswer } from "../../src/documents/PfrResult.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { BusinessPremiseId, FiscalDocumentId, OrganizationId, TaxpayerId } from "../../src/tenancy/identifiers.ts"
import { PfrTime } from "../../src/time/PfrTime.ts"
import { documentKind } from "./ReferencedDocument.ts"
import { decimal, lineOf } from "./SaleLine.ts"

const at = DateTime.makeUnsafe("2026-08-29T10:00:00Z")

/** A signed answer of one number. */
export const signedAnswer: SignedAnswer = {
  text: "{}",
  pfr: {
    invoiceNumber: "ABCD1234-ABCD1234-15",
    sdcTime: PfrTime.make("2026-08-29T12:00:01.1234567+02:00"),
    requestedBy: "ABCD1234",
    signedBy: "ABCD1234",
    transactionTypeCounter: 10,
    totalCounter: 15,
    invoiceCounterExtension: "ПП",
    totalAmount: decimal("10"),
    totalTax: decimal("1.6667"),
    verificationUrl: "https://verify.example/v/?vl=A",
    journal: "journal"
  },
  taxes: [],
  taxGroupRevision: 5,
  businessName: null,
  tin: null,
  encryptedInternalData: null,
  signature: null
}

/** A stored operation, only received unless the fields say otherwise. */
export const operationOf = (fields: Partial<Operation> = {}): Operation => ({
  id: FiscalDocumentId.make("01900003-0000-7000-8000-000000000001"),
  organizationId: OrganizationId.make("01900000-0000-7000-8000-000000000001"),
  environment: "production",
  taxpayerId: TaxpayerId.make("01900001-0000-7000-8000-000000000001"),
  businessPremiseId: BusinessPremiseId.make("01900002-0000-7000-8000-000000000001"),
  clientId: "svc-prod-1",
  boundKey: {
    role: "REQUEST",
    key: "key-0123456789abcdef",
    target: "POST /v1/fiscal-documents",
    body: "{}",
    fingerprint: { version: 1, digest: "0".repeat(64) }
  },
  content: {
    invoiceType: "NORMAL",
    transactionType: "SALE",
    clientReference: "order-1",
    cashier: { id: "shop", displayName: null },
    buyer: { id: "10:101670560", optionalField: null },
    items: [lineOf("10", "1")],
    payments: [{ type: "CARD", amount: decimal("10") }],
    commercialFooter: null,
    metadata: null,
    reference: null,
    dateAndTimeOfIssue: null,
    advanceClosing: null,
    esirNumber: "1234/1.0",
    preferredPaperFormat: "80mm",
    brandingId: null
  },
  workflow: null,
  status: "RECEIVED",
  attempt: 1,
  failureCode: null,
  rejection: null,
  answer: null,
  buyerDetails: null,
  createdAt: at,
  updatedAt: at,
  nextCheckAt: null,
  ...fields
})

/** An operation of any kind and status, with any stored facts beside it, consistent or not. */
export const operation: fc.Arbitrary<Operation> = fc
  .record({
    kind: documentKind,
    status: fc.constantFrom(...DocumentStatus.literals),
    failureCode: fc.option(fc.constantFrom(...FailureCode.literals)),
    rejection: fc.option(fc.constant({ items: [{ property: "items[0].taxLabels[0]", codes: ["2310"] }] })),
    answer: fc.option(fc.constant(signedAnswer))
  })
  .map(({ kind, ...fields }) => {
    const base = operationOf()
    return { ...base, ...fields, content: { ...base.content, ...kind } }
  })
