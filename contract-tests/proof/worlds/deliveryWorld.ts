import { layerDeliveryOutbox, layerDeliveryStore, layerMailTransport, MemoryDeliveries, memoryDeliveries, MemoryOperations } from "@overa/adapter-memory"
import {
  BrandingStore,
  DeliveryOutbox,
  type MailOutcome,
  OperationStore,
  ReceiptMailer,
  ReceiptRenderer,
  sendDueDeliveries,
  StoreUnavailable,
  TenancyDirectory
} from "@overa/domain"
import { Effect, Fiber, Layer, Logger, Option } from "effect"
import { TestClock } from "effect/testing"
import { sampleDelivery } from "../../src/support/sampleDeliveries.ts"
import { mintPlace, sampleAnswer, sampleOperation } from "../../src/support/sampleOperations.ts"
import { Random } from "./Random.ts"

/** The mail server's actions with one message, in order. */
export type Deed = "taken, told" | "taken, answer lost" | "taken, worker killed" | "killed before" | "lost before the end" | "later" | "no" | "down"

/** One world: its deliveries, and what happened to each at the mail server. */
export interface DeliveryRun {
  readonly memory: MemoryDeliveries["Service"]
  readonly deeds: ReadonlyMap<string, ReadonlyArray<Deed>>
}

const outcomeOf = (deed: Deed): Effect.Effect<MailOutcome> => {
  switch (deed) {
    case "taken, told":
      return Effect.succeed({ _tag: "Taken" })
    case "taken, answer lost":
      return Effect.succeed({ _tag: "MayBeTaken", reason: "no answer after the message" })
    case "taken, worker killed":
    case "killed before":
      return Effect.die(new Error("the worker was killed"))
    case "lost before the end":
      return Effect.succeed({ _tag: "Deferred", reason: "the connection was lost", recipientNamed: true })
    case "later":
      return Effect.succeed({ _tag: "Deferred", reason: "451 later", recipientNamed: true })
    case "no":
      return Effect.succeed({ _tag: "Refused", reason: "550 no", recipientNamed: true })
    case "down":
      return Effect.succeed({ _tag: "Unreachable", reason: "no connection" })
  }
}

const weatherOf = (random: Random): ReadonlyArray<readonly [number, Deed]> => {
  const sometimes = (most: number) => (random.chance(0.5) ? random.next() * most : 0)
  return [
    [sometimes(0.3), "taken, answer lost"],
    [sometimes(0.2), "taken, worker killed"],
    [sometimes(0.2), "killed before"],
    [sometimes(0.3), "lost before the end"],
    [sometimes(0.6), "later"],
    [sometimes(0.2), "no"],
    [sometimes(0.7), "down"]
  ]
}

const pick = (random: Random, weather: ReadonlyArray<readonly [number, Deed]>): Deed =>
  weather.find(([chance]) => random.chance(chance))?.[1] ?? "taken, told"

const document = { ...sampleOperation(mintPlace()), status: "FISCALIZED" as const, answer: sampleAnswer() }

/** The inputs of composing a message, always available: the message itself is not part of these worlds. */
const surroundings = Layer.mergeAll(
  Layer.succeed(OperationStore, { get: () => Effect.succeed(Option.some(document)) } as unknown as OperationStore["Service"]),
  Layer.succeed(BrandingStore, { find: () => Effect.succeed(Option.none()) } as unknown as BrandingStore["Service"]),
  Layer.succeed(TenancyDirectory, { taxpayers: () => Effect.succeed([]) } as unknown as TenancyDirectory["Service"]),
  Layer.succeed(
    ReceiptRenderer,
    { render: () => Effect.succeed({ bytes: new Uint8Array(), mediaType: "application/pdf", fileName: "a.pdf" }) } as unknown as ReceiptRenderer["Service"]
  )
)

/** The store sometimes fails, before or after it has done the work. */
const faultyOutbox = (random: Random, faults: number) =>
  Layer.effect(
    DeliveryOutbox,
    Effect.map(DeliveryOutbox, (outbox) => {
      const down = Effect.fail(new StoreUnavailable({ committed: "unknown", cause: new Error("simulated") }))
      const faulty = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.suspend(() => {
          if (!random.chance(faults)) return effect
          return random.chance(0.5) ? down : Effect.andThen(effect, down)
        })
      return DeliveryOutbox.of({
        ...outbox,
        claimDue: (limit, lease) => faulty(outbox.claimDue(limit, lease)),
        beginSending: (claimed, lease) => faulty(outbox.beginSending(claimed, lease)),
        conclude: (claimed, after) => faulty(outbox.conclude(claimed, after)),
        release: (claimed, due) => faulty(outbox.release(claimed, due))
      })
    })
  )

/** How long a world runs: longer than any delivery may wait. */
const rounds = 400

/** Sends a few deliveries in a world of faulty mail servers, stores and workers; one seed is one world. */
export const runDeliveries = (seed: number): Promise<DeliveryRun> => {
  const random = new Random(seed)
  const weather = weatherOf(random)
  const memory = memoryDeliveries()
  const deeds = new Map<string, Array<Deed>>()
  const mailer = Layer.succeed(
    ReceiptMailer,
    ReceiptMailer.of({
      send: ({ deliveryId }) =>
        Effect.suspend(() => {
          const deed = pick(random, weather)
          deeds.set(deliveryId, [...(deeds.get(deliveryId) ?? []), deed])
          return outcomeOf(deed)
        })
    })
  )
  for (let count = 0; count < 4; count += 1) {
    const delivery = sampleDelivery()
    memory.kept.set(delivery.id, { delivery, dueAt: 0, waitingSince: 0, handingOver: false, claim: null, claimedUntil: 0 })
  }
  const worldOf = Layer.succeed(MemoryDeliveries, memory)
  const outbox = faultyOutbox(random, random.chance(0.5) ? random.next() * 0.3 : 0).pipe(Layer.provide(layerDeliveryOutbox))
  const services = Layer.mergeAll(outbox, layerDeliveryStore, layerMailTransport).pipe(Layer.provide([worldOf, MemoryOperations.layer]), Layer.merge(Layer.merge(mailer, surroundings)))
  const body = Effect.gen(function*() {
    const begin = Math.max(...[...memory.kept.values()].map(({ delivery }) => delivery.createdAt.epochMilliseconds))
    yield* TestClock.setTime(begin)
    for (let round = 0; round < rounds; round += 1) {
      const passes = Array.from({ length: random.between(1, 2) }, () => Effect.exit(sendDueDeliveries({ limit: 10, concurrency: 2 })))
      const fiber = yield* Effect.forkChild(Effect.all(passes, { concurrency: "unbounded" }))
      yield* TestClock.adjust(random.chance(0.2) ? "3 hours" : "4 minutes")
      yield* Fiber.join(fiber)
    }
  })
  return Effect.runPromise(body.pipe(Effect.provide(services), Effect.provide(Logger.layer([])), Effect.provide(TestClock.layer()))).then(() => ({ memory, deeds }))
}
