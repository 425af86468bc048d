import { askWitnesses, type WitnessAsked, Witnesses, witnessKey } from "@overa/domain"
import { Clock, Effect } from "effect"
import { WitnessRecords } from "./WitnessRecord.ts"

/** Logs per pass: a pass is finished before the worker stops, and a witness may take ten seconds for an answer. */
const logs = 16

/** A witness that did not answer is asked nothing for so long. */
const silenceMillis = 60_000

const logged = Effect.fnUntraced(function*(asked: WitnessAsked) {
  const { detail, origin, result, size, tenant, witness } = asked
  const record = yield* WitnessRecords
  record.count(asked)
  if (!record.isNews(asked, yield* Clock.currentTimeMillis)) return
  const facts = { witness: witness.name, result, detail, origin, size, organizationId: tenant.organizationId }
  yield* result === "behind" || result === "contradicted"
    ? Effect.logError("worker: a witness does not cosign the log of an organization", facts)
    : Effect.logWarning("worker: a witness has not cosigned", facts)
})

/** The newest checkpoints are shown to the witnesses (docs/adr/0365): each log at most once a minute, none of it on a receipt's path. */
export const cosignLogs = Effect.gen(function*() {
  const { known } = yield* Witnesses
  ;(yield* WitnessRecords).begin(known.map(({ name }) => name))
  const silentSince = new Map<string, number>()
  return {
    name: "cosignLogs",
    pass: Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const silent = new Set(known.map(witnessKey).filter((key) => now - (silentSince.get(key) ?? Number.NEGATIVE_INFINITY) < silenceMillis))
      const before = new Set(silent)
      const { asked, failures, taken } = yield* askWitnesses(logs, silent)
      for (const key of silent) if (!before.has(key)) silentSince.set(key, now)
      for (const one of asked) yield* logged(one)
      for (const { cause, tenant } of failures) yield* Effect.logError("worker: a log could not be shown to the witnesses", cause).pipe(Effect.annotateLogs({ ...tenant }))
      const [failure] = failures
      if (failure !== undefined) return yield* Effect.failCause(failure.cause)
      return taken === logs
    }),
    pauseMillis: 5_000,
    busyPauseMillis: 50
  }
})
