import { type Cause, Effect, Exit } from "effect"
import { type AskedWitness, judgeWitnessAnswer, type WitnessResult, type WitnessVerdict } from "../journal-log/askingWitness.ts"
import { witnessKey } from "../journal-log/cosignature.ts"
import type { NoteKey } from "../journal-log/signedNote.ts"
import { JournalLog, type SignedCheckpoint } from "../ports/JournalStore.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import { type Cosignature, Cosignatures, type LogToCosign, Witnesses } from "../ports/Witnessing.ts"
import type { Tenant } from "../tenancy/Caller.ts"

/** Logs that are shown to the witnesses at once. */
const logsAtOnce = 8

/** How one log came out of asking one witness. `detail` is empty where it was cosigned. */
export interface WitnessAsked {
  readonly tenant: Tenant
  readonly origin: string
  readonly size: number
  readonly witness: NoteKey
  readonly result: WitnessResult
  readonly detail: string
}

/** A pass over logs. A log that failed for a reason of ours is in `failures`; the others were asked for all the same. */
export interface LogAsked {
  readonly taken: number
  readonly asked: ReadonlyArray<WitnessAsked>
  readonly failures: ReadonlyArray<{ readonly tenant: Tenant; readonly cause: Cause.Cause<StoreUnavailable> }>
}

const askOnce = Effect.fnUntraced(function*(tenant: Tenant, asked: AskedWitness, witness: NoteKey) {
  const log = yield* JournalLog
  const proof = asked.oldSize === 0 ? [] : yield* log.consistency(tenant, asked.oldSize, asked.size)
  const answer = yield* (yield* Witnesses).ask(witness, { oldSize: asked.oldSize, proof, note: asked.note })
  return judgeWitnessAnswer(asked, answer, witness)
})

/** What was kept may be older than what the witness remembers: then it says its size, and is asked once more from there. */
const askTwice = Effect.fnUntraced(function*(tenant: Tenant, asked: AskedWitness, witness: NoteKey) {
  const first = yield* askOnce(tenant, asked, witness)
  if (first._tag !== "AskFrom") return first
  const second = yield* askOnce(tenant, { ...asked, oldSize: first.size }, witness)
  return second._tag !== "AskFrom"
    ? second
    : { _tag: "Failed", result: "moved", detail: `it says ${first.size} entries, then ${second.size}` } satisfies WitnessVerdict
})

const means = {
  behind: "The log has fewer: the database was restored to an earlier point, or a standby took over that lacked the last entries.",
  contradicted: "The log does not contain what it cosigned before: it grew anew after a restore or a failover, or somebody changed it."
} as const

const raised = Effect.fnUntraced(function*(tenant: Tenant, witness: NoteKey, result: keyof typeof means, detail: string) {
  const about = `The witness ${witness.name} does not cosign the journal's log of ${tenant.environment}: ${detail}.`
  yield* (yield* Cosignatures).raise(tenant, { kind: "LOG_NOT_COSIGNED", detail: `${about} ${means[result]}` })
})

const askLog = Effect.fnUntraced(function*({ sizes, tenant }: LogToCosign, silent: Set<string>) {
  const { known } = yield* Witnesses
  const checkpoint: SignedCheckpoint = yield* (yield* JournalLog).checkpoint(tenant)
  const { note, origin, size } = checkpoint
  const cosigned: Array<Cosignature> = []
  const ask = Effect.fnUntraced(function*(witness: NoteKey) {
    const name = witnessKey(witness)
    const kept = sizes.get(name) ?? 0
    if (kept === size || silent.has(name)) return []
    const verdict = yield* askTwice(tenant, { note, size, oldSize: Math.min(kept, size) }, witness)
    if (verdict._tag === "Cosigned") cosigned.push({ witness: name, line: verdict.line })
    const { detail, result } = verdict._tag === "Failed" ? verdict : { detail: "", result: "cosigned" as const }
    if (result === "unreachable") silent.add(name)
    if (result === "behind" || result === "contradicted") yield* raised(tenant, witness, result, detail)
    return [{ tenant, origin, size, witness, result, detail } satisfies WitnessAsked]
  })
  const asked = yield* Effect.forEach(known, ask, { concurrency: "unbounded" })
  // Also where nobody was asked: a checkpoint may be cosigned by all because the witness that was missing is not asked any more.
  yield* (yield* Cosignatures).keep(tenant, { note, size }, cosigned, known.map(witnessKey))
  return asked.flat()
})

/**
 * Shows the newest checkpoints of at most `limit` logs to the witnesses and keeps their cosignatures. A witness whose key is in `silent` is asked nothing;
 * one that does not answer is added to it, so that it keeps no other witness waiting. A log that cannot be read keeps no other log waiting. Source:
 * docs/adr/0365.
 */
export const askWitnesses = Effect.fn("askWitnesses")(function*(limit: number, silent: Set<string>): Effect.fn.Return<LogAsked, StoreUnavailable, Witnesses | Cosignatures | JournalLog> {
  const { known } = yield* Witnesses
  const logs = known.length === 0 ? [] : yield* (yield* Cosignatures).take(known.map(witnessKey), limit)
  const exits = yield* Effect.forEach(logs, (log) => Effect.exit(askLog(log, silent)), { concurrency: logsAtOnce })
  return {
    taken: logs.length,
    asked: exits.flatMap((exit) => (Exit.isSuccess(exit) ? exit.value : [])),
    failures: exits.flatMap((exit, at) => {
      const tenant = logs[at]?.tenant
      return Exit.isFailure(exit) && tenant !== undefined ? [{ tenant, cause: exit.cause }] : []
    })
  }
})
