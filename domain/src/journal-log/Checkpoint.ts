import { bytesFromBase64 } from "../verification/bytes.ts"
import { hashLength, type TreeHash } from "./merkle.ts"
import { base64Of, type NoteKey, openNote } from "./signedNote.ts"

/** A log's statement about itself: its number of leaves and their root hash. */
export interface Checkpoint {
  /** Which log: unique to an organization and environment of an installation. */
  readonly origin: string
  readonly size: number
  readonly root: TreeHash
}

/** The text that is signed: origin, size, root in base64, one line each. C2SP tlog-checkpoint. */
export const checkpointText = ({ origin, root, size }: Checkpoint): string => `${origin}\n${size}\n${base64Of(root)}\n`

/** Reads a checkpoint's text; null when it has not the form of one. Further lines are extensions, which a verifier ignores. */
export const readCheckpoint = (text: string): Checkpoint | null => {
  const [origin, size, encoded] = text.split("\n")
  if (origin === undefined || origin === "" || encoded === undefined || !text.endsWith("\n")) return null
  if (size === undefined || !/^(?:0|[1-9]\d{0,15})$/.test(size)) return null
  const root = bytesFromBase64(encoded)
  return root?.length === hashLength && Number.isSafeInteger(Number(size)) ? { origin, size: Number(size), root } : null
}

/**
 * The key of one log: the installation's, under the log's origin. Witnesses and other tools expect a log's key to have the name of its origin line (C2SP
 * tlog-checkpoint), so each checkpoint is signed under both names (docs/adr/0217).
 */
export const logKeyOf = ({ publicKey }: NoteKey, origin: string): NoteKey => ({ name: origin, publicKey })

/** The keys, with those of this log that belong to an installation whose name begins the origin. */
const keysFor = (keys: ReadonlyArray<NoteKey>, origin: string): ReadonlyArray<NoteKey> =>
  keys.flatMap((key) => (origin.startsWith(`${key.name}/`) ? [key, logKeyOf(key, origin)] : [key]))

/** The checkpoint of a signed note, where one of the keys has signed it and it speaks of this origin; null otherwise. */
export const openCheckpoint = (note: string, keys: ReadonlyArray<NoteKey>, origin: string): Checkpoint | null => {
  const text = openNote(note, keysFor(keys, origin))
  const checkpoint = text === null ? null : readCheckpoint(text)
  return checkpoint?.origin === origin ? checkpoint : null
}
