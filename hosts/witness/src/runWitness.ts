import { cosignedAt, type NoteKey, noteKeyOf, readVerifierKey, readWitnessKey, type TreeHash, witnessKey, witnessRequestText } from "@overa/domain"
import { randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { type RunningWitness, serveWitness } from "./serveWitness.ts"
import { WitnessState } from "./WitnessState.ts"

/** Where the command writes. */
export interface WitnessIo {
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
}

const usage = `overa-witness keygen --name NAME --key FILE
overa-witness serve --key FILE --logs FILE --state FOLDER [--listen 127.0.0.1:8095]
overa-witness ask --note FILE --witness KEY --url https://witness.example.rs/add-checkpoint [--old SIZE --proof FILE]

NAME: a host name of yours, for example witness.example.rs/receipts; no spaces, no plus sign.
--logs: one verifier key a line; /.well-known/overa-journal-key of an installation is such a file.
--state: a folder for this witness alone; keep it, and never run two processes on it.
ask shows a checkpoint to a witness and prints it with the cosignature. --old: the size that this witness cosigned last; --proof: the answer of
GET /v1/journal/consistency from it.
`

/** What the operator must correct. */
class WitnessProblem extends Error {}

const required = (value: string | undefined, option: string): string => {
  if (value === undefined || value === "") throw new WitnessProblem(`--${option} is missing`)
  return value
}

const keygen = (name: string, file: string, { write }: WitnessIo): void => {
  if (!/^[^\s+]+$/.test(name)) throw new WitnessProblem("a name has neither spaces nor a plus sign")
  const secretKey = new Uint8Array(randomBytes(32))
  // An existing key is never overwritten: everything that it cosigned would be worthless.
  writeFileSync(file, `${name}\n${Buffer.from(secretKey).toString("base64")}\n`, { flag: "wx", mode: 0o600 })
  write(`${witnessKey(noteKeyOf(name, secretKey))}\n`)
}

const readSecret = (file: string): { readonly name: string; readonly secretKey: Uint8Array } => {
  const [name = "", encoded = ""] = readFileSync(file, "utf8").trim().split("\n")
  const secretKey = new Uint8Array(Buffer.from(encoded, "base64"))
  // Reading passes over what is not base64: only a key that is written again the same is the one that was meant.
  if (secretKey.length !== 32 || Buffer.from(secretKey).toString("base64") !== encoded || !/^[^\s+]+$/.test(name)) throw new WitnessProblem(`${file} holds no key of a witness`)
  return { name, secretKey }
}

const readLogs = (file: string): ReadonlyArray<NoteKey> => {
  const lines = readFileSync(file, "utf8").split("\n").filter((line) => line.trim() !== "")
  const keys = lines.map((line) => readVerifierKey(line) ?? line)
  const wrong = keys.find((key) => typeof key === "string")
  if (wrong !== undefined) throw new WitnessProblem(`${file}: "${wrong as string}" is no verifier key`)
  if (keys.length === 0) throw new WitnessProblem(`${file} has no verifier key`)
  return keys as ReadonlyArray<NoteKey>
}

const proofIn = (file: string | undefined): ReadonlyArray<TreeHash> => {
  const { proof } = file === undefined ? { proof: [] } : JSON.parse(readFileSync(file, "utf8")) as { readonly proof: ReadonlyArray<string> }
  return proof.map((hash) => new Uint8Array(Buffer.from(hash, "base64")))
}

/** Shows a checkpoint to a witness; the note with its cosignature is written only where the cosignature verifies. */
const ask = async (options: { readonly note: string; readonly witness: string; readonly url: string; readonly old: string; readonly proof: string | undefined }, io: WitnessIo) => {
  const key = readWitnessKey(options.witness)
  if (key === null) throw new WitnessProblem("--witness is no key of a witness")
  const note = readFileSync(options.note, "utf8")
  const body = witnessRequestText({ oldSize: Number(options.old), proof: proofIn(options.proof), note })
  const answer = await fetch(options.url, { method: "POST", body, redirect: "error", signal: AbortSignal.timeout(30_000) })
  const text = await answer.text()
  if (answer.status === 409) throw new WitnessProblem(`the witness cosigned size ${text.trim()} last: ask with --old ${text.trim()} and the proof from it`)
  if (answer.status !== 200) throw new WitnessProblem(`the witness answers ${answer.status}: ${text.trim()}`)
  if (cosignedAt(note + text, key) === null) throw new WitnessProblem("the answer is no cosignature of this witness for this checkpoint")
  io.write(note + text)
}

const addressOf = (text: string) => {
  const found = /^(?<host>[^\s:]+|\[[0-9a-f:]+\]):(?<port>\d{1,5})$/.exec(text)?.groups
  if (found === undefined || Number(found["port"]) > 65_535) throw new WitnessProblem(`--listen must be host:port, not "${text}"`)
  return { host: (found["host"] ?? "").replace(/^\[|\]$/g, ""), port: Number(found["port"]) }
}

/** Runs the command. Answers the running witness; null where there is none, after its line was written. */
export const runWitness = async (args: ReadonlyArray<string>, io: WitnessIo): Promise<RunningWitness | number> => {
  try {
    const { positionals: [command], values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { name: { type: "string" }, key: { type: "string" }, logs: { type: "string" }, state: { type: "string" }, listen: { type: "string" }, note: { type: "string" }, witness: { type: "string" }, url: { type: "string" }, old: { type: "string" }, proof: { type: "string" } }
    })
    if (command === "keygen") {
      keygen(required(values.name, "name"), required(values.key, "key"), io)
      return 0
    }
    if (command === "ask") {
      await ask({
        note: required(values.note, "note"), witness: required(values.witness, "witness"), url: required(values.url, "url"), old: values.old ?? "0", proof: values.proof
      }, io)
      return 0
    }
    if (command !== "serve") throw new WitnessProblem(usage)
    const secret = readSecret(required(values.key, "key"))
    const running = await serveWitness({
      ...secret,
      logKeys: readLogs(required(values.logs, "logs")),
      state: new WitnessState(required(values.state, "state")),
      now: () => Math.floor(Date.now() / 1_000)
    }, addressOf(values.listen ?? "127.0.0.1:8095"))
    io.write(`${witnessKey(noteKeyOf(secret.name, secret.secretKey))}\n${running.url}/add-checkpoint\n`)
    return running
  } catch (error) {
    io.writeError(`overa-witness: ${(error as Error).message}\n`)
    return 2
  }
}
