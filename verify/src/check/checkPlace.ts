import { leafHash, openCheckpoint, portableSha256, readVerifierKey, verifyInclusion } from "@overa/domain"
import { answerText, type JsonRecord, type ProofFile, recordOf, textOf } from "../read/readProof.ts"
import { checkCosignatures } from "./checkCosignatures.ts"
import { erasureOf } from "./checkErasure.ts"
import { type Finding, finding } from "./Finding.ts"
import type { Knowledge } from "./Knowledge.ts"
import { leafOf } from "./leafOf.ts"

type Findings = ReadonlyArray<Finding>
type Place = NonNullable<ProofFile["journal"]>

const utf8 = new TextEncoder()

const movedAlike = (leaf: JsonRecord, transition: JsonRecord | undefined): boolean =>
  transition !== undefined && ["from", "to", "at", "cause", "actor", "attempt"].every((name) => leaf.get(name) === transition.get(name))

/** The members of a leaf that another part of the proof contradicts. */
const contradictions = (leaf: JsonRecord, { answer, document, transitions }: ProofFile, request: string | null): ReadonlyArray<string> => {
  const position = leaf.get("position")
  const transition = typeof position === "number" ? transitions[position - 1] : undefined
  const isDecided = textOf(leaf, "to") === "FISCALIZED" || textOf(leaf, "to") === "REJECTED"
  const isReceipt = textOf(leaf, "to") === "FISCALIZED"
  return [
    ...(textOf(leaf, "documentId") === textOf(document, "id") ? [] : ["documentId"]),
    ...(textOf(leaf, "request") === request ? [] : ["request"]),
    ...(movedAlike(leaf, transition) ? [] : ["transition"]),
    ...(isDecided && answer !== null && textOf(leaf, "answer") !== portableSha256(answerText(answer)) ? ["answer"] : []),
    ...(isReceipt && textOf(leaf, "invoiceNumber") !== textOf(recordOf(document.get("pfr")), "invoiceNumber") ? ["invoiceNumber"] : [])
  ]
}

/** The digest that the leaves must have of the request: where data was erased from it, that of the whole request. */
const sealedRequest = (proof: ProofFile, knowledge: Knowledge): string | null =>
  proof.request.erased === null ? portableSha256(proof.request.received) : erasureOf(proof, knowledge)?.erasure.request.sealed ?? null

const leafFindings = (proof: ProofFile, { entries }: Place, knowledge: Knowledge): Findings => {
  const request = sealedRequest(proof, knowledge)
  const positions = entries.map((entry) => leafOf(entry)?.get("position"))
  const wrong = entries.flatMap((entry, at) => {
    const leaf = leafOf(entry)
    // An entry given twice would pass for one that is missing.
    const repeated = positions.indexOf(positions[at]) === at ? [] : ["position"]
    const names = leaf === null ? ["leaf"] : [...contradictions(leaf, proof, request), ...repeated]
    return names.length === 0 ? [] : [finding("CONTRADICTED", "leafWrong", entry.index, names.join(", "))]
  })
  const unsealed = proof.transitions.length - entries.length
  return [
    ...(wrong.length === 0 ? [finding("PROVEN", "leavesFit", entries.length)] : wrong),
    ...(unsealed > 0 ? [finding("CLAIMED", "unsealed", unsealed)] : [])
  ]
}

/** Every entry in the checkpoint's tree, and the checkpoint under a key: the reader's, or the one in the proof. */
const treeFindings = ({ checkpoint: note, entries, origin, publicKey }: Place, knowledge: Knowledge): Findings => {
  const own = readVerifierKey(publicKey)
  const known = openCheckpoint(note, knowledge.logKeys, origin)
  const checkpoint = known ?? (own === null ? null : openCheckpoint(note, [own], origin))
  if (checkpoint === null) return [finding("CONTRADICTED", "checkpointWrong", origin)]
  const { root, size } = checkpoint
  const missing = entries.filter(({ inclusion, index, leaf }) => !verifyInclusion({ index, leaf: leafHash(utf8.encode(leaf)), proof: inclusion, root, size }))
  return [
    known === null ? finding("CLAIMED", "checkpointOwnKey", origin, size) : finding("PROVEN", "checkpointSigned", origin, size),
    ...checkCosignatures(note, knowledge),
    ...missing.map(({ index }) => finding("CONTRADICTED", "entryNotIn", index)),
    ...(missing.length === 0 ? [finding("PROVEN", "entriesIn", entries.length, size)] : [])
  ]
}

/** The document's place in the journal's log. Source: Decisions §14, §17; RFC 6962. */
export const checkPlace = (proof: ProofFile, knowledge: Knowledge): Findings =>
  proof.journal === null ? [finding("CLAIMED", "logNone")] : [...treeFindings(proof.journal, knowledge), ...leafFindings(proof, proof.journal, knowledge)]
