import { Result } from "effect"
import { canonicalRuleVersion, fingerprint, portableSha256 } from "../idempotency/boundKey.ts"
import { openCheckpoint } from "../journal-log/Checkpoint.ts"
import { leafHash } from "../journal-log/merkle.ts"
import { openErasure } from "../journal-log/ErasureNote.ts"
import type { NoteKey } from "../journal-log/signedNote.ts"
import { verifyInclusion } from "../journal-log/treeProofs.ts"
import { readBodyTree } from "../requests/bodyTree.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { bytesFromBase64 } from "../verification/bytes.ts"
import { checkReceipt, type SignerKey } from "../verification/checkReceipt.ts"
import { isJsonObject, type JsonObject, parseExactJson } from "../verification/exactJson.ts"
import type { KeptDocument, KeptFile, KeptProof } from "./KeptFile.ts"

/** The facts against which kept files are checked. */
export interface KeptKnowledge {
  readonly tenant: Tenant
  /** The signers of the environment that an operator has recorded. */
  readonly signers: ReadonlyArray<SignerKey>
  /** The tenant's log in this installation, and the keys that have ever signed for it. */
  readonly log: { readonly origin: string; readonly keys: ReadonlyArray<NoteKey> }
}

type Faults = ReadonlyArray<string>

const utf8 = new TextEncoder()

/** The V-PFR's answer as text; null if the proof has no readable answer. */
export const answerTextOf = ({ answer }: KeptProof): string | null => {
  const bytes = answer === null ? null : bytesFromBase64(answer.text)
  return bytes === null ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
}

/** The members of a leaf; none where it is no JSON object. */
const membersOf = (leafText: string): JsonObject => {
  const leaf = parseExactJson(leafText)
  return isJsonObject(leaf) ? leaf : {}
}

/** The digest of the request that the leaves must have; null where the erasure from it is not signed by a key of this installation. */
const sealedRequest = ({ document, request: { erased, received } }: KeptProof, { log }: KeptKnowledge): string | null => {
  if (erased === undefined) return portableSha256(received)
  const erasure = openErasure(erased.note, log.keys, { origin: log.origin, documentId: document.id })
  return erasure?.request.left === portableSha256(received) ? erasure.request.sealed : null
}

/** The differences between a sealed leaf and its proof. */
const leafFaults = (leafText: string, proof: KeptProof, knowledge: KeptKnowledge): Faults => {
  const { environment, organizationId } = knowledge.tenant
  const leaf = membersOf(leafText)
  const answer = answerTextOf(proof)
  const stated: ReadonlyArray<readonly [name: string, value: unknown, expected: unknown]> = [
    ["organization", leaf["organizationId"], organizationId],
    ["environment", leaf["environment"], environment],
    ["document", leaf["documentId"], proof.document.id],
    ["request", leaf["request"], sealedRequest(proof, knowledge)],
    ...(leaf["to"] === "FISCALIZED"
      ? [["answer", leaf["answer"], answer === null ? null : portableSha256(answer)], ["number", leaf["invoiceNumber"], proof.document.pfr?.invoiceNumber]] as const
      : [])
  ]
  return stated.flatMap(([name, value, expected]) => value === expected ? [] : [`the sealed ${name} is another`])
}

const placeFaults = (proof: KeptProof, knowledge: KeptKnowledge): Faults => {
  const { log } = knowledge
  if (proof.journal === null) return []
  const { checkpoint, entries, origin } = proof.journal
  if (origin !== log.origin) return ["its place is in the log of another organization, environment or installation"]
  const opened = openCheckpoint(checkpoint, log.keys, origin)
  if (opened === null) return ["its checkpoint is not signed by a key of this installation"]
  return entries.flatMap(({ inclusion, index, leaf }) => {
    const hashes = inclusion.map(bytesFromBase64)
    if (!hashes.every((hash) => hash !== null)) return [`entry ${index} has a hash that is not base64`]
    const isIn = verifyInclusion({ index, leaf: leafHash(utf8.encode(leaf)), proof: hashes, root: opened.root, size: opened.size })
    return isIn ? leafFaults(leaf, proof, knowledge) : [`entry ${index} is not in the checkpoint's tree`]
  })
}

const requestFaults = ({ request }: KeptProof): Faults => {
  const tree = readBodyTree(request.received)
  if (Result.isFailure(tree)) return ["the request cannot be read"]
  // The fingerprint of a request that was erased from can no longer be computed; its leaves have the digest.
  if (request.erased !== undefined || request.fingerprintRule !== canonicalRuleVersion) return []
  return fingerprint(`${request.method} ${request.path}`, tree.success).digest === request.fingerprint ? [] : ["the fingerprint is not that of the request"]
}

type ReceiptRead = ReturnType<typeof checkReceipt>

const linkFaults = ({ pfr }: KeptDocument, read: ReceiptRead | null): Faults => {
  if (pfr === null || read === null) return []
  if (Result.isFailure(read)) return [`the verification link cannot be read: ${read.failure.reason}`]
  const { invoiceNumber, signatureValid, undamaged } = read.success
  return [
    ...(undamaged ? [] : ["the verification link is damaged"]),
    ...(invoiceNumber === pfr.invoiceNumber ? [] : [`the link is that of ${invoiceNumber}`]),
    ...(signatureValid === false ? ["the V-PFR's signature does not verify for this taxpayer under any recorded signer"] : [])
  ]
}

/** The result of checking a kept file. */
export interface KeptCheck {
  /** All contradictions: with itself, with the installation's own log, and with the V-PFR's signature. */
  readonly faults: Faults
  /** Whether something besides the file itself proves it: the V-PFR's signature, or the place in this installation's log. */
  readonly isProven: boolean
}

/** Checks a kept file. `tin` is that of the element named in it, as signed. */
export const checkKept = (kept: KeptFile, tin: string, knowledge: KeptKnowledge): KeptCheck => {
  const { document } = kept
  const proof = kept._tag === "Proof" ? kept.proof : null
  const receipt = document.pfr === null ? null : checkReceipt(document.pfr.verificationUrl, { tin, signers: knowledge.signers })
  const faults = [...linkFaults(document, receipt), ...(proof === null ? [] : [...requestFaults(proof), ...placeFaults(proof, knowledge)])]
  const isSigned = receipt !== null && Result.isSuccess(receipt) && receipt.success.signatureValid === true
  return { faults, isProven: faults.length === 0 && (isSigned || (proof?.journal?.entries.length ?? 0) > 0) }
}
