import { CallerLeft } from "@overa/host-kit"
import { Effect } from "effect"
import type { Answer } from "./Operation.ts"

/** The answer to a caller that has disconnected. The request's line in the log says `callerGone`. */
export const unread: Answer = { status: 499, bytes: "", mediaType: "" }

/** For `catch`: null where the caller has disconnected, which is no fault of the service. */
export const nullIfLeft = (error: unknown): null => {
  if (error instanceof CallerLeft) return null
  throw error
}

/**
 * Work on an answer that stops, with its query, when the caller's connection closes. Only for reads of one caller: stopped work is not continued for
 * others.
 */
export const untilGone = <E, R>(gone: AbortSignal, work: Effect.Effect<Answer, E, R>): Effect.Effect<Answer, E, R> =>
  Effect.raceFirst(
    work,
    Effect.callback<Answer>((resume) => {
      const stop = (): void => resume(Effect.succeed(unread))
      if (gone.aborted) stop()
      else gone.addEventListener("abort", stop, { once: true })
      return Effect.sync(() => gone.removeEventListener("abort", stop))
    })
  )
