import {
  afterWebhookAttempt, type ClaimedWebhook, type EventFeed, JournalSealer, OperationStore, type Tenant, type WebhookEndpoint, type WebhookEndpointId, WebhookMessages, WebhookOutbox,
  type WebhookOutcome, type WebhookSecret, WebhookStore
} from "@overa/domain"
import { DateTime, Effect, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../support/mintIdentity.ts"
import { mintPlace, noAnswer, sampleOperation, sampleReservation, signed } from "../support/sampleOperations.ts"
import { type StartedStores, storesWithTenants } from "../support/storesWithTenants.ts"

export type WebhookStores = OperationStore | JournalSealer | EventFeed | WebhookStore | WebhookMessages | WebhookOutbox

type Place = ReturnType<typeof mintPlace>

const secretOf = (text: string): WebhookSecret => ({ secret: Redacted.make(text), publicKey: null, validUntil: null })
const answer = (statusCode: number | null): WebhookOutcome => ({ statusCode, answer: statusCode === null ? "" : "thanks", error: statusCode === null ? "nobody answers" : null, millis: 3 })
const hour = 3_600_000
const act = { actor: "test", reason: "made for a test" }

/** The contract of every store of endpoints, for owners and for workers. */
export const webhooksContract = (
  name: string,
  start: () => StartedStores<WebhookStores>
) =>
  describe(`Webhooks on ${name}`, () => {
    const { newTenant, run } = storesWithTenants(start)
    const newEndpoint = (tenant: Tenant, change: Partial<WebhookEndpoint> = {}): Omit<WebhookEndpoint, "sequence"> => {
      const at = DateTime.makeUnsafe(Date.now())
      return {
        id: mintUuid() as WebhookEndpointId, organizationId: tenant.organizationId, environment: tenant.environment, url: `https://shop.example/${mintUuid()}`, description: null,
        eventTypes: null, signature: "v1", secrets: [secretOf("whsec_one")], status: "ACTIVE", pausedBecause: null, failingSince: null, createdAt: at, updatedAt: at, ...change
      }
    }
    const store = <A, E>(use: (store: WebhookStore["Service"]) => Effect.Effect<A, E>) => run(Effect.flatMap(Effect.service(WebhookStore), use))
    const messages = <A, E>(use: (messages: WebhookMessages["Service"]) => Effect.Effect<A, E>) => run(Effect.flatMap(Effect.service(WebhookMessages), use))
    const outbox = <A, E>(use: (outbox: WebhookOutbox["Service"]) => Effect.Effect<A, E>) => run(Effect.flatMap(Effect.service(WebhookOutbox), use))
    const create = (tenant: Tenant, change: Partial<WebhookEndpoint> = {}) => store((it) => it.create(act, newEndpoint(tenant, change)))
    const seal = () => run(Effect.flatMap(Effect.service(JournalSealer), (sealer) => sealer.seal({ limit: 10_000 })))
    const issue = async (place: Place, count = 1) => {
      const made = Array.from({ length: count }, () => sampleOperation(place))
      for (const one of made) await run(Effect.flatMap(Effect.service(OperationStore), (it) => Effect.andThen(it.reserve(sampleReservation(one)), it.conclude(signed(one)))))
      await seal()
      return made
    }
    const enqueue = async () => {
      while (await outbox((it) => it.enqueue(1_000)));
    }
    /** What this endpoint may send now; what belongs to other tests is left alone, its lease is short. */
    const claim = async (id: WebhookEndpointId, leaseMillis = 60_000) =>
      (await outbox((it) => it.claimDue(10_000, leaseMillis))).filter(({ endpoint }) => endpoint.id === id)
    const conclude = (claimed: ClaimedWebhook, outcome: WebhookOutcome, random = 0) =>
      outbox((it) => it.conclude(claimed, outcome, (health, now) => ({ ...afterWebhookAttempt(health, { attempts: claimed.attempts + 1, now, outcome, random }) })))
    /** As if every wait were over: the next attempt is due at once. */
    const failAtOnce = (claimed: ClaimedWebhook, outcome: WebhookOutcome) =>
      outbox((it) => it.conclude(claimed, outcome, (health, now) => ({ ...afterWebhookAttempt(health, { attempts: claimed.attempts + 1, now, outcome, random: 0 }), dueAt: now, tryAt: now })))
    const idsOf = (claims: ReadonlyArray<ClaimedWebhook>) => claims.map(({ body }) => JSON.parse(body).data.fiscalDocumentId as string)

    it("keeps an endpoint whole, for its own organization and environment alone", async () => {
      const tenant = await newTenant()
      const made = await create(tenant, { description: "ERP", eventTypes: ["document.fiscalized", "document.found"], signature: "v1a", secrets: [{ ...secretOf("whsk_a"), publicKey: "whpk_a" }] })
      assert.deepStrictEqual(Option.getOrThrow(await store((it) => it.get(tenant, made.id))), made)
      assert.deepStrictEqual(await store((it) => it.list(tenant)), [made])
      assert.strictEqual(made.sequence, 0)
      for (const other of [await newTenant(), { ...tenant, environment: "production" as const }]) {
        assert.deepStrictEqual(await store((it) => it.list(other)), [])
        assert.isTrue(Option.isNone(await store((it) => it.get(other, made.id))))
        assert.isFalse(await messages((it) => it.queueTest(other, made.id, { eventId: "evt_test_1", body: "{}" })))
        assert.isTrue(Option.isNone(await messages((it) => it.resend(other, made.id, { from: 1, to: 1 }))))
      }
    })

    it("an address belongs to one endpoint of an environment until that is removed, and there are at most twenty", async () => {
      const tenant = await newTenant()
      const made = await create(tenant)
      const refusal = (change: Partial<WebhookEndpoint>) => store((it) => Effect.flip(it.create(act, newEndpoint(tenant, change))))
      assert.deepInclude(await refusal({ url: made.url }), { code: "WEBHOOK_ENDPOINT_ALREADY_EXISTS", webhookEndpointId: made.id })
      const another = await create(tenant)
      const content = { url: made.url, description: null, eventTypes: null, status: "ACTIVE" as const }
      assert.deepInclude(await store((it) => Effect.flip(it.replace(act, tenant, another.id, content, made.createdAt))), { code: "WEBHOOK_ENDPOINT_ALREADY_EXISTS" })
      assert.strictEqual(Option.getOrThrow(await store((it) => it.replace(act, tenant, made.id, { ...content, status: "REMOVED" }, made.createdAt))).status, "REMOVED")
      assert.isTrue(Option.isNone(await store((it) => it.get(tenant, made.id))))
      await create(tenant, { url: made.url })
      for (let count = 2; count < 20; count += 1) await create(tenant)
      assert.deepInclude(await refusal({}), { code: "WEBHOOK_ENDPOINT_LIMIT_REACHED", limit: 20 })
    })

    it("gets every event behind the last one that existed when it was made, of the types that it wants, in order", async () => {
      const tenant = await newTenant()
      await issue(tenant, 2)
      const [all, found] = [await create(tenant), await create(tenant, { eventTypes: ["document.found"] })]
      assert.strictEqual(all.sequence, 2)
      const later = await issue(tenant, 3)
      await enqueue()
      await enqueue()
      const claims = await claim(all.id)
      assert.deepStrictEqual(idsOf(claims).toSorted(), later.map(({ id }) => id).toSorted())
      assert.deepStrictEqual(claims.map(({ body }) => JSON.parse(body).sequence), [3, 4, 5])
      for (const { body, eventId } of claims) assert.deepInclude(JSON.parse(body), { id: eventId, type: "document.fiscalized" })
      assert.deepStrictEqual(await claim(found.id), [])
    })

    it("is claimed by one worker at a time, and again when the claim has ended; only the one that holds it may end it", async () => {
      const tenant = await newTenant()
      const { id } = await create(tenant)
      await issue(tenant)
      await enqueue()
      const [first] = await claim(id, -1)
      const [second] = await claim(id)
      assert.deepStrictEqual(await claim(id), [])
      if (first === undefined || second === undefined) return assert.fail("nothing was claimed")
      assert.strictEqual(second.eventId, first.eventId)
      assert.isFalse(await conclude(first, answer(200)))
      assert.isTrue(await conclude(second, answer(200)))
      assert.isFalse(await conclude(second, answer(200)))
      assert.deepStrictEqual(await claim(id), [])
      const attempts = await messages((it) => it.attempts(tenant, id, 10))
      assert.lengthOf(attempts, 1)
      assert.deepInclude(attempts[0], { eventId: second.eventId, sequence: 1, taken: true, ...answer(200) })
    })

    it("an event waits for the earlier ones of its resource, and for no others", async () => {
      const tenant = await newTenant()
      const { id } = await create(tenant)
      const late = sampleOperation(tenant)
      await run(Effect.flatMap(Effect.service(OperationStore), (it) => Effect.andThen(it.reserve(sampleReservation(late)), it.conclude(noAnswer(late)))))
      await seal()
      await run(Effect.flatMap(Effect.service(OperationStore), (it) => it.conclude(signed(late))))
      const [sale] = await issue(tenant)
      await enqueue()
      const claims = await claim(id)
      assert.deepStrictEqual(claims.map(({ body }) => JSON.parse(body).type), ["document.outcome_unknown", "document.fiscalized"])
      assert.deepStrictEqual(idsOf(claims), [late.id, sale?.id ?? ""])
      const [unknown] = claims
      if (unknown === undefined) return assert.fail("nothing was claimed")
      await conclude(unknown, answer(500))
      assert.deepStrictEqual(await claim(id), [], "the first waits for its next attempt, and the second for the first")
      await store((it) => it.replace(act, tenant, id, { url: "https://shop.example/new", description: null, eventTypes: null, status: "ACTIVE" }, unknown.endpoint.secrets[0]?.validUntil ?? DateTime.makeUnsafe(0)))
      const [again] = await claim(id)
      if (again === undefined) return assert.fail("nothing was claimed")
      assert.strictEqual(again.eventId, unknown.eventId)
      await conclude(again, answer(204))
      assert.deepStrictEqual((await claim(id)).map(({ body }) => JSON.parse(body).type), ["document.found"])
    })

    it("an endpoint that fails is tried with one message at a time; when it works again, everything is due at once", async () => {
      const tenant = await newTenant()
      const { id } = await create(tenant)
      await issue(tenant, 21)
      await enqueue()
      const sixteen = await claim(id)
      assert.lengthOf(sixteen, 16)
      assert.deepStrictEqual(await claim(id), [], "no more are on their way at once")
      for (const one of sixteen.slice(0, 4)) await conclude(one, answer(503))
      const [fifth, ...rest] = sixteen.slice(4)
      if (fifth === undefined) return assert.fail("nothing was claimed")
      await failAtOnce(fifth, answer(null))
      for (const one of rest) await failAtOnce(one, answer(503))
      const probe = await claim(id)
      assert.lengthOf(probe, 1)
      assert.deepStrictEqual(await claim(id), [])
      for (const one of probe) await conclude(one, answer(200))
      const sent = new Set(probe.map(({ eventId }) => eventId))
      for (let some = await claim(id); some.length > 0; some = await claim(id)) {
        for (const one of some) {
          assert.isFalse(sent.has(one.eventId))
          sent.add(one.eventId)
          await conclude(one, answer(200))
        }
      }
      assert.strictEqual(sent.size, 21)
      assert.isNull(Option.getOrThrow(await store((it) => it.get(tenant, id))).failingSince)
    })

    it("an endpoint that is paused keeps everything, and gets it when it is resumed; one that was removed gets nothing", async () => {
      const tenant = await newTenant()
      const { id, url } = await create(tenant)
      await issue(tenant, 2)
      await enqueue()
      const [first] = await claim(id, -1)
      if (first === undefined) return assert.fail("nothing was claimed")
      await outbox((it) => it.conclude(first, answer(null), (health, now) => ({
        ...afterWebhookAttempt({ failures: 40, failingSince: now - 73 * hour }, { attempts: 10, now, outcome: answer(null), random: 0 }), health: { ...health, failures: 41, failingSince: now - 73 * hour }
      })))
      assert.deepInclude(Option.getOrThrow(await store((it) => it.get(tenant, id))), { status: "PAUSED", pausedBecause: "FAILING" })
      await issue(tenant, 1)
      await enqueue()
      assert.deepStrictEqual(await claim(id), [])
      const content = { url, description: null, eventTypes: null }
      const at = DateTime.makeUnsafe(Date.now())
      const resumed = Option.getOrThrow(await store((it) => it.replace(act, tenant, id, { ...content, status: "ACTIVE" }, at)))
      assert.deepInclude(resumed, { status: "ACTIVE", pausedBecause: null, failingSince: null })
      await enqueue()
      const claims = await claim(id, -1)
      assert.deepStrictEqual(claims.map(({ body }) => JSON.parse(body).sequence).toSorted(), [1, 2, 3])
      await store((it) => it.replace(act, tenant, id, { ...content, status: "REMOVED" }, at))
      assert.deepStrictEqual(await claim(id), [])
    })

    it.each(["ACTIVE", "PAUSED"] as const)("gets what its former address has not taken at its new one, and is not judged by the former one (%s)", async (status) => {
      const tenant = await newTenant()
      const made = await create(tenant)
      await issue(tenant, 3)
      await enqueue()
      const [onItsWay, taken, failed] = await claim(made.id)
      if (onItsWay === undefined || taken === undefined || failed === undefined) return assert.fail("nothing was claimed")
      await conclude(taken, answer(200))
      await conclude(failed, answer(503))
      const url = `https://shop.example/${mintUuid()}`
      const change = (next: WebhookEndpoint["status"]) => store((it) => it.replace(act, tenant, made.id, { url, description: null, eventTypes: null, status: next }, made.createdAt))
      const moved = Option.getOrThrow(await change(status))
      assert.deepInclude(moved, { url, status, failingSince: status === "ACTIVE" ? null : moved.failingSince, sequence: 3 })
      assert.deepStrictEqual(moved.secrets, made.secrets)
      // The former address answers late that it is gone: its attempt has ended with the change.
      assert.isFalse(await conclude(onItsWay, answer(410)))
      assert.deepInclude(Option.getOrThrow(await store((it) => it.get(tenant, made.id))), { status, pausedBecause: status === "ACTIVE" ? null : "REQUESTED" })
      if (status === "PAUSED") assert.deepStrictEqual(await claim(made.id), [])
      await change("ACTIVE")
      const claims = await claim(made.id)
      assert.deepStrictEqual(claims.map(({ eventId }) => eventId), [onItsWay.eventId, failed.eventId])
      for (const { attempts, endpoint } of claims) assert.deepStrictEqual([attempts, endpoint.url], [0, url])
    })

    it("an endpoint that answers 410 is paused at once", async () => {
      const tenant = await newTenant()
      const { id } = await create(tenant)
      await issue(tenant)
      await enqueue()
      const [first] = await claim(id)
      if (first === undefined) return assert.fail("nothing was claimed")
      await conclude(first, answer(410))
      assert.deepInclude(Option.getOrThrow(await store((it) => it.get(tenant, id))), { status: "PAUSED", pausedBecause: "GONE" })
    })

    it("events are sent again when that is asked for, and a test message beside them", async () => {
      const tenant = await newTenant()
      const { id } = await create(tenant)
      await issue(tenant, 3)
      await enqueue()
      for (const one of await claim(id)) await conclude(one, answer(200))
      assert.deepStrictEqual(await messages((it) => it.resend(tenant, id, { from: 2, to: 9 })), Option.some(2))
      assert.isTrue(await messages((it) => it.queueTest(tenant, id, { eventId: "evt_test_1", body: "{\"type\":\"webhook.test\"}" })))
      const claims = await claim(id)
      assert.deepStrictEqual(claims.map(({ body }) => JSON.parse(body).sequence ?? JSON.parse(body).type), [2, 3, "webhook.test"])
    })

    it("rotated secrets sign beside each other until the older one ends", async () => {
      const tenant = await newTenant()
      const { id } = await create(tenant)
      const at = DateTime.makeUnsafe(Date.now())
      const until = DateTime.add(at, { hours: 24 })
      const now = Option.getOrThrow(await store((it) => it.rotate(act, tenant, id, { secret: secretOf("whsec_two"), at, until })))
      assert.deepStrictEqual(now.secrets.map(({ secret, validUntil }) => [Redacted.value(secret), validUntil?.epochMilliseconds ?? null]), [["whsec_two", null], ["whsec_one", until.epochMilliseconds]])
      assert.deepStrictEqual(Option.getOrThrow(await store((it) => it.get(tenant, id))).secrets.length, 2)
    })

    it("attempts that end at once are each answered and written down for themselves", async () => {
      const tenant = await newTenant()
      const { id } = await create(tenant)
      await issue(tenant, 6)
      await enqueue()
      const [late] = await claim(id, -1)
      const held = await claim(id)
      if (late === undefined) return assert.fail("nothing was claimed")
      const codes = [200, 503, 204, null, 500, 200]
      const [first = late] = held
      const concluded = await Promise.all([...held.map((claimed, place) => failAtOnce(claimed, answer(codes[place] ?? null))), failAtOnce(late, answer(410)), failAtOnce(first, answer(500))])
      assert.deepStrictEqual(concluded, [true, true, true, true, true, true, false, false])
      const attempts = await messages((it) => it.attempts(tenant, id, 10))
      assert.deepStrictEqual(new Map(attempts.map(({ eventId, statusCode, taken }) => [eventId, [statusCode, taken]])),
        new Map(held.map(({ eventId }, place) => [eventId, [codes[place] ?? null, (codes[place] ?? 0) < 300 && codes[place] !== null]])))
      assert.lengthOf(attempts, 6)
      // The last that ended was taken, so the endpoint works; the 410 was an ended claim's, and a claim ends once.
      assert.deepInclude(Option.getOrThrow(await store((it) => it.get(tenant, id))), { status: "ACTIVE", failingSince: null })
      const again = await claim(id)
      assert.deepStrictEqual(again.map(({ attempts: before, eventId }) => [eventId, before]), [1, 3, 4].map((place) => [held[place]?.eventId, 1]))
    })

    it("forgets attempts of long ago and no others", async () => {
      const tenant = await newTenant()
      const { id } = await create(tenant)
      await issue(tenant)
      await enqueue()
      for (const one of await claim(id)) await conclude(one, answer(200))
      await outbox((it) => it.forget(1))
      assert.lengthOf(await messages((it) => it.attempts(tenant, id, 10)), 1)
      await outbox((it) => it.forget(-1))
      assert.deepStrictEqual(await messages((it) => it.attempts(tenant, id, 10)), [])
    })
  })
