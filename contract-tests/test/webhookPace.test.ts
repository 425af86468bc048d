import { JournalSealer, OperationStore, WebhookSender } from "@overa/domain"
import { keepDoing, sendWebhooks } from "@overa/worker"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { mintPlace, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { memoryWebhookStage, webhookEndpointAt } from "../src/support/webhookStage.ts"

describe("the worker's job of webhooks", () => {
  it("sends on while a receiver answers: 160 events to one that needs 100 ms for each take 10 rounds, not 10 rests of a second", () =>
    Effect.runPromise(Effect.provide(Effect.scoped(Effect.gen(function*() {
      const place = mintPlace()
      let [taken, onTheirWay, most] = [0, 0, 0]
      const sender = WebhookSender.of({
        send: () =>
          Effect.gen(function*() {
            onTheirWay += 1
            most = Math.max(most, onTheirWay)
            yield* Effect.sleep(100)
            onTheirWay -= 1
            taken += 1
            return { statusCode: 204, answer: "", error: null, millis: 100 }
          })
      })
      yield* webhookEndpointAt(place, "https://one.example/")
      const store = yield* OperationStore
      for (let count = 0; count < 160; count++) {
        const one = sampleOperation(place)
        yield* Effect.andThen(store.reserve(sampleReservation(one)), store.conclude(signed(one)))
      }
      yield* (yield* JournalSealer).seal({ limit: 10_000 })
      const fiber = yield* Effect.forkChild(Effect.provideService(keepDoing(yield* sendWebhooks), WebhookSender, sender))
      // 10 rounds of 100 ms and a rest of 50 ms between them.
      yield* TestClock.adjust(1_550)
      assert.deepStrictEqual({ taken, most }, { taken: 160, most: 16 })
      yield* Fiber.interrupt(fiber)
    })), memoryWebhookStage)))
})
