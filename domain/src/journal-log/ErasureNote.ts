import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { type NoteKey, type NoteVerifier, openNote, readNote } from "./signedNote.ts"

/** A digest before and after an erasure: SHA-256, lower-case hexadecimal. */
export interface ErasedDigest {
  /** The digest in the document's leaves. */
  readonly sealed: string
  /** The digest of the rest, after the erasure. */
  readonly left: string
}

/** The erasure of personal data from a document's request, as digests only. Source: Decisions §15; docs/adr/0114. */
export interface Erasure {
  /** The origin of the log that contains the document. */
  readonly origin: string
  readonly documentId: FiscalDocumentId
  /** UTC with milliseconds, as `toISOString` writes it. */
  readonly at: string
  /** The digests of the request's body. */
  readonly request: ErasedDigest
  /** The digests of the stored facts that otherwise never change (`LeafDigests.record`). */
  readonly record: ErasedDigest
}

/**
 * The text that is signed: five lines. No checkpoint has this form, because the second line of a checkpoint is a number.
 *
 * @example
 * erasureText({ origin, documentId, at: "2026-03-04T06:06:08.455Z", request: { sealed, left }, record: { sealed, left } })
 */
export const erasureText = ({ at, documentId, origin, record, request }: Erasure): string =>
  `${origin}\nerasure ${documentId}\n${at}\nrequest ${request.sealed} ${request.left}\nrecord ${record.sealed} ${record.left}\n`

const form = /^(?<origin>[^\n]+)\nerasure (?<documentId>[0-9a-f-]{36})\n(?<at>[0-9TZ:.-]{24})\nrequest (?<request>[0-9a-f]{64} [0-9a-f]{64})\nrecord (?<record>[0-9a-f]{64} [0-9a-f]{64})\n$/

/** The named groups of `form`: a match has all of them. */
type Parts = Readonly<Record<keyof Erasure, string>>

const readText = (text: string): Erasure | null => {
  const parts = form.exec(text)?.groups as Parts | undefined
  if (parts === undefined) return null
  const { at, documentId, origin, record, request } = parts
  const digests = (pair: string): ErasedDigest => ({ sealed: pair.slice(0, 64), left: pair.slice(65) })
  return { origin, documentId: documentId as FiscalDocumentId, at, request: digests(request), record: digests(record) }
}

/** The erasure in a note, without a check of the signature; null if the note has none. */
export const readErasure = (note: string): Erasure | null => {
  const text = readNote(note)?.text
  return text === undefined ? null : readText(text)
}

/** The erasure in a note that one of the keys has signed for this log and document; null otherwise. */
export const openErasure = (
  note: string,
  keys: ReadonlyArray<NoteKey>,
  { documentId, origin }: Pick<Erasure, "documentId" | "origin">,
  verifier?: NoteVerifier
): Erasure | null => {
  const text = openNote(note, keys, verifier)
  const erasure = text === null ? null : readText(text)
  return erasure?.origin === origin && erasure.documentId === documentId ? erasure : null
}
