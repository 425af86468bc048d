/** Callers that leave at every byte of their requests: no request of theirs stays in flight, and the host stops as if they had never come. */
import { setTimeout as delay } from "node:timers/promises"
import { afterAll, beforeAll, expect, it } from "vitest"
import { leaveAtEveryByte } from "./leavers.ts"
import { sampleSale } from "../../src/http/sampleSale.ts"
import { type PortalStage, portalStage } from "../../src/portal/portalStage.ts"
import { startMemoryApi } from "../../src/support/memoryApi.ts"

/** `LEAVERS=10000` tries more of them. */
const callers = Number(process.env["LEAVERS"] ?? 2_000)

const requestOf = (path: string, headers: Readonly<Record<string, string>>, body: string, method = "POST"): Buffer =>
  Buffer.from([`${method} ${path} HTTP/1.1`, "Host: x", ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), `Content-Length: ${Buffer.byteLength(body)}`, "", body].join("\r\n"))

const inFlight = async (url: string): Promise<number> =>
  Number(/^overa_requests_in_flight (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])

const millisOf = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

it(`${callers} callers that leave at every byte leave no request in flight, and the host stops within its time`, async () => {
  const { running, target } = await startMemoryApi()
  const sale = JSON.stringify(sampleSale(target))
  // To verify a token that it has not seen yet takes the host a while. Meanwhile its caller leaves.
  const tokenOf = (caller: number): Promise<string> => target.mint?.({ clientId: target.clientId, scope: `fiscal:write fiscal:read catalogue:write ${caller}` }) ?? Promise.resolve("")
  const kinds: ReadonlyArray<(caller: number) => Promise<Buffer>> = [
    async (caller) => requestOf("/v1/fiscal-documents/dry-run", { Authorization: `Bearer ${await tokenOf(caller)}`, "Content-Type": "application/json" }, sale),
    async (caller) =>
      requestOf("/v1/fiscal-documents", { Authorization: `Bearer ${await tokenOf(caller)}`, "Content-Type": "application/json", "Idempotency-Key": "the-key-of-those-who-leave" }, sale),
    async (caller) =>
      requestOf(`/v1/products/import?taxpayerId=${target.taxpayerId}`, { Authorization: `Bearer ${await tokenOf(caller)}`, "Content-Type": "text/csv" }, "sku,name\nleft,x\n"),
    async (caller) => requestOf("/v1/journal/export", { Authorization: `Bearer ${await tokenOf(caller)}` }, "", "GET"),
    () => Promise.resolve(requestOf("/oauth/token", { "Content-Type": "application/x-www-form-urlencoded" }, `grant_type=client_credentials&client_id=${target.clientId}&client_secret=x`))
  ]
  const bytesOf = (caller: number) => kinds[Math.floor(caller / 2) % kinds.length]?.(caller) ?? Promise.resolve(Buffer.alloc(0))
  const port = Number(new URL(running.url).port)
  await leaveAtEveryByte({ port, bytesOf }, callers)
  // The question itself is in flight.
  await expect.poll(() => inFlight(running.url), { timeout: 10_000 }).toBe(1)
  // Those of one network soon wait to be read, and the host stops meanwhile.
  const waiting = leaveAtEveryByte({ port, addressOf: () => "127.2.0.1", bytesOf }, 500)
  await delay(2_000)
  expect(await millisOf(running.stop)).toBeLessThan(1_000)
  await waiting
}, 120_000)

let stage: PortalStage
beforeAll(async () => {
  stage = await portalStage()
}, 120_000)
afterAll(() => stage.close())

it("and a portal stops as quickly, with and without their sessions", async () => {
  const origin = stage.portal.url
  const form = { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" }
  const session = await stage.session(stage.people.OWNER)
  const requests = [
    requestOf("/sign-in", form, "email=a%40b.example&password=x"),
    requestOf("/catalogue/import", { ...form, Cookie: `overa-session=${session}` }, `proof=x&csv=${"x".repeat(500)}`)
  ]
  await leaveAtEveryByte({ port: Number(new URL(origin).port), bytesOf: (caller) => Promise.resolve(requests[Math.floor(caller / 2) % 2] ?? Buffer.alloc(0)) }, callers / 4)
  expect(await millisOf(stage.portal.stop)).toBeLessThan(2_000)
}, 120_000)
