import { HttpWebhookSender, type WebhookConnection } from "@overa/adapter-webhooks"
import { type ClaimedWebhook, type OrganizationId, type WebhookEndpointId, WebhookSender } from "@overa/domain"
import { Effect, Fiber, Redacted } from "effect"
import { lookup } from "node:dns/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { resolveByNameServers } from "../src/resolveNames.ts"
import { type RunningNameServer, type Said, startNameServer } from "./nameServer.ts"

const opened: Array<{ readonly close: () => void }> = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

const serverThat = async (say: (type: "A" | "AAAA", name: string) => Said): Promise<RunningNameServer> => {
  const server = await startNameServer(say)
  opened.push(server)
  return server
}
const resolve = (server: RunningNameServer, host: string, signal = new AbortController().signal) => resolveByNameServers([server.address])(host, signal)

describe("a name", () => {
  it("has the addresses of both families, IPv4 first, asked for once", async () => {
    const server = await serverThat(() => ["2a00::1", "93.184.216.34", "93.184.216.35"])
    expect(await resolve(server, "shop.example")).toEqual([
      { address: "93.184.216.34", family: 4 }, { address: "93.184.216.35", family: 4 }, { address: "2a00::1", family: 6 }
    ])
    expect(server.asked.toSorted()).toEqual(["A shop.example", "AAAA shop.example"])
  })

  it("of one family has that one's, also where the server never says anything of the other", async () => {
    expect(await resolve(await serverThat(() => ["2a00::1"]), "shop.example")).toEqual([{ address: "2a00::1", family: 6 }])
    const half = await serverThat((type) => type === "AAAA" ? "SILENCE" : ["93.184.216.34"])
    const began = performance.now()
    expect(await resolve(half, "shop.example")).toEqual([{ address: "93.184.216.34", family: 4 }])
    expect(performance.now() - began).toBeLessThan(4_000)
  })

  it("that does not exist, or has no address, is a failure with words", async () => {
    await expect(resolve(await serverThat(() => "NO_SUCH_NAME"), "shop.example")).rejects.toThrow(/ENOTFOUND shop\.example/)
    await expect(resolve(await serverThat(() => []), "shop.example")).rejects.toThrow(/ENODATA shop\.example/)
  })

  it("is not asked for any more when its attempt ends", async () => {
    const server = await serverThat(() => "SILENCE")
    await expect(resolve(server, "shop.example", AbortSignal.timeout(200))).rejects.toThrow(/ECANCELLED/)
    expect(server.asked).toHaveLength(2)
  })
})

/** What one endpoint may have on its way at once. */
const sixteen = Array.from({ length: 16 }, (_, at) => `http://n${at}.hostile.example/`)

const claimed = (url: string): ClaimedWebhook => ({
  endpoint: { id: "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c20" as WebhookEndpointId, organizationId: "o" as OrganizationId, environment: "sandbox", url, signature: "v1",
    secrets: [{ secret: Redacted.make("whsec_AAAA"), publicKey: null, validUntil: null }] },
  eventId: "evt_1", body: "{}", position: 1, attempts: 0, claim: "c"
})

/** A worker whose names come from this name server, behind a proxy that answers for every receiver. */
const connectionOver = async ({ address }: RunningNameServer, timeoutMillis: number): Promise<WebhookConnection> => {
  const receiver = createServer((_request, answer) => void answer.end("ok"))
  const proxy = createServer().on("connect", (_request, socket) => {
    socket.on("error", () => undefined).write("HTTP/1.1 200 OK\r\n\r\n")
    receiver.emit("connection", socket)
  })
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done))
  opened.push(proxy)
  return { proxy: new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`), allowPrivate: false, nameServers: [address], timeoutMillis }
}

describe("a shop whose name server is silent", () => {
  const hostile = () => serverThat((_type, name) => name.endsWith("hostile.example") ? "SILENCE" : name === "inner.example" ? ["93.184.216.34", "10.0.0.1"] : ["93.184.216.34"])
  const send = (url: string) => Effect.flatMap(WebhookSender, (sender) => sender.send(claimed(url), claimed(url).endpoint.secrets))

  it("delays no other shop's messages, and no other look-up of the worker", async () => {
    const layer = HttpWebhookSender.layer(await connectionOver(await hostile(), 3_000))
    await Effect.runPromise(Effect.gen(function*() {
      const slow = yield* Effect.forEach(sixteen, (url) => Effect.forkChild(send(url), { startImmediately: true }))
      const began = performance.now()
      expect(yield* send("http://good.example/")).toMatchObject({ statusCode: 200, answer: "ok" })
      yield* Effect.promise(() => lookup("localhost"))
      expect(performance.now() - began).toBeLessThan(2_000)
      for (const outcome of yield* Effect.forEach(slow, Fiber.join)) expect(outcome).toMatchObject({ statusCode: null, error: "no whole answer within 3000 ms" })
    }).pipe(Effect.provide(layer)))
  })

  it("or that has one private address, is not connected to", async () => {
    const layer = HttpWebhookSender.layer(await connectionOver(await hostile(), 3_000))
    expect(await Effect.runPromise(Effect.provide(send("http://inner.example/"), layer))).toMatchObject({ statusCode: null, error: "10.0.0.1 is not an address of the internet" })
  })
})
