import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../src/http/listen.ts"

let stop: () => void
let port: number
beforeAll(async () => {
  const listening = await listen((_request, response) => void response.end("served"), { host: "127.0.0.1", port: 0 })
  port = listening.port
  stop = () => listening.server.close()
})
afterAll(() => stop())

/** The whole answer to a hand-written request. */
const raw = (lines: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`))
    socket.on("data", (chunk) => (answer += chunk.toString())).on("close", () => resolve(answer)).on("error", reject)
  })

describe("a request by hand", () => {
  it("with one Host is served", async () => {
    expect(await raw(["GET / HTTP/1.1", "Host: a", "Connection: close"])).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    ["two", ["Host: a", "Host: b"]],
    ["the same twice", ["Host: a", "host: a"]]
  ])("with %s is refused", async (_what, hosts) => {
    expect(await raw(["GET / HTTP/1.1", ...hosts])).toMatch(/^HTTP\/1\.1 400 /)
  })

  it("without one is refused", async () => {
    expect(await raw(["GET / HTTP/1.1", "Connection: close"])).toMatch(/^HTTP\/1\.1 400 /)
  })
})
