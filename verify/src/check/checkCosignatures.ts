import { cosignedAt } from "@overa/domain"
import { DateTime } from "effect"
import { type Finding, finding } from "./Finding.ts"
import type { Knowledge } from "./Knowledge.ts"

/** For each witness that the reader demands: when it has cosigned the checkpoint, or that it has not. C2SP tlog-cosignature. */
export const checkCosignatures = (note: string, { witnesses = [] }: Knowledge): ReadonlyArray<Finding> =>
  witnesses.map((witness) => {
    const seconds = cosignedAt(note, witness)
    const at = seconds === null ? undefined : DateTime.make(seconds * 1_000)
    return at?._tag === "Some" ? finding("PROVEN", "cosigned", witness.name, DateTime.formatIso(at.value)) : finding("CLAIMED", "cosignatureMissing", witness.name)
  })
