import { layerWebhookKeys, signatureHeader } from "@overa/adapter-webhooks"
import { verifyWebhook } from "@overa/client"
import { WebhookKeys, type WebhookSecret, type WebhookSignature } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"

const make = (signature: WebhookSignature) => Effect.runPromise(Effect.provide(Effect.flatMap(WebhookKeys, (keys) => keys.make(signature)), layerWebhookKeys))
const heldBy = ({ publicKey, secret }: WebhookSecret): string => publicKey ?? Redacted.value(secret)

describe.each(["v1", "v1a"] as const)("a message signed by %s", (signature) => {
  const body = JSON.stringify({ id: "evt_1", type: "document.found", data: { clientReference: "порџбина" } })
  const now = 1_800_000_000_000
  const received = async (changes: Readonly<Record<string, string>> = {}) => {
    const secrets = [await make(signature), await make(signature)]
    const headers: Readonly<Record<string, string>> = {
      "webhook-id": "evt_1", "webhook-timestamp": String(now / 1_000), "webhook-signature": signatureHeader(secrets, "evt_1", new Date(now), body), ...changes
    }
    return { keys: secrets.map(heldBy), message: { body, header: (name: string) => headers[name] ?? null } }
  }

  it("verifies by each of its secrets, also beside others, and by no other", async () => {
    const { keys, message } = await received()
    for (const key of keys) expect(await verifyWebhook(message, ["whsec_AAAA", key], now)).toEqual(JSON.parse(body))
    expect(await verifyWebhook(message, [heldBy(await make(signature))], now)).toBeNull()
    expect(await verifyWebhook(message, [], now)).toBeNull()
  })

  it("does not verify changed, under another id, early, late, or with damaged headers", async () => {
    const { keys, message } = await received()
    expect(await verifyWebhook({ ...message, body: `${body} ` }, keys, now)).toBeNull()
    for (const away of [-301_000, 301_000]) expect(await verifyWebhook(message, keys, now + away)).toBeNull()
    for (const away of [-299_000, 299_000]) expect(await verifyWebhook(message, keys, now + away)).not.toBeNull()
    for (const change of [{ "webhook-id": "evt_2" }, { "webhook-timestamp": "now" }, { "webhook-signature": "" }, { "webhook-signature": "v1,%%% v1a,AAAA v2,AAAA" }]) {
      const { keys: own, message: damaged } = await received(change)
      expect(await verifyWebhook(damaged, own, now)).toBeNull()
    }
  })
})
