import { type WebhookSecret, WebhookKeys, type WebhookSignature } from "@overa/domain"
import { Effect, Layer, Redacted } from "effect"
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { Webhook } from "standardwebhooks"

const symmetric = (): WebhookSecret => ({ secret: Redacted.make(`whsec_${randomBytes(32).toString("base64")}`), publicKey: null, validUntil: null })

/** The last 32 bytes of the DER forms of Ed25519 keys are the key itself (RFC 8410). */
const rawKey = (der: Buffer): Buffer => der.subarray(-32)
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex")

/** A private key is written as its seed and its public key, 64 bytes. */
const asymmetric = (): WebhookSecret => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const open = rawKey(publicKey.export({ type: "spki", format: "der" }))
  const both = Buffer.concat([rawKey(privateKey.export({ type: "pkcs8", format: "der" })), open])
  return { secret: Redacted.make(`whsk_${both.toString("base64")}`), publicKey: `whpk_${open.toString("base64")}`, validUntil: null }
}

const makers: Readonly<Record<WebhookSignature, () => WebhookSecret>> = { v1: symmetric, v1a: asymmetric }

export const layerWebhookKeys: Layer.Layer<WebhookKeys> = Layer.succeed(
  WebhookKeys,
  WebhookKeys.of({ make: (signature) => Effect.sync(makers[signature]) })
)

const signed = (secret: string, id: string, at: Date, body: string): string => {
  if (!secret.startsWith("whsk_")) return new Webhook(secret).sign(id, at, body)
  const seed = Buffer.from(secret.slice("whsk_".length), "base64").subarray(0, 32)
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: "der", type: "pkcs8" })
  return `v1a,${sign(null, Buffer.from(`${id}.${Math.floor(at.getTime() / 1_000)}.${body}`, "utf8"), key).toString("base64")}`
}

/** The header `webhook-signature`: one signature for each secret, so that a receiver may have any of them. Source: Standard Webhooks, signatures. */
export const signatureHeader = (secrets: ReadonlyArray<WebhookSecret>, id: string, at: Date, body: string): string =>
  secrets.map(({ secret }) => signed(Redacted.value(secret), id, at, body)).join(" ")
