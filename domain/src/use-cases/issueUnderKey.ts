import { Effect, Option, Result } from "effect"
import type { Operation } from "../operations/Operation.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { answerStored } from "./answerStored.ts"
import { attemptDraft, type IssueCommand, type Issued, KeyKnown } from "./issueDocument.ts"

/**
 * Issues one document under one key, or answers with what the key already has.
 *
 * The contract asks for the key before the checks of steps 5 to 10. A look-up for every new key would cost each receipt a round
 * trip, so the reservation itself is the look-up: its unique constraint finds a taken key. Only where the checks fail, or before
 * anything slow, is the key asked for first; the answers are the same (docs/adr/0007).
 */
export const issueUnderKey = Effect.fnUntraced(function*<E, R>(command: IssueCommand<E, R>) {
  const store = yield* OperationStore
  const lookUp = store.findByKey({
    organizationId: command.tenant.organizationId,
    role: command.boundKey.role,
    key: command.boundKey.key
  })
  const beforeWaiting = lookUp.pipe(
    // A store that cannot answer now will say so at the reservation.
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(Option.none<Operation>())),
    Effect.flatMap(Option.match({
      onNone: () => Effect.void,
      onSome: (existing) => Effect.fail(new KeyKnown({ existing }))
    }))
  )
  const drafted = yield* Effect.result(command.draft(beforeWaiting))
  if (Result.isSuccess(drafted)) {
    const attempted = yield* attemptDraft(command, drafted.success)
    if (attempted._tag === "Issued" && attempted.operation.status !== "SUBMITTING") {
      return { operation: attempted.operation, replayed: false } satisfies Issued
    }
    // Taken, or driven again by another request while this attempt's outcome came too late to be stored.
    const existing = attempted._tag === "Issued" ? attempted.operation : attempted.existing
    return yield* answerStored(command, existing, drafted as Result.Result<typeof drafted.success, E>)
  }
  if (drafted.failure instanceof KeyKnown) return yield* answerStored(command, drafted.failure.operation, null)
  const refusal = drafted.failure as E
  const existing = yield* lookUp
  return Option.isNone(existing)
    ? yield* Effect.fail(refusal)
    : yield* answerStored(command, existing.value, Result.fail(refusal))
})
