import { type Operation, type Reservation, type SearchFinding, UnresolvedOperations } from "@overa/domain"
import { Effect, type Layer } from "effect"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../support/mintIdentity.ts"
import { plain } from "../support/plain.ts"
import {
  after,
  mintPlace,
  noAnswer,
  sampleAnswer,
  sampleAttempt,
  sampleConclusion,
  sampleOperation,
  sampleReservation,
  signed
} from "../support/sampleOperations.ts"
import { applied, attemptsOf, type Store, stored, type Stores, storesOf, tenantOf, transitionsOf } from "../support/storeSuite.ts"

const claim = (limit = 10_000, leaseMillis = 60_000) => ({ limit, leaseMillis, actor: "worker:host-w", hostId: "host-w", at: after(70_000) })

// All cases share the store, so a case looks only for its own operation among the claimed ones.
const claimOf = Effect.fnUntraced(function*(operation: Operation, leaseMillis?: number) {
  const unresolved = yield* UnresolvedOperations
  const claims = yield* unresolved.claimDue(claim(10_000, leaseMillis))
  return claims.find((candidate) => candidate.operation.id === operation.id)
})

const confirmedNotIssued = (operation: Operation, nextCheckAfterMillis: number | null = null) =>
  sampleConclusion(operation, {
    event: "confirmedNotIssued",
    attemptOutcome: "NO_ANSWER",
    failureCode: "OPERATOR_CONFIRMED_NOT_ISSUED",
    nextCheckAfterMillis
  })

const redriven = (store: Store, operation: Operation) =>
  store.redrive({
    operation: { ...operation, attempt: 2 },
    attempt: sampleAttempt(operation, { number: 2 }),
    transition: { from: "NOT_FISCALIZED", to: "SUBMITTING", at: after(9), cause: "redriven", actor: "api:host-a", attempt: 2 },
    leaseMillis: 50_000
  })

/** The contract of every store of unresolved operations, for the worker and for a host that starts again. */
export const unresolvedOperationsContract = (name: string, layer: () => Layer.Layer<Stores, unknown>): void => {
  const run = storesOf(layer)
  const unknown = Effect.fnUntraced(function*(store: Store, reservation?: Reservation) {
    const chosen = reservation ?? sampleReservation(sampleOperation(mintPlace()))
    yield* store.reserve(chosen)
    yield* store.conclude(noAnswer(chosen.operation))
    return chosen
  })
  const recordSearch = (operation: Operation, nextCheckAfterMillis: number | null, finding: SearchFinding = "NOTHING") => ({
    organizationId: operation.organizationId,
    operationId: operation.id,
    at: after(71_000),
    actor: "worker:host-w",
    searches: [{ attempt: 1, finding }],
    nextCheckAfterMillis
  })

  describe(`${name}: unresolved operations`, () => {
    it("the sweep ends leases that are over, at most as many as asked", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const operations = Array.from({ length: 3 }, () => sampleOperation(mintPlace()))
        for (const operation of operations) yield* store.reserve(sampleReservation(operation, { leaseMillis: 0 }))
        assert.isAtMost(yield* unresolved.expireLeases("worker:host-w", after(60_000), 2), 2)
        yield* unresolved.expireLeases("worker:host-w", after(60_000), 10_000)
        for (const operation of operations) assert.strictEqual((yield* stored(store, operation)).status, "OUTCOME_UNKNOWN")
      })))

    it("a host ends the leases of its own earlier boots and no others", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const hostId = `host-${mintUuid()}`
        const reserve = Effect.fnUntraced(function*(attempt: { readonly hostId: string; readonly bootId: string }) {
          const operation = sampleOperation(mintPlace())
          yield* store.reserve(sampleReservation(operation, { attempt }))
          return operation
        })
        const earlier = yield* reserve({ hostId, bootId: "boot-1" })
        const present = yield* reserve({ hostId, bootId: "boot-2" })
        const elsewhere = yield* reserve({ hostId: "host-other", bootId: "boot-1" })
        assert.strictEqual(yield* unresolved.endLeasesOfEarlierBoots({ hostId, bootId: "boot-2" }, "api:host", after(1)), 1)
        assert.strictEqual((yield* stored(store, earlier)).status, "OUTCOME_UNKNOWN")
        assert.strictEqual((yield* stored(store, present)).status, "SUBMITTING")
        assert.strictEqual((yield* stored(store, elsewhere)).status, "SUBMITTING")
      })))

    it("a due operation is claimed by one worker, with its attempts", () => run((store) =>
      Effect.gen(function*() {
        const { operation, attempt } = yield* unknown(store)
        const claims = yield* Effect.all([claimOf(operation), claimOf(operation), claimOf(operation)], { concurrency: 3 })
        const claimed = claims.filter((candidate) => candidate !== undefined)
        assert.lengthOf(claimed, 1)
        assert.strictEqual(claimed[0]?.operation.status, "RECONCILING")
        assert.strictEqual(claimed[0]?.checks, 0)
        assert.deepStrictEqual(plain(claimed[0]?.attempts), plain([{ ...attempt, outcome: "NO_ANSWER" }]))
        assert.deepStrictEqual(plain((yield* transitionsOf(tenantOf(operation), operation.id)).at(-1)), plain({
          from: "OUTCOME_UNKNOWN",
          to: "RECONCILING",
          at: after(70_000),
          cause: "searchStarted",
          actor: "worker:host-w",
          attempt: 1
        }))
      })))

    it("the claim of a worker that died comes back", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const { operation } = yield* unknown(store)
        assert.isDefined(yield* claimOf(operation, 0))
        yield* unresolved.expireLeases("worker:host-v", after(80_000), 10_000)
        const current = yield* stored(store, operation)
        assert.strictEqual(current.status, "OUTCOME_UNKNOWN")
        assert.strictEqual(current.failureCode, "OUTCOME_UNKNOWN")
        assert.isDefined(yield* claimOf(operation))
      })))

    it("a search that found nothing puts the operation back and counts", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const { operation } = yield* unknown(store)
        yield* claimOf(operation)
        yield* unresolved.recordSearch(recordSearch(operation, 0))
        assert.strictEqual((yield* stored(store, operation)).status, "OUTCOME_UNKNOWN")
        const [attempt] = yield* attemptsOf(operation.organizationId, operation.id)
        assert.deepStrictEqual(plain(attempt?.lastSearch), plain({ at: after(71_000), found: false }))
        assert.strictEqual((yield* claimOf(operation))?.checks, 1)
      })))

    it("only the last search of an attempt counts, and is kept as it was: of a later attempt too", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const { operation } = yield* unknown(store)
        const found = []
        for (const finding of ["NOTHING", "NO_ANSWER", "NOTHING", "FOREIGN"] as const) {
          yield* claimOf(operation)
          yield* unresolved.recordSearch(recordSearch(operation, 0, finding))
          const [attempt] = yield* attemptsOf(operation.organizationId, operation.id)
          found.push(attempt?.lastSearch?.found)
        }
        assert.deepStrictEqual(found, [false, undefined, false, true])
        const endings = (yield* transitionsOf(operation, operation.id)).flatMap(({ cause, from }) => from === "RECONCILING" ? [cause] : [])
        assert.deepStrictEqual(endings, ["notFound", "searchUnanswered", "notFound", "notFound"])
      })))

    it("after the last search it is claimed no more, until its element answers again", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const { operation, attempt } = yield* unknown(store)
        yield* claimOf(operation)
        yield* unresolved.recordSearch(recordSearch(operation, 3_600_000))
        assert.isUndefined(yield* claimOf(operation))
        if (attempt !== null) yield* unresolved.makeDue(attempt.elementId)
        assert.isDefined(yield* claimOf(operation))
        yield* unresolved.recordSearch(recordSearch(operation, null))
        assert.isNull((yield* stored(store, operation)).nextCheckAt)
        if (attempt !== null) yield* unresolved.makeDue(attempt.elementId)
        assert.isUndefined(yield* claimOf(operation))
      })))

    it("nobody but an operator decides an unknown outcome by hand", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* unknown(store)
        for (const actor of ["api:host-a", "worker:host-a", "nobody"]) {
          const decided = yield* store.conclude(sampleConclusion(operation, { event: "confirmedNotIssued", attemptOutcome: "NO_ANSWER", actor }))
          assert.strictEqual(decided._tag, "Superseded")
        }
        assert.strictEqual((yield* stored(store, operation)).status, "OUTCOME_UNKNOWN")
      })))

    it("an earlier attempt stays searched for after the operator's decision, without a change of status", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* unknown(store)
        yield* store.conclude(confirmedNotIssued(operation, 0))
        const claimed = yield* claimOf(operation)
        assert.strictEqual(claimed?.operation.status, "NOT_FISCALIZED")
        assert.lengthOf(claimed?.attempts ?? [], 1)
        const found = yield* store.conclude(sampleConclusion(operation, { event: "found", attemptOutcome: "SIGNED", answer: sampleAnswer() }))
        assert.strictEqual(applied(found).status, "FISCALIZED")
      })))

    it("a receipt that came while it was searched for stays, whatever the search says", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const { operation } = yield* unknown(store)
        yield* claimOf(operation)
        const receipt = applied(yield* store.conclude(signed(operation)))
        yield* unresolved.recordSearch(recordSearch(operation, 0))
        assert.strictEqual((yield* stored(store, operation)).status, "FISCALIZED")
        assert.deepStrictEqual(plain((yield* stored(store, operation)).answer), plain(receipt.answer))
        assert.isUndefined(yield* claimOf(operation))
      })))

    it("an earlier attempt that may have arrived stays searched for, although a later one brought the receipt", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const { operation } = yield* unknown(store)
        yield* store.conclude(confirmedNotIssued(operation))
        yield* redriven(store, operation)
        yield* store.conclude(signed(operation, { attempt: 2, nextCheckAfterMillis: 0 }))
        const claimed = yield* claimOf(operation)
        assert.strictEqual(claimed?.operation.status, "FISCALIZED")
        assert.deepStrictEqual(claimed?.attempts.map(({ number }) => number), [1])
        yield* unresolved.recordSearch(recordSearch(operation, 0))
        assert.deepStrictEqual((yield* claimOf(operation))?.checks, 1)
        yield* unresolved.recordSearch(recordSearch(operation, null))
        assert.isUndefined(yield* claimOf(operation))
      })))

    it("searches are counted from each attempt anew", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const { operation } = yield* unknown(store)
        yield* claimOf(operation)
        yield* unresolved.recordSearch(recordSearch(operation, 3_600_000))
        yield* store.conclude(confirmedNotIssued(operation))
        yield* redriven(store, operation)
        yield* store.conclude(noAnswer(operation, { attempt: 2 }))
        const claimed = yield* claimOf(operation)
        assert.strictEqual(claimed?.checks, 0)
        assert.deepStrictEqual(claimed?.attempts.map(({ number }) => number), [1, 2])
      })))

    it("what the service sends by itself keeps its check, whatever a search that began earlier says; anything else does not", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const copy = sampleOperation(mintPlace())
        const own: Operation = { ...copy, content: { ...copy.content, invoiceType: "COPY" }, boundKey: { ...copy.boundKey, role: "INNER" } }
        const callers: Operation = { ...own, ...mintPlace(), id: sampleOperation(mintPlace()).id, boundKey: { ...own.boundKey, role: "REQUEST" } }
        for (const [operation, isKept] of [[own, true], [callers, false]] as const) {
          yield* unknown(store, sampleReservation(operation))
          yield* store.conclude(confirmedNotIssued(operation, 0))
          assert.isDefined(yield* claimOf(operation))
          yield* unresolved.recordSearch(recordSearch(operation, null))
          assert.strictEqual((yield* stored(store, operation)).nextCheckAt !== null, isKept)
          assert.strictEqual((yield* claimOf(operation)) !== undefined, isKept)
        }
      })))

    it("raising an item changes nothing of the operation", () => run((store) =>
      Effect.gen(function*() {
        const unresolved = yield* UnresolvedOperations
        const { operation } = yield* unknown(store)
        const before = yield* stored(store, operation)
        const items = [{ kind: "TAX_DIFFERS", detail: "two", evidence: "a\0b" }, { kind: "FOREIGN_ANSWER", detail: "x", evidence: null }]
        yield* unresolved.raise({ ...operation, operationId: operation.id }, items, after(5))
        assert.deepStrictEqual(plain(yield* stored(store, operation)), plain(before))
      })))
  })
}
