import type { NoteKey, SignerKey } from "@overa/domain"

/** What the reader provides besides the files: only this can prove a sentence that depends on a key. */
export interface Knowledge {
  /** Public keys of signers of the tax authority, as files hold them. */
  readonly signers: ReadonlyArray<SignerKey>
  /** Verifier keys of journal logs. */
  readonly logKeys: ReadonlyArray<NoteKey>
  /** Keys of witnesses whose cosignatures the reader demands of each checkpoint; absent: none is demanded. */
  readonly witnesses?: ReadonlyArray<NoteKey>
  /** The seller's TIN, as signed: no link contains it. */
  readonly tin: string | null
}

export const nothingKnown: Knowledge = { signers: [], logKeys: [], tin: null }
