import { HttpWebhookSender, layerWebhookKeys, signatureHeader, type WebhookConnection } from "@overa/adapter-webhooks"
import { type ClaimedWebhook, type OrganizationId, type WebhookEndpointId, WebhookKeys, WebhookSender, type WebhookSignature } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http"
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net"
import { Webhook } from "standardwebhooks"
import { afterEach, describe, expect, it } from "vitest"

const body = JSON.stringify({ id: "evt_1", type: "document.fiscalized", data: { clientReference: "порџбина-1" } })
const secretOf = (signature: WebhookSignature) => Effect.runPromise(Effect.provide(Effect.flatMap(WebhookKeys, (keys) => keys.make(signature)), layerWebhookKeys))

describe("signatures", () => {
  const at = new Date()
  const headersOf = (signature: string) => ({ "webhook-id": "evt_1", "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)), "webhook-signature": signature })

  it("of every valid secret verify with the library of the specification, and of no other", async () => {
    const [one, two, stranger] = [await secretOf("v1"), await secretOf("v1"), await secretOf("v1")]
    const headers = headersOf(signatureHeader([one, two], "evt_1", at, body))
    for (const { secret } of [one, two]) expect(new Webhook(Redacted.value(secret)).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(Redacted.value(stranger.secret)).verify(body, headers)).toThrow(/No matching signature/)
    expect(() => new Webhook(Redacted.value(one.secret)).verify(`${body} `, headers)).toThrow(/No matching signature/)
  })

  it("by Ed25519 verify with the public key and WebCrypto", async () => {
    const { publicKey, secret } = await secretOf("v1a")
    const [version, signature = ""] = signatureHeader([{ secret, publicKey, validUntil: null }], "evt_1", at, body).split(",")
    const key = await crypto.subtle.importKey("raw", Buffer.from(String(publicKey).slice("whpk_".length), "base64"), "Ed25519", false, ["verify"])
    const signed = (text: string) => new TextEncoder().encode(`evt_1.${Math.floor(at.getTime() / 1_000)}.${text}`)
    expect(version).toBe("v1a")
    expect(await crypto.subtle.verify("Ed25519", key, Buffer.from(signature, "base64"), signed(body))).toBe(true)
    expect(await crypto.subtle.verify("Ed25519", key, Buffer.from(signature, "base64"), signed(`${body} `))).toBe(false)
  })
})

describe("a hostile receiver", () => {
  const servers: Array<{ readonly close: () => void }> = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })
  const listening = async (server: Server | ReturnType<typeof createTcpServer>): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    servers.push({ close: () => { server.close(); if ("closeAllConnections" in server) server.closeAllConnections() } })
    return (server.address() as AddressInfo).port
  }
  const receiver = (listener: RequestListener) => listening(createServer(listener))

  const claimed = async (url: string, environment: "sandbox" | "production" = "sandbox"): Promise<ClaimedWebhook> => ({
    endpoint: { id: "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c20" as WebhookEndpointId, organizationId: "o" as OrganizationId, environment, url, signature: "v1", secrets: [await secretOf("v1")] },
    eventId: "evt_1", body, position: 1, attempts: 0, claim: "c"
  })
  const local: WebhookConnection = { proxy: null, allowPrivate: true, lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]), timeoutMillis: 1_000 }
  const send = async (url: string, connection: WebhookConnection = local, environment?: "sandbox" | "production") => {
    const one = await claimed(url, environment)
    return Effect.runPromise(Effect.provide(Effect.flatMap(WebhookSender, (sender) => sender.send(one, one.endpoint.secrets)), HttpWebhookSender.layer(connection)))
  }

  it("that is none gets the event as it is, with what it verifies it by", async () => {
    const got: Array<{ readonly headers: IncomingHttpHeaders; readonly body: string; readonly url: string | undefined }> = []
    const port = await receiver(async (request, answer) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8"), url: `${request.method} ${request.url}` })
      answer.writeHead(202).end("thanks")
    })
    expect(await send(`http://shop.example:${port}/hook?a=1`)).toMatchObject({ statusCode: 202, answer: "thanks", error: null })
    expect(got).toHaveLength(1)
    expect(got[0]).toMatchObject({ body, url: "POST /hook?a=1" })
    expect(got[0]?.headers).toMatchObject({ host: `shop.example:${port}`, "content-type": "application/json", "webhook-id": "evt_1" })
    expect(got[0]?.headers["webhook-signature"]).toMatch(/^v1,/)
  })

  it("that cannot be reached at one of its addresses is at another one", async () => {
    const port = await receiver((_request, answer) => void answer.end("here"))
    const both: WebhookConnection = { ...local, lookup: () => Promise.resolve([{ address: "::1", family: 6 }, { address: "127.0.0.1", family: 4 }]) }
    expect(await send(`http://shop.example:${port}/`, both)).toMatchObject({ statusCode: 200, answer: "here" })
  })

  it("that redirects to another address is not followed", async () => {
    let visits = 0
    const inner = await receiver((_request, answer) => {
      visits += 1
      answer.end()
    })
    const port = await receiver((_request, answer) => void answer.writeHead(302, { location: `http://127.0.0.1:${inner}/` }).end("moved"))
    expect(await send(`http://shop.example:${port}/`)).toMatchObject({ statusCode: 302, answer: "moved" })
    expect(visits).toBe(0)
  })

  it("that answers without end is read to 4 KiB and left", async () => {
    const port = await receiver((_request, answer) => {
      answer.writeHead(200)
      const more = (): void => {
        while (answer.write("x".repeat(65_536)));
        answer.once("drain", more)
      }
      more()
    })
    const { answer, statusCode } = await send(`http://shop.example:${port}/`)
    expect([statusCode, answer]).toEqual([200, "x".repeat(4_096)])
  })

  it("that sends a byte now and then, or nothing, or no answer's end, costs the whole time of one attempt and no more", async () => {
    const drip = await listening(createTcpServer((socket) => {
      socket.on("error", () => undefined)
      const beat = setInterval(() => socket.write("HTTP/1.1 200 OK\r\n".slice(0, 1)), 50)
      socket.on("close", () => clearInterval(beat))
    }))
    const silent = await listening(createTcpServer((socket) => void socket.on("error", () => undefined)))
    const open = await receiver((_request, answer) => void answer.writeHead(200).write("begin"))
    for (const port of [drip, silent, open]) {
      const outcome = await send(`http://shop.example:${port}/`, { ...local, timeoutMillis: 300 })
      expect(outcome.statusCode).toBeNull()
      expect(outcome.error).not.toBeNull()
      expect(outcome.millis).toBeLessThan(10_000)
    }
  })

  it("that breaks the protocol or the connection is a failure with words", async () => {
    const port = await listening(createTcpServer((socket) => void socket.on("error", () => undefined).end("NONSENSE\r\n\r\n")))
    expect(await send(`http://shop.example:${port}/`)).toMatchObject({ statusCode: null, answer: "", error: expect.stringMatching(/./) })
    expect(await send("http://shop.example:1/")).toMatchObject({ statusCode: null, error: expect.stringMatching(/ECONNREFUSED/) })
  })

  it("whose answer has a null character is one that the database can store", async () => {
    const port = await receiver((_request, answer) => void answer.end("a\u0000b"))
    expect((await send(`http://shop.example:${port}/`)).answer).toBe("a\uFFFDb")
  })

  const guarded: WebhookConnection = { ...local, allowPrivate: false }
  it("on a private address is not connected to: by number, by name, beside an open one, or mapped", async () => {
    let visits = 0
    const port = await receiver((_request, answer) => {
      visits += 1
      answer.end()
    })
    for (const url of [`http://127.0.0.1:${port}/`, `http://[::1]:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`, `http://shop.example:${port}/`, `http://2130706433:${port}/`, `http://0x7f.1:${port}/`]) {
      expect(await send(url, guarded)).toMatchObject({ statusCode: null, error: expect.stringMatching(/is not an address of the internet/) })
    }
    const both = { ...guarded, lookup: () => Promise.resolve([{ address: "8.8.8.8", family: 4 }, { address: "127.0.0.1", family: 4 }]) }
    expect((await send(`http://shop.example:${port}/`, both)).error).toMatch(/127\.0\.0\.1 is not an address of the internet/)
    expect(visits).toBe(0)
  })

  it("whose name leads elsewhere the second time is connected to where the first look-up said, because there is no second", async () => {
    let visits = 0
    const port = await receiver((_request, answer) => {
      visits += 1
      answer.end()
    })
    let lookups = 0
    const rebinding: WebhookConnection = { ...local, lookup: () => Promise.resolve([{ address: (lookups += 1) === 1 ? "127.0.0.1" : "127.0.0.9", family: 4 }]) }
    expect((await send(`http://shop.example:${port}/`, rebinding)).statusCode).toBe(200)
    expect([lookups, visits]).toEqual([1, 1])
  })

  it("gets nothing over http:// outside of the sandbox", async () => {
    expect(await send("http://shop.example/", local, "production")).toMatchObject({ statusCode: null, error: "the address does not begin with https://" })
  })

  it("behind the operator's proxy is asked for by the checked address; what is private is not asked for", async () => {
    const asked: Array<string> = []
    const port = await receiver((_request, answer) => void answer.end("through"))
    const proxy = createServer()
    proxy.on("connect", (request, socket) => {
      asked.push(String(request.url))
      const out = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n")
        out.pipe(socket).pipe(out)
      })
      for (const one of [out, socket]) one.on("error", () => undefined)
    })
    const through: WebhookConnection = { ...guarded, proxy: new URL(`http://127.0.0.1:${await listening(proxy)}`), lookup: () => Promise.resolve([{ address: "8.8.8.8", family: 4 }]) }
    expect(await send("http://shop.example:8123/", through)).toMatchObject({ statusCode: 200, answer: "through" })
    expect(asked).toEqual(["8.8.8.8:8123"])
    expect((await send("http://10.0.0.1/", through)).error).toMatch(/not an address of the internet/)
    expect(asked).toHaveLength(1)
  })
})
