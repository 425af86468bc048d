import { Effect } from "effect"
import type { Answer } from "./Operation.ts"

/** The answer to a caller that has gone. The log's line of the request says `callerGone`. */
const unread: Answer = { status: 499, bytes: "", mediaType: "" }

/** Work on an answer that stops, with its query, when the caller's connection closes. For reads of one caller alone: what is stopped is not repeated for others. */
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
