import { bytesEqual, bytesFromBase64 } from "../verification/bytes.ts"
import { type Checkpoint, openCheckpoint, readCheckpoint } from "./Checkpoint.ts"
import { hashLength, type Sha256, type TreeHash } from "./merkle.ts"
import { base64Of, type NoteKey, readNote } from "./signedNote.ts"
import { verifyConsistency } from "./treeProofs.ts"

/** What a log sends to a witness: the size that the witness saw last, the proof from it, and the new checkpoint's note. C2SP tlog-witness. */
export interface WitnessRequest {
  readonly oldSize: number
  readonly proof: ReadonlyArray<TreeHash>
  readonly note: string
}

/** The body of `POST …/add-checkpoint`. */
export const witnessRequestText = ({ note, oldSize, proof }: WitnessRequest): string => [`old ${oldSize}`, ...proof.map(base64Of), "", note].join("\n")

/** A proof between two sizes has at most 63 hashes (C2SP tlog-witness). */
const longestProof = 63

/** Reads such a body; null where it is none. */
export const readWitnessRequest = (text: string): WitnessRequest | null => {
  const end = text.indexOf("\n\n")
  const [first = "", ...lines] = text.slice(0, Math.max(end, 0)).split("\n")
  const size = /^old (0|[1-9]\d{0,15})$/.exec(first)?.[1]
  const proof = lines.map(bytesFromBase64).filter((hash) => hash?.length === hashLength) as ReadonlyArray<TreeHash>
  if (end < 0 || size === undefined || !Number.isSafeInteger(Number(size)) || proof.length !== lines.length || proof.length > longestProof) return null
  return { oldSize: Number(size), proof, note: text.slice(end + 2) }
}

/** What a witness has cosigned of a log. */
export type Seen = Pick<Checkpoint, "size" | "root">

/** What a witness answers. `status` is that of HTTP. C2SP tlog-witness, add-checkpoint. */
export type WitnessDecision =
  | { readonly _tag: "Cosign"; readonly checkpoint: Checkpoint; readonly text: string }
  /** The log's idea of what the witness saw is another one; `size` is what it saw. */
  | { readonly _tag: "Conflict"; readonly size: number; readonly reason: string }
  | { readonly _tag: "Refuse"; readonly status: 400 | 403 | 404 | 422; readonly reason: string }

const refuse = (status: 400 | 403 | 404 | 422, reason: string): WitnessDecision => ({ _tag: "Refuse", status, reason })

/**
 * Whether a witness may cosign a checkpoint: one of the log's keys has signed it, and it contains everything that the witness has cosigned of this log
 * before. `keysOf` knows the keys of an origin; null is an unknown log. A witness never cosigns two trees of one size, nor a smaller one than before.
 */
export const judgeWitnessing = (
  { note, oldSize, proof }: WitnessRequest,
  keysOf: (origin: string) => ReadonlyArray<NoteKey> | null,
  seenOf: (origin: string) => Seen | null,
  hash?: Sha256
): WitnessDecision => {
  const text = readNote(note)?.text ?? ""
  const stated = readCheckpoint(text)
  if (stated === null) return refuse(400, "the body has no checkpoint")
  const keys = keysOf(stated.origin)
  if (keys === null) return refuse(404, "the log is not known here")
  const checkpoint = openCheckpoint(note, keys, stated.origin)
  if (checkpoint === null) return refuse(403, "no key of this log has signed the checkpoint")
  if (oldSize > checkpoint.size) return refuse(400, "the old size is larger than the checkpoint's")
  const seen = seenOf(checkpoint.origin)
  if (oldSize !== (seen?.size ?? 0)) return { _tag: "Conflict", size: seen?.size ?? 0, reason: "another size was cosigned last" }
  if (oldSize === 0) return proof.length === 0 ? { _tag: "Cosign", checkpoint, text } : refuse(422, "a proof from the empty tree has no hashes")
  if (seen !== null && oldSize === checkpoint.size && !bytesEqual(seen.root, checkpoint.root)) {
    return { _tag: "Conflict", size: seen.size, reason: "another tree of this size was cosigned" }
  }
  const grew = seen !== null && verifyConsistency({ from: oldSize, to: checkpoint.size, fromRoot: seen.root, toRoot: checkpoint.root, proof }, hash)
  return grew ? { _tag: "Cosign", checkpoint, text } : refuse(422, "the proof does not lead from the tree that was cosigned last to this one")
}
