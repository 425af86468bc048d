import { InstallationOversight } from "@overa/domain"
import { Effect, Exit, Layer, Ref, Schedule } from "effect"

const every = Schedule.spaced("5 seconds")

const changed = (before: boolean, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> => {
  if (Exit.isSuccess(exit)) return before ? Effect.void : Effect.logInfo("the database answers again")
  return before ? Effect.logError("the database does not answer", exit.cause) : Effect.void
}

/** Logs when the database stops answering this process, and when it answers again: no request has to come for it to be noticed. */
export const watchStore = Layer.effectDiscard(Effect.gen(function*() {
  const { pendingMigrations } = yield* InstallationOversight
  const answers = yield* Ref.make(true)
  const look = Effect.flatMap(Effect.exit(Effect.timeout(pendingMigrations, "2 seconds")), (exit) =>
    Effect.flatMap(Ref.getAndSet(answers, Exit.isSuccess(exit)), (before) => changed(before, exit)))
  yield* Effect.forkScoped(Effect.repeat(look, every))
}))
