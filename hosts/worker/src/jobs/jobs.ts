import { CounterWatch, JournalSealer, JournalUpkeep, reconcileDue, sealingPauseMillis, sealingRest, sweepOrphans } from "@overa/domain"
import { Duration, Effect } from "effect"
import type { Job } from "./keepDoing.ts"

/** Searches per pass and at once: read-only requests to the V-PFR, limited to `limit` per `busyPauseMillis`. */
const search = { limit: 32, concurrency: 8 }

/** Unknown outcomes that are due are searched at the V-PFR (Decisions §4, Resolution). */
const reconcileUnknownOutcomes = {
  name: "reconcileUnknownOutcomes",
  pass: Effect.map(reconcileDue(search), (checked) => checked === search.limit),
  pauseMillis: 1_000,
  busyPauseMillis: 250
}

const orphansPerPass = 1_000

/** Submissions whose lease has ended become unknown outcomes (Decisions §4, Orphans). */
const sweepOrphanedLeases = {
  name: "sweepOrphanedLeases",
  pass: Effect.map(sweepOrphans(orphansPerPass), (moved) => moved === orphansPerPass),
  pauseMillis: 2_000,
  busyPauseMillis: 50
}

/**
 * Operations are indexed for the journal two minutes after they were created: by then each of them is stored, also where a host's clock is a minute
 * behind. Until then every report reads them one by one (docs/adr/0082).
 */
const journalMarginMillis = 2 * 60_000
const journalAtOnce = 5_000

/** The tables that searches and reports use are brought up to date. */
export const keepJournal = {
  name: "keepJournal",
  pass: Effect.map(
    Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis: journalMarginMillis, limit: journalAtOnce })),
    (taken) => taken >= journalAtOnce
  ),
  pauseMillis: 30_000,
  busyPauseMillis: 100
}

const leavesAtOnce = 8_000

/** Committed transitions are added to the journal's log, which is then signed (Decisions §14). None of this is on a receipt's path. */
export const sealJournal = {
  name: "sealJournal",
  pass: Effect.gen(function*() {
    const sealer = yield* JournalSealer
    const [busy, { added, waitedMillis }] = yield* Effect.timed(sealer.seal({ limit: leavesAtOnce }))
    return sealingRest({ busyMillis: Duration.toMillis(busy), waitedMillis, more: added >= leavesAtOnce })
  }),
  pauseMillis: sealingPauseMillis,
  busyPauseMillis: sealingPauseMillis
}

/** Elements' counters are compared with the sealed receipts; a gap goes to the attention list (Decisions §14, Counters). */
export const watchCounters = {
  name: "watchCounters",
  pass: Effect.as(Effect.flatMap(CounterWatch, (watch) => watch.check), false),
  pauseMillis: 5_000,
  busyPauseMillis: 5_000
}

/** The worker's repeated jobs about receipts. */
export const jobs = [reconcileUnknownOutcomes, sweepOrphanedLeases] satisfies ReadonlyArray<Job<never, never> | Job<unknown, unknown>>
