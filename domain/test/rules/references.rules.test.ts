import { DateTime, Result } from "effect"
import * as fc from "fast-check"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { callerMayReference, checkReference } from "../../src/references/checkReference.ts"
import { externalReference, externalReferenceFaults, isExternalReferenceNumber } from "../../src/references/externalReference.ts"
import { proformaReference } from "../../src/references/proformaReference.ts"
import { referencedDocument as documentOf, referenceTo } from "../../src/references/ReferencedDocument.ts"
import { type DocumentKind, mayReference, referenceRule } from "../../src/references/referenceMatrix.ts"
import type { FiscalDocumentId } from "../../src/tenancy/identifiers.ts"
import { operationOf, signedAnswer } from "../arbitraries/Operation.ts"
import {
  businessPremiseId,
  documentKind,
  documentKinds,
  fiscalDocumentId,
  referencedDocument,
  taxpayerId
} from "../arbitraries/ReferencedDocument.ts"
import { rule } from "./ruleBook.ts"

const named = (kind: DocumentKind): string => `${kind.invoiceType} ${kind.transactionType}`

// The matrix of the specification, written a second time by hand: what a new document may refer to.
const matrix: Readonly<Record<string, ReadonlyArray<string>>> = {
  "NORMAL SALE": ["ADVANCE REFUND"],
  "NORMAL REFUND": ["NORMAL SALE"],
  "COPY SALE": ["NORMAL SALE", "ADVANCE SALE"],
  "COPY REFUND": ["NORMAL REFUND", "ADVANCE REFUND"],
  "ADVANCE SALE": ["ADVANCE SALE"],
  "ADVANCE REFUND": ["ADVANCE SALE"],
  "PROFORMA SALE": [],
  "PROFORMA REFUND": ["PROFORMA SALE"],
  "TRAINING SALE": [],
  "TRAINING REFUND": ["TRAINING SALE"]
}

const pairs = documentKinds.flatMap((document) => documentKinds.map((target) => ({ document, target })))

rule("REFERENCE-1", {
  says: "Each of the ten kinds of document may refer to the kinds of the reference matrix and to no other.",
  source: "Spec, Document types and the operations that issue them, Reference matrix; V-PFR §2"
}, ({ holdsForEvery }) => {
  holdsForEvery("all hundred pairs of new document and target agree with the matrix", pairs, ({ document, target }) =>
    mayReference(document, target) === (matrix[named(document)] ?? []).includes(named(target)))
  holdsForEvery("every kind is issued by at least one operation", documentKinds, (kind) => referenceRule(kind).issuedBy.length > 0)
  holdsForEvery("a kind that must refer to another has a kind to refer to", documentKinds, (kind) =>
    (referenceRule(kind).required === "NEVER") === (referenceRule(kind).targets.length === 0))
})

rule("REFERENCE-2", {
  says: "A caller names the document referred to only on a Normal Refund, a copy, and a proforma or training refund; the service names " +
    "all others itself.",
  source: "Spec, Reference matrix (automatic references); Decisions §5, Copies",
  proves: ["REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"]
}, ({ holdsForEvery }) => {
  const byCaller = ["NORMAL REFUND", "COPY SALE", "COPY REFUND", "PROFORMA REFUND", "TRAINING REFUND"]
  holdsForEvery("a reference named by the caller on any other kind is refused, with no kind to refer to instead", documentKinds, (kind) => {
    const answer = callerMayReference(kind)
    return byCaller.includes(named(kind))
      ? Result.isSuccess(answer)
      : Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED" && answer.failure.allowed.length === 0
  })
})

rule("REFERENCE-3", {
  says: "A reference is refused for the first of these reasons: not found, another taxpayer or premise, a kind the matrix does not " +
    "know, not fiscalized; otherwise it carries the number and time of the receipt digit for digit.",
  source: "Decisions §2, Precedence inside step 10; Spec, Errors, Catalogue",
  proves: [
    "REFERENCE_DOCUMENT_NOT_FOUND",
    "REFERENCE_DOCUMENT_SCOPE_MISMATCH",
    "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED",
    "REFERENCE_DOCUMENT_NOT_FISCALIZED"
  ]
}, ({ holds }) => {
  const referring = fc.record({ kind: documentKind, taxpayerId, businessPremiseId })
    .map(({ kind, ...scope }) => ({ ...kind, ...scope }))
  const given = { document: referring, target: referencedDocument }

  holds("a document that does not exist is not found", { document: referring, id: fiscalDocumentId }, ({ document, id }) => {
    const answer = checkReference(document, id, null)
    return Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_NOT_FOUND"
  })
  holds("one of another taxpayer or premise is out of scope, whatever its kind and status", given, ({ document, target }) => {
    const answer = checkReference(document, target.fiscalDocumentId, target)
    const sameScope = target.taxpayerId === document.taxpayerId && target.businessPremiseId === document.businessPremiseId
    return sameScope !== (Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_SCOPE_MISMATCH")
  })
  holds("in scope, a pair outside the matrix is refused, whatever the status", given, ({ document, target }) => {
    const near = { ...target, taxpayerId: document.taxpayerId, businessPremiseId: document.businessPremiseId }
    const answer = checkReference(document, near.fiscalDocumentId, near)
    const known = (matrix[named(document)] ?? []).includes(named(target))
    return known !== (Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED")
  })
  holds("its refusal names the new document's kind and, where the caller chooses, the kinds it may refer to", given, ({ document, target }) => {
    const near = { ...target, taxpayerId: document.taxpayerId, businessPremiseId: document.businessPremiseId }
    const answer = checkReference(document, near.fiscalDocumentId, near)
    if (Result.isSuccess(answer) || answer.failure.code !== "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED") return true
    const choices = Result.isSuccess(callerMayReference(document)) ? matrix[named(document)] ?? [] : []
    return named(answer.failure) === named(document) && answer.failure.allowed.map(named).join() === choices.join()
  })
  holds("in scope and in the matrix, exactly a FISCALIZED document can be referred to, with its exact number and time", {
    scope: fc.record({ taxpayerId, businessPremiseId }),
    target: referencedDocument,
    document: fc.constantFrom(...documentKinds.filter((kind) => referenceRule(kind).targets.length > 0)),
    pick: fc.nat()
  }, ({ scope, target, document, pick }) => {
    const targets = referenceRule(document).targets
    const near = { ...target, ...scope, ...targets[pick % targets.length] }
    const answer = checkReference({ ...document, ...scope }, near.fiscalDocumentId, near)
    if (near.status !== "FISCALIZED") {
      return Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_NOT_FISCALIZED"
    }
    return Result.isSuccess(answer) && answer.success.pfrNumber === near.pfr?.invoiceNumber &&
      answer.success.pfrTime === near.pfr?.sdcTime && answer.success.fiscalDocumentId === near.fiscalDocumentId &&
      answer.success.source === "SVC"
  })
})

rule("REFERENCE-4", {
  says: "A document of another ESIR is referred to only by a copy, of a Normal or Advance document of the same transaction type.",
  source: "Spec, Reference matrix (source EXTERNAL); Decisions §5, Copies",
  proves: ["REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"]
}, ({ holdsForEvery }) => {
  holdsForEvery("of all hundred pairs exactly the four of copies are accepted, their facts unchanged", pairs, ({ document, target }) => {
    const external = { ...target, pfrNumber: "AAAA1111-BBBB2222-7", pfrTime: "2026-01-31T09:00:00.000+01:00" }
    const answer = externalReference(document, external)
    const allowed = document.invoiceType === "COPY" && ["NORMAL", "ADVANCE"].includes(target.invoiceType) &&
      document.transactionType === target.transactionType
    if (!allowed) return Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
    return Result.isSuccess(answer) && answer.success.source === "EXTERNAL" && answer.success.fiscalDocumentId === null &&
      answer.success.pfrNumber === external.pfrNumber && answer.success.pfrTime === external.pfrTime &&
      named(answer.success) === named(target)
  })
})

rule("REFERENCE-5", {
  says: "The number of another ESIR's document has the form JID-JID-counter, or JID-IBFM-BI for an old cash register, of at most 50 " +
    "characters.",
  source: "V-PFR §2, referentDocumentNumber"
}, ({ holds, holdsForEvery }) => {
  // The authority's sandbox signs as Dt1Ov1o0.
  const jid = fc.stringMatching(/^[A-Za-z0-9]{8}$/)
  holds("every number of either form is accepted", {
    first: jid,
    second: fc.oneof(jid, fc.stringMatching(/^[A-Z]{2}[0-9]{6}$/)),
    counter: fc.integer({ min: 1 })
  }, ({ first, second, counter }) => isExternalReferenceNumber(`${first}-${second}-${counter}`))
  holdsForEvery("the longest numbers are accepted, to the character", [
    `AAAA1111-${"B".repeat(24)}-${"1".repeat(16)}`,
    `AAAA1111-${"B".repeat(20)}-${"1".repeat(20)}`
  ], (text) => text.length === 50 && isExternalReferenceNumber(text))
  holdsForEvery("what is close to the form is refused", [
    `AAAA1111-${"B".repeat(25)}-7`,
    `AAAA1111-B-${"1".repeat(21)}`,
    "",
    "AAAA1111",
    "AAAA1111-BBBB2222",
    "AAAA1111-BBBB2222-",
    "AAAA1111-BBBB2222-7x",
    "AAA1111-BBBB2222-7",
    "AAAAA1111-BBBB2222-7",
    "aaaa111é-BBBB2222-7",
    "AAAA1111_BBBB2222_7",
    " AAAA1111-BBBB2222-7",
    "AAAA1111-BBBB2222-7 ",
    "АAAA1111-BBBB2222-7",
    "AAAA1111--7",
    "AAAA1111-BBBB2222-7-8",
    `AAAA1111-${"B".repeat(24)}-${"1".repeat(17)}`
  ], (text) => !isExternalReferenceNumber(text))
})

rule("REFERENCE-6", {
  says: "One of our documents can be referred to exactly when it is FISCALIZED and its signed answer is stored; the reference carries " +
    "its own id, kind, and the number and time of that answer.",
  source: "Spec, Resources, ReferenceTarget; Decisions §1 (the time digit for digit)"
}, ({ holdsForEvery }) => {
  const stored = documentKinds.flatMap((kind) =>
    DocumentStatus.literals.flatMap((status) =>
      [signedAnswer, null].map((answer) => operationOf({ status, answer, content: { ...operationOf().content, ...kind } }))
    )
  )
  holdsForEvery("every kind in every status, with and without an answer", stored, (operation) => {
    const reference = referenceTo(documentOf(operation))
    if (operation.status !== "FISCALIZED" || operation.answer === null) return reference === null
    return reference !== null && reference.source === "SVC" && reference.fiscalDocumentId === operation.id &&
      named(reference) === named(operation.content) && reference.pfrNumber === operation.answer.pfr.invoiceNumber &&
      reference.pfrTime === operation.answer.pfr.sdcTime
  })
  holdsForEvery("its scope is the taxpayer and premise it was issued for", stored, (operation) =>
    documentOf(operation).taxpayerId === operation.taxpayerId &&
    documentOf(operation).businessPremiseId === operation.businessPremiseId)
})

rule("REFERENCE-7", {
  says: "A copy of another ESIR's document is not of a document of this service, nor of one whose time has not come; five minutes are left to another clock.",
  source: "Spec, Reference matrix; Decisions §5, Copies"
}, ({ holds, holdsForEvery }) => {
  const now = DateTime.toUtc(DateTime.makeUnsafe("2026-08-29T10:00:00Z"))
  const pointers = (pfrTime: string, ownId: FiscalDocumentId | null = null): string =>
    externalReferenceFaults({ pfrTime }, { now, ownId }).map(({ pointer }) => pointer).join()
  holds("any time up to five minutes ahead, and none beyond", { seconds: fc.integer({ min: -1_000_000, max: 1_000_000 }) }, ({ seconds }) =>
    (pointers(DateTime.formatIso(DateTime.addDuration(now, `${seconds} seconds`))) === "") === (seconds <= 300))
  holdsForEvery("the instant counts, whatever its offset", [["2026-08-29T12:05:00+02:00", ""], ["2026-08-29T12:05:00.001+02:00", "/reference/pfrTime"], ["2026-08-29T11:00:00+02:00", ""]] as const,
    ([time, pointer]) => pointers(time) === pointer)
  holdsForEvery("a number of ours is named, with the operation that copies it", ["01936b0e-9200-7000-8000-000000000002" as FiscalDocumentId], (id) =>
    pointers("2026-08-29T12:00:00+02:00", id) === "/reference/pfrNumber" &&
    externalReferenceFaults({ pfrTime: "2026-08-29T12:00:00+02:00" }, { now, ownId: id })[0]?.message.includes(`POST /v1/fiscal-documents/${id}/copies`) === true)
})

rule("REFERENCE-8", {
  says: "Where the operator lets a Normal Sale name the proforma it arises from, it may name the sale of a proforma, ours or another ESIR's, and nothing else; the " +
    "order of the refusals is that of every reference.",
  source: "V-PFR §2, references; §8.7",
  proves: ["REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"]
}, ({ holds, holdsForEvery }) => {
  const saleAt = (scope: { readonly taxpayerId: typeof taxpayerId extends fc.Arbitrary<infer T> ? T : never; readonly businessPremiseId: typeof businessPremiseId extends fc.Arbitrary<infer T> ? T : never }) =>
    ({ invoiceType: "NORMAL", transactionType: "SALE", ...scope }) as const
  holds("of our documents, for whatever scope, kind and status", { scope: fc.record({ taxpayerId, businessPremiseId }), target: referencedDocument, near: fc.boolean() },
    ({ near, scope, target }) => {
      const there = near ? { ...target, ...scope } : target
      const answer = proformaReference(saleAt(scope), { source: "SVC", fiscalDocumentId: there.fiscalDocumentId }, there)
      const inScope = there.taxpayerId === scope.taxpayerId && there.businessPremiseId === scope.businessPremiseId
      const code = !inScope ? "REFERENCE_DOCUMENT_SCOPE_MISMATCH"
        : named(there) !== "PROFORMA SALE" ? "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
        : there.status !== "FISCALIZED" || there.pfr === null ? "REFERENCE_DOCUMENT_NOT_FISCALIZED" : null
      return Result.isFailure(answer)
        ? answer.failure.code === code
        : code === null && answer.success.pfrNumber === there.pfr?.invoiceNumber && answer.success.pfrTime === there.pfr?.sdcTime
    })
  holds("one that is not there is not found", { scope: fc.record({ taxpayerId, businessPremiseId }), id: fiscalDocumentId }, ({ id, scope }) => {
    const answer = proformaReference(saleAt(scope), { source: "SVC", fiscalDocumentId: id }, null)
    return Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_NOT_FOUND"
  })
  holdsForEvery("of another ESIR's documents, with its number, and its time as Belgrade time", documentKinds, (kind) => {
    const scope = saleAt({ taxpayerId: "01900000-0000-7000-8000-000000000001" as never, businessPremiseId: "01900000-0000-7000-8000-000000000002" as never })
    const answer = proformaReference(scope, { source: "EXTERNAL", pfrNumber: "AAAA1111-BBBB2222-7", pfrTime: "2026-01-31T23:30:00Z", ...kind }, null)
    return named(kind) === "PROFORMA SALE"
      ? Result.isSuccess(answer) && answer.success.pfrNumber === "AAAA1111-BBBB2222-7" && answer.success.pfrTime.startsWith("2026-02-01T00:30:00") && answer.success.fiscalDocumentId === null
      : Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED" && answer.failure.allowed.map(named).join() === "PROFORMA SALE"
  })
})
