import { reconcileDue, sweepOrphans } from "@overa/domain"
import { Effect } from "effect"
import type { Job } from "./keepDoing.ts"

/** Searches per pass and at once: read-only requests to the V-PFR, held to at most `limit` per `busyPauseMillis`. */
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

/** Everything the worker does over and over. */
export const jobs = [reconcileUnknownOutcomes, sweepOrphanedLeases] satisfies ReadonlyArray<Job<never, never> | Job<unknown, unknown>>
