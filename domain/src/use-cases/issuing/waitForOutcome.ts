import { Clock, DateTime, Effect, Option } from "effect"
import { asUnknown } from "../../operations/inDoubt.ts"
import type { Operation } from "../../operations/Operation.ts"
import { Installation } from "../../ports/TenancyDirectory.ts"
import { OperationStore } from "../../ports/OperationStore.ts"
import { InFlight } from "./InFlight.ts"
import { leaseMillis, SubmissionPolicy } from "./lease.ts"
import { apiActor } from "./reservation.ts"

/** The pauses, in milliseconds, after which a waiter reads what another host has in flight: short at first; after them twice a second. */
const pollPauses = [20, 50, 100, 200] as const
const pollPause = (round: number): number => pollPauses[round] ?? 500
/** After this many reads, a waiter asks the store whether the lease has ended. */
const looksPerLeaseCheck = 4

/**
 * Waits for an operation that another request or host is submitting. When the lease has ended the waiter itself moves the operation to its next
 * status, so that no request waits for a process that has ended, and none submits again (Decisions §3). Never answers SUBMITTING.
 */
export const waitForOutcome = Effect.fn("waitForOutcome")(function*(existing: Operation) {
  const inFlight = yield* InFlight
  const store = yield* OperationStore
  const installation = yield* Installation
  const policy = yield* SubmissionPolicy
  const local = inFlight.outcome(existing.id)
  if (local !== undefined) {
    const outcome = yield* Effect.timeoutOption(local, leaseMillis(policy))
    // Where the outcome of the attempt in flight could not be stored, another process has the document.
    if (Option.isSome(outcome) && outcome.value !== null && outcome.value.status !== "SUBMITTING") return outcome.value
  }
  const from = yield* Clock.currentTimeMillis
  const tenant = { organizationId: existing.organizationId, environment: existing.environment }
  let operation = existing
  for (let round = 0; operation.status === "SUBMITTING"; round++) {
    // The lease began before this wait, so it ends no later than this; after that the store is asked at every read.
    const pastLease = (yield* Clock.currentTimeMillis) - from > leaseMillis(policy)
    yield* Effect.sleep(pollPause(round))
    const stored = pastLease || round % looksPerLeaseCheck === looksPerLeaseCheck - 1
      ? yield* store.expireLease(
        { organizationId: existing.organizationId, operationId: existing.id },
        apiActor(installation),
        yield* DateTime.now
      )
      : yield* store.get(tenant, existing.id)
    if (Option.isSome(stored)) operation = stored.value
    // A failover lost the document. Its sender stores it again; if the lease has ended, nobody does.
    else if (pastLease) return asUnknown(operation)
  }
  return operation
})
