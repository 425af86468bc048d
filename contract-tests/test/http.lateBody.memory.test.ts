import { once } from "node:events"
import { request as send } from "node:http"
import { describe, expect, it } from "vitest"
import { ApiClient, newKey } from "../src/support/ApiClient.ts"
import { type MemoryApi, startMemoryApi } from "../src/support/memoryApi.ts"

const path = "/v1/products"
const withoutRefill = { perSecond: 0.001, burst: 20 }

const stage = async () => {
  const memory = await startMemoryApi({ rateLimit: withoutRefill })
  const api = await ApiClient.of(memory.target)
  const left = async () => Number(/r=(\d+)/.exec((await api.get(path)).headers.get("ratelimit") ?? "")?.[1])
  return { memory, api, token: await api.token(), left }
}

/** Sends a product whose body is held back until `meanwhile` is done. */
const sendLate = async ({ target }: MemoryApi, token: string, sku: string, meanwhile: () => void) => {
  const body = JSON.stringify({ taxpayerId: target.taxpayerId, sku, name: "Knjiga", unitOfMeasure: "kom", grossUnitPrice: 10, taxLabels: ["A"] })
  const sent = send(target.baseUrl + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body), "Idempotency-Key": newKey(), Expect: "100-continue" }
  })
  const answered = once(sent, "response")
  sent.flushHeaders()
  // The server has read the head, and with it the token.
  await once(sent, "continue")
  meanwhile()
  sent.end(body)
  const [answer] = await answered
  answer.resume()
  return { status: answer.statusCode, challenge: answer.headers["www-authenticate"] ?? null }
}

describe("a request whose body is held back", () => {
  it("is refused where its token was revoked more than five seconds before the body ended, and nothing is stored", async () => {
    const { api, memory, token } = await stage()
    await api.get(path)
    const late = await sendLate(memory, token, "LATE-1", () => Object.assign(memory.surroundings, { keyRevoked: true, aheadMillis: 6_000 }))
    expect(late).toEqual({ status: 401, challenge: expect.stringContaining("invalid_token") })
    memory.surroundings.keyRevoked = false
    expect((await api.get(path)).text).not.toContain("LATE-1")
    await memory.running.stop()
  })

  it("is carried out where its token is still good, and counts as one request", async () => {
    const { left, memory, token } = await stage()
    const before = await left()
    const late = await sendLate(memory, token, "LATE-2", () => Object.assign(memory.surroundings, { aheadMillis: 6_000 }))
    expect(late).toEqual({ status: 201, challenge: null })
    expect(await left()).toBe(before - 2)
    await memory.running.stop()
  })
})
