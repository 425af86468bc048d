import { Effect, Result } from "effect"

/** Continues with what was decided; a refusal is the answer, and nothing is written. */
export const whenDecided = <A, E, B, F>(
  decided: Result.Result<A, E>,
  goOn: (value: A) => Effect.Effect<B, F>
): Effect.Effect<Result.Result<B, E>, F> =>
  Result.isFailure(decided) ? Effect.succeed(Result.fail(decided.failure)) : Effect.map(goOn(decided.success), Result.succeed)
