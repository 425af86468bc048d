import { Result } from "effect"
import type { SignedAnswer } from "../documents/PfrResult.ts"
import { canonicalContent, canonicalRuleVersion } from "../idempotency/boundKey.ts"
import { readErasure } from "../journal-log/ErasureNote.ts"
import type { LogPlace } from "../journal-log/LogPlace.ts"
import type { Attempt, BoundKey, Operation, Transition } from "../operations/Operation.ts"
import { readBodyTree } from "../requests/bodyTree.ts"
import { checkLink, type ReceiptCheck, type SignerKey } from "../verification/checkReceipt.ts"
import { decodeVerificationLink } from "../verification/VerificationLink.ts"

/** The version of the members below; a member that changes its meaning raises it. */
export const proofVersion = 1

/** Everything kept about a document. */
export interface ProofFacts {
  readonly operation: Operation
  readonly attempts: ReadonlyArray<Attempt>
  readonly transitions: ReadonlyArray<Transition>
  /** The V-PFR's answer where it rejected the document; null where it did not. */
  readonly rejectionText: string | null
  readonly known: { readonly signers: ReadonlyArray<SignerKey>; readonly verificationRoot: string | null }
  readonly journal: LogPlace | null
}

/** The request: as received, and in the canonical form from which the fingerprint is computed (Decisions §3). */
export interface ProvenRequest extends Pick<BoundKey, "target" | "fingerprint"> {
  readonly received: string
  /** What was erased from it, as a note signed with the log's key; null where nothing was. Fingerprint and leaves are those of the whole request. */
  readonly erased: { readonly at: string; readonly note: string } | null
  /** Null after an erasure, and where the fingerprint was made by another version of the rules than the current one. */
  readonly canonical: string | null
}

/** The V-PFR's answer, and what its verification link says, read offline. */
export interface ProvenAnswer {
  readonly text: string
  /** Null for a rejection, and for a link that cannot be read. */
  readonly verification: ReceiptCheck | null
}

/** One file with all evidence of a document of any status, for a dispute or an inspection. Source: Decisions §14, Proof of a document; §17. */
export interface DocumentProof extends Pick<ProofFacts, "operation" | "attempts" | "transitions" | "journal"> {
  readonly request: ProvenRequest
  /** Null where the V-PFR gave no answer that decided the document. */
  readonly answer: ProvenAnswer | null
}

const erasedOf = ({ erasure }: BoundKey): ProvenRequest["erased"] =>
  erasure === undefined ? null : { at: readErasure(erasure)?.at ?? "", note: erasure }

const requestOf = (key: BoundKey): ProvenRequest => {
  const { body, fingerprint, target } = key
  const erased = erasedOf(key)
  const tree = fingerprint.version === canonicalRuleVersion && erased === null ? readBodyTree(body) : null
  const canonical = tree !== null && Result.isSuccess(tree) ? canonicalContent(target, tree.success) : null
  return { target, fingerprint, received: body, erased, canonical }
}

const verificationOf = ({ pfr, tin }: SignedAnswer, known: ProofFacts["known"]): ReceiptCheck | null => {
  const link = decodeVerificationLink(pfr.verificationUrl)
  if (Result.isFailure(link)) return null
  return checkLink(link.success, {
    signers: known.signers,
    ...(tin === null ? {} : { tin }),
    ...(known.verificationRoot === null ? {} : { verificationRoot: known.verificationRoot })
  })
}

/** Only FISCALIZED is a receipt and only REJECTED a rejection, whatever is stored beside another status. */
const answerOf = (facts: ProofFacts): ProvenAnswer | null => {
  const { known, operation: { answer, status }, rejectionText } = facts
  if (status === "FISCALIZED" && answer !== null) return { text: answer.text, verification: verificationOf(answer, known) }
  return status === "REJECTED" && rejectionText !== null ? { text: rejectionText, verification: null } : null
}

/** Composes a document's proof. */
export const documentProof = (facts: ProofFacts): DocumentProof => ({
  operation: facts.operation,
  request: requestOf(facts.operation.boundKey),
  attempts: facts.attempts,
  transitions: facts.transitions,
  answer: answerOf(facts),
  journal: facts.journal
})
