import { afterWebhookAttempt, type ClaimedWebhook, JournalSealer, mostWaitingTests, OperationStore, type WebhookEndpointId, WebhookMessages, WebhookOutbox, WebhookStore } from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../support/mintIdentity.ts"
import { sampleOperation, sampleReservation, signed } from "../support/sampleOperations.ts"
import { sampleEndpoint } from "../support/webhookStage.ts"
import { type StartedStores, storesWithTenants } from "../support/storesWithTenants.ts"
import type { WebhookStores } from "./Webhooks.contract.ts"

const act = { actor: "test", reason: "made for a test" }

/** What waits for an endpoint: it is bounded, and it ends with the endpoint. */
export const waitingWebhooksContract = (
  name: string,
  start: () => StartedStores<WebhookStores>
) =>
  describe(`Waiting webhooks on ${name}`, () => {
    const { newTenant, run } = storesWithTenants(start)

    /** An endpoint and so many events that wait for it. */
    const endpointWith = async (events: number) => {
      const tenant = await newTenant()
      const id = mintUuid() as WebhookEndpointId
      const url = `https://shop.example/${id}`
      await run(Effect.gen(function*() {
        yield* (yield* WebhookStore).create(act, sampleEndpoint(tenant, id, url, DateTime.makeUnsafe(Date.now())))
        const operations = yield* OperationStore
        for (const one of Array.from({ length: events }, () => sampleOperation(tenant))) {
          yield* Effect.andThen(operations.reserve(sampleReservation(one)), operations.conclude(signed(one)))
        }
        yield* (yield* JournalSealer).seal({ limit: 1_000 })
        while (yield* (yield* WebhookOutbox).enqueue(1_000));
      }))
      const become = (status: "ACTIVE" | "PAUSED" | "REMOVED") =>
        run(Effect.flatMap(WebhookStore, (store) => store.replace(act, tenant, id, { url, description: null, eventTypes: null, status }, DateTime.makeUnsafe(Date.now()))))
      const claim = async () => (await run(Effect.flatMap(WebhookOutbox, (outbox) => outbox.claimDue(10_000, 60_000)))).filter(({ endpoint }) => endpoint.id === id)
      const resend = (to: number) => run(Effect.flatMap(WebhookMessages, (messages) => messages.resend(tenant, id, { from: 1, to })))
      return { tenant, id, become, claim, resend }
    }
    const conclude = (claimed: ClaimedWebhook, statusCode: number) => {
      const outcome = { statusCode, answer: "", error: null, millis: 1 }
      return run(Effect.flatMap(WebhookOutbox, (outbox) => outbox.conclude(claimed, outcome, (health, now) => afterWebhookAttempt(health, { attempts: claimed.attempts + 1, now, outcome, random: 0 }))))
    }
    /** Everything that can be sent now, taken. */
    const drain = async (claim: () => Promise<ReadonlyArray<ClaimedWebhook>>): Promise<ReadonlyArray<string>> => {
      const taken: Array<string> = []
      for (let some = await claim(); some.length > 0; some = await claim()) {
        for (const one of some) await conclude(one, 200)
        taken.push(...some.map(({ eventId }) => eventId))
      }
      return taken
    }

    it("of test messages to an endpoint that is paused twenty wait, the newest", async () => {
      const { become, claim, id, tenant } = await endpointWith(0)
      await become("PAUSED")
      const ids = Array.from({ length: mostWaitingTests + 5 }, (_, at) => `evt_test_${at}`)
      for (const eventId of ids) assert.isTrue(await run(Effect.flatMap(WebhookMessages, (messages) => messages.queueTest(tenant, id, { eventId, body: "{}" }))))
      await become("ACTIVE")
      assert.deepStrictEqual(await drain(claim), ids.slice(5))
    })

    it("an event that waits is queued once, however often it is asked for", async () => {
      const { become, claim, resend } = await endpointWith(3)
      await become("PAUSED")
      for (let times = 0; times < 4; times += 1) assert.deepStrictEqual(await resend(9), Option.some(3))
      await become("ACTIVE")
      assert.lengthOf(await drain(claim), 3)
      assert.deepStrictEqual(await resend(2), Option.some(2))
      assert.lengthOf(await drain(claim), 2)
    })

    it("an event that waits for its next attempt is due at once when it is asked for", async () => {
      const { claim, resend } = await endpointWith(1)
      const [first] = await claim()
      if (first === undefined) return assert.fail("nothing was claimed")
      await conclude(first, 503)
      assert.deepStrictEqual(await claim(), [])
      await resend(1)
      assert.deepStrictEqual((await claim()).map(({ attempts, eventId }) => [eventId, attempts]), [[first.eventId, 0]])
    })

    it("what waits or is on its way ends with the removal of its endpoint", async () => {
      const { become, claim } = await endpointWith(2)
      const [onItsWay] = await claim()
      if (onItsWay === undefined) return assert.fail("nothing was claimed")
      await become("REMOVED")
      assert.isFalse(await conclude(onItsWay, 200))
      assert.deepStrictEqual(await claim(), [])
    })
  })
