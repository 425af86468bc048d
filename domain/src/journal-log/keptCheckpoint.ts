import { openCheckpoint, readCheckpoint } from "./Checkpoint.ts"
import type { Sha256, TreeHash } from "./merkle.ts"
import { type NoteKey, readNote } from "./signedNote.ts"
import { verifyConsistency } from "./treeProofs.ts"

/**
 * What a checkpoint that was kept elsewhere says of a log:
 * - `CONTAINED`: the log begins with the tree of the checkpoint.
 * - `AHEAD`: the checkpoint has more leaves than the log: its last ones are missing.
 * - `CONTRADICTED`: the log has other leaves in the checkpoint's places.
 * - `UNSIGNED`: none of the log's keys has signed the checkpoint, or it is none of this log.
 */
export type KeptVerdict = "CONTAINED" | "AHEAD" | "CONTRADICTED" | "UNSIGNED"

/** A log as it is now. */
export interface PresentLog {
  readonly origin: string
  readonly size: number
  readonly root: TreeHash
  readonly keys: ReadonlyArray<NoteKey>
}

/** The origin that a kept note states, without checking its signature; null where it is no checkpoint. */
export const originOfNote = (note: string): string | null => readCheckpoint(readNote(note)?.text ?? "")?.origin ?? null

/** The number of leaves that a kept checkpoint of this log has; null where no key of the log has signed it. */
export const keptSizeOf = (note: string, log: Pick<PresentLog, "keys" | "origin">): number | null => openCheckpoint(note, log.keys, log.origin)?.size ?? null

/**
 * Compares a kept checkpoint with the log. `proof` leads from the checkpoint's size to the log's (RFC 6962 §2.1.2); it is empty where the checkpoint is
 * ahead. Source: Decisions §14.
 */
export const judgeKept = (note: string, log: PresentLog, proof: ReadonlyArray<TreeHash>, hash?: Sha256): KeptVerdict => {
  const kept = openCheckpoint(note, log.keys, log.origin)
  if (kept === null) return "UNSIGNED"
  if (kept.size > log.size) return "AHEAD"
  const isContained = verifyConsistency({ from: kept.size, to: log.size, fromRoot: kept.root, toRoot: log.root, proof }, hash)
  return isContained ? "CONTAINED" : "CONTRADICTED"
}
