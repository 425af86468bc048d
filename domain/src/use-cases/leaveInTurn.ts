import { DateTime, Effect, Schema, Stream } from "effect"
import type { Act } from "../activity/Activity.ts"
import { LeavingActs } from "../ports/RecordActs.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"

/** How long a turn lasts whose holder takes nothing: one that died, or a reader that has stopped. */
export const leavingTurnMinutes = 5

/** Somebody else takes everything of this organization along at this moment. */
export class LeavingTaken extends Schema.TaggedError<LeavingTaken>()("LeavingTaken", { until: Schema.DateTimeUtcFromString }) {}

/** The reader took nothing for so long that the turn was over; what it has is not whole. */
export class LeavingTurnOver extends Schema.TaggedError<LeavingTurnOver>()("LeavingTurnOver", {}) {}

/** How often the turn is prolonged while files are taken. */
const goOnMillis = 60_000

/**
 * The same files, read in the organization's turn: the turn is taken before the first one and given back when the reading ends, however it ends.
 * `counts` is asked once all files were taken, for the activity log.
 */
export const leaveInTurn = Effect.fn("leaveInTurn")(function*<A, E, R>(
  act: Act,
  organizationId: OrganizationId,
  files: Stream.Stream<A, E, R>,
  counts: () => Readonly<Record<string, number>>
) {
  const turns = yield* LeavingActs
  const begun = yield* turns.begin(act, organizationId)
  if ("takenUntil" in begun) return yield* new LeavingTaken({ until: begun.takenUntil })
  const { turn } = begun
  let goOnAt = DateTime.toEpochMillis(yield* DateTime.now) + goOnMillis
  const goOn = (now: number) =>
    Effect.flatMap(turns.goOn(organizationId, turn), (isOurs) => {
      goOnAt = now + goOnMillis
      return isOurs ? Effect.void : Effect.fail(new LeavingTurnOver({}))
    })
  const stillOurs = Effect.flatMap(DateTime.now, (now) => DateTime.toEpochMillis(now) < goOnAt ? Effect.void : goOn(DateTime.toEpochMillis(now)))
  let isWhole = false
  return files.pipe(
    Stream.tap(() => stillOurs),
    Stream.onEnd(Effect.sync(() => {
      isWhole = true
    })),
    // Where this fails the turn ends by itself, and what was read is read.
    Stream.ensuring(Effect.suspend(() => Effect.ignore(turns.end(act, organizationId, turn, isWhole ? counts() : null))))
  )
})
