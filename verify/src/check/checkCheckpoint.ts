import { openCheckpoint, readCheckpoint, readNote } from "@overa/domain"
import { checkCosignatures } from "./checkCosignatures.ts"
import { type Finding, finding, type Report } from "./Finding.ts"
import type { Knowledge } from "./Knowledge.ts"

/** A text that has the form of a signed checkpoint. */
export const isCheckpoint = (text: string): boolean => {
  const note = readNote(text)
  return note !== null && readCheckpoint(note.text) !== null
}

/** A checkpoint alone: the state of the log at one moment, under a key of the reader's. */
export const checkCheckpoint = (note: string, knowledge: Knowledge): ReadonlyArray<Finding> => {
  const stated = readCheckpoint(readNote(note)?.text ?? "")
  if (stated === null) return []
  const signed = openCheckpoint(note, knowledge.logKeys, stated.origin) !== null
  return [
    signed ? finding("PROVEN", "checkpointSigned", stated.origin, stated.size) : finding("CLAIMED", "checkpointOnly", stated.origin, stated.size),
    ...checkCosignatures(note, knowledge)
  ]
}

/** Two checkpoints of one log with the same size and different roots: the log was shown differently to different people. Asked with one report after the other. */
export const checkpointComparison = (): (report: Report) => ReadonlyArray<Finding> => {
  const roots = new Map<string, { readonly root: string; readonly name: string }>()
  return ({ checkpoint, name }) => {
    const stated = checkpoint === null ? null : readCheckpoint(readNote(checkpoint)?.text ?? "")
    if (stated === null) return []
    const place = `${stated.origin}\n${stated.size}`
    const root = stated.root.join(",")
    const before = roots.get(place)
    if (before === undefined) roots.set(place, { root, name })
    return before === undefined || before.root === root ? [] : [finding("CONTRADICTED", "logFork", stated.origin, stated.size, before.name, name)]
  }
}
