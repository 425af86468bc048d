import { Result, Schema } from "effect"
import { composeContent, type PlaceOfIssue } from "../documents/composeContent.ts"
import { isUnresolved } from "../documents/DocumentStatus.ts"
import type { KeyOwner } from "../operations/KeyHolder.ts"
import type { Attempt, BoundKey, Operation, Transition } from "../operations/Operation.ts"
import { decodeNormalSale, type NormalSale } from "../requests/FiscalDocumentRequest.ts"
import { readBodyTree } from "../requests/bodyTree.ts"
import { copiedRefundKey } from "../refunds/RefundWorkflow.ts"
import { type FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import { judgeAnswer } from "../verification/judgeAnswer.ts"
import { readSignedAnswer } from "../verification/readSignedAnswer.ts"
import { isMadeByService, type KeptFile, type KeptProof, type TriedRequest, triedWith, type UsableElement } from "./KeptFile.ts"
import { answerTextOf, checkKept, type KeptKnowledge } from "./checkKept.ts"

/** A kept file that is not accepted, or belongs to another tenant. Nothing was changed. */
export class KeptFileRefused extends Schema.TaggedError<KeptFileRefused>()("KeptFileRefused", { reasons: Schema.Array(Schema.String) }) {}

/** The advance case that a lost document's request changed: its id, or, where the file does not name it, the document of the case that the lost one refers to. */
export interface ChangedCase {
  readonly id: WorkflowId | null
  readonly referredId: FiscalDocumentId | null
  /** Whether it closed the case, or was a payment or a cancellation. */
  readonly closes: boolean
}

/** A refund that has a receipt, the key of its request, and the receipt's number; the number is null where the file does not name it. */
export interface CopiedRefund {
  readonly id: FiscalDocumentId
  readonly key: string
  readonly invoiceNumber: string | null
}

/**
 * The part of a kept file that is restored:
 *
 * - `Operation`: the sale as it was reserved, SUBMITTING, with an expired lease. The worker finds its receipt at the V-PFR by its RequestIds, as for
 * every unknown outcome; the outcome in the file is not stored.
 * - `Key`: only the key, held by the document's id, so that a request under it is refused; never a key with the role INNER, under which the service makes
 * the document itself. `mayBeSigned`: by the file, there may be a receipt. `tried`: the attempts to search for, and the request's fingerprint, for a
 * document that the database has, or will make, without them; null where the file does not name them. `inCase`: the advance case
 * that its request changed; null for any other document, for a copy, and where the file does not name the case. `givesBack`: the receipt that a refund gives
 * back, in whole or in part; null for any other document. `copied`: the refund that a copy of the service repeats: it has a receipt, for the copy is made only then; null for any
 * other document, and for an answer, which does not say who made the copy.
 * - `Nothing`: there was no receipt, and the key may be used again.
 *
 * `invoiceNumber` is the receipt's number in the file.
 */
export type TakeBack =
  | {
    readonly _tag: "Operation"
    readonly operation: Operation
    readonly attempts: TriedRequest["attempts"]
    readonly transitions: ReadonlyArray<Transition>
    readonly invoiceNumber: string | null
  }
  | {
    readonly _tag: "Key"
    readonly owner: KeyOwner
    readonly mayBeSigned: boolean
    readonly tried: TriedRequest | null
    readonly inCase: ChangedCase | null
    readonly givesBack: FiscalDocumentId | null
    readonly copied: CopiedRefund | null
    readonly invoiceNumber: string | null
  }
  | { readonly _tag: "Nothing" }

/** The directory's data of the place and the element named in a kept file. */
export interface KeptPlace {
  /** The tenant's element with the file's JID, and the TIN of its certificate as it is signed; null if the tenant has none. */
  readonly element: UsableElement | null
  readonly issuing: PlaceOfIssue
}

const salePath = "/v1/fiscal-documents"

const boundKeyOf = ({ document, proof }: Extract<KeptFile, { readonly _tag: "Proof" }>): BoundKey => ({
  role: "REQUEST",
  key: document.idempotencyKey,
  target: `${proof.request.method} ${proof.request.path}`,
  body: proof.request.received,
  fingerprint: { version: proof.request.fingerprintRule, digest: proof.request.fingerprint }
})

/** Only the key is held: it has no request that another one could be equal to, so every request under it is refused with 409. */
const heldKey = (kept: KeptFile): BoundKey => ({
  role: isMadeByService(kept) ? "INNER" : "REQUEST", key: kept.document.idempotencyKey, target: "restored", body: "", fingerprint: { version: 0, digest: "" }
})

/**
 * Null where the sale cannot be restored as it was: another kind of document, a request from which data was erased, or a sale that names a proforma, which
 * the restored database may not have.
 */
const saleOf = ({ document, request }: KeptProof, { tenant }: KeptKnowledge): NormalSale | null => {
  const tree = request.erased === undefined && request.method === "POST" && request.path === salePath ? readBodyTree(request.received) : null
  const sale = tree === null || Result.isFailure(tree) ? null : Result.getOrNull(decodeNormalSale(tree.success, tenant))
  return sale?.reference === null && sale.taxpayerId === document.taxpayerId && sale.businessPremiseId === document.businessPremiseId ? sale : null
}

const numberOf = ({ pfr }: KeptFile["document"]): string | null => pfr?.invoiceNumber ?? null

const casePath = /^\/v1\/advance-cases\/([^/]+)\/(payments|cancellations|closing)$/
const isWorkflowId = Schema.is(WorkflowId)

const caseOfProof = ({ request: { path } }: KeptProof): ChangedCase | null => {
  const [, id, act] = casePath.exec(path) ?? []
  return isWorkflowId(id) ? { id, referredId: null, closes: act === "closing" } : null
}

/** A copy gives no money back. An answer names no case, but what its document refers to: a payment, or a final sale's Advance Refund. */
const changedCase = (kept: KeptFile): ChangedCase | null => {
  const { invoiceType, reference, transactionType } = kept.document
  if (invoiceType === "COPY") return null
  if (kept._tag === "Proof") return caseOfProof(kept.proof)
  const isFinalSale = invoiceType === "NORMAL" && transactionType === "SALE"
  const referredId = invoiceType === "ADVANCE" || isFinalSale ? reference?.fiscalDocumentId ?? null : null
  return referredId === null ? null : { id: null, referredId, closes: isFinalSale || isMadeByService(kept) }
}

/** The receipt of which a refund gives something back. */
const givenBack = ({ document: { invoiceType, reference, transactionType } }: KeptFile): FiscalDocumentId | null =>
  invoiceType === "NORMAL" && transactionType === "REFUND" ? reference?.fiscalDocumentId ?? null : null

const copiedRefund = (kept: KeptFile): CopiedRefund | null => {
  const { idempotencyKey, invoiceType, reference } = kept.document
  const id = reference?.fiscalDocumentId ?? null
  const isCopy = kept._tag === "Proof" && invoiceType === "COPY" && isMadeByService(kept)
  return isCopy && id !== null ? { id, key: copiedRefundKey(idempotencyKey), invoiceNumber: reference?.pfrNumber ?? null } : null
}

/** The first commit of the sale, as it was before the restore, with the attempts to search for. */
const operationOf = (
  { proof, ...kept }: Extract<KeptFile, { readonly _tag: "Proof" }>,
  { attempts }: TriedRequest,
  sale: NormalSale,
  place: KeptPlace,
  { tenant }: KeptKnowledge
): Extract<TakeBack, { readonly _tag: "Operation" }> => {
  const { document } = kept
  const actor = proof.transitions.find(({ cause }) => cause === "received")?.actor ?? "api:restored"
  const [{ startedAt }] = attempts
  const operation: Operation = {
    ...tenant,
    id: document.id,
    taxpayerId: document.taxpayerId,
    businessPremiseId: document.businessPremiseId,
    clientId: "restored",
    boundKey: boundKeyOf({ ...kept, proof }),
    content: composeContent({ invoiceType: "NORMAL", transactionType: "SALE" }, sale, place.issuing),
    workflow: null, status: "SUBMITTING", attempt: 1, failureCode: null, rejection: null, answer: null, buyerDetails: null,
    createdAt: document.createdAt, updatedAt: startedAt, nextCheckAt: null
  }
  return {
    _tag: "Operation",
    operation,
    attempts,
    invoiceNumber: numberOf(document),
    transitions: [
      { from: null, to: "RECEIVED", at: document.createdAt, cause: "received", actor, attempt: 0 },
      { from: "RECEIVED", to: "VALIDATED", at: document.createdAt, cause: "validated", actor, attempt: 0 },
      { from: "VALIDATED", to: "SUBMITTING", at: startedAt, cause: "reserved", actor, attempt: 1 }
    ]
  }
}

/** The attempt that the answer is compared with: the one that was signed, or the last one. */
const answeredAttempt = ({ attempts }: KeptProof, tried: TriedRequest["attempts"]): Attempt => {
  const signed = attempts.findLast(({ outcome }) => outcome === "SIGNED")
  return tried.find(({ requestId }) => requestId === signed?.requestId) ?? tried.at(-1) ?? tried[0]
}

/** The differences between the V-PFR's answer and the sale. */
const answerFaults = (proof: KeptProof, { attempts, operation }: Pick<ReturnType<typeof operationOf>, "attempts" | "operation">): ReadonlyArray<string> => {
  if (proof.document.status !== "FISCALIZED") return []
  const text = answerTextOf(proof)
  if (text === null) return ["the V-PFR's answer is missing or is not base64"]
  const read = readSignedAnswer(text)
  if (Result.isFailure(read)) return [`the V-PFR's answer cannot be read: ${read.failure.reason}`]
  const attempt = answeredAttempt(proof, attempts)
  const judged = judgeAnswer({ jid: attempt.jid, content: operation.content, taxRates: null }, read.success, { submittedAt: attempt.startedAt, verificationRoot: null })
  const different = read.success.answer.pfr.invoiceNumber === proof.document.pfr?.invoiceNumber ? [] : ["the document has another number than the V-PFR's answer"]
  return [...different, ...(judged._tag === "NotOurs" ? judged.reasons : [])]
}

/** The JID in a kept file; null if there is none. */
export const jidOf = (kept: KeptFile): string | null => kept.document.pfr?.requestedBy ?? (kept._tag === "Proof" ? kept.proof.attempts.at(-1)?.jid ?? null : null)

/** The part of a caller's kept file that is restored; refused if anything contradicts the file or nothing proves it. Source: Decisions §15. */
export const planTakeBack = (kept: KeptFile, place: KeptPlace, knowledge: KeptKnowledge): Result.Result<TakeBack, KeptFileRefused> => {
  const refused = (...reasons: ReadonlyArray<string>) => Result.fail(new KeptFileRefused({ reasons }))
  const { element } = place
  if (element === null || element.taxpayerId !== kept.document.taxpayerId) return refused("the organization has no such element in this environment for that taxpayer")
  const { faults, isProven } = checkKept(kept, element.tin, knowledge)
  if (faults.length > 0) return refused(...faults)
  // Any other document without a receipt in the file may have got one since.
  if (kept.document.status === "REJECTED") return Result.succeed({ _tag: "Nothing" })
  if (!isProven) return refused("nothing but the file's own word speaks for it: no signer of the V-PFR is recorded, and it has no place in the log")
  const sale = kept._tag === "Proof" ? saleOf(kept.proof, knowledge) : null
  const { differs, tried } = kept._tag === "Proof" ? triedWith(kept.proof, element) : { differs: false, tried: null }
  if (sale !== null && differs) return refused("the attempt was sent with another element")
  if (kept._tag !== "Proof" || sale === null || tried === null) {
    const { environment, organizationId } = knowledge.tenant
    const { id, status } = kept.document
    const owner = { id, organizationId, environment, boundKey: heldKey(kept) }
    const mayBeSigned = status === "FISCALIZED" || isUnresolved(kept.document)
    return Result.succeed({ _tag: "Key", owner, mayBeSigned, tried, inCase: changedCase(kept), givesBack: givenBack(kept), copied: copiedRefund(kept), invoiceNumber: numberOf(kept.document) })
  }
  const taken = operationOf(kept, tried, sale, place, knowledge)
  const different = answerFaults(kept.proof, taken)
  return different.length > 0 ? refused(...different) : Result.succeed(taken)
}
