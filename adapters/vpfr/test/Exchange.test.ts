import { assert, describe, it } from "@effect/vitest"
import type { Dispatcher } from "undici"
import { Exchange, type Exchanged, type ExchangeTerms, type HttpRequest } from "../src/Exchange.ts"

const request: HttpRequest = { method: "POST", path: "/", headers: [], body: null }

/** An exchange in which the test plays the HTTP library. */
const played = (change: Partial<ExchangeTerms> = {}) => {
  const results: Array<Exchanged> = []
  const aborts: Array<string> = []
  const controller = { abort: (reason: Error) => void aborts.push(reason.message) } as unknown as Dispatcher.DispatchController
  const exchange = new Exchange(
    request,
    { firstByteWithinMillis: 10_000, elapsedMillis: () => 0, answerWithinMillis: () => 10_000, ...change },
    (exchanged) => void results.push(exchanged)
  )
  exchange.checkTerms()
  exchange.arm()
  return { aborts, controller, exchange, results }
}
const causeOf = (result: Exchanged | undefined) => (result?._tag === "NothingLeft" ? result.cause : result?._tag)

describe("The moment before the first byte (Decisions §4)", () => {
  it("a request starts once; a library that would start it again is refused", () => {
    const { controller, exchange, results } = played()
    exchange.onRequestStart(controller)
    assert.throws(() => exchange.onRequestStart(controller), /started before/)
    assert.deepStrictEqual(results, [])
    exchange.onResponseStart(controller, 200, { "content-length": "0" })
    exchange.onResponseEnd()
    assert.throws(() => exchange.onRequestStart(controller), /is over/)
    assert.deepStrictEqual(results.map((result) => result._tag), ["Answered"])
  })

  it("the time has passed although no timer has run: the machine slept, or the loop was blocked", () => {
    let elapsed = 0
    const { controller, exchange, results } = played({ elapsedMillis: () => elapsed })
    elapsed = 10_000
    assert.throws(() => exchange.onRequestStart(controller), /withdrawn/)
    assert.deepStrictEqual(results.map(causeOf), ["tooLate"])
  })

  it("the caller went away although no event has come", () => {
    const signal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined }
    const { controller, exchange, results } = played({ callerGone: signal as unknown as AbortSignal })
    signal.aborted = true
    assert.throws(() => exchange.onRequestStart(controller), /withdrawn/)
    assert.deepStrictEqual(results.map(causeOf), ["callerGone"])
  })

  it("one that has begun listens to nobody: its caller's going and the time for a first byte change nothing", async () => {
    const caller = new AbortController()
    let listeners = 0
    const signal = {
      get aborted() {
        return caller.signal.aborted
      },
      addEventListener: () => void (listeners += 1),
      removeEventListener: () => void (listeners -= 1)
    } as unknown as AbortSignal
    const results: Array<Exchanged> = []
    const exchange = new Exchange(
      request,
      { firstByteWithinMillis: 1, elapsedMillis: () => 0, answerWithinMillis: () => 10_000, callerGone: signal },
      (exchanged) => void results.push(exchanged)
    )
    const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController
    exchange.checkTerms()
    exchange.onRequestStart(controller)
    exchange.arm()
    caller.abort()
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepStrictEqual([listeners, results], [0, []])
    exchange.onResponseStart(controller, 200, { "content-length": "0" })
    exchange.onResponseEnd()
    assert.deepStrictEqual([listeners, results.map((result) => result._tag)], [0, ["Answered"]])
  })

  it("what was withdrawn never starts, and its result stays the only one", () => {
    const caller = new AbortController()
    const { controller, exchange, results } = played({ callerGone: caller.signal })
    caller.abort()
    assert.throws(() => exchange.onRequestStart(controller))
    exchange.onResponseError(controller, new Error("destroyed"))
    assert.deepStrictEqual(results.map(causeOf), ["callerGone"])
  })
})

describe("After the first byte", () => {
  it.each(["ENOTFOUND", "ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT", "ERR_TLS_CERT_ALTNAME_INVALID", "UND_ERR_DESTROYED"])(
    "even %s proves nothing any more",
    (code) => {
      const before = played()
      before.exchange.onResponseError(before.controller, Object.assign(new Error(code), { code }))
      assert.strictEqual(before.results[0]?._tag, "NothingLeft")
      const after = played()
      after.exchange.onRequestStart(after.controller)
      after.exchange.onResponseError(after.controller, Object.assign(new Error(code), { code }))
      assert.strictEqual(after.results[0]?._tag, "MayHaveLeft")
    }
  )

  it("the caller going away, the channel closing and the first byte's time change nothing", () => {
    const caller = new AbortController()
    const { controller, exchange, results } = played({ callerGone: caller.signal })
    exchange.onRequestStart(controller)
    caller.abort()
    exchange.refuse()
    assert.deepStrictEqual(results, [])
    exchange.onResponseError(controller, new Error("cut"))
    assert.deepStrictEqual(results.map((result) => result._tag), ["MayHaveLeft"])
  })

  it("an answer too large destroys the connection and is not kept", () => {
    const { aborts, controller, exchange, results } = played()
    exchange.onRequestStart(controller)
    exchange.onResponseStart(controller, 200, {})
    exchange.onResponseData(controller, Buffer.alloc(700_000))
    exchange.onResponseData(controller, Buffer.alloc(700_000))
    exchange.onResponseData(controller, Buffer.alloc(700_000))
    assert.deepStrictEqual(results.map((result) => result._tag), ["MayHaveLeft"])
    assert.strictEqual(aborts.length, 1)
  })

  it.each<readonly [string, number, Record<string, string>, boolean]>([
    ["a length", 200, { "content-length": "0" }, true],
    ["chunks", 200, { "transfer-encoding": "chunked" }, true],
    ["no content at all", 204, {}, true],
    ["neither", 200, {}, false],
    ["a coding that is not chunked", 200, { "transfer-encoding": "gzip" }, false]
  ])("with %s the end is known or not", (_, status, headers, whole) => {
    const { controller, exchange, results } = played()
    exchange.onRequestStart(controller)
    exchange.onResponseStart(controller, 103, {})
    exchange.onResponseStart(controller, status, headers)
    exchange.onResponseEnd()
    assert.deepInclude(results[0], { _tag: "Answered", status, whole })
  })
})
