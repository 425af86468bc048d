import type { FileKind, Report, Subject } from "./Finding.ts"

/**
 * What a program does with a report:
 *
 * - `CONTRADICTED`: something in it is wrong. Accept nothing of it.
 * - `PROVEN`: nothing is contradicted, and what its kind demands is signed under keys that the reader gave. Findings of their own say what is not covered.
 * - `CLAIMED`: nothing is contradicted, and something that is demanded is not proven: a key is missing, or the file is none of its kind.
 */
export type Outcome = "PROVEN" | "CLAIMED" | "CONTRADICTED"

/** The findings that must be proven for a file of a kind to be proven. */
const demanded: Readonly<Record<FileKind, ReadonlyArray<Subject> | null>> = {
  LINK: ["signatureValid"],
  PDF: ["signatureValid"],
  PICTURE: ["signatureValid"],
  PROOF: ["signatureValid", "checkpointSigned"],
  EXPORT: ["exportLinks"],
  CHECKPOINT: ["checkpointSigned"],
  KEY: [],
  LEAVING: [],
  UNKNOWN: null
}

export const outcomeOf = ({ findings, kind }: Pick<Report, "findings" | "kind">): Outcome => {
  if (findings.some(({ verdict }) => verdict === "CONTRADICTED")) return "CONTRADICTED"
  // The reader demands it of each checkpoint, whatever else is proven.
  if (findings.some(({ subject }) => subject === "cosignatureMissing")) return "CLAIMED"
  const isProven = demanded[kind]?.every((subject) => findings.some((one) => one.subject === subject && one.verdict === "PROVEN")) ?? false
  return isProven ? "PROVEN" : "CLAIMED"
}
