/** The members of a proof as in the file, each of the right type or null; nothing is trusted. Source: Decisions §17, proof members. */
export interface ProofFile {
  readonly document: JsonRecord
  readonly request: { readonly method: string; readonly path: string; readonly received: string; readonly canonical: string | null; readonly fingerprint: string; readonly fingerprintRule: number; readonly erased: string | null }
  readonly attempts: ReadonlyArray<JsonRecord>
  readonly transitions: ReadonlyArray<JsonRecord>
  readonly answer: { readonly text: Uint8Array; readonly verification: JsonRecord | null } | null
  readonly journal: { readonly origin: string; readonly publicKey: string; readonly checkpoint: string; readonly entries: ReadonlyArray<EntryFile> } | null
}

export interface EntryFile {
  readonly index: number
  readonly leaf: string
  readonly inclusion: ReadonlyArray<Uint8Array>
}

export type JsonRecord = ReadonlyMap<string, unknown>

/** A JSON object's own members, as a map: it has no prototype whose names could be taken for members. */
export const recordOf = (value: unknown): JsonRecord | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null

export const textOf = (record: JsonRecord | null, name: string): string | null => {
  const value = record?.get(name)
  return typeof value === "string" ? value : null
}

const numberOf = (record: JsonRecord | null, name: string): number | null => {
  const value = record?.get(name)
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null
}

const listOf = (record: JsonRecord | null, name: string): ReadonlyArray<unknown> => {
  const value = record?.get(name)
  return Array.isArray(value) ? value : []
}

const recordsOf = (record: JsonRecord | null, name: string): ReadonlyArray<JsonRecord> =>
  listOf(record, name).map(recordOf).filter((member) => member !== null)

const bytesOf = (text: unknown): Uint8Array | null => {
  if (typeof text !== "string") return null
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null // atob has no other way to say "not base64"
  }
}

/** The note of an erasure; a member without one makes the proof contradict itself, so it is not read as absent. */
const erasedOf = (value: unknown): string | null => (value === undefined || value === null ? null : textOf(recordOf(value), "note") ?? "")

const requestOf = (record: JsonRecord | null): ProofFile["request"] | null => {
  const [method, path] = [textOf(record, "method"), textOf(record, "path")]
  const [received, fingerprint] = [textOf(record, "received"), textOf(record, "fingerprint")]
  const fingerprintRule = numberOf(record, "fingerprintRule")
  if (method === null || path === null || received === null || fingerprint === null || fingerprintRule === null) return null
  return { method, path, received, canonical: textOf(record, "canonical"), fingerprint, fingerprintRule, erased: erasedOf(record?.get("erased")) }
}

const entryOf = (value: unknown): EntryFile | null => {
  const record = recordOf(value)
  const [index, leaf] = [numberOf(record, "index"), textOf(record, "leaf")]
  const inclusion = listOf(record, "inclusion").map(bytesOf).filter((hash) => hash !== null)
  return index === null || leaf === null || inclusion.length !== listOf(record, "inclusion").length ? null : { index, leaf, inclusion }
}

const journalOf = (record: JsonRecord | null): ProofFile["journal"] => {
  const [origin, publicKey, checkpoint] = [textOf(record, "origin"), textOf(record, "publicKey"), textOf(record, "checkpoint")]
  if (origin === null || publicKey === null || checkpoint === null) return null
  const entries = listOf(record, "entries").map(entryOf).filter((entry) => entry !== null)
  return entries.length === listOf(record, "entries").length ? { origin, publicKey, checkpoint, entries } : null
}

const answerOf = (record: JsonRecord | null): ProofFile["answer"] => {
  const text = bytesOf(record?.get("text"))
  return text === null ? null : { text, verification: recordOf(record?.get("verification")) }
}

/** The answer as it was stored: the text of these bytes, including a byte-order mark. */
export const answerText = ({ text }: NonNullable<ProofFile["answer"]>): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(text)

/** A proof, or null where the value is none of version 1. */
export const readProof = (value: unknown): ProofFile | null => {
  const proof = recordOf(value)
  const document = recordOf(proof?.get("document"))
  const request = requestOf(recordOf(proof?.get("request")))
  if (numberOf(proof, "version") !== 1 || document === null || request === null) return null
  const [attempts, transitions] = [recordsOf(proof, "attempts"), recordsOf(proof, "transitions")]
  return { document, request, attempts, transitions, answer: answerOf(recordOf(proof?.get("answer"))), journal: journalOf(recordOf(proof?.get("journal"))) }
}
