import type { Event, WebhookTest } from "./contract.ts"
import { needGlobals } from "./needGlobals.ts"

/** A message as it was received. */
export interface ReceivedWebhook {
  /** The body as received, byte for byte: parsed and written again it does not verify. */
  readonly body: string
  /** The value of a header by its name in small letters. */
  readonly header: (name: string) => string | null | undefined
}

const mostSecondsAway = 300

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

const algorithms = {
  v1: { prefix: "whsec_", name: { name: "HMAC", hash: "SHA-256" } },
  v1a: { prefix: "whpk_", name: { name: "Ed25519" } }
} as const

const isSignedBy = async (secret: string, signed: Uint8Array<ArrayBuffer>, signatures: string): Promise<boolean> => {
  for (const one of signatures.split(" ")) {
    const [version, signature = ""] = one.split(",")
    const algorithm = version === "v1" || version === "v1a" ? algorithms[version] : null
    if (algorithm === null || !secret.startsWith(algorithm.prefix) || !/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) continue
    const key = await crypto.subtle.importKey("raw", bytesOf(secret.slice(algorithm.prefix.length)), algorithm.name, false, ["verify"])
    if (await crypto.subtle.verify(algorithm.name.name, key, bytesOf(signature), signed)) return true
  }
  return false
}

/**
 * The message, if one of the secrets has signed it within five minutes of now; null otherwise. A secret is `whsec_…`, or the public key `whpk_…`; give
 * both while one is rotated. Source: Standard Webhooks.
 *
 * @throws RuntimeIncomplete where the runtime lacks `crypto.subtle`, `TextEncoder` or `atob`.
 */
export const verifyWebhook = async (
  { body, header }: ReceivedWebhook,
  secrets: ReadonlyArray<string>,
  now: number = Date.now()
): Promise<Event | WebhookTest | null> => {
  needGlobals(["crypto.subtle", "TextEncoder", "atob"])
  const [id, timestamp, signatures] = [header("webhook-id"), header("webhook-timestamp"), header("webhook-signature")]
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string" || !/^\d{1,12}$/.test(timestamp)) return null
  if (Math.abs(now / 1_000 - Number(timestamp)) > mostSecondsAway) return null
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const secret of secrets) if (await isSignedBy(secret, signed, signatures)) return JSON.parse(body) as Event | WebhookTest
  return null
}
