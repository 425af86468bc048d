import { cosignedAt } from "./cosignature.ts"
import { type NoteKey, readNote } from "./signedNote.ts"

/** What a witness answered, or that it did not. C2SP tlog-witness, add-checkpoint. */
export type WitnessAnswer =
  /** The body of a 200: signature lines, of which nothing is believed yet. */
  | { readonly _tag: "Cosigned"; readonly text: string }
  /** The size that it cosigned last is another one than the log thought. */
  | { readonly _tag: "Conflict"; readonly size: number }
  | { readonly _tag: "Refused"; readonly status: number; readonly reason: string }
  | { readonly _tag: "Unreachable"; readonly cause: string }

/**
 * How a log came out of asking a witness:
 *
 * - `cosigned`.
 * - `behind`: the witness has cosigned more entries than the log has now.
 * - `contradicted`: the log does not contain what the witness has cosigned.
 * - `moved`: the witness's size changed between two requests; somebody else asks it about the same log.
 * - `invalid`: an answer that is none, or whose signature does not verify.
 * - `refused`, `unreachable`.
 */
export const witnessResults = ["cosigned", "behind", "contradicted", "moved", "invalid", "refused", "unreachable"] as const
export type WitnessResult = typeof witnessResults[number]

/** What was asked for. `oldSize` is the size from which growth was proven. */
export interface AskedWitness {
  readonly note: string
  readonly size: number
  readonly oldSize: number
}

export type WitnessVerdict =
  | { readonly _tag: "Cosigned"; readonly line: string }
  /** Ask again, with the proof from the size that the witness has cosigned. */
  | { readonly _tag: "AskFrom"; readonly size: number }
  | { readonly _tag: "Failed"; readonly result: Exclude<WitnessResult, "cosigned">; readonly detail: string }

/** The line of the witness's answer that is its cosignature of the note; null where none verifies. Lines of others are passed over. */
export const cosignatureIn = (note: string, answer: string, witness: NoteKey): string | null => {
  const lines = answer.split("\n").map((line) => `${line}\n`).filter((line) => readNote(`x\n\n${line}`) !== null)
  return lines.find((line) => cosignedAt(note + line, witness) !== null) ?? null
}

const failed = (result: Exclude<WitnessResult, "cosigned">, detail: string): WitnessVerdict => ({ _tag: "Failed", result, detail })

const judgeConflict = ({ oldSize, size: own }: AskedWitness, size: number): WitnessVerdict => {
  if (size > own) return failed("behind", `it has cosigned ${size} entries`)
  if (size !== oldSize) return { _tag: "AskFrom", size }
  return size === own
    ? failed("contradicted", `it has cosigned another tree of ${size} entries`)
    : failed("invalid", `it answers 409 with the size ${size}, which is the one that it was asked from`)
}

/** What an answer means. Nothing of it is believed but a signature that verifies. Source: C2SP tlog-witness; docs/adr/0365. */
export const judgeWitnessAnswer = (asked: AskedWitness, answer: WitnessAnswer, witness: NoteKey): WitnessVerdict => {
  switch (answer._tag) {
    case "Cosigned": {
      const line = cosignatureIn(asked.note, answer.text, witness)
      return line === null ? failed("invalid", "no line of its answer is its cosignature of this checkpoint") : { _tag: "Cosigned", line }
    }
    case "Conflict":
      return judgeConflict(asked, answer.size)
    case "Refused":
      return answer.status === 422
        ? failed("contradicted", `it refuses the proof from ${asked.oldSize} entries: ${answer.reason}`)
        : failed("refused", `it answers ${answer.status}: ${answer.reason}`)
    case "Unreachable":
      return failed("unreachable", answer.cause)
  }
}
