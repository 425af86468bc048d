import { Effect, Semaphore } from "effect"

/** The pause after a turn while many wait, in durations of the turn. */
const rest = 3
/** One export needs two turns at a time: it processes a part while it reads the next one. */
const few = 2

// One for the process, because the process has one event loop.
const turns = Semaphore.makeUnsafe(1)
let unfinished = 0

/**
 * Runs one part of the processing of many rows, some milliseconds without a statement. The process runs one part at a time, and pauses between two of
 * them if several works need turns, so that the event loop serves sales in between. What `part` throws is a defect.
 */
export const takeTurns = <A>(part: () => A): Effect.Effect<A> =>
  Effect.suspend(() => {
    unfinished += 1
    return Effect.ensuring(turns.withPermit(thenPause(part)), Effect.sync(() => void (unfinished -= 1)))
  })

const thenPause = <A>(part: () => A): Effect.Effect<A> =>
  Effect.suspend(() => {
    const began = performance.now()
    const value = part()
    return Effect.as(unfinished <= few ? Effect.void : Effect.sleep(rest * (performance.now() - began)), value)
  })
