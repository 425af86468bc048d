import {
  type Concluded,
  type Conclusion,
  endsOnlyItsAttempt,
  giveBack,
  isNeverSent,
  isDueToBeSent,
  lastSearchOf,
  type LostAttempt,
  mayHaveArrived,
  unknownOutcome,
  mayCause,
  OperationHistory,
  OperationStore,
  raisesDoubt,
  searchEnding,
  statusesBefore,
  StoreUnavailable,
  type Transition,
  UnresolvedOperations
} from "@overa/domain"
import { Clock, Effect, Layer, Option } from "effect"
import { isKeptOut } from "./closingsOf.ts"
import { holderOf, isInDoubt, isTenants, keyIn, keyOf, MemoryOperations, move, put, recordDeed, shown, type StoredOperation, utc } from "./MemoryOperations.ts"
import { raise } from "./raise.ts"
import { followDoubt, settleAdvance, settleRefund } from "./settleWorkflows.ts"

const isNumberTaken = (memory: MemoryOperations["Service"], conclusion: Conclusion): boolean => {
  const number = conclusion.answer?.pfr.invoiceNumber
  if (number === undefined) return false
  for (const { operation } of memory.byId.values()) {
    if (
      operation.id !== conclusion.operationId && operation.organizationId === conclusion.organizationId &&
      operation.answer?.pfr.invoiceNumber === number
    ) return true
  }
  return false
}

const conclude = (memory: MemoryOperations["Service"], conclusion: Conclusion, now: number): Concluded => {
  const stored = memory.byId.get(conclusion.operationId)
  if (stored === undefined) return { _tag: "Missing" }
  const { operation } = stored
  const repeated = conclusion.answer !== null && operation.attempt === conclusion.attempt &&
    operation.answer?.pfr.invoiceNumber === conclusion.answer.pfr.invoiceNumber
  if (repeated) return { _tag: "Applied", operation: shown(stored) }
  const isAnother = endsOnlyItsAttempt(conclusion.event) && operation.attempt !== conclusion.attempt
  // An operation that has no attempt has lost the one that this is the outcome of: it is added again first.
  const stale = isAnother || operation.attempt < Math.min(conclusion.attempt, 1)
  const allowed = mayCause(conclusion.actor, conclusion.event) && statusesBefore(conclusion.event).includes(operation.status)
  if (stale || !allowed) {
    return { _tag: "Superseded", current: shown(stored) }
  }
  if (isNumberTaken(memory, conclusion)) return { _tag: "NumberTaken", current: shown(stored) }
  const nextCheckAt = conclusion.nextCheckAfterMillis === null ? null : now + conclusion.nextCheckAfterMillis
  move(stored, conclusion, {
    failureCode: conclusion.failureCode,
    rejection: conclusion.rejection,
    answer: conclusion.answer,
    buyerDetails: conclusion.buyerDetails ?? operation.buyerDetails,
    nextCheckAt: nextCheckAt === null ? null : utc(nextCheckAt)
  })
  stored.nextCheckAt = nextCheckAt
  stored.leaseUntil = null
  raise(stored, conclusion.attention, conclusion.at)
  stored.attempts = stored.attempts.map((attempt) =>
    attempt.number === conclusion.attempt ? { ...attempt, outcome: conclusion.attemptOutcome ?? attempt.outcome } : attempt
  )
  if (conclusion.answerText !== null) stored.answerTexts.set(conclusion.attempt, conclusion.answerText)
  settleRefund(memory, conclusion, now)
  settleAdvance(memory, conclusion, now)
  recordDeed(memory, operation.id, conclusion.deed)
  return { _tag: "Applied", operation: shown(stored) }
}

/** Ends a lease: its holder counts as crashed, the outcome as unknown, and a search is due. */
const expire = (stored: StoredOperation, actor: string, at: Transition["at"], now: number): void => {
  const moved = move(stored, { event: "leaseExpired", at, actor, attempt: stored.operation.attempt }, {
    failureCode: unknownOutcome.failureCode,
    nextCheckAt: utc(now)
  })
  if (!moved) return
  stored.leaseUntil = null
  stored.nextCheckAt = now
}

/** Makes a search due for an operation whose latest attempt has the given number. A sender in flight keeps its lease. */
const makeSearched = (stored: StoredOperation, number: number, now: number): void => {
  stored.operation = { ...stored.operation, attempt: number }
  stored.checks = 0
  if (stored.operation.status === "SUBMITTING") return
  stored.operation = { ...stored.operation, nextCheckAt: utc(now) }
  stored.nextCheckAt = now
  stored.leaseUntil = null
}

const giveBackAttempt = (stored: StoredOperation, { actor, attempt }: LostAttempt, at: Transition["at"], now: number): void => {
  const { attempt: number, id: operationId, status } = stored.operation
  const back = giveBack(stored.operation, stored.attempts, attempt)
  if (back._tag === "NOTHING") return
  if (back._tag === "ADD") stored.attempts.push({ ...attempt, operationId, number: number + 1 })
  if (back._tag === "SEARCH") stored.attempts = stored.attempts.map((one) => (one.number === back.number ? { ...one, outcome: null } : one))
  makeSearched(stored, back._tag === "SEARCH" ? number : number + 1, now)
  // A search that runs now does not know the attempt: its claim ends.
  if (status === "RECONCILING") expire(stored, actor, at, now)
}

const isPastLease = (stored: StoredOperation, now: number): boolean =>
  stored.leaseUntil !== null && stored.leaseUntil <= now && statusesBefore("leaseExpired").includes(stored.operation.status)

const isDue = (stored: StoredOperation, now: number): boolean =>
  stored.nextCheckAt !== null && stored.nextCheckAt <= now && !(stored.leaseUntil !== null && stored.leaseUntil > now)

const layerOperations = Layer.effect(
  OperationStore,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    return OperationStore.of({
      reserve: (reservation) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const { operation } = reservation
          const existing = holderOf(memory, keyOf(operation))
          if (existing !== undefined && existing.id !== operation.id) return { _tag: "KeyTaken", existing }
          if (existing === undefined) {
            put(memory, operation, {
              attempts: reservation.attempt === null ? [] : [reservation.attempt],
              transitions: [...reservation.transitions],
              answerTexts: new Map(),
              attention: [],
              leaseUntil: reservation.attempt === null ? null : now + reservation.leaseMillis,
              nextCheckAt: null,
              checks: 0
            })
          }
          return { _tag: "Reserved" }
        }),
      redrive: ({ operation, attempt, transition, leaseMillis, deed }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const stored = memory.byId.get(operation.id)
          if (
            stored === undefined || isInDoubt(stored) || stored.operation.status !== transition.from ||
            stored.operation.attempt !== attempt.number - 1 || isNeverSent(stored.operation)
          ) return Effect.succeed(false)
          if (isKeptOut(memory, operation)) {
            return new StoreUnavailable({ committed: "no", cause: new Error("another document of the case is in flight") })
          }
          stored.operation = operation
          stored.attempts.push(attempt)
          stored.transitions.push(transition)
          stored.leaseUntil = now + leaseMillis
          stored.nextCheckAt = null
          stored.checks = 0
          recordDeed(memory, operation.id, deed)
          return Effect.succeed(true)
        }),
      conclude: (conclusion) => Effect.map(Clock.currentTimeMillis, (now) => conclude(memory, conclusion, now)),
      expireLease: ({ operationId }, actor, at) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const stored = memory.byId.get(operationId)
          if (stored !== undefined && isPastLease(stored, now)) expire(stored, actor, at, now)
          return Option.map(Option.fromNullishOr(stored), shown)
        }),
      findByKey: (key) => Effect.sync(() => Option.fromUndefinedOr(holderOf(memory, keyIn(key)))),
      get: (tenant, id) =>
        Effect.sync(() => {
          const stored = memory.byId.get(id)
          return stored !== undefined && isTenants(tenant, stored.operation) ? Option.some(shown(stored)) : Option.none()
        })
    })
  })
)

const layerHistory = Layer.effect(
  OperationHistory,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    return OperationHistory.of({
      transitions: (tenant, id) =>
        Effect.sync(() => {
          const stored = memory.byId.get(id)
          return stored !== undefined && isTenants(tenant, stored.operation) ? [...stored.transitions] : []
        }),
      attempts: (organizationId, id) =>
        Effect.sync(() => {
          const stored = memory.byId.get(id)
          return stored?.operation.organizationId === organizationId ? [...stored.attempts] : []
        }),
      evidence: (organizationId, id) =>
        Effect.sync(() => {
          const stored = memory.byId.get(id)
          if (stored?.operation.organizationId !== organizationId) return []
          return stored.attempts.map(({ number }) => ({ number, answerText: stored.answerTexts.get(number) ?? null }))
        })
    })
  })
)

/** Operations in memory and their history. */
export const layerOperationStore = Layer.merge(layerOperations, layerHistory)

export const layerUnresolvedOperations = Layer.effect(
  UnresolvedOperations,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const all = () => [...memory.byId.values()]
    return UnresolvedOperations.of({
      expireLeases: (actor, at, limit) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const ended = all().filter((stored) => isPastLease(stored, now)).slice(0, limit)
          for (const stored of ended) expire(stored, actor, at, now)
          return ended.length
        }),
      endLeasesOfEarlierBoots: ({ hostId, bootId }, actor, at) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const ended = all().filter(({ operation, attempts, transitions }) => {
            const sent = transitions.findLast(({ to }) => to === "SUBMITTING")?.attempt
            const attempt = attempts.find(({ number }) => number === sent)
            return operation.status === "SUBMITTING" && attempt?.hostId === hostId && attempt.bootId !== bootId
          })
          for (const stored of ended) expire(stored, actor, at, now)
          return ended.length
        }),
      claimDue: ({ limit, leaseMillis, actor, at }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const due = all().filter((stored) => isDue(stored, now))
            .sort((left, right) => (left.nextCheckAt ?? 0) - (right.nextCheckAt ?? 0)).slice(0, limit)
          return due.map((stored) => {
            move(stored, { event: "searchStarted", at, actor, attempt: stored.operation.attempt }, {})
            stored.leaseUntil = now + leaseMillis
            const attempts = stored.attempts.filter(mayHaveArrived)
            return { operation: shown(stored), attempts, checks: stored.checks }
          })
        }),
      recordSearch: ({ operationId, at, actor, searches, nextCheckAfterMillis }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const stored = memory.byId.get(operationId)
          if (stored === undefined) return
          const findings = new Map(searches.map(({ attempt, finding }) => [attempt, finding]))
          stored.attempts = stored.attempts.map((attempt) => {
            const finding = findings.get(attempt.number)
            return finding === undefined ? attempt : { ...attempt, lastSearch: lastSearchOf(finding, at) }
          })
          // An outcome has ended the claim meanwhile, or the document is in flight under its sender's lease.
          if (stored.leaseUntil === null || stored.operation.status === "SUBMITTING") return
          // What the service sends by itself keeps its check, whatever a search that began earlier says.
          const kept = isDueToBeSent(stored.operation) ? stored.nextCheckAt : null
          const nextCheckAt = nextCheckAfterMillis === null ? kept : now + nextCheckAfterMillis
          // A receipt or a rejection that arrived meanwhile ends the search, unless another attempt may have arrived too.
          const known = stored.operation.status === "FISCALIZED" || stored.operation.status === "REJECTED"
          move(stored, { event: searchEnding([...findings.values()]), at, actor, attempt: stored.operation.attempt }, {})
          stored.nextCheckAt = known && !stored.attempts.some(mayHaveArrived) ? null : nextCheckAt
          stored.operation = { ...stored.operation, nextCheckAt: stored.nextCheckAt === null ? null : utc(stored.nextCheckAt) }
          stored.leaseUntil = null
          stored.checks += 1
        }),
      makeDue: (elementId) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          for (const stored of all()) {
            const unresolved = stored.nextCheckAt !== null && stored.attempts.some((attempt) => attempt.elementId === elementId)
            if (unresolved) stored.nextCheckAt = now
          }
        }),
      raise: ({ operationId }, items, at, lost) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const stored = memory.byId.get(operationId)
          if (stored === undefined) return
          raise(stored, items, at)
          if (items.some(raisesDoubt)) followDoubt(memory, stored, at)
          if (lost !== undefined) giveBackAttempt(stored, lost, at, now)
        })
    })
  })
)
