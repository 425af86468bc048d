import { type Operation, type Tenant } from "@overa/domain"
import { Effect, type Layer, Option } from "effect"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../support/mintIdentity.ts"
import { plain } from "../support/plain.ts"
import { after, mintPlace, noAnswer, notSent, rejected, redriveOf, sampleAnswer, sampleOperation, sampleReservation, sampleUnsentReservation, signed } from "../support/sampleOperations.ts"
import { applied, attemptsOf, type Store, stored, type Stores, storesOf, submitting, tenantOf, transitionsOf } from "../support/storeSuite.ts"

/** An operation whose element could not be opened. */
const withoutAttempt = (store: Store) => {
  const reservation = sampleUnsentReservation(mintPlace())
  return Effect.as(store.reserve(reservation), reservation.operation)
}

/** The contract of every store of operations. The layer is built once; cases create their own organizations and need no empty store. */
export const operationStoreContract = (name: string, layer: () => Layer.Layer<Stores, unknown>): void => {
  const run = storesOf(layer)

  describe(`${name}: the first commit`, () => {
    it("keeps every member of the operation as it was given", () => run((store) =>
      Effect.gen(function*() {
        const { operation, reservation } = yield* submitting(store)
        assert.deepStrictEqual(plain(yield* stored(store, operation)), plain(operation))
        assert.deepStrictEqual(plain(yield* transitionsOf(tenantOf(operation), operation.id)), plain(reservation.transitions))
        assert.deepStrictEqual(plain(yield* attemptsOf(operation.organizationId, operation.id)), plain([reservation.attempt]))
        assert.deepStrictEqual(plain(yield* store.findByKey({ organizationId: operation.organizationId, ...operation.boundKey })), plain(operation))
      })))

    it("keeps an operation whose element could not be opened, without an attempt", () => run((store) =>
      Effect.gen(function*() {
        const reservation = sampleUnsentReservation(mintPlace("production"))
        yield* store.reserve(reservation)
        assert.deepStrictEqual(plain(yield* stored(store, reservation.operation)), plain(reservation.operation))
        assert.deepStrictEqual(plain(yield* attemptsOf(reservation.operation.organizationId, reservation.operation.id)), plain([]))
      })))

    it("is idempotent by the operation's id", () => run((store) =>
      Effect.gen(function*() {
        const { operation, reservation } = yield* submitting(store)
        assert.deepStrictEqual(plain(yield* store.reserve(reservation)), plain({ _tag: "Reserved" }))
        assert.lengthOf(yield* transitionsOf(tenantOf(operation), operation.id), 3)
        assert.lengthOf(yield* attemptsOf(operation.organizationId, operation.id), 1)
      })))

    it("hands back the operation that holds the key, also from the other environment", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        const rival = sampleOperation({ ...operation, environment: "production" }, { boundKey: operation.boundKey })
        assert.deepStrictEqual(plain(yield* store.reserve(sampleReservation({ ...rival, id: mintUuid() as Operation["id"] }))), plain({
          _tag: "KeyTaken",
          existing: operation
        }))
        assert.isTrue(Option.isNone(yield* store.get(tenantOf(rival), rival.id)))
      })))

    it("keeps keys of different roles and organizations apart", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        const inner = sampleOperation(operation, { boundKey: { ...operation.boundKey, role: "INNER" } })
        assert.deepStrictEqual(plain(yield* store.reserve(sampleReservation(inner))), plain({ _tag: "Reserved" }))
        const elsewhere = sampleOperation(mintPlace(), { boundKey: operation.boundKey })
        assert.deepStrictEqual(plain(yield* store.reserve(sampleReservation(elsewhere))), plain({ _tag: "Reserved" }))
      })))

    it("lets exactly one of many parallel requests with one key through", () => run((store) =>
      Effect.gen(function*() {
        const place = mintPlace()
        const { boundKey } = sampleOperation(place)
        const rivals = Array.from({ length: 200 }, () => sampleOperation(place, { boundKey }))
        const answers = yield* Effect.forEach(rivals, (rival) => store.reserve(sampleReservation(rival)), { concurrency: "unbounded" })
        const winners = rivals.filter((_, index) => answers[index]?._tag === "Reserved")
        assert.lengthOf(winners, 1)
        for (const answer of answers) if (answer._tag === "KeyTaken") assert.strictEqual(answer.existing.id, winners[0]?.id)
      })))
  })

  describe(`${name}: reads`, () => {
    it("show nothing of another organization or environment", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        const others: ReadonlyArray<Tenant> = [
          { organizationId: operation.organizationId, environment: "production" },
          { organizationId: mintPlace().organizationId, environment: "sandbox" }
        ]
        for (const tenant of others) {
          assert.isTrue(Option.isNone(yield* store.get(tenant, operation.id)))
          assert.deepStrictEqual(plain(yield* transitionsOf(tenant, operation.id)), plain([]))
        }
        assert.deepStrictEqual(plain(yield* attemptsOf(mintPlace().organizationId, operation.id)), plain([]))
      })))
  })

  describe(`${name}: the second commit`, () => {
    it("stores a receipt whole and answers the operation as a read would", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        const conclusion = signed(operation, {
          buyerDetails: {
            legalName: "Купац д.о.о.",
            taxIdentifier: "101883300",
            registrationNumber: null,
            address: "Улица 1",
            city: null,
            source: "NBS",
            resolvedAt: after(700)
          }
        })
        const concluded = applied(yield* store.conclude(conclusion))
        assert.deepStrictEqual(plain(concluded), plain({
          ...operation,
          status: "FISCALIZED",
          answer: conclusion.answer,
          buyerDetails: conclusion.buyerDetails,
          updatedAt: conclusion.at
        }))
        assert.deepStrictEqual(plain(yield* stored(store, operation)), plain(concluded))
        const transitions = yield* transitionsOf(tenantOf(operation), operation.id)
        assert.deepStrictEqual(plain(transitions.at(-1)), plain({
          from: "SUBMITTING",
          to: "FISCALIZED",
          at: conclusion.at,
          cause: "signed",
          actor: conclusion.actor,
          attempt: 1
        }))
        const attempts = yield* attemptsOf(operation.organizationId, operation.id)
        assert.deepStrictEqual(plain(attempts.map(({ outcome }) => outcome)), plain(["SIGNED"]))
      })))

    const outcomes = [
      ["a rejection", rejected, "REJECTED", "REJECTED"],
      ["that nothing was sent", notSent, "NOT_FISCALIZED", "NOT_SENT"],
      ["that nobody answered", noAnswer, "OUTCOME_UNKNOWN", "NO_ANSWER"]
    ] as const
    for (const [title, conclusionOf, status, outcome] of outcomes) {
      it(`stores ${title}`, () => run((store) =>
        Effect.gen(function*() {
          const { operation } = yield* submitting(store)
          const conclusion = conclusionOf(operation)
          const concluded = applied(yield* store.conclude(conclusion))
          assert.strictEqual(concluded.status, status)
          assert.strictEqual(concluded.failureCode, conclusion.failureCode)
          assert.strictEqual(concluded.nextCheckAt === null, conclusion.nextCheckAfterMillis === null)
          assert.deepStrictEqual(plain(concluded.rejection), plain(conclusion.rejection))
          assert.deepStrictEqual(plain(yield* stored(store, operation)), plain(concluded))
          assert.deepStrictEqual(plain((yield* attemptsOf(operation.organizationId, operation.id)).map((attempt) => attempt.outcome)), plain([outcome]))
        })))
    }

    it("answers a repeated receipt as applied and writes nothing twice", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        const conclusion = signed(operation)
        const first = applied(yield* store.conclude(conclusion))
        assert.deepStrictEqual(plain(applied(yield* store.conclude(conclusion))), plain(first))
        assert.lengthOf(yield* transitionsOf(tenantOf(operation), operation.id), 4)
      })))

    it("never replaces a receipt by another or by anything else", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        const receipt = applied(yield* store.conclude(signed(operation)))
        for (const late of [signed(operation), rejected(operation), notSent(operation), noAnswer(operation)]) {
          assert.deepStrictEqual(plain(yield* store.conclude(late)), plain({ _tag: "Superseded", current: receipt }))
        }
        assert.deepStrictEqual(plain(yield* stored(store, operation)), plain(receipt))
      })))

    it("refuses a number that another document of the organization holds", () => run((store) =>
      Effect.gen(function*() {
        const first = yield* submitting(store)
        const answer = sampleAnswer()
        yield* store.conclude(signed(first.operation, { answer }))
        const second = sampleOperation(first.operation)
        yield* store.reserve(sampleReservation(second))
        assert.deepStrictEqual(plain(yield* store.conclude(signed(second, { answer }))), plain({ _tag: "NumberTaken", current: second }))
        assert.deepStrictEqual(plain(yield* stored(store, second)), plain(second))
        assert.lengthOf(yield* transitionsOf(tenantOf(second), second.id), 3)
      })))

    it("says when it does not know the operation", () => run((store) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(plain(yield* store.conclude(signed(sampleOperation(mintPlace())))), plain({ _tag: "Missing" }))
      })))

    it("takes a receipt however late, from an unknown outcome too", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        yield* store.conclude(noAnswer(operation))
        assert.strictEqual(applied(yield* store.conclude(signed(operation))).status, "FISCALIZED")
      })))

    it("takes a receipt of an attempt it does not know, and leaves its own attempts as they are", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        yield* store.conclude(noAnswer(operation))
        const concluded = applied(yield* store.conclude({ ...signed(operation), attempt: 0 }))
        assert.deepInclude(concluded, { status: "FISCALIZED", attempt: 1 })
        assert.deepStrictEqual((yield* attemptsOf(operation.organizationId, operation.id)).map((attempt) => attempt.outcome), ["NO_ANSWER"])
      })))

    it("takes a receipt of an attempt it does not know for an operation without an attempt, which could not be sent before", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* withoutAttempt(store)
        const concluded = applied(yield* store.conclude({ ...signed(operation), attempt: 0 }))
        assert.deepInclude(concluded, { status: "FISCALIZED", attempt: 0 })
        assert.deepStrictEqual(yield* attemptsOf(operation.organizationId, operation.id), [])
        assert.strictEqual((yield* transitionsOf(tenantOf(operation), operation.id)).at(-1)?.to, "FISCALIZED")
      })))

    it("takes no outcome of an attempt that it has lost where the operation has none: the attempt is added again first", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* withoutAttempt(store)
        for (const outcome of [signed(operation), noAnswer(operation), rejected(operation)]) {
          assert.deepStrictEqual(plain(yield* store.conclude({ ...outcome, attempt: 1 })), plain({ _tag: "Superseded", current: operation }))
        }
        assert.isTrue(yield* store.redrive(redriveOf(operation, 1)))
        assert.deepInclude(applied(yield* store.conclude({ ...signed(operation), attempt: 1 })), { status: "FISCALIZED", attempt: 1 })
      })))

    it("lets one of two contradicting outcomes win, and a receipt over silence whatever their order", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        yield* Effect.all([store.conclude(noAnswer(operation)), store.conclude(signed(operation))], { concurrency: 2 })
        assert.strictEqual((yield* stored(store, operation)).status, "FISCALIZED")
      })))

    it("stores a hundred outcomes at once, each on its own operation", () => run((store) =>
      Effect.gen(function*() {
        const operations = Array.from({ length: 100 }, () => sampleOperation(mintPlace()))
        yield* Effect.forEach(operations, (operation) => store.reserve(sampleReservation(operation)), { concurrency: "unbounded" })
        const concluded = yield* Effect.forEach(operations, (operation) => store.conclude(signed(operation)), { concurrency: "unbounded" })
        for (const [index, answer] of concluded.entries()) assert.strictEqual(applied(answer).id, operations[index]?.id)
        for (const operation of operations) assert.strictEqual((yield* stored(store, operation)).status, "FISCALIZED")
      })))
  })

  describe(`${name}: leases`, () => {
    it("a lease that is over makes the outcome unknown and due; a receipt may still come", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store, { leaseMillis: 0 })
        const expired = yield* store.expireLease({ ...operation, operationId: operation.id }, "api:host-b", after(60_000))
        const current = Option.getOrThrow(expired)
        assert.strictEqual(current.status, "OUTCOME_UNKNOWN")
        assert.strictEqual(current.failureCode, "OUTCOME_UNKNOWN")
        assert.isNotNull(current.nextCheckAt)
        assert.deepStrictEqual(plain((yield* transitionsOf(tenantOf(operation), operation.id)).at(-1)), plain({
          from: "SUBMITTING",
          to: "OUTCOME_UNKNOWN",
          at: after(60_000),
          cause: "leaseExpired",
          actor: "api:host-b",
          attempt: 1
        }))
        assert.strictEqual(applied(yield* store.conclude(signed(operation))).status, "FISCALIZED")
      })))

    it("a lease that runs is left alone", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        const current = yield* store.expireLease({ ...operation, operationId: operation.id }, "api:host-b", after(60_000))
        assert.deepStrictEqual(plain(current), plain(operation))
      })))

    it("there is no lease of an unknown operation", () => run((store) =>
      Effect.gen(function*() {
        const unknown = { organizationId: mintPlace().organizationId, operationId: mintUuid() as Operation["id"] }
        assert.isTrue(Option.isNone(yield* store.expireLease(unknown, "api:host-b", after(0))))
      })))
  })
}
