import { assert, describe, it } from "@effect/vitest"
import { afterEach } from "vitest"
import type { SubmissionOutcome } from "@overa/domain"
import { type Arrived, type Behaviour, cuttingServer, type CuttingServer } from "./support/cuttingServer.ts"
import { cuttingRelay } from "./support/cuttingRelay.ts"
import { clientCa, content, elementId, credentials, farEnd, type FarEnd, item, jid, newRequestId, server } from "./support/farEnd.ts"
import { message } from "./support/httpMessage.ts"

const open: Array<{ readonly close: () => Promise<void> }> = []
afterEach(async () => {
  for (const closable of open.splice(0).reverse()) await closable.close()
})
const start = async (options: Parameters<typeof farEnd>[1] = {}): Promise<{ readonly end: CuttingServer; readonly far: FarEnd }> => {
  const end = await cuttingServer(server, { jid, ca: clientCa.certificate })
  const far = farEnd(end.url, options)
  open.push(end, far)
  return { end, far }
}
const answer = ({ signed, socket }: Arrived) => void socket.write(signed())

const unknown = (outcome: SubmissionOutcome, words: RegExp, failureCode = "OUTCOME_UNKNOWN") => {
  assert.strictEqual(outcome._tag, "NoAnswer", JSON.stringify(outcome))
  if (outcome._tag !== "NoAnswer") return
  assert.strictEqual(outcome.failureCode, failureCode)
  assert.match(outcome.detail, words)
}
const requestIds = (end: CuttingServer) => end.arrived.map((arrived) => arrived.requestId)

describe("Decisions §4: a byte may have left, so the outcome is unknown, and nothing is sent again", () => {
  const cases: ReadonlyArray<readonly [string, Behaviour, RegExp, number]> = [
    ["reset at the first byte", { onFirstBytes: (socket) => void socket.destroy() }, /failed after the first byte/, 5_000],
    ["closed politely without a word", { onRequest: ({ socket }) => void socket.end() }, /failed after the first byte/, 5_000],
    ["half a status line", { onRequest: ({ socket }) => void socket.end("HTTP/1.1 20") }, /failed after the first byte/, 5_000],
    ["headers only", { onRequest: ({ socket }) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n") }, /answer with status 200/, 5_000],
    ["half a body", { onRequest: ({ signed, socket }) => void socket.end(signed().slice(0, -200)) }, /inside the answer with status 200/, 5_000],
    [
      "a chunked body without its last chunk",
      { onRequest: ({ socket }) => void socket.end("HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"mes\r\n") },
      /inside the answer with status 400/,
      5_000
    ],
    ["no HTTP at all", { onRequest: ({ socket }) => void socket.end("220 smtp ready\r\n") }, /failed after the first byte/, 5_000],
    ["silence until the deadline", {}, /no whole answer within/, 150],
    [
      "an answer that trickles past the deadline",
      { onRequest: ({ signed, socket }) => void socket.write(signed().slice(0, 100)) },
      /no whole answer within/,
      150
    ],
    [
      "an unasked 100 Continue is not understood, so nothing behind it is believed",
      { onRequest: ({ signed, socket }) => void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${signed()}`) },
      /failed after the first byte/,
      5_000
    ],
    ["too many requests", { onRequest: ({ socket }) => void socket.write(message("429 Too Many Requests", "", ["retry-after: 1"])) }, /status 429/, 5_000],
    ["more than a megabyte", { onRequest: ({ socket }) => void socket.write(message("200 OK", Buffer.alloc(1_100_000, "x"))) }, /larger than/, 5_000]
  ]
  it.each(cases)("%s", async (_, behaviour, words, submissionDeadlineMillis) => {
    const { end, far } = await start({ submissionDeadlineMillis })
    end.behaviour = behaviour
    unknown(await far.submit(), words)
    const ids = requestIds(end)
    assert.isAtMost(ids.length, 1)
    assert.isAbove(end.received(), 0)
  })

  it("an interim 103 says nothing; the answer behind it counts", async () => {
    const { end, far } = await start()
    end.behaviour.onRequest = ({ signed, socket }) => void socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${signed()}`)
    assert.strictEqual((await far.submit())._tag, "Signed")
  })

  it("the wire breaks under the first byte: the far end got nothing, but nobody here can know", async () => {
    const { end } = await start()
    const relay = await cuttingRelay(end.port)
    const far = farEnd(relay.url)
    open.push(relay, far)
    unknown(await far.submit(), /failed after the first byte/)
    assert.strictEqual(relay.cuts(), 1)
    assert.strictEqual(end.received(), 0)
  })

  it("cut as the handshake ends: not sent only where truly nothing arrived", async () => {
    const { end } = await start()
    for (let turns = 0; turns < 20; turns += 1) {
      const far = farEnd(end.url)
      open.push(far)
      const close = (socket: { readonly destroy: () => unknown }, left: number): void =>
        void (left === 0 ? socket.destroy() : setImmediate(() => close(socket, left - 1)))
      end.behaviour.onSecure = (socket) => close(socket, turns % 5)
      const before = end.received()
      const outcome = await far.submit()
      assert.include(["NotSent", "NoAnswer"], outcome._tag)
      if (outcome._tag === "NotSent") assert.strictEqual(end.received(), before)
    }
  })

  it("a body half-written", async () => {
    const { end, far } = await start()
    end.behaviour.onFirstBytes = (socket) => {
      socket.pause()
      setImmediate(() => socket.destroy())
    }
    const items = Array.from({ length: 1_000 }, (_, index) => item("100", `${index} ${"ш".repeat(1_900)}`))
    unknown(await far.submit({}, { content: content({ items }) }), /failed after the first byte/)
    assert.strictEqual(end.arrived.length, 0)
    assert.isAbove(end.received(), 0)
  })

  it("a fault of our own code after sending", async () => {
    const { end, far } = await start({
      signerModuli: { get: () => assert.fail("a defect") } as unknown as ReadonlyMap<string, bigint>
    })
    end.behaviour.onRequest = ({ signed, socket }) => void socket.write(signed({ tin: "100000001" }))
    unknown(await far.submit(), /a defect/, "PFR_SUBMISSION_FAULT")
    unknown(await far.submit(), /a defect/, "PFR_SUBMISSION_FAULT")
    assert.deepStrictEqual(end.arrived.map((arrived) => arrived.connection), [1, 2])
  })
})

describe("A connection is used again only after an answer that was believed", () => {
  it("then it is", async () => {
    const { end, far } = await start()
    end.behaviour.onRequest = answer
    for (let i = 0; i < 3; i += 1) assert.strictEqual((await far.submit())._tag, "Signed")
    assert.strictEqual(end.connections(), 1)
  })

  it("a rejection is believed too", async () => {
    const { end, far } = await start()
    end.behaviour.onRequest = ({ socket }) =>
      void socket.write(message("400 Bad Request", '{"modelState":[{"property":"items[0].labels[0]","errors":["2310"]}]}'))
    for (let i = 0; i < 2; i += 1) assert.strictEqual((await far.submit())._tag, "Rejected")
    assert.strictEqual(end.connections(), 1)
  })

  it("a late answer of a timed-out request never meets the next request", async () => {
    const { end, far } = await start({ submissionDeadlineMillis: 150 })
    let late: Arrived | undefined
    end.behaviour.onRequest = (arrived) => {
      if (late === undefined) late = arrived
      else {
        late.socket.write(late.signed())
        answer(arrived)
      }
    }
    unknown(await far.submit(), /no whole answer/)
    const next = await far.submit()
    assert.strictEqual(next._tag, "Signed")
    assert.deepStrictEqual(end.arrived.map((arrived) => arrived.connection), [1, 2])
    assert.strictEqual(next._tag === "Signed" ? next.answer.pfr.totalCounter : 0, 2)
  })

  it.each([
    ["of another element", { requestedBy: "OTHERJID" }],
    ["of another amount", { totalAmount: 1 }],
    ["of another tax authority", { tin: "4402692070009" }],
    ["that is not signed", { signature: null, verificationUrl: "https://pfr.test/" }]
  ])("an answer %s closes it, and its text is kept", async (_, change) => {
    const { end, far } = await start()
    end.behaviour.onRequest = ({ signed, socket }) => void socket.write(signed(change))
    const outcome = await far.submit()
    assert.isTrue(outcome._tag === "NoAnswer" && outcome.foreignAnswer?.includes("invoiceNumber"))
    end.behaviour.onRequest = answer
    assert.strictEqual((await far.submit())._tag, "Signed")
    assert.deepStrictEqual(end.arrived.map((arrived) => arrived.connection), [1, 2])
  })

  it("bytes behind the answer close it: they are nobody's", async () => {
    const { end, far } = await start()
    let first: Arrived | undefined
    end.behaviour.onRequest = (arrived) => {
      if (first === undefined) {
        first = arrived
        arrived.socket.write(arrived.signed() + arrived.signed())
      } else answer(arrived)
    }
    assert.strictEqual((await far.submit())._tag, "Signed")
    const second = await far.submit()
    assert.strictEqual(second._tag === "Signed" ? second.answer.pfr.totalCounter : 0, 3)
    assert.deepStrictEqual(end.arrived.map((arrived) => arrived.connection), [1, 2])
  })

  it("closed by the far end while idle: the next request opens a new one and is signed", async () => {
    const { end, far } = await start()
    end.behaviour.onRequest = ({ signed, socket }) => void socket.end(signed())
    for (let i = 0; i < 3; i += 1) {
      assert.strictEqual((await far.submit())._tag, "Signed")
      await new Promise<void>((resolve) => {
        const socket = end.arrived.at(-1)?.socket
        if (socket === undefined || socket.closed) resolve()
        else socket.once("close", () => resolve())
      })
    }
    assert.strictEqual(end.connections(), 3)
  })

  it("closed by the far end exactly as the next request is written: unknown, because it was written", async () => {
    const { end, far } = await start()
    end.behaviour.onRequest = answer
    assert.strictEqual((await far.submit())._tag, "Signed")
    end.behaviour.onFirstBytes = (socket) => void socket.destroy()
    unknown(await far.submit(), /failed after the first byte/)
    assert.strictEqual(end.connections(), 1)
  })
})

describe("The race at reuse: the far end closes a kept connection while a request is on its way", () => {
  it("whatever happens, nothing arrives twice, and what was called not sent never arrived", async () => {
    const { end, far } = await start({ submissionDeadlineMillis: 2_000 })
    // Answers, then closes a moment later: before, while or after the next request is written.
    end.behaviour.onRequest = ({ signed, socket }) => {
      socket.write(signed())
      const turns = end.arrived.length % 6
      const close = (left: number): void => void (left === 0 ? socket.destroy() : setImmediate(() => close(left - 1)))
      close(turns)
    }
    const tags = new Map<string, number>()
    for (let i = 0; i < 150; i += 1) {
      const requestId = newRequestId()
      const outcome = await far.submit({ requestId })
      const arrivals = requestIds(end).filter((id) => id === requestId).length
      tags.set(outcome._tag, (tags.get(outcome._tag) ?? 0) + 1)
      assert.isAtMost(arrivals, 1)
      if (outcome._tag === "Signed") assert.strictEqual(arrivals, 1)
      if (outcome._tag === "NotSent") assert.strictEqual(arrivals, 0)
    }
    assert.isAbove(tags.get("Signed") ?? 0, 0)
    assert.isUndefined(tags.get("Rejected"))
  })
})

describe("One element's far end hanging never delays another's", () => {
  it("each has its own connections and its own queue", async () => {
    const hanging = elementId(1)
    const healthy = elementId(2)
    const { end, far } = await start({
      connectionsPerElement: 1,
      submissionDeadlineMillis: 3_000,
      vault: new Map([[hanging, credentials()], [healthy, credentials()]])
    })
    const hung = Promise.withResolvers<void>()
    end.behaviour.onRequest = () => hung.resolve()
    const stuck = [far.submit({}, { elementId: hanging }), far.submit({ firstByteWithinMillis: 500 }, { elementId: hanging })]
    await hung.promise
    end.behaviour.onRequest = answer
    for (let i = 0; i < 5; i += 1) assert.strictEqual((await far.submit({}, { elementId: healthy }))._tag, "Signed")
    const [first, second] = await Promise.all(stuck)
    assert.strictEqual(first?._tag, "NoAnswer")
    assert.strictEqual(second?._tag, "NotSent")
  })
})
