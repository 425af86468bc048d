import { Option, Schema } from "effect"
import { advanceRefundKey } from "../advances/AdvanceCase.ts"
import { DocumentStatus, isUnresolved } from "../documents/DocumentStatus.ts"
import { DocumentEvent } from "../documents/documentTransitions.ts"
import type { Attempt } from "../operations/Operation.ts"
import { cashRefundCopyKey } from "../refunds/RefundWorkflow.ts"
import { isObject } from "../requests/bodyTree.ts"
import type { SecurityElement } from "../tenancy/SecurityElement.ts"
import { BusinessPremiseId, FiscalDocumentId, TaxpayerId } from "../tenancy/identifiers.ts"

/** The part of the API's document that is needed here; other members are dropped. Source: Spec, Resources, FiscalDocument. */
export const KeptDocument = Schema.Struct({
  id: FiscalDocumentId,
  taxpayerId: TaxpayerId,
  businessPremiseId: BusinessPremiseId,
  idempotencyKey: Schema.NonEmptyString,
  invoiceType: Schema.optionalKey(Schema.String),
  transactionType: Schema.optionalKey(Schema.String),
  status: DocumentStatus,
  pfr: Schema.NullOr(Schema.Struct({ invoiceNumber: Schema.String, requestedBy: Schema.String, verificationUrl: Schema.String })),
  reference: Schema.optionalKey(Schema.NullOr(Schema.Struct({ fiscalDocumentId: Schema.NullOr(FiscalDocumentId), pfrNumber: Schema.optionalKey(Schema.String) }))),
  createdAt: Schema.DateTimeUtcFromString
})
export interface KeptDocument extends Schema.Schema.Type<typeof KeptDocument> {}

const Attempt = Schema.Struct({
  number: Schema.Int,
  requestId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)),
  jid: Schema.String,
  startedAt: Schema.DateTimeUtcFromString,
  outcome: Schema.NullOr(Schema.Literals(["SIGNED", "REJECTED", "NOT_SENT", "NO_ANSWER"]))
})

const Transition = Schema.Struct({
  from: Schema.NullOr(DocumentStatus),
  to: DocumentStatus,
  at: Schema.DateTimeUtcFromString,
  cause: DocumentEvent,
  actor: Schema.String,
  attempt: Schema.Int
})

const Place = Schema.Struct({
  origin: Schema.String,
  checkpoint: Schema.String,
  entries: Schema.Array(Schema.Struct({ index: Schema.Int, leaf: Schema.String, inclusion: Schema.Array(Schema.String) }))
})

/** The part of the API's proof that is needed here. Source: Decisions §17, proof members. */
export const KeptProof = Schema.Struct({
  version: Schema.Literal(1),
  document: KeptDocument,
  request: Schema.Struct({
    method: Schema.String,
    path: Schema.String,
    received: Schema.String,
    fingerprint: Schema.String,
    fingerprintRule: Schema.Int,
    erased: Schema.optionalKey(Schema.Struct({ note: Schema.String }))
  }),
  attempts: Schema.Array(Attempt),
  transitions: Schema.Array(Transition),
  /** Base64 of the V-PFR's bytes. */
  answer: Schema.NullOr(Schema.Struct({ text: Schema.String })),
  journal: Schema.NullOr(Place)
})
export interface KeptProof extends Schema.Schema.Type<typeof KeptProof> {}

/** A caller's kept file of a document: its proof, or only the answer to its request. */
export type KeptFile =
  | { readonly _tag: "Proof"; readonly document: KeptDocument; readonly proof: KeptProof }
  | { readonly _tag: "Answer"; readonly document: KeptDocument }

const decodeProof = Schema.decodeUnknownOption(KeptProof)
const decodeDocument = Schema.decodeUnknownOption(KeptDocument)

/** Reads one kept file; null where the value is neither a proof nor a document. */
export const readKeptFile = (value: unknown): KeptFile | null => {
  const proof = Option.getOrNull(decodeProof(value))
  if (proof !== null) return { _tag: "Proof", document: proof.document, proof }
  const document = Option.getOrNull(decodeDocument(value))
  return document === null ? null : { _tag: "Answer", document }
}

/** The members of a workflow's answer that are documents, or hold some. Source: Spec, Resources. */
const documentMembers = ["document", "refund", "cashRefundCopy", "copy", "advanceSales", "advanceCancellations", "advanceRefund", "finalSale"] as const

/**
 * What a caller's value holds: itself, or the documents of a workflow's answer, for example `refund` and `cashRefundCopy`. A proof is never taken apart: where it
 * cannot be read, nothing of it is believed.
 */
export const keptIn = (value: unknown): ReadonlyArray<unknown> => {
  const found = documentsIn(value, deepest)
  return found.length === 0 ? [value] : found
}

/** A case, its cancellations, one of them, its document. A caller's file may be nested deeper than any stack. */
const deepest = 4

const documentsIn = (value: unknown, levels: number): ReadonlyArray<unknown> => {
  if (levels === 0) return []
  if (Array.isArray(value)) return value.flatMap((element) => documentsIn(element, levels - 1))
  if (!isObject(value) || "request" in value) return []
  return readKeptFile(value) === null ? documentMembers.flatMap((member) => documentsIn(value[member], levels - 1)) : [value]
}

const copySuffix = cashRefundCopyKey("")
const refundSuffix = advanceRefundKey("")

/**
 * Whether the service itself made the document of another request: the signed copy of a cash refund, or the Advance Refund of a closing. Its key has the
 * role INNER, which the API does not state. Source: Decisions §3.
 */
export const isMadeByService = (kept: KeptFile): boolean => {
  const { idempotencyKey: key, invoiceType, transactionType } = kept.document
  if (transactionType !== "REFUND") return false
  const path = kept._tag === "Proof" ? kept.proof.request.path : null
  if (invoiceType === "COPY" && key.endsWith(copySuffix)) return path === null || path === "/v1/refund-workflows" || path.endsWith("/cancellations")
  return invoiceType === "ADVANCE" && key.endsWith(refundSuffix) && (path === null || path.endsWith("/closing"))
}

/** An element of the tenant, and the TIN of its certificate as it is signed. */
export interface UsableElement {
  readonly id: SecurityElement["id"]
  readonly jid: string
  readonly taxpayerId: SecurityElement["taxpayerId"]
  readonly tin: string
}

/** The attempts of which there may be a receipt, numbered from 1, and the digest of the request they were made for. */
export interface TriedRequest {
  readonly attempts: readonly [Attempt, ...ReadonlyArray<Attempt>]
  readonly fingerprint: string
}

type KeptAttempt = KeptProof["attempts"][number]

const mayHaveReceipt = ({ outcome }: KeptAttempt): boolean => outcome !== "NOT_SENT" && outcome !== "REJECTED"

/** The attempts of which there may be a receipt; of a receipt at least the last one. None where there is no receipt to search for. */
const attemptsOf = ({ attempts, document }: KeptProof): ReadonlyArray<KeptAttempt> => {
  if (document.status !== "FISCALIZED") return isUnresolved(document) ? attempts.filter(mayHaveReceipt) : []
  const searched = attempts.filter(mayHaveReceipt)
  return searched.length === 0 ? attempts.slice(-1) : searched
}

/** Null where there is nothing to search for with the tenant's element; `differs` where the receipt was signed for another element's attempt. */
export const triedWith = (proof: KeptProof, element: UsableElement): { readonly tried: TriedRequest | null; readonly differs: boolean } => {
  const all = attemptsOf(proof)
  const own = all.filter(({ jid }) => jid === element.jid)
  const differs = all.some(({ jid, outcome }) => outcome === "SIGNED" && jid !== element.jid) || (all.length > 0 && own.length === 0)
  const [first, ...others] = own.filter(({ requestId }, at) => own.findIndex((other) => other.requestId === requestId) === at)
  if (first === undefined || differs) return { tried: null, differs }
  const made = ({ jid, requestId, startedAt }: KeptAttempt, number: number): Attempt => ({
    operationId: proof.document.id, number, requestId, mark: null, elementId: element.id, jid, hostId: "restored", bootId: "restored", startedAt, outcome: null, lastSearch: null
  })
  return { tried: { attempts: [made(first, 1), ...others.map((other, at) => made(other, at + 2))], fingerprint: proof.request.fingerprint }, differs }
}
