import {
  afterDeliveryAttempt,
  anyTime,
  type ClaimedDelivery,
  DeliveryOutbox,
  MailTransport,
  DeliveryStore,
  MailOutcome,
  OperationStore,
  type ReceiptDelivery
} from "@overa/domain"
import { DateTime, Effect, type Layer, ManagedRuntime, Option } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { sampleDelivery } from "../support/sampleDeliveries.ts"
import { mintPlace, sampleAnswer, sampleOperation, sampleReservation, signed } from "../support/sampleOperations.ts"

type Stores = DeliveryStore | DeliveryOutbox | MailTransport | OperationStore

const all = { status: null, fiscalDocumentId: null, recipient: null, pfr: anyTime, created: anyTime }
const taken = MailOutcome.make({ _tag: "Taken" })
const later = MailOutcome.make({ _tag: "Deferred", reason: "451 later", recipientNamed: true })
const down = MailOutcome.make({ _tag: "Unreachable", reason: "no connection" })

/** Claims until it has these deliveries; other tests' may be due too, and are released. */
const claimOf = Effect.fnUntraced(function*(deliveries: ReadonlyArray<ReceiptDelivery>, leaseMillis = 60_000) {
  const outbox = yield* DeliveryOutbox
  const claims = yield* outbox.claimDue(1_000, leaseMillis)
  const ids = new Set<string>(deliveries.map(({ id }) => id))
  const others = claims.filter(({ delivery }) => !ids.has(delivery.id))
  yield* Effect.forEach(others, (claimed) => outbox.release(claimed, 0), { concurrency: 8, discard: true })
  return claims.filter(({ delivery }) => ids.has(delivery.id))
})

const firstOf = Effect.fnUntraced(function*(delivery: ReceiptDelivery, leaseMillis?: number) {
  const [claimed] = yield* claimOf([delivery], leaseMillis)
  return claimed ?? assert.fail("nothing was claimed")
})

const conclude = Effect.fnUntraced(function*(claimed: ClaimedDelivery, outcome: MailOutcome) {
  return yield* (yield* DeliveryOutbox).conclude(claimed, afterDeliveryAttempt(claimed.delivery, outcome, 0))
})

/** The contract of every store of deliveries, for callers and for workers. */
export const deliveriesContract = (name: string, layer: () => Layer.Layer<Stores, unknown>): void => {
  describe(`${name} deliveries`, () => {
    let runtime: ManagedRuntime.ManagedRuntime<Stores, unknown>
    beforeAll(() => {
      runtime = ManagedRuntime.make(layer())
    })
    afterAll(() => runtime.dispose())
    const run = <A>(body: Effect.Effect<A, unknown, Stores>) => runtime.runPromise(body)
    const queued = Effect.fnUntraced(function*(change: Partial<ReceiptDelivery> = {}) {
      const delivery = sampleDelivery(change)
      assert.deepStrictEqual(yield* (yield* DeliveryStore).queue(delivery), { _tag: "Queued" })
      return delivery
    })
    const current = Effect.fnUntraced(function*(delivery: ReceiptDelivery) {
      return Option.getOrThrow(yield* (yield* DeliveryStore).get(delivery, delivery.id))
    })

    it("keeps a delivery whole, by id and by key, for its own organization and environment alone", () => run(Effect.gen(function*() {
      const store = yield* DeliveryStore
      const delivery = yield* queued({ recipient: "купац@пример.срб", formats: ["pdf-58mm", "official-text"], locale: "en" })
      assert.deepStrictEqual(yield* current(delivery), delivery)
      assert.deepStrictEqual(Option.getOrThrow(yield* store.findByKey(delivery.organizationId, delivery.boundKey.key)), delivery)
      assert.isTrue(Option.isNone(yield* store.get({ ...delivery, environment: "production" }, delivery.id)))
      assert.isTrue(Option.isNone(yield* store.get({ ...delivery, organizationId: sampleDelivery().organizationId }, delivery.id)))
    })))

    it("one key is one delivery, in a race too", () => run(Effect.gen(function*() {
      const store = yield* DeliveryStore
      const delivery = sampleDelivery()
      const rivals = Array.from({ length: 8 }, () => ({ ...delivery, id: sampleDelivery().id }))
      const answers = yield* Effect.forEach(rivals, (rival) => store.queue(rival), { concurrency: 8 })
      assert.strictEqual(answers.filter(({ _tag }) => _tag === "Queued").length, 1)
      const [claimed, ...others] = yield* claimOf(rivals)
      assert.strictEqual(others.length, 0)
      for (const answer of answers) if (answer._tag === "KeyTaken") assert.strictEqual(answer.existing.id, claimed?.delivery.id)
    })))

    it("of many claimants one has it, until the claim ends", () => run(Effect.gen(function*() {
      const outbox = yield* DeliveryOutbox
      const delivery = yield* queued()
      const claims = yield* Effect.forEach([1, 2, 3, 4], () => outbox.claimDue(1_000, 60_000), { concurrency: 4 })
      assert.strictEqual(claims.flat().filter((one) => one.delivery.id === delivery.id).length, 1)
      assert.deepStrictEqual(yield* claimOf([delivery]), [])
    })))

    it("organizations take turns: the one message of a shop does not wait for another's hundred", () => run(Effect.gen(function*() {
      const outbox = yield* DeliveryOutbox
      const busy = sampleDelivery().organizationId
      yield* Effect.forEach(Array.from({ length: 100 }), () => queued({ organizationId: busy }))
      const one = yield* queued()
      const others = yield* outbox.claimDue(1_000, 60_000)
      for (const claimed of others) yield* outbox.release(claimed, 0)
      const organizations = new Set(others.map(({ delivery }) => delivery.organizationId)).size
      const claims = yield* outbox.claimDue(organizations, 60_000)
      assert.include(claims.map(({ delivery }) => delivery.id), one.id)
      assert.strictEqual(claims.filter(({ delivery }) => delivery.organizationId === busy).length, 1)
      for (const claimed of claims) yield* outbox.release(claimed, 0)
    })))

    it("a claim that has ended sends nothing and concludes nothing; whether the message was being handed over is known", () => run(Effect.gen(function*() {
      const outbox = yield* DeliveryOutbox
      const [quiet, sending] = [yield* queued(), yield* queued()]
      const first = yield* claimOf([quiet, sending], 1_500)
      const of = (delivery: ReceiptDelivery, claims: ReadonlyArray<ClaimedDelivery>) => claims.find((one) => one.delivery.id === delivery.id) ?? assert.fail()
      assert.isTrue(yield* outbox.beginSending(of(sending, first), 1_500))
      yield* Effect.sleep("1700 millis")
      assert.isFalse(yield* outbox.beginSending(of(quiet, first), 1_500))
      const second = yield* claimOf([quiet, sending])
      assert.deepStrictEqual([of(quiet, second).interrupted, of(sending, second).interrupted], [false, true])
      assert.isFalse(yield* conclude(of(sending, first), taken))
      assert.isTrue(yield* conclude(of(sending, second), taken))
      assert.strictEqual((yield* current(sending)).status, "SENT")
      assert.isFalse(yield* conclude(of(sending, second), later))
      assert.strictEqual((yield* current(sending)).status, "SENT")
    })))

    it("a message that is being sent keeps its claim longer than one that is only claimed", () => run(Effect.gen(function*() {
      const outbox = yield* DeliveryOutbox
      const [quiet, sending] = [yield* queued(), yield* queued()]
      const first = yield* claimOf([quiet, sending], 1_500)
      const begun = first.find(({ delivery }) => delivery.id === sending.id) ?? assert.fail()
      assert.isTrue(yield* outbox.beginSending(begun, 60_000))
      yield* Effect.sleep("1700 millis")
      assert.deepStrictEqual((yield* claimOf([quiet, sending])).map(({ delivery }) => delivery.id), [quiet.id])
      assert.isTrue(yield* conclude(begun, taken))
      assert.strictEqual((yield* current(sending)).status, "SENT")
    })))

    it("what is deferred waits its time; what is released is due again, unless it was being handed over", () => run(Effect.gen(function*() {
      const outbox = yield* DeliveryOutbox
      const delivery = yield* queued()
      assert.isTrue(yield* conclude(yield* firstOf(delivery), later))
      assert.deepInclude(yield* current(delivery), { status: "QUEUED", attempts: 1, lastError: "451 later" })
      assert.deepStrictEqual(yield* claimOf([delivery]), [])
      const other = yield* queued()
      yield* outbox.release(yield* firstOf(other), 0)
      const again = yield* firstOf(other)
      assert.isFalse(again.interrupted)
      assert.isTrue(yield* outbox.beginSending(again, 60_000))
      yield* outbox.release(again, 0)
      assert.deepStrictEqual(yield* claimOf([other]), [])
    })))

    it("lists latest first, by every filter, page by page without loss or repetition", () => run(Effect.gen(function*() {
      const store = yield* DeliveryStore
      const first = sampleDelivery()
      const { environment, fiscalDocumentId, organizationId } = first
      const at = (millis: number) => DateTime.makeUnsafe(1_800_000_000_000 + millis)
      const deliveries: Array<ReceiptDelivery> = []
      for (let index = 0; index < 7; index += 1) {
        const own = index % 2 === 0 ? { fiscalDocumentId } : {}
        deliveries.push(yield* queued({ organizationId, ...own, recipient: `Kupac${index}@Example.rs`, createdAt: at(Math.floor(index / 2)), updatedAt: at(0) }))
      }
      const tenant = { organizationId, environment }
      const pages: Array<string> = []
      let after: Parameters<DeliveryStore["Service"]["list"]>[2]["after"] = null
      while (true) {
        const page: ReadonlyArray<ReceiptDelivery> = yield* store.list(tenant, all, { after, limit: 2 })
        pages.push(...page.map(({ id }) => id))
        const last = page.at(-1)
        if (last === undefined) break
        after = { createdAt: last.createdAt, id: last.id }
      }
      const expected = deliveries.toSorted((one, other) =>
        other.createdAt.epochMilliseconds - one.createdAt.epochMilliseconds || (one.id > other.id ? -1 : 1))
      assert.deepStrictEqual(pages, expected.map(({ id }) => id))
      const count = (filter: Partial<typeof all>) => Effect.map(store.list(tenant, { ...all, ...filter } as typeof all, { after: null, limit: 100 }), (rows) => rows.length)
      assert.strictEqual(yield* count({ fiscalDocumentId: fiscalDocumentId as never }), 4)
      assert.strictEqual(yield* count({ recipient: "kupac3@example.rs" as never }), 1)
      assert.strictEqual(yield* count({ status: "SENT" as never }), 0)
      assert.strictEqual(yield* count({ created: { from: at(1), to: at(2) } as never }), 2)
    })))

    it("lists by the time when the receipt was signed, whenever it was to be delivered", () => run(Effect.gen(function*() {
      const [store, operations] = [yield* DeliveryStore, yield* OperationStore]
      const place = mintPlace()
      const times = ["2026-08-29T23:59:59.999+02:00", "2026-08-30T00:00:00+02:00", "2026-08-30T12:00:00.0005+02:00"] as const
      const ids = yield* Effect.forEach(times, Effect.fnUntraced(function*(sdcTime, at) {
        const operation = sampleOperation(place)
        yield* operations.reserve(sampleReservation(operation))
        const answer = sampleAnswer(`${operation.id.slice(-8).toUpperCase()}-${operation.id.slice(-8).toUpperCase()}-${at + 1}`)
        yield* operations.conclude(signed(operation, { answer: { ...answer, pfr: { ...answer.pfr, sdcTime: sdcTime as typeof answer.pfr.sdcTime } } }))
        return (yield* queued({ organizationId: place.organizationId, fiscalDocumentId: operation.id, createdAt: DateTime.makeUnsafe(1_800_000_000_000 + at) })).id
      }))
      const unknown = (yield* queued({ organizationId: place.organizationId, createdAt: DateTime.makeUnsafe(1_700_000_000_000) })).id
      const listed = (from: string | null, to: string | null) =>
        Effect.map(
          store.list(place, { ...all, pfr: { from: from === null ? null : DateTime.makeUnsafe(from), to: to === null ? null : DateTime.makeUnsafe(to) } }, { after: null, limit: 100 }),
          (rows) => rows.map(({ id }) => id)
        )
      assert.deepStrictEqual(yield* listed(null, null), [...ids.toReversed(), unknown])
      assert.deepStrictEqual(yield* listed("2026-08-29T22:00:00Z", null), [ids[2], ids[1]])
      assert.deepStrictEqual(yield* listed(null, "2026-08-29T22:00:00Z"), [ids[0]])
      assert.deepStrictEqual(yield* listed("2026-08-29T22:00:00Z", "2026-08-30T10:00:00Z"), [ids[1]])
      assert.deepStrictEqual(yield* listed("2026-08-30T10:00:00Z", "2026-08-30T10:00:00.001Z"), [ids[2]])
    })))

    it("counts what limits ask: other recipients, deliveries of the document, the organization's hour", () => run(Effect.gen(function*() {
      const store = yield* DeliveryStore
      const { environment, fiscalDocumentId, organizationId } = sampleDelivery()
      for (const recipient of ["a@example.rs", "A@example.rs", "b@example.rs"]) yield* queued({ organizationId, fiscalDocumentId, recipient })
      yield* queued({ organizationId })
      assert.deepStrictEqual(yield* store.use({ organizationId, environment, fiscalDocumentId }, "a@EXAMPLE.rs"), {
        otherRecipients: 1,
        deliveriesOfDocument: 3,
        inLastHour: 4
      })
    })))

    it("a transport that fails five times in a row is not available; working once, it is", () => run(Effect.gen(function*() {
      const transport = yield* MailTransport
      for (let failures = 0; failures < 5; failures += 1) {
        assert.isTrue(yield* transport.available)
        yield* transport.note({ detail: "no connection", tryInMillis: 60_000 })
      }
      assert.isFalse(yield* transport.available)
      const { failures, mayTryInMillis } = yield* transport.state
      assert.strictEqual(failures, 5)
      assert.isTrue(mayTryInMillis > 50_000 && mayTryInMillis <= 60_000)
      yield* transport.note(null)
      assert.isTrue(yield* transport.available)
      assert.deepStrictEqual(yield* transport.state, { failures: 0, mayTryInMillis: 0 })
    })))

    it("the longest waiting is raised once, and a mail server's own delay is no waiting", () => run(Effect.gen(function*() {
      const outbox = yield* DeliveryOutbox
      const [deferred, stuck] = [yield* queued(), yield* queued()]
      const claims = yield* claimOf([deferred, stuck])
      for (const claimed of claims) yield* conclude(claimed, claimed.delivery.id === deferred.id ? later : down)
      assert.isFalse(yield* outbox.raiseWaiting(60_000))
      yield* Effect.sleep("50 millis")
      assert.isTrue(yield* outbox.raiseWaiting(10))
      assert.isFalse(yield* outbox.raiseWaiting(10))
    })))
  })
}
