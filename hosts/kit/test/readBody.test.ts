import { Result } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { CallerLeft, readBody } from "../src/front/readBody.ts"

const head = (length: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`

interface Arrived {
  readonly request: IncomingMessage
  readonly caller: Socket
}

/** A request whose caller has sent these bytes; what came of its body waits unread. */
const requestOf = async (sent: string): Promise<Arrived> => {
  const server = createServer()
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const arrived = once(server, "request") as Promise<[IncomingMessage]>
  const caller = connect((server.address() as AddressInfo).port, "127.0.0.1", () => caller.write(sent))
  caller.on("error", () => undefined)
  const [request] = await arrived
  server.close()
  return { request, caller }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What the reading came to: the bytes, or its failure. */
const outcomeOf = (reading: ReturnType<typeof readBody>): Promise<unknown> =>
  reading.then((read) => Result.isSuccess(read) ? read.success.toString() : read.failure.code, (error: unknown) => error)

describe("The reading of a body ends", () => {
  it("with its bytes, where the caller waits", async () => {
    const { caller, request } = await requestOf(head(5) + "12345")
    expect(await outcomeOf(readBody(request, 100))).toBe("12345")
    caller.destroy()
  })

  it.each([
    ["had sent the whole body", head(5) + "12345"],
    ["had sent a part of it", head(10) + "12345"],
    ["had sent nothing of it", head(10)],
    ["had sent a head without a body", head(0)],
    ["had sent the head of one that is too large", head(200)]
  ])("where the caller %s and left before anybody listened", async (_what, sent) => {
    const { caller, request } = await requestOf(sent)
    const closed = new Promise((resolve) => request.socket.once("close", resolve))
    caller.resetAndDestroy()
    await closed
    await nextTurn()
    expect(await outcomeOf(readBody(request, 100))).toBeInstanceOf(CallerLeft)
  }, 3_000)

  it("where the whole body has come and the connection closes before it is read", async () => {
    const { request } = await requestOf(head(5) + "12345")
    await nextTurn()
    const reading = outcomeOf(readBody(request, 100))
    expect(request.complete).toBe(true)
    request.pause().destroy()
    expect(await reading).toBeInstanceOf(CallerLeft)
  }, 3_000)
})
