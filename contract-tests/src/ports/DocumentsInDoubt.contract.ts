import { type Attempt, type Conclusion, type LostAttempt, type Operation, UnresolvedOperations } from "@overa/domain"
import { Effect, type Layer, Option } from "effect"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../support/mintIdentity.ts"
import { plain } from "../support/plain.ts"
import { after, mintPlace, noAnswer, notSent, rejected, sampleAnswer, sampleAttempt, sampleConclusion, sampleOperation, sampleReservation, signed } from "../support/sampleOperations.ts"
import { applied, attemptsOf, type Store, stored, type Stores, storesOf, transitionsOf } from "../support/storeSuite.ts"

/** A person acknowledges the open items of a kind about an operation. */
export type Acknowledge = (operation: Operation, kind: string) => Effect.Effect<void, unknown, Stores>

const item = (kind: string, detail = "there may be a receipt") => ({ kind, detail, evidence: null })

const raise = (operation: Operation, kind: string, detail?: string) =>
  UnresolvedOperations.use((unresolved) => unresolved.raise({ organizationId: operation.organizationId, operationId: operation.id }, [item(kind, detail)], after(5)))

const lostOf = (operation: Operation, changes: Partial<Attempt> = {}): LostAttempt => ({
  attempt: sampleAttempt(operation, { number: 1, hostId: "host-b", startedAt: after(1), ...changes }),
  of: operation,
  actor: "api:host-b"
})

const addLost = (operation: Operation, lost: LostAttempt) =>
  UnresolvedOperations.use((unresolved) =>
    unresolved.raise({ organizationId: operation.organizationId, operationId: operation.id }, [item("LOST_ATTEMPT")], after(6), lost))

const claimOf = Effect.fnUntraced(function*(operation: Operation, leaseMillis = 60_000) {
  const unresolved = yield* UnresolvedOperations
  const claims = yield* unresolved.claimDue({ limit: 10_000, leaseMillis, actor: "worker:host-w", hostId: "host-w", at: after(70_000) })
  return claims.find((candidate) => candidate.operation.id === operation.id)
})

const redriven = (store: Store, operation: Operation, number = 2) =>
  store.redrive({
    operation: { ...operation, attempt: number },
    attempt: sampleAttempt(operation, { number }),
    transition: { from: "NOT_FISCALIZED", to: "SUBMITTING", at: after(9), cause: "redriven", actor: "api:host-a", attempt: number },
    leaseMillis: 50_000
  })

const ended = Effect.fnUntraced(function*(store: Store, ending: ((operation: Operation) => Conclusion) | null) {
  const operation = sampleOperation(mintPlace())
  yield* store.reserve(sampleReservation(operation))
  if (ending !== null) yield* store.conclude(ending(operation))
  return operation
})

/** The contract of every store about documents of which an item says that there may be a receipt they do not have (docs/adr/0123). */
export const documentsInDoubtContract = (name: string, layer: () => Layer.Layer<Stores, unknown>, acknowledge: Acknowledge): void => {
  const run = storesOf(layer)

  describe(`${name}: documents in doubt`, () => {
    it.each([
      ["NOT_FISCALIZED", notSent, "OUTCOME_UNKNOWN"],
      ["REJECTED", rejected, "OUTCOME_UNKNOWN"],
      ["OUTCOME_UNKNOWN", noAnswer, "OUTCOME_UNKNOWN"],
      ["SUBMITTING", null, "SUBMITTING"]
    ] as const)("a %s one is read as one whose outcome is not known, until a person has acknowledged the item", (status, ending, told) => run((store) =>
      Effect.gen(function*() {
        for (const kind of ["LOST_ATTEMPT", "SECOND_RECEIPT"]) {
          const operation = yield* ended(store, ending)
          const before = yield* stored(store, operation)
          const transitions = yield* transitionsOf(operation, operation.id)
          yield* raise(operation, kind)
          const read = yield* stored(store, operation)
          assert.deepInclude(read, { status: told, inDoubt: status, rejection: null, answer: null })
          if (ending !== null) assert.strictEqual(read.failureCode, "OUTCOME_UNKNOWN")
          const key = { organizationId: operation.organizationId, role: operation.boundKey.role, key: operation.boundKey.key }
          assert.deepStrictEqual(plain(Option.getOrUndefined(yield* store.findByKey(key))), plain(read))
          const reserved = yield* store.reserve(sampleReservation({ ...operation, id: sampleOperation(mintPlace()).id }))
          assert.deepStrictEqual(plain(reserved), plain({ _tag: "KeyTaken", existing: read }))
          assert.deepStrictEqual(plain(yield* transitionsOf(operation, operation.id)), plain(transitions))
          yield* acknowledge(operation, kind)
          assert.deepStrictEqual(plain(yield* stored(store, operation)), plain(before))
        }
      })))

    it("a receipt stays a receipt", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* ended(store, signed)
        const before = yield* stored(store, operation)
        yield* raise(operation, "SECOND_RECEIPT")
        assert.deepStrictEqual(plain(yield* stored(store, operation)), plain(before))
      })))

    it("is not sent again, and is again once the item is acknowledged", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* ended(store, notSent)
        yield* raise(operation, "LOST_ATTEMPT")
        assert.isFalse(yield* redriven(store, operation))
        assert.strictEqual((yield* stored(store, operation)).status, "OUTCOME_UNKNOWN")
        yield* acknowledge(operation, "LOST_ATTEMPT")
        assert.isTrue(yield* redriven(store, operation))
      })))

    it("of two items each is acknowledged; one that is raised again afterwards is known already", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* ended(store, notSent)
        for (const kind of ["LOST_ATTEMPT", "SECOND_RECEIPT", "FOREIGN_ANSWER"]) yield* raise(operation, kind)
        yield* acknowledge(operation, "LOST_ATTEMPT")
        assert.strictEqual((yield* stored(store, operation)).inDoubt, "NOT_FISCALIZED")
        yield* acknowledge(operation, "SECOND_RECEIPT")
        assert.deepInclude(yield* stored(store, operation), { status: "NOT_FISCALIZED", failureCode: "PFR_UNAVAILABLE" })
        yield* raise(operation, "SECOND_RECEIPT")
        assert.isUndefined((yield* stored(store, operation)).inDoubt)
        yield* raise(operation, "SECOND_RECEIPT", "another receipt")
        assert.strictEqual((yield* stored(store, operation)).inDoubt, "NOT_FISCALIZED")
      })))

    it.each([["not sent", notSent], ["rejected", rejected]] as const)("an outcome that comes after the item, %s, is answered as unknown", (_, ending) => run((store) =>
      Effect.gen(function*() {
        const operation = yield* ended(store, null)
        yield* raise(operation, "LOST_ATTEMPT")
        const conclusion = ending(operation)
        const concluded = applied(yield* store.conclude(conclusion))
        assert.strictEqual(concluded.status, "OUTCOME_UNKNOWN")
        assert.deepStrictEqual(plain(concluded), plain(yield* stored(store, operation)))
        const again = yield* store.conclude(conclusion)
        assert.deepStrictEqual(plain(again._tag === "Applied" ? again.operation : again._tag === "Superseded" ? again.current : null), plain(concluded))
      })))

    it("a lost attempt becomes the newest one, is searched for, and its receipt is the document's", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* ended(store, notSent)
        const lost = lostOf(operation)
        for (let times = 0; times < 2; times++) yield* addLost(operation, lost)
        const attempts = yield* attemptsOf(operation.organizationId, operation.id)
        assert.deepStrictEqual(attempts.map(({ number, requestId }) => [number, requestId]), [[1, attempts[0]?.requestId], [2, lost.attempt.requestId]])
        const claimed = yield* claimOf(operation)
        assert.deepInclude(claimed?.operation, { status: "OUTCOME_UNKNOWN", inDoubt: "NOT_FISCALIZED", attempt: 2 })
        assert.strictEqual(claimed?.checks, 0)
        assert.deepStrictEqual(plain(claimed?.attempts), plain([{ ...lost.attempt, number: 2 }]))
        const found = sampleConclusion(operation, { event: "found", attempt: 2, attemptOutcome: "SIGNED", answer: sampleAnswer() })
        assert.deepInclude(applied(yield* store.conclude(found)), { status: "FISCALIZED", attempt: 2 })
        assert.strictEqual((yield* attemptsOf(operation.organizationId, operation.id))[1]?.outcome, "SIGNED")
      })))

    it("a lost attempt is added to a document without one", () => run((store) =>
      Effect.gen(function*() {
        const reservation = sampleReservation(sampleOperation(mintPlace(), { status: "NOT_FISCALIZED", attempt: 0, failureCode: "PFR_UNAVAILABLE" }))
        const { operation } = reservation
        yield* store.reserve({ ...reservation, attempt: null, transitions: reservation.transitions.slice(0, 2) })
        const lost = lostOf(operation)
        yield* addLost(operation, lost)
        assert.deepStrictEqual(plain((yield* claimOf(operation, 0))?.attempts), plain([lost.attempt]))
        yield* acknowledge(operation, "LOST_ATTEMPT")
        assert.isTrue(yield* redriven(store, operation))
        assert.deepStrictEqual((yield* attemptsOf(operation.organizationId, operation.id)).map(({ number }) => number), [1, 2])
      })))

    it("a search that runs meanwhile ends, because it does not know the lost attempt", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* ended(store, noAnswer)
        assert.strictEqual((yield* claimOf(operation))?.operation.status, "RECONCILING")
        yield* addLost(operation, lostOf(operation))
        assert.strictEqual((yield* stored(store, operation)).status, "OUTCOME_UNKNOWN")
        const unresolved = yield* UnresolvedOperations
        const { id: operationId, organizationId } = operation
        yield* unresolved.recordSearch({ organizationId, operationId, at: after(71_000), actor: "worker:host-w", searches: [{ attempt: 1, finding: "NOTHING" }], nextCheckAfterMillis: null })
        assert.deepStrictEqual((yield* claimOf(operation))?.attempts.map(({ number }) => number), [1, 2])
      })))

    it.each([["signed by nobody, as was said", notSent], ["unknown", noAnswer]] as const)("an attempt of another process with the same derived RequestId, %s, is searched for in place of the lost one", (_, ending) => run((store) =>
      Effect.gen(function*() {
        const operation = sampleOperation(mintPlace())
        const requestId = mintUuid().replaceAll("-", "")
        yield* store.reserve(sampleReservation(operation, { attempt: { requestId, mark: "one" } }))
        yield* store.conclude(ending(operation))
        yield* addLost(operation, lostOf(operation, { requestId, mark: "other" }))
        const attempts = yield* attemptsOf(operation.organizationId, operation.id)
        assert.lengthOf(attempts, 1)
        assert.deepStrictEqual((yield* claimOf(operation))?.attempts.map((one) => one.requestId), [requestId])
      })))

    it("a sender in flight with the same derived RequestId ends nothing by what it says of its own attempt", () => run((store) =>
      Effect.gen(function*() {
        const operation = sampleOperation(mintPlace())
        const requestId = mintUuid().replaceAll("-", "")
        yield* store.reserve(sampleReservation(operation, { attempt: { requestId, mark: "one" }, leaseMillis: 0 }))
        for (let times = 0; times < 2; times++) yield* addLost(operation, lostOf(operation, { requestId, mark: "other" }))
        assert.strictEqual((yield* store.conclude(notSent(operation)))._tag, "Superseded")
        const { id: operationId, organizationId } = operation
        yield* store.expireLease({ organizationId, operationId }, "worker:host-w", after(80_000))
        assert.deepStrictEqual((yield* claimOf(operation))?.attempts.map((one) => one.requestId), [requestId])
      })))

    it("a sender in flight keeps its lease; what it says of its own attempt ends no other", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* ended(store, null)
        yield* addLost(operation, lostOf(operation))
        assert.deepInclude(yield* stored(store, operation), { status: "SUBMITTING", inDoubt: "SUBMITTING", attempt: 2 })
        assert.isUndefined(yield* claimOf(operation))
        assert.strictEqual((yield* store.conclude(notSent(operation)))._tag, "Superseded")
        assert.deepInclude(applied(yield* store.conclude(signed(operation))), { status: "FISCALIZED" })
      })))
  })
}
