import { once } from "node:events"
import type { Socket } from "node:net"
import type { TlsOptions } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { afterEach, beforeAll } from "vitest"
import type { ElementCredentials, SubmissionOutcome } from "@overa/domain"
import { credentials, clientCa, elementId, farEnd, type FarEnd, jid, server, serverCa } from "./support/farEnd.ts"
import { cuttingServer, type CuttingServer } from "./support/cuttingServer.ts"
import { authority, elementIdentity, type Identity, serverIdentity } from "./support/throwawayCertificates.ts"

const open: Array<{ readonly close: () => Promise<void> }> = []
const opened = <T extends { readonly close: () => Promise<void> }>(closable: T): T => {
  open.push(closable)
  return closable
}
afterEach(async () => {
  for (const closable of open.splice(0).reverse()) await closable.close()
})

let strangerCa: ReturnType<typeof authority>
let closedPort = ""
beforeAll(async () => {
  strangerCa = authority("Stranger CA")
  const gone = await cuttingServer(server, { jid })
  closedPort = gone.url
  await gone.close()
})

const trusting = { ca: clientCa.certificate }
const startServer = async (options: Parameters<typeof cuttingServer>[1] = { jid, ...trusting }, identity = server) =>
  opened(await cuttingServer(identity, options))

const notSent = (outcome: SubmissionOutcome, failureCode: string, words?: RegExp) => {
  assert.strictEqual(outcome._tag, "NotSent", JSON.stringify(outcome))
  if (outcome._tag !== "NotSent") return
  assert.strictEqual(outcome.failureCode, failureCode)
  assert.isFalse(outcome.elementRefused)
  if (words !== undefined) assert.match(outcome.detail, words)
}

interface Cut {
  readonly far: FarEnd
  readonly words: RegExp
  /** For the tests that have a server: what it received. */
  readonly end?: CuttingServer
}

describe("Decisions §4: name, connection or handshake failed, so nothing left and PFR_UNAVAILABLE is certain", () => {
  const against = async (
    words: RegExp,
    options: { readonly tls?: TlsOptions; readonly identity?: Identity; readonly onTcp?: (socket: Socket) => void } = {},
    client: Parameters<typeof farEnd>[1] = {}
  ): Promise<Cut> => {
    const end = await startServer({ jid, ...trusting, ...options.tls }, options.identity)
    if (options.onTcp !== undefined) end.behaviour.onTcp = options.onTcp
    return { end, far: opened(farEnd(end.url, client)), words }
  }
  const cases: ReadonlyArray<readonly [string, () => Promise<Cut>]> = [
    ["the name does not resolve", async () => ({ far: opened(farEnd("https://vpfr.invalid")), words: /name was not resolved/ })],
    ["the connection is refused", async () => ({ far: opened(farEnd(closedPort)), words: /refused/ })],
    ["the server is certified by a stranger", () => against(/not trusted/, { identity: serverIdentity(strangerCa) })],
    ["the server's certificate is for another name", () => against(/not trusted/, { identity: serverIdentity(serverCa, "vpfr.example") })],
    ["the operator trusts another root", () => against(/not trusted/, {}, { trustAnchors: strangerCa.certificate })],
    ["the server refuses the element's certificate", () =>
      against(/cut while|handshake failed/, { tls: { ca: strangerCa.certificate, rejectUnauthorized: true } })],
    ["the server speaks TLS 1.3 only", () => against(/handshake failed|cut while/, { tls: { minVersion: "TLSv1.3" } })],
    ["the server does not speak TLS at all", () =>
      against(/handshake failed/, { onTcp: (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")) })],
    ["the connection is reset before the handshake", () => against(/cut while/, { onTcp: (socket) => void socket.resetAndDestroy() })],
    ["the connection is reset inside the handshake", () =>
      against(/cut while/, { onTcp: (socket) => void socket.once("data", () => socket.resetAndDestroy()) })],
    ["the handshake is silence until the connection gives up", () =>
      against(/took too long/, { onTcp: () => undefined }, { connectTimeoutMillis: 200 })]
  ]
  it.each(cases)("%s, on the first connection and on the next", async (_, arrange) => {
    const { end, far, words } = await arrange()
    for (let i = 0; i < 2; i += 1) {
      const outcome = await far.submit({ firstByteWithinMillis: 3_000 })
      notSent(outcome, "PFR_UNAVAILABLE", words)
      assert.strictEqual(outcome._tag, "NotSent")
    }
    assert.strictEqual(end?.received() ?? 0, 0)
  })

  it("and no environment variable switches verification off", async () => {
    const { end, far } = await against(/not trusted/, { identity: serverIdentity(strangerCa) })
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
    try {
      notSent(await far.submit(), "PFR_UNAVAILABLE", /not trusted/)
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
    }
    assert.strictEqual(end?.received(), 0)
  })
})

describe("The time in which a first byte may leave (Decisions §4, lease)", () => {
  it("ends the waiting, and a handshake that completes later sends nothing", async () => {
    const end = await startServer()
    const far = opened(farEnd(end.url))
    const held: Array<Socket> = []
    end.behaviour.onTcp = (socket) => held.push(socket)
    notSent(await far.submit({ firstByteWithinMillis: 150 }), "PFR_UNAVAILABLE", /deadline of the first byte/)
    end.behaviour = {
      onRequest: ({ signed, socket }) => {
        socket.write(signed())
      }
    }
    for (const socket of held) end.handshake(socket)
    assert.strictEqual((await far.submit())._tag, "Signed")
    assert.strictEqual(end.arrived.length, 1)
  })

  it.each([0, -1, Number.NaN])("%s milliseconds send nothing and open nothing", async (firstByteWithinMillis) => {
    const end = await startServer()
    notSent(await opened(farEnd(end.url)).submit({ firstByteWithinMillis }), "PFR_UNAVAILABLE")
    assert.strictEqual(end.openConnections(), 0)
  })

  it("counts the waiting behind busy connections", async () => {
    const end = await startServer()
    const far = opened(farEnd(end.url, { connectionsPerElement: 1, submissionDeadlineMillis: 600 }))
    const first = far.submit()
    const waiting = Array.from({ length: 6 }, () => far.submit({ firstByteWithinMillis: 100 }))
    for (const outcome of await Promise.all(waiting)) notSent(outcome, "PFR_UNAVAILABLE", /every connection of the element was busy/)
    assert.isFalse("_tag" in (await far.open()), "a queue of our own opens no circuit")
    assert.strictEqual((await first)._tag, "NoAnswer")
    assert.strictEqual(end.arrived.length, 1)
  })
})

describe("The caller goes away before the first byte: PFR_SUBMISSION_CANCELLED_BEFORE_SEND", () => {
  it("before anything began", async () => {
    const end = await startServer()
    notSent(await opened(farEnd(end.url)).submit({ callerGone: AbortSignal.abort() }), "PFR_SUBMISSION_CANCELLED_BEFORE_SEND")
    assert.strictEqual(end.openConnections(), 0)
  })

  it("inside the handshake", async () => {
    const end = await startServer()
    const caller = new AbortController()
    end.behaviour.onTcp = (socket) => socket.once("data", () => caller.abort())
    notSent(await opened(farEnd(end.url)).submit({ callerGone: caller.signal }), "PFR_SUBMISSION_CANCELLED_BEFORE_SEND")
    assert.strictEqual(end.received(), 0)
  })

  it("while waiting for a connection; the one before is not touched", async () => {
    const end = await startServer()
    const far = opened(farEnd(end.url, { connectionsPerElement: 1 }))
    const caller = new AbortController()
    const second = Promise.withResolvers<SubmissionOutcome>()
    end.behaviour.onRequest = ({ signed, socket }) => {
      far.submit({ callerGone: caller.signal }).then(second.resolve, second.reject)
      setImmediate(() => {
        caller.abort()
        second.promise.then(() => socket.write(signed()), () => socket.destroy())
      })
    }
    assert.strictEqual((await far.submit())._tag, "Signed")
    notSent(await second.promise, "PFR_SUBMISSION_CANCELLED_BEFORE_SEND")
    assert.strictEqual(end.arrived.length, 1)
  })

  it("after the first byte it changes nothing", async () => {
    const end = await startServer()
    const caller = new AbortController()
    end.behaviour.onRequest = ({ signed, socket }) => {
      caller.abort()
      setImmediate(() => socket.write(signed()))
    }
    assert.strictEqual((await opened(farEnd(end.url)).submit({ callerGone: caller.signal }))._tag, "Signed")
  })
})

describe("Elements that cannot be used are not even tried", () => {
  const vaultWith = (change: Parameters<typeof credentials>[0]) => new Map([[elementId(), credentials(change)]])
  const damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"
  const cases: ReadonlyArray<readonly [string, () => ReadonlyMap<string, ElementCredentials>, string]> = [
    ["not in the vault", () => new Map(), "PFR_SECURITY_ELEMENT_UNAVAILABLE"],
    ["expired", () => vaultWith({ validTo: Date.now() - 1 }), "PFR_SECURITY_ELEMENT_UNAVAILABLE"],
    ["of another JID than the document was reserved for", () => vaultWith({ jid: "OTHERJID" }), "PFR_SECURITY_ELEMENT_UNAVAILABLE"],
    ["of an environment without a V-PFR", () => vaultWith({ environment: "production" }), "PFR_UNAVAILABLE"],
    ["with a PAC no header may carry", () => vaultWith({ pac: Redacted.make("A\r\nX: y") }), "PFR_SECURITY_ELEMENT_UNAVAILABLE"],
    ["with a key that is not its certificate's", () => vaultWith({ certificateChain: elementIdentity(clientCa, jid).certificate }), "PFR_SECURITY_ELEMENT_UNAVAILABLE"],
    ["with a damaged certificate", () => vaultWith({ certificateChain: damaged }), "PFR_SECURITY_ELEMENT_UNAVAILABLE"]
  ]
  it.each(cases)("%s", async (_, vault, failureCode) => {
    const end = await startServer()
    const answer = await opened(farEnd(end.url, { vault: vault() })).open()
    assert.strictEqual("_tag" in answer ? answer.failureCode : "opened", failureCode)
    assert.strictEqual(end.openConnections(), 0)
  })
})

describe("Closing the layer", () => {
  it("closes idle connections", async () => {
    const end = await startServer()
    end.behaviour.onRequest = ({ signed, socket }) => {
      socket.write(signed())
    }
    const far = farEnd(end.url)
    assert.strictEqual((await far.submit())._tag, "Signed")
    const socket = end.arrived[0]?.socket
    const closed = socket === undefined ? Promise.reject(new Error("nothing arrived")) : once(socket, "close")
    await far.close()
    await closed
    assert.strictEqual(end.connections(), 1)
  })
})
