import Koa from "koa"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type TrustedProxies, trustedProxies } from "../src/front/callerAddress.ts"
import { listen } from "../src/front/listen.ts"

let stop: () => Promise<void>
let port: number
beforeAll(async () => {
  const listening = await listen((_request, response) => void response.end("served"), { host: "127.0.0.1", port: 0 })
  port = listening.port
  stop = listening.stop
})
afterAll(() => stop())

/** The whole answer to a hand-written request. */
const rawAt = (at: number, lines: ReadonlyArray<string>, localAddress = "127.0.0.1"): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ""
    const socket = connect({ port: at, host: "127.0.0.1", localAddress }, () => socket.write(`${lines.join("\r\n")}\r\n\r\n`))
    socket.on("data", (chunk) => (answer += chunk.toString())).on("close", () => resolve(answer)).on("error", reject)
  })

const raw = (lines: ReadonlyArray<string>): Promise<string> => rawAt(port, lines)

describe("a request by hand", () => {
  it("with one Host is served", async () => {
    expect(await raw(["GET / HTTP/1.1", "Host: a", "Connection: close"])).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    ["two", ["Host: a", "Host: b"]],
    ["the same twice", ["Host: a", "host: a"]],
    ["two callers", ["Host: a", "Authorization: Bearer a", "authorization: Bearer b"]]
  ])("with %s is refused", async (_what, hosts) => {
    expect(await raw(["GET / HTTP/1.1", ...hosts])).toMatch(/^HTTP\/1\.1 400 /)
  })

  it("with one caller is served", async () => {
    expect(await raw(["GET / HTTP/1.1", "Host: a", "Authorization: Bearer a", "Connection: close"])).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([["//", "//"], ["http://[", "/"], ["http://a:b/v1/x?y", "/v1/x"], ["*", "*"], ["/%", "/%"]])("for the target %s has the path %s, and no fault", async (target, path) => {
    const faults: Array<unknown> = []
    const app = new Koa().on("error", (fault) => faults.push(fault)).use((context) => void (context.body = context.path))
    const { port: at, stop: end } = await listen(app.callback(), { host: "127.0.0.1", port: 0 })
    const answer = await rawAt(at, [`GET ${target} HTTP/1.1`, "Host: a", "Connection: close"])
    await end()
    expect([answer.split("\r\n", 1)[0], answer.split("\r\n\r\n")[1], faults]).toEqual(["HTTP/1.1 200 OK", path, []])
  })

  it("without one is refused", async () => {
    expect(await raw(["GET / HTTP/1.1", "Connection: close"])).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe("requests sent before their answers are read", () => {
  it("are worked on at once up to four; a connection with more is closed", async () => {
    let underWay = 0
    let most = 0
    const { port: at, stop: end } = await listen((_request, response) => {
      most = Math.max(most, underWay += 1)
      setTimeout(() => {
        underWay -= 1
        response.end("served")
      }, 20)
    }, { host: "127.0.0.1", port: 0 })
    const send = (count: number): Promise<number> =>
      new Promise((resolve) => {
        let answer = ""
        const socket = connect(at, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count - 1) + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
        socket.on("data", (chunk) => (answer += chunk.toString())).on("error", () => undefined).on("close", () => resolve(answer.split("served").length - 1))
      })
    expect(await send(4)).toBe(4)
    expect(await send(200)).toBe(0)
    expect(most).toBe(4)
    await end()
  })
})

describe("connections", () => {
  it("that come at once are taken many in one turn of a busy event loop", async () => {
    const count = 200
    let served = 0
    const { port: at, stop: end } = await listen((_request, response) => {
      served += 1
      response.end("served")
    }, { host: "127.0.0.1", port: 0 })
    let turns = 0
    const turn = (): void => {
      turns += 1
      for (const until = performance.now() + 2; performance.now() < until;);
      if (served < count) setImmediate(turn)
    }
    const answers = Promise.all(Array.from({ length: count }, () => rawAt(at, ["GET / HTTP/1.1", "Host: a", "Connection: close"])))
    setImmediate(turn)
    expect((await answers).every((answer) => answer.endsWith("served"))).toBe(true)
    // One of each listening socket in a turn; the system spreads them by chance.
    expect(turns).toBeLessThan(process.platform === "linux" ? 100 : 4 * count)
    await end()
  })

  it("are refused where another host listens at the address already, and taken by the next one once it has stopped", async () => {
    const answering = (word: string, port = 0) => listen((_request, response) => void response.end(word), { host: "127.0.0.1", port })
    const first = await answering("first")
    await expect(answering("second", first.port)).rejects.toThrow(`PORT: ${first.port} is taken by another program.`)
    const answers = await Promise.all(Array.from({ length: 40 }, () => rawAt(first.port, ["GET / HTTP/1.1", "Host: a", "Connection: close"])))
    expect(answers.every((answer) => answer.endsWith("first"))).toBe(true)
    await first.stop()
    await expect(rawAt(first.port, ["GET / HTTP/1.1", "Host: a", "Connection: close"])).rejects.toThrow("ECONNREFUSED")
    const next = await answering("next", first.port)
    expect(await rawAt(next.port, ["GET / HTTP/1.1", "Host: a", "Connection: close"])).toMatch(/next$/)
    await next.stop()
  })

  const flooded = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(10)
  const answerFrom = async (at: number, localAddress: string): Promise<string> =>
    (await rawAt(at, ["GET / HTTP/1.1", "Host: a", "Connection: close"], localAddress)).split("\r\n\r\n")[1] ?? "closed"
  const isClosed = (socket: Socket) => new Promise<void>((resolve) => void socket.on("error", () => undefined).once("close", () => resolve()))

  it("of a network that has sent too many requests at once are read one after another; those of others are not, and stopping waits for none", async () => {
    const { port: at, stop: end } = await listen((_request, response) => void setTimeout(() => response.end("served"), 20), { host: "127.0.0.1", port: 0 })
    const flood = connect({ port: at, host: "127.0.0.1", localAddress: "127.0.0.2" }, () => flood.write(flooded))
    await isClosed(flood)
    const order: Array<string> = []
    const asked = (name: string, address: string) => answerFrom(at, address).then((answer) => void order.push(`${name} ${answer}`))
    const slow = [asked("first", "127.0.0.2"), asked("second", "127.0.0.2")]
    await asked("other", "127.0.0.3")
    expect(order).toEqual(["other served"])
    await Promise.all(slow)
    expect(order.slice(1).toSorted()).toEqual(["first served", "second served"])
    const reset = connect({ port: at, host: "127.0.0.1", localAddress: "127.0.0.2" }, () => reset.write("GET / HTTP/1.1\r\n", () => void reset.resetAndDestroy()))
    await isClosed(reset)
    const waiting = [answerFrom(at, "127.0.0.2"), answerFrom(at, "127.0.0.2")]
    await answerFrom(at, "127.0.0.3")
    await end()
    expect(await Promise.all(waiting)).toEqual(["closed", "closed"])
  })

  it("of a network whose callers are gone at once are read one after another, but not those of a proxy that nobody has named", async () => {
    // On a busy machine an answer could be written before its caller leaves, so those who leave get none; and few at a time, because they share the event loop with the host.
    const { port: at, stop: end } = await listen((request, response) => request.url === "/left" ? undefined : void response.end("served"), { host: "127.0.0.1", port: 0 })
    const leave = (localAddress: string, header: string) => {
      const socket = connect({ port: at, host: "127.0.0.1", localAddress }, () => socket.write(`GET /left HTTP/1.1\r\nHost: a\r\n${header}\r\n`, () => setTimeout(() => socket.destroy(), 5)))
      return isClosed(socket)
    }
    const goneAtOnce = async (localAddress: string, header: string) => {
      for (let batch = 0; batch < 12; batch++) await Promise.all(Array.from({ length: 10 }, () => leave(localAddress, header)))
    }
    await goneAtOnce("127.0.0.3", "X-Forwarded-For: 192.0.2.7\r\n")
    await goneAtOnce("127.0.0.2", "")
    // The host notices a moment later that they are gone.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const asked = async (address: string) => {
      const from = performance.now()
      const answer = await answerFrom(at, address)
      return { answer, millis: performance.now() - from }
    }
    const [slow, other] = await Promise.all([asked("127.0.0.2"), asked("127.0.0.3")])
    expect([slow.answer, other.answer]).toEqual(["served", "served"])
    expect(slow.millis - other.millis).toBeGreaterThan(50)
    await end()
  }, 30_000)

  const bounded = (options: { readonly connections: number; readonly trustProxy?: TrustedProxies }) =>
    listen((_request, response) => void response.end("served"), { host: "127.0.0.1", port: 0, ...options })

  /** Opens a connection from a loopback address; answers whether it is still open after a moment. */
  const staysOpen = (at: number, localAddress: string): Promise<Socket | null> =>
    new Promise((resolve) => {
      const socket = connect({ port: at, host: "127.0.0.1", localAddress })
      socket.once("close", () => resolve(null)).on("error", () => undefined)
      socket.once("connect", () => setTimeout(() => resolve(socket), 100))
    })
  const openFrom = (at: number, address: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => staysOpen(at, address))).then((sockets) => sockets.filter((socket) => socket !== null))

  it("of one network never close the host to others, and count no longer when they end", async () => {
    const { port: at, stop: end } = await bounded({ connections: 10 })
    const flood = await openFrom(at, "127.0.0.2", 20)
    expect(flood).toHaveLength(5)
    const other = await openFrom(at, "127.0.0.3", 1)
    expect(other).toHaveLength(1)
    for (const socket of flood) socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const again = await openFrom(at, "127.0.0.2", 1)
    expect(again).toHaveLength(1)
    for (const socket of [...other, ...again]) socket.destroy()
    await end()
  })

  it("of a trusted proxy are its own to bound", async () => {
    const { port: at, stop: end } = await bounded({ connections: 4, trustProxy: trustedProxies("127.0.0.0/8") ?? null })
    const all = await openFrom(at, "127.0.0.2", 12)
    expect(all).toHaveLength(12)
    for (const socket of all) socket.destroy()
    await end()
  })
})
