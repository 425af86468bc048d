import { HttpWitnesses } from "@overa/adapter-webhooks"
import { noteKeyOf, type WitnessAnswer, Witnesses } from "@overa/domain"
import { Effect } from "effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"

const key = noteKeyOf("witness.example/a", new Uint8Array(32).fill(3))
const request = { oldSize: 3, proof: [new Uint8Array(32).fill(1)], note: "origin\n5\nAAAA\n\n— origin AAAAAAAA\n" }

const servers: Array<ReturnType<typeof createServer>> = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

const serving = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/add-checkpoint`
}

const ask = (url: string, timeoutMillis?: number): Promise<WitnessAnswer> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(Witnesses, (it) => it.ask(key, request)), HttpWitnesses.layer([{ key, url }], timeoutMillis)))

const answering = async (status: number, body: string, headers: Record<string, string> = {}) =>
  ask(await serving((_request, response) => void response.writeHead(status, headers).end(body)))

describe("asking a witness over HTTP", () => {
  it("sends the body of the protocol to the address that is set", async () => {
    let sent: readonly [string | undefined, string | undefined, string] | null = null
    const url = await serving(async (received, response) => {
      let body = ""
      for await (const part of received) body += String(part)
      sent = [received.method, received.url, body]
      response.end("— witness.example/a AAAA\n")
    })
    expect(await ask(url)).toEqual({ _tag: "Cosigned", text: "— witness.example/a AAAA\n" })
    expect(sent).toEqual(["POST", "/add-checkpoint", `old 3\n${Buffer.from(request.proof[0] ?? []).toString("base64")}\n\n${request.note}`])
  })

  it.each<readonly [number, string, WitnessAnswer]>([
    [409, "7\n", { _tag: "Conflict", size: 7 }],
    [409, "0", { _tag: "Conflict", size: 0 }],
    [409, "9007199254740993\n", { _tag: "Refused", status: 409, reason: "9007199254740993" }],
    [409, "-1\n", { _tag: "Refused", status: 409, reason: "-1" }],
    [409, "7\n8\n", { _tag: "Refused", status: 409, reason: "7 8" }],
    [422, "no\nproof\u001B[2J\u0000", { _tag: "Refused", status: 422, reason: "no proof [2J" }],
    [404, "", { _tag: "Refused", status: 404, reason: "" }],
    [500, "x".repeat(10_000), { _tag: "Refused", status: 500, reason: "x".repeat(300) }],
    [201, "— witness.example/a AAAA\n", { _tag: "Refused", status: 201, reason: "— witness.example/a AAAA" }]
  ])("%i with %j is what it says", async (status, body, answer) => {
    expect(await answering(status, body)).toEqual(answer)
  })

  it("follows no redirect", async () => {
    let isReached = false
    const elsewhere = await serving((_request, response) => {
      isReached = true
      response.end("— witness.example/a AAAA\n")
    })
    for (const status of [301, 302, 303, 307, 308]) expect(await answering(status, "", { Location: elsewhere })).toMatchObject({ _tag: "Refused", status })
    expect(isReached).toBe(false)
  })

  it("reads the beginning of an answer without an end", async () => {
    const url = await serving((_request, response) => {
      response.on("error", () => undefined)
      const more = () => {
        if (!response.destroyed) response.write("x".repeat(1_000), () => setImmediate(more))
      }
      more()
    })
    const answer = await ask(url)
    expect(answer._tag === "Cosigned" ? answer.text.length : answer).toBe(4_096)
  })

  it("waits no longer than it may, for the answer and for its end", async () => {
    const late = { _tag: "Unreachable", cause: "no whole answer within 200 ms" }
    expect(await ask(await serving(() => undefined), 200)).toEqual(late)
    expect(await ask(await serving((_request, response) => void response.writeHead(200).write("— ")), 200)).toEqual(late)
  })

  it("says why there was no answer", async () => {
    const url = await serving((received) => received.socket.destroy())
    expect(await ask(url)).toMatchObject({ _tag: "Unreachable" })
    servers[0]?.close()
    expect(await ask("http://127.0.0.1:1/add-checkpoint")).toMatchObject({ _tag: "Unreachable", cause: expect.stringMatching(/ECONNREFUSED|bad port/) as string })
    expect(await ask("https://witness.invalid/add-checkpoint")).toMatchObject({ _tag: "Unreachable", cause: expect.stringContaining("witness.invalid") as string })
  })
})
