import { canonicalContent, canonicalRuleVersion, decodeVerificationLink, portableSha256, readBodyTree, readSignedAnswer, type SignerKey } from "@overa/domain"
import { Result } from "effect"
import { answerText, type JsonRecord, type ProofFile, recordOf, textOf } from "../read/readProof.ts"
import { checkDocument, differingMembers, pfrStated } from "./checkDocument.ts"
import { erasureFindings } from "./checkErasure.ts"
import { checkLink } from "./checkLink.ts"
import { checkPlace } from "./checkPlace.ts"
import { verificationFindings } from "./checkVerification.ts"
import { type Finding, finding } from "./Finding.ts"
import type { Knowledge } from "./Knowledge.ts"

type Findings = ReadonlyArray<Finding>

const requestFindings = (proof: ProofFile, knowledge: Knowledge): Findings => {
  const { canonical, erased, fingerprint, fingerprintRule, method, path, received } = proof.request
  if (erased !== null) return erasureFindings(proof, knowledge)
  if (canonical === null || fingerprintRule !== canonicalRuleVersion) return [finding("CLAIMED", "fingerprintRule", fingerprintRule)]
  const tree = readBodyTree(received)
  const same = Result.isSuccess(tree) && canonicalContent(`${method} ${path}`, tree.success) === canonical
  return [
    same ? finding("PROVEN", "canonicalFits") : finding("CONTRADICTED", "canonicalWrong"),
    portableSha256(canonical) === fingerprint ? finding("PROVEN", "fingerprintFits") : finding("CONTRADICTED", "fingerprintWrong")
  ]
}

/** A key that the proof names; if the reader has the same one, it counts as the reader's. */
const ownSigner = (verification: JsonRecord | null): SignerKey | null => {
  const signer = recordOf(verification?.get("signer"))
  const [name, modulus] = [textOf(signer, "name"), textOf(signer, "modulus")]
  return name === null || modulus === null || !/^[0-9a-f]{1,1024}$/.test(modulus) ? null : { name, modulus: BigInt(`0x${modulus}`) }
}

const linkOfAnswer = (url: string, tin: string | null, verification: JsonRecord | null, knowledge: Knowledge): Findings => {
  const checked = checkLink(url, knowledge, { signer: ownSigner(verification), tin })
  return Result.isFailure(checked) ? [finding("CONTRADICTED", "linkWrong", checked.failure.reason)] : [...checked.success, ...verificationFindings(url, verification, { signer: ownSigner(verification), tin })]
}

/** Counter and amount are in answer and link; an answer with the link of another receipt would combine two receipts. */
const linkOfSameReceipt = (answer: { readonly totalCounter: number | null; readonly verificationUrl: string; readonly requestedBy: string; readonly signedBy: string }): Findings => {
  const link = decodeVerificationLink(answer.verificationUrl)
  if (Result.isFailure(link)) return []
  const { requestedBy, signedBy, totalCounter } = link.success
  const same = totalCounter === answer.totalCounter && requestedBy === answer.requestedBy && signedBy === answer.signedBy
  return [same ? finding("PROVEN", "linkFits") : finding("CONTRADICTED", "linkWrong", "totalCounter, requestedBy, signedBy")]
}

const answerFindings = (proof: ProofFile, knowledge: Knowledge): Findings => {
  const { answer } = proof
  const status = textOf(proof.document, "status") ?? "?"
  if (answer === null) return [status === "FISCALIZED" ? finding("CONTRADICTED", "answerWrong", "answer") : finding("CLAIMED", "answerNone", status)]
  if (status !== "FISCALIZED") return [finding("CLAIMED", "status", status)]
  const read = readSignedAnswer(answerText(answer))
  if (Result.isFailure(read)) return [finding("CONTRADICTED", "answerUnreadable", read.failure.reason)]
  const { pfr, tin } = read.success.answer
  const different = differingMembers(recordOf(proof.document.get("pfr")), pfrStated(pfr))
  return [
    different.length === 0 ? finding("PROVEN", "answerFits", pfr.invoiceNumber) : finding("CONTRADICTED", "answerWrong", different.join(", ")),
    ...linkOfSameReceipt(pfr),
    ...linkOfAnswer(pfr.verificationUrl, tin, answer.verification, knowledge)
  ]
}

/** Everything a proof shows, from the request to its place in the journal's log. */
export const checkProof = (proof: ProofFile, knowledge: Knowledge): Findings => [
  ...requestFindings(proof, knowledge),
  ...answerFindings(proof, knowledge),
  ...checkDocument(proof),
  ...checkPlace(proof, knowledge)
]
