import { type Checkpoint, checkpointText, type NoteKey, noteKeyId, readNote, signedNote, StoreUnavailable, verifierKey } from "@overa/domain"
import { DateTime, Effect, Redacted, Result } from "effect"
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto"
import type { PgQueries } from "../PgDatabase.ts"
import type { Secrets } from "../Secrets.ts"

/** The row that a key's envelope is bound to. */
export const journalKeyRow = (number: string): string => `journal_keys ${number}`

interface KeyRow {
  readonly number: number
  readonly name: string
  readonly public_key: Uint8Array
  readonly secrets: string
}

/** $1 number, $2 name, $3 public key, $4 sealed private key, $5 at. */
export const insertKey = "insert into journal_keys (number, name, public_key, secrets, created_at) values ($1, $2, $3, $4, $5) on conflict do nothing"
export const allKeys = "select number, name, public_key, secrets from journal_keys order by number desc"

/** A fresh key pair, as it is stored. */
export const newJournalKey = (secrets: Secrets, number: number, name: string, at: Date): ReadonlyArray<unknown> => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const bytes = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url")
  const pem = Redacted.make(privateKey.export({ format: "pem", type: "pkcs8" }).toString())
  return [number, name, bytes, secrets.seal(journalKeyRow(String(number)), pem), at]
}

/**
 * An installation's own name, which begins the origin of each of its logs. It is created with the first key and never changes, so that two
 * installations never have a log with the same origin.
 */
const newName = (): string => `overa.journal/${randomUUID()}`

/** The log that a checkpoint belongs to. */
export const originOf = (name: string, tenant: { readonly organizationId: string; readonly environment: string }): string =>
  `${name}/${tenant.organizationId}/${tenant.environment}`

/** The keys that have signed checkpoints here, and the one that signs now. */
export interface JournalKeys {
  readonly name: string
  /** The key in use first. */
  readonly known: ReadonlyArray<NoteKey>
  /** The signed note of a checkpoint. */
  readonly sign: (checkpoint: Checkpoint) => string
  /** The signed note of a text that ends with a newline and has not the form of a checkpoint; `names` are further names to sign under. */
  readonly signText: (text: string, ...names: ReadonlyArray<string>) => string
  /** Which of the known keys has signed a note: the current one, or an earlier one. */
  readonly signerOf: (note: string) => NoteKey
}

const noteKeyOf = ({ name, public_key }: KeyRow): NoteKey => ({ name, publicKey: new Uint8Array(public_key) })

const signer = (secrets: Secrets, row: KeyRow): Effect.Effect<KeyObject, StoreUnavailable> =>
  Result.match(secrets.open(journalKeyRow(String(row.number)), row.secrets), {
    onFailure: (cause) => Effect.fail(new StoreUnavailable({ committed: "no", cause })),
    onSuccess: (pem) => Effect.succeed(createPrivateKey(Redacted.value(pem)))
  })

const keysOf = Effect.fnUntraced(function*(secrets: Secrets, rows: readonly [KeyRow, ...ReadonlyArray<KeyRow>]) {
  const [current] = rows
  const privateKey = yield* signer(secrets, current)
  const key = noteKeyOf(current)
  const signText = (text: string, ...names: ReadonlyArray<string>) =>
    signedNote(text, key, new Uint8Array(sign(null, Buffer.from(text, "utf8"), privateKey)), ...names)
  return {
    name: current.name,
    known: rows.map(noteKeyOf),
    signerOf: (note: string) => {
      const ids = (readNote(note)?.signatures ?? []).map(({ keyId }) => Buffer.from(keyId).toString("hex"))
      return rows.map(noteKeyOf).find((known) => ids.includes(Buffer.from(noteKeyId(known)).toString("hex"))) ?? key
    },
    sign: (checkpoint: Checkpoint) => signText(checkpointText(checkpoint), checkpoint.origin),
    signText
  } satisfies JournalKeys
})

const isKeyed = (rows: ReadonlyArray<KeyRow>): rows is readonly [KeyRow, ...ReadonlyArray<KeyRow>] => rows.length > 0

/**
 * Reads the keys; the first reader of an installation creates the first key. Of several concurrent readers one creates it, decided by the unique
 * number.
 */
export const readJournalKeys = Effect.fnUntraced(function*(database: PgQueries, secrets: Secrets) {
  const found = yield* database.read<KeyRow>(allKeys)
  if (isKeyed(found)) return yield* keysOf(secrets, found)
  const at = DateTime.toDateUtc(yield* DateTime.now)
  yield* database.read(insertKey, newJournalKey(secrets, 1, newName(), at))
  const made = yield* database.read<KeyRow>(allKeys)
  return isKeyed(made) ? yield* keysOf(secrets, made) : yield* Effect.die(new Error("a key that was just created does not exist"))
})

/** The keys in the form for verifiers. */
export const verifierKeysOf = ({ known }: JournalKeys): ReadonlyArray<string> => known.map(verifierKey)
