import { Option, Schema } from "effect"
import { DocumentStatus } from "../documents/DocumentStatus.ts"
import { DocumentEvent } from "../documents/documentTransitions.ts"
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
