import {
  type ClaimedWebhook, JournalSealer, OperationStore, sendWebhook, WebhookMessages, WebhookOutbox, type WebhookOutcome, WebhookSender, WebhookStore
} from "@overa/domain"
import { DateTime, Duration, Effect, Fiber, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { mintPlace, noAnswer, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { memoryWebhookStage, webhookEndpointAt } from "../src/support/webhookStage.ts"

interface Arrival {
  readonly url: string
  readonly eventId: string
  readonly type: string
  readonly resource: string
  readonly sequence: number
}

const answered = (statusCode: number): WebhookOutcome => ({ statusCode, answer: "", error: null, millis: 1 })
const silent: WebhookOutcome = { statusCode: null, answer: "", error: "no whole answer within 15000 ms", millis: 15_000 }

type Behaviour = (claimed: ClaimedWebhook, now: number) => Effect.Effect<WebhookOutcome>

/** A stage on which receivers behave as told, and what reached them is written down. */
const stage = Effect.fnUntraced(function*(behaviour: Behaviour) {
  const arrivals: Array<Arrival> = []
  const sender = WebhookSender.of({
    send: (claimed) =>
      Effect.gen(function*() {
        const { data, sequence, type } = JSON.parse(claimed.body)
        const outcome = yield* behaviour(claimed, DateTime.toEpochMillis(yield* DateTime.now))
        if (outcome.statusCode === 200) arrivals.push({ url: claimed.endpoint.url, eventId: claimed.eventId, type, resource: data.resource.id, sequence })
        return outcome
      })
  })
  const outbox = yield* WebhookOutbox
  /** The worker's loop: it starts what is due every ten seconds and waits for nothing. */
  const worker = Effect.gen(function*() {
    while (true) {
      yield* outbox.enqueue(100)
      for (const claimed of yield* outbox.claimDue(64, 60_000)) yield* Effect.forkDetach(Effect.provideService(sendWebhook(claimed), WebhookSender, sender))
      yield* Effect.sleep("10 seconds")
    }
  })
  return { arrivals, worker }
})

type Services = Layer.Success<typeof memoryWebhookStage>
const run = (body: Effect.Effect<void, unknown, Services>): Promise<void> => Effect.runPromise(Effect.provide(body, memoryWebhookStage))

const act = { actor: "test", reason: "made for a test" }

/** Documents whose outcome is unknown first and found afterwards: two events of each, in this order. */
const happenings = Effect.fnUntraced(function*(place: ReturnType<typeof mintPlace>, count: number) {
  const store = yield* OperationStore
  const made = Array.from({ length: count }, () => sampleOperation(place))
  for (const one of made) yield* Effect.andThen(store.reserve(sampleReservation(one)), store.conclude(noAnswer(one)))
  for (const one of made) yield* store.conclude(signed(one))
  yield* (yield* JournalSealer).seal({ limit: 10_000 })
})

/** Everything that must be at a receiver: each event, and for each resource the first arrivals in order. */
const assertComplete = (arrivals: ReadonlyArray<Arrival>, events: number): void => {
  const firsts = arrivals.filter(({ eventId }, index) => arrivals.findIndex((one) => one.eventId === eventId) === index)
  assert.deepStrictEqual(firsts.map(({ sequence }) => sequence).toSorted((one, other) => one - other), Array.from({ length: events }, (_, index) => index + 1))
  for (const own of Map.groupBy(firsts, ({ resource }) => resource).values()) {
    assert.deepStrictEqual(own.map(({ sequence }) => sequence), own.map(({ sequence }) => sequence).toSorted((one, other) => one - other))
  }
}

describe("receivers that misbehave", () => {
  it("with 500 for an hour, or for two days: everything arrives afterwards, in order of each resource, and nothing is given up", () =>
    run(Effect.gen(function*() {
      for (const hours of [1, 48]) {
        const place = mintPlace()
        const began = DateTime.toEpochMillis(yield* DateTime.now)
        const { arrivals, worker } = yield* stage((_claimed, now) => Effect.succeed(answered(now - began < hours * 3_600_000 ? 500 : 200)))
        const { id } = yield* webhookEndpointAt(place, "https://one.example/")
        yield* happenings(place, 8)
        const fiber = yield* Effect.forkChild(worker)
        yield* TestClock.adjust(Duration.hours(hours))
        assert.lengthOf(arrivals, 0)
        yield* TestClock.adjust("30 minutes")
        assertComplete(arrivals, 16)
        assert.strictEqual(Option.getOrThrow(yield* (yield* WebhookStore).get(place, id)).status, "ACTIVE")
        yield* Fiber.interrupt(fiber)
      }
    })), 60_000)

  it("that never answer delay no other, are paused after three days, and get everything when they are resumed", () =>
    run(Effect.gen(function*() {
      const [dead, alive] = [mintPlace(), mintPlace()]
      let isDead = true
      const { arrivals, worker } = yield* stage(({ endpoint }) =>
        endpoint.url === "https://dead.example/" && isDead ? Effect.as(Effect.sleep("15 seconds"), silent) : Effect.succeed(answered(200)))
      const endpoint = yield* webhookEndpointAt(dead, "https://dead.example/")
      yield* webhookEndpointAt(alive, "https://alive.example/")
      yield* happenings(dead, 50)
      yield* happenings(alive, 50)
      const fiber = yield* Effect.forkChild(worker)
      yield* TestClock.adjust("10 minutes")
      assertComplete(arrivals.filter(({ url }) => url === "https://alive.example/"), 100)
      yield* TestClock.adjust("74 hours")
      const store = yield* WebhookStore
      assert.deepInclude(Option.getOrThrow(yield* store.get(dead, endpoint.id)), { status: "PAUSED", pausedBecause: "FAILING" })
      const attempts = (yield* (yield* WebhookMessages).attempts(dead, endpoint.id, 100_000)).length
      assert.isBelow(attempts, 400)
      isDead = false
      yield* store.replace(act, dead, endpoint.id, { url: endpoint.url, description: null, eventTypes: null, status: "ACTIVE" }, yield* DateTime.now)
      yield* TestClock.adjust("10 minutes")
      assertComplete(arrivals.filter(({ url }) => url === "https://dead.example/"), 100)
      yield* Fiber.interrupt(fiber)
    })), 120_000)

  it("that take an event and whose answer is lost get it again, with the same id", () =>
    run(Effect.gen(function*() {
      const place = mintPlace()
      const got: Array<string> = []
      const { arrivals, worker } = yield* stage(({ eventId }) => {
        got.push(eventId)
        return Effect.succeed(got.filter((one) => one === eventId).length === 1 ? silent : answered(200))
      })
      yield* webhookEndpointAt(place, "https://one.example/")
      yield* happenings(place, 3)
      const fiber = yield* Effect.forkChild(worker)
      yield* TestClock.adjust("2 hours")
      assertComplete(arrivals, 6)
      assert.strictEqual(got.length, 12)
      assert.strictEqual(new Set(got).size, 6)
      yield* Fiber.interrupt(fiber)
    })), 60_000)

  it("that move to another address get there what the old one did not take", () =>
    run(Effect.gen(function*() {
      const place = mintPlace()
      const { arrivals, worker } = yield* stage(({ endpoint }) => Effect.succeed(answered(endpoint.url === "https://new.example/" ? 200 : 302)))
      const { id } = yield* webhookEndpointAt(place, "https://old.example/")
      yield* happenings(place, 4)
      const fiber = yield* Effect.forkChild(worker)
      yield* TestClock.adjust("1 hour")
      yield* (yield* WebhookStore).replace(act, place, id, { url: "https://new.example/", description: null, eventTypes: null, status: "ACTIVE" }, yield* DateTime.now)
      yield* TestClock.adjust("1 minute")
      assertComplete(arrivals, 8)
      yield* Fiber.interrupt(fiber)
    })), 60_000)

  it("that refuse one event for ever keep back no event of another resource", () =>
    run(Effect.gen(function*() {
      const place = mintPlace()
      const { arrivals, worker } = yield* stage(({ body }) => Effect.succeed(answered(JSON.parse(body).sequence === 1 ? 500 : 200)))
      const { id } = yield* webhookEndpointAt(place, "https://one.example/")
      yield* happenings(place, 3)
      const fiber = yield* Effect.forkChild(worker)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(arrivals.map(({ sequence }) => sequence).toSorted(), [3, 4, 5, 6], "the second event waits for the first of its resource")
      // Others are taken all the time: the endpoint works, and the event alone is given up after its last attempt.
      for (let hour = 0; hour < 100; hour += 1) {
        yield* happenings(place, 1)
        yield* TestClock.adjust("1 hour")
      }
      assert.deepStrictEqual(arrivals.map(({ sequence }) => sequence).toSorted((one, other) => one - other), Array.from({ length: 205 }, (_, index) => index + 2))
      assert.strictEqual(Option.getOrThrow(yield* (yield* WebhookStore).get(place, id)).status, "ACTIVE")
      yield* Fiber.interrupt(fiber)
    })), 60_000)
})
