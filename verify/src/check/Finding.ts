/**
 * How far one sentence can be relied on:
 *
 * - `PROVEN`: it follows from a signature or a digest under a key that the reader gave, or from a computation on the reader's machine.
 * - `CLAIMED`: the file says so, and nothing here proves or disproves it.
 * - `NOT_COVERED`: no signature covers it; anybody could have written it.
 * - `CONTRADICTED`: the file contradicts itself, or another of the files.
 */
export type Verdict = "PROVEN" | "CLAIMED" | "NOT_COVERED" | "CONTRADICTED"

/** What a sentence is about; `words/sentences.ts` has it in every language. */
export type Subject =
  | "checksumFits" | "checksumWrong"
  | "signatureValid" | "signatureOwnKey" | "signatureNoKey" | "signatureNoTin" | "signatureUnknownKey"
  | "sdcTime" | "totalAmount" | "kind" | "buyerId" | "counters" | "requestedBy" | "signedBy" | "linkAddress"
  | "fingerprintFits" | "fingerprintWrong" | "fingerprintRule" | "canonicalFits" | "canonicalWrong" | "requestErased" | "requestErasedOwnKey" | "erasureWrong"
  | "answerFits" | "answerWrong" | "answerNone" | "answerUnreadable" | "linkFits" | "linkWrong" | "verificationWrong" | "status"
  | "documentWrong" | "documentInDoubt" | "documentOnly"
  | "checkpointSigned" | "checkpointOwnKey" | "checkpointWrong" | "logNone" | "entriesIn" | "entryNotIn" | "leavesFit" | "leafWrong" | "unsealed"
  | "logFork" | "checkpointOnly" | "cosigned" | "cosignatureMissing"
  | "exportRows" | "exportLinks" | "exportOnly" | "rowWrong" | "rowUnreadable" | "exportComplete"
  | "leavingWhole" | "leavingCut" | "leavingMissing" | "leavingChanged" | "leavingUnlisted" | "archiveBroken"
  | "keyRead" | "unreadable" | "tooLarge" | "noLink" | "noQrCode"

export interface Finding {
  readonly verdict: Verdict
  readonly subject: Subject
  /** Facts of the sentence, in its order. */
  readonly values: ReadonlyArray<string>
}

export const finding = (verdict: Verdict, subject: Subject, ...values: ReadonlyArray<string | number>): Finding => ({ verdict, subject, values: values.map(String) })

export type FileKind = "LINK" | "PDF" | "PICTURE" | "PROOF" | "EXPORT" | "CHECKPOINT" | "KEY" | "LEAVING" | "UNKNOWN"

/** The findings about one file. */
export interface Report {
  /** The file's name, or the beginning of a text. */
  readonly name: string
  readonly kind: FileKind
  readonly findings: ReadonlyArray<Finding>
  /** The signed checkpoint in the file, to be compared with those of other files. */
  readonly checkpoint: string | null
}
