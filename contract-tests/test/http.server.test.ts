import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { sampleSale } from "../src/http/sampleSale.ts"
import { ApiClient, newKey } from "../src/support/ApiClient.ts"
import { type MemoryApi, startMemoryApi } from "../src/support/memoryApi.ts"

const open = async (memory: MemoryApi): Promise<Socket> => {
  const url = new URL(memory.target.baseUrl)
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, "connect")
  return socket
}

/** Everything the server sends until it closes the connection. */
const saidUntilClosed = async (socket: Socket): Promise<string> => {
  const chunks: Array<Buffer> = []
  socket.on("data", (chunk: Buffer) => chunks.push(chunk))
  await once(socket, "close")
  return Buffer.concat(chunks).toString()
}

describe("the server", () => {
  it("lets what is under way reach its answer when it stops, and takes nothing new", async () => {
    const memory = await startMemoryApi()
    const api = await ApiClient.of(memory.target)
    const { promise: signed, resolve: sign } = Promise.withResolvers<void>()
    memory.authority.mood = { waitFor: signed }
    const waiting = api.post("/v1/fiscal-documents", sampleSale(api.target))
    await expect.poll(() => memory.authority.arrived.length).toBe(1)
    const stopped = memory.running.stop()
    await expect(fetch(`${memory.target.baseUrl}/v1/runtime`)).rejects.toThrow("fetch failed")
    sign()
    const answer = await waiting
    expect([answer.status, answer.json.fiscalized]).toEqual([201, true])
    await stopped
  })

  it("waits also for work whose caller has left", async () => {
    const memory = await startMemoryApi()
    const api = await ApiClient.of(memory.target)
    const { promise: signed, resolve: sign } = Promise.withResolvers<void>()
    memory.authority.mood = { waitFor: signed }
    const body = JSON.stringify(sampleSale(api.target))
    const socket = await open(memory)
    socket.write(
      `POST /v1/fiscal-documents HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await api.token()}\r\nIdempotency-Key: ${newKey()}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    )
    await expect.poll(() => memory.authority.arrived.length).toBe(1)
    socket.destroy()
    await expect.poll(() => memory.authority.callersGone[0]?.aborted).toBe(true)
    const stopped = memory.running.stop()
    sign()
    await stopped
    expect(memory.authority.signed).toHaveLength(1)
    const entry = memory.log.map((line) => JSON.parse(line)).find(({ route }) => route === "/v1/fiscal-documents")
    expect(entry).toMatchObject({ status: 201, callerGone: true })
  })

  it("answers what is no HTTP request once, plainly, and closes", async () => {
    const memory = await startMemoryApi()
    const socket = await open(memory)
    socket.write("SALE please\r\n\r\n")
    const said = await saidUntilClosed(socket)
    expect(said).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(said).toMatch(/X-Request-Id: [0-9a-f-]{36}/)
    await memory.running.stop()
  })

  it("refuses headers beyond 16 KiB", async () => {
    const memory = await startMemoryApi()
    const socket = await open(memory)
    socket.write(`GET /v1/runtime HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`)
    expect(await saidUntilClosed(socket)).toMatch(/^HTTP\/1\.1 431 /)
    await memory.running.stop()
  })

  it("refuses a body that grows beyond its bound without a declared length, and closes", async () => {
    const memory = await startMemoryApi()
    const api = await ApiClient.of(memory.target)
    const socket = await open(memory)
    const head = `POST /v1/fiscal-documents HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await api.token()}\r\n` +
      `Idempotency-Key: ${newKey()}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    socket.write(head)
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`
    socket.on("error", () => undefined)
    for (let sent = 0; sent < 20; sent++) socket.write(chunk)
    expect(await saidUntilClosed(socket)).toMatch(/^HTTP\/1\.1 413 /)
    await memory.running.stop()
  })

  it("says in one line that its port is taken", async () => {
    const memory = await startMemoryApi()
    const port = Number(new URL(memory.target.baseUrl).port)
    await expect(startMemoryApi({ port })).rejects.toThrow(`PORT: ${port} is taken by another program.`)
    await memory.running.stop()
  })

  it("serves the contract and its reference to anybody, from itself alone", async () => {
    const memory = await startMemoryApi()
    const page = await fetch(`${memory.target.baseUrl}/docs`)
    const policy = page.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain("unsafe")
    const html = await page.text()
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = ""]) => file)
    expect(files.length).toBeGreaterThanOrEqual(4)
    for (const file of files) {
      expect(file).toMatch(/^\/(docs\/|openapi\.)/)
      expect((await fetch(memory.target.baseUrl + file)).status).toBe(200)
    }
    expect((await fetch(`${memory.target.baseUrl}/openapi.yaml`)).headers.get("content-type")).toMatch(/^application\/yaml/)
    await memory.running.stop()
  })
})
