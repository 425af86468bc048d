import { judgeKept, JournalLog, keptSizeOf, type KeptVerdict, openCheckpoint, originOfNote, type PresentLog, readVerifierKey, type Tenant } from "@overa/domain"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Refusal } from "../Refusal.ts"

const ending = ".checkpoint"

/** A checkpoint in the folder of those that were kept. */
export interface KeptFile {
  readonly file: string
  readonly note: string
  readonly origin: string | null
  readonly keptAt: Date
}

/** Every kept checkpoint of a folder. */
export const keptFiles = (folder: string): Effect.Effect<ReadonlyArray<KeptFile>, Refusal> =>
  Effect.try({
    try: () =>
      readdirSync(folder).filter((name) => name.endsWith(ending)).sort().map((name) => {
        const file = join(folder, name)
        const note = readFileSync(file, "utf8")
        return { file, note, origin: originOfNote(note), keptAt: statSync(file).mtime }
      }),
    catch: () => new Refusal({ sentence: `The folder ${folder} cannot be read.` })
  })

/** A log of this database as it is now, with its signed checkpoint. */
export interface LogNow extends PresentLog {
  readonly tenant: Tenant
  readonly note: string
}

/** The keys that sign the logs of this installation. */
export const logKeys = Effect.gen(function*() {
  return (yield* (yield* JournalLog).verifierKeys).map(readVerifierKey).filter((key) => key !== null)
})

/** The log of a tenant; null where its checkpoint is not signed by one of the keys. */
export const logNow = Effect.fnUntraced(function*({ environment, organizationId }: Tenant, keys: PresentLog["keys"]) {
  const tenant = { organizationId, environment }
  const { note, origin } = yield* (yield* JournalLog).checkpoint(tenant)
  const checkpoint = openCheckpoint(note, keys, origin)
  return checkpoint === null ? null : { ...checkpoint, keys, tenant, note } satisfies LogNow
})

/** What a kept checkpoint says of the log, and how many of its leaves the log lacks. */
export const judge = Effect.fnUntraced(function*(note: string, log: LogNow) {
  const size = keptSizeOf(note, log)
  const proof = size === null || size > log.size ? [] : yield* (yield* JournalLog).consistency(log.tenant, size, log.size)
  const verdict: KeptVerdict = judgeKept(note, log, proof)
  return { verdict, size, missing: verdict === "AHEAD" ? (size ?? 0) - log.size : 0 }
})

const fileOf = (folder: string, { environment, organizationId }: Tenant): string => join(folder, `${organizationId}-${environment}${ending}`)

/**
 * Keeps the log's checkpoint in the folder, in place of the one kept before, unless that one is not contained in it: then the earlier one stays, because
 * it is the evidence.
 */
export const keepCheckpoint = Effect.fnUntraced(function*(folder: string, log: LogNow) {
  const file = fileOf(folder, log.tenant)
  mkdirSync(folder, { recursive: true })
  const before = existsSync(file) ? yield* judge(readFileSync(file, "utf8"), log) : null
  const kept = before === null || before.verdict === "CONTAINED"
  if (kept) {
    // A reader never sees half a file.
    writeFileSync(`${file}.new`, log.note)
    renameSync(`${file}.new`, file)
  }
  return { file, kept, verdict: before?.verdict ?? null, missing: before?.missing ?? 0, size: log.size }
})
