import type { StoredOperation } from "@overa/adapter-memory"
import { advancePartOf, type ChangedCase, type CopiedRefund, copiedRefundKey, isUnresolved, type KeptProof, type KeyOwner, type Operation, type RestoreActs, triedWith } from "@overa/domain"
import { elements, taxpayerId } from "./place.ts"

/** What a file of a caller comes to when it is taken back. */
export type KeptItem = Parameters<RestoreActs["Service"]["putBack"]>[1]

const elementOf = ({ attempts, operation }: StoredOperation) => {
  const jid = operation.answer?.pfr.requestedBy ?? attempts.at(-1)?.jid
  const { id } = elements.find((element) => element.jid === jid) ?? elements[0]
  return { id, jid: jid ?? elements[0].jid, taxpayerId, tin: "100000008" }
}

const proofOf = ({ attempts, operation }: StoredOperation): Pick<KeptProof, "attempts"> & { readonly document: object; readonly request: object } => ({
  document: { id: operation.id, status: operation.status },
  request: { fingerprint: operation.boundKey.fingerprint.digest },
  attempts: attempts.map(({ jid, number, outcome, requestId, startedAt }) => ({ jid, number, outcome, requestId, startedAt }))
})

const heldKeyOf = ({ boundKey, environment, id, organizationId }: Operation): KeyOwner => ({
  id, organizationId, environment, boundKey: { role: boundKey.role, key: boundKey.key, target: "restored", body: "", fingerprint: { version: 0, digest: "" } }
})

/** The advance case that the document's request changed, as its proof names it, or its answer. */
const changedCase = ({ boundKey, content, workflow }: Operation, kept: "proof" | "answer"): ChangedCase | null => {
  const part = advancePartOf({ boundKey, content })
  if (workflow?.type !== "ADVANCE" || part === "CANCELLATION_COPY") return null
  const closes = part === "CLOSING_REFUND" || part === "FINAL_SALE"
  if (kept === "proof") return { id: workflow.id, referredId: null, closes }
  const referredId = content.reference?.fiscalDocumentId ?? null
  return referredId === null ? null : { id: null, referredId, closes }
}

/** The receipt of which a refund gives something back. */
const givenBack = ({ content: { invoiceType, reference, transactionType } }: Operation) =>
  invoiceType === "NORMAL" && transactionType === "REFUND" ? reference?.fiscalDocumentId ?? null : null

/** The refund that a copy of the service repeats, as its proof names it. */
const copiedRefund = ({ boundKey: { key, role }, content: { invoiceType, reference } }: Operation): CopiedRefund | null => {
  const id = reference?.fiscalDocumentId ?? null
  return role === "INNER" && invoiceType === "COPY" && id !== null ? { id, key: copiedRefundKey(key), invoiceNumber: reference?.pfrNumber ?? null } : null
}

/**
 * A document's proof, or only the answer with it, as the command plans to take it back (`planTakeBack`); its signatures and its place in the log are not
 * part of these worlds. Null where there was no receipt.
 */
export const keptItem = (stored: StoredOperation, kept: "proof" | "answer"): KeptItem | null => {
  const { operation } = stored
  if (operation.status === "REJECTED" || stored.attempts.length === 0) return null
  const mayBeSigned = operation.status === "FISCALIZED" || isUnresolved(operation)
  const invoiceNumber = operation.answer?.pfr.invoiceNumber ?? null
  const { differs, tried } = kept === "proof" ? triedWith(proofOf(stored) as unknown as KeptProof, elementOf(stored)) : { differs: false, tried: null }
  const isSale = operation.content.invoiceType === "NORMAL" && operation.content.transactionType === "SALE" && operation.workflow === null
  // The command refuses such a file.
  if (isSale && differs) return null
  if (!isSale || tried === null) return { _tag: "Key", owner: heldKeyOf(operation), mayBeSigned, tried, inCase: changedCase(operation, kept), givesBack: givenBack(operation), copied: kept === "proof" ? copiedRefund(operation) : null, invoiceNumber }
  const [{ startedAt }] = tried.attempts
  const actor = "api:restored"
  return {
    _tag: "Operation",
    operation: { ...operation, status: "SUBMITTING", attempt: 1, failureCode: null, rejection: null, answer: null, buyerDetails: null, updatedAt: startedAt, nextCheckAt: null },
    attempts: tried.attempts,
    invoiceNumber,
    transitions: [
      { from: null, to: "RECEIVED", at: operation.createdAt, cause: "received", actor, attempt: 0 },
      { from: "RECEIVED", to: "VALIDATED", at: operation.createdAt, cause: "validated", actor, attempt: 0 },
      { from: "VALIDATED", to: "SUBMITTING", at: startedAt, cause: "reserved", actor, attempt: 1 }
    ]
  }
}

/** The RequestIds that an item names. */
export const requestIdsOf = (item: KeptItem): ReadonlyArray<string> =>
  (item._tag === "Key" ? item.tried?.attempts ?? [] : item.attempts).map(({ requestId }) => requestId)

/** The document or key that an item is about. */
export const ownerOf = (item: KeptItem): KeyOwner => (item._tag === "Key" ? item.owner : item.operation)
