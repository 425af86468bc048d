import {
  layerDatabase, layerEventFeed, layerJournalSealer, layerOperationStore, layerWebhookOutbox, layerWebhookStore, makeSecrets
} from "@overa/adapter-postgres"
import { type WebhookEndpointId, WebhookMessages, WebhookOutbox, WebhookStore } from "@overa/domain"
import { DateTime, Effect, Layer, Logger, ManagedRuntime, Redacted, Result } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { waitingWebhooksContract } from "../src/ports/WaitingWebhooks.contract.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { layerIdentifiers } from "../src/support/postgresPorts.ts"
import { mintPlace } from "../src/support/sampleOperations.ts"
import { encryptionKeys, registerOrganization } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"
import { sampleEndpoint } from "../src/support/webhookStage.ts"

const secrets = Result.getOrThrow(makeSecrets(encryptionKeys))
const act = { actor: "test", reason: "made for a test" }
const lines: Array<string> = []

let database: ThrowawayDatabase
let client: pg.Client
const layer = () =>
  Layer.mergeAll(layerJournalSealer(secrets), layerOperationStore, layerEventFeed, layerWebhookStore(secrets), layerWebhookOutbox({ secrets, isConfigured: false })).pipe(
    Layer.provide(layerIdentifiers),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "queues" })),
    Layer.provideMerge(Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))]))
  )
let runtime: ManagedRuntime.ManagedRuntime<WebhookStore | WebhookMessages | WebhookOutbox, unknown>
const run = <A, E>(body: Effect.Effect<A, E, WebhookStore | WebhookMessages | WebhookOutbox>): Promise<A> => runtime.runPromise(body)

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  runtime = ManagedRuntime.make(layer())
})
afterAll(async () => {
  await runtime.dispose()
  await client.end()
  await database.drop()
})

waitingWebhooksContract("PostgreSQL", () => ({ layer: layer(), register: async (organizationId) => void await registerOrganization(client, organizationId) }))

/** An endpoint of an organization of its own, and so many messages that wait for it. */
const endpointWith = async (messages: number) => {
  const tenant = mintPlace()
  await registerOrganization(client, tenant.organizationId)
  const id = mintUuid() as WebhookEndpointId
  const { url, ...endpoint } = sampleEndpoint(tenant, id, `https://shop.example/${id}`, DateTime.makeUnsafe(0))
  await run(Effect.gen(function*() {
    yield* (yield* WebhookStore).create(act, { ...endpoint, url })
    for (let count = 0; count < messages; count += 1) yield* (yield* WebhookMessages).queueTest(tenant, id, { eventId: `evt_test_${count}`, body: "{}" })
  }))
  const remove = () => run(Effect.flatMap(WebhookStore, (store) => store.replace(act, tenant, id, { url, description: null, eventTypes: null, status: "REMOVED" }, DateTime.makeUnsafe(0))))
  return { id, remove }
}
const claimed = async (): Promise<ReadonlyArray<string>> => (await run(Effect.flatMap(WebhookOutbox, (outbox) => outbox.claimDue(64, 60_000)))).map(({ endpoint }) => endpoint.id)

describe("an endpoint whose secrets do not open", () => {
  it("holds back no other's messages, is named in the log, and is looked at again", async () => {
    const broken = await endpointWith(1)
    const others = [await endpointWith(1), await endpointWith(1), await endpointWith(1)]
    const { rows } = await client.query<{ secrets: string }>("select secrets from webhook_endpoints where endpoint_id = $1", [broken.id])
    await client.query("update webhook_endpoints set secrets = 'v1.k0.AAAA' where endpoint_id = $1", [broken.id])
    assert.deepStrictEqual((await claimed()).toSorted(), others.map(({ id }) => id).toSorted())
    assert.deepStrictEqual(await claimed(), [])
    assert.lengthOf(lines.filter((line) => line.includes(broken.id) && line.includes("do not open")), 1, "once a minute at most")
    await client.query("update webhook_endpoints set secrets = $2, try_at = try_at - interval '1 minute' where endpoint_id = $1", [broken.id, rows[0]?.secrets])
    assert.deepStrictEqual(await claimed(), [broken.id])
  })
})

describe("what waits for an endpoint that was removed", () => {
  const leftOf = async (id: string): Promise<number> => {
    await client.query("update webhook_messages set created_at = now() - interval '31 days' where endpoint_id = $1", [id])
    await run(Effect.flatMap(WebhookOutbox, (outbox) => outbox.forget(30)))
    return (await client.query("select from webhook_messages where endpoint_id = $1", [id])).rowCount ?? -1
  }

  it("is forgotten as what was sent", async () => {
    const { id, remove } = await endpointWith(5)
    await remove()
    assert.deepStrictEqual((await client.query("select distinct status from webhook_messages where endpoint_id = $1", [id])).rows, [{ status: "FAILED" }])
    assert.strictEqual(await leftOf(id), 0)
  })

  it("is forgotten where an earlier release removed the endpoint and left it waiting", async () => {
    const { id } = await endpointWith(5)
    await client.query("update webhook_endpoints set status = 'REMOVED' where endpoint_id = $1", [id])
    assert.strictEqual(await leftOf(id), 0)
  })

  it("what waits for another one is kept", async () => {
    const { id } = await endpointWith(2)
    assert.strictEqual(await leftOf(id), 2)
  })
})
