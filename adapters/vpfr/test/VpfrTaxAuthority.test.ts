import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, vi } from "vitest"
import { TaxAuthority, TaxRates } from "@overa/domain"
import { VpfrConnection, VpfrFarEnd } from "@overa/adapter-vpfr"
import { type Arrived, cuttingServer, type CuttingServer } from "./support/cuttingServer.ts"
import { clientCa, content, credentials, elementId, farEnd, type FarEnd, invoice, jid, organizationId, server, serverCa, vaultOf } from "./support/farEnd.ts"
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
const pass = (millis: number) => TestClock.adjust(millis) as Effect.Effect<void>
const refusalOf = async (far: FarEnd) => {
  const opened = await far.open()
  return "_tag" in opened ? opened.failureCode : null
}

describe("What goes over the wire (V-PFR §1.4)", () => {
  it("a POST with PAC, language and RequestId under the element's certificate, over TLS 1.2 and HTTP/1.1", async () => {
    const { end, far } = await start()
    end.behaviour.onRequest = answer
    await far.submit({ requestId: "0123456789abcdef0123456789abcdef" })
    const [arrived] = end.arrived
    const head = arrived?.head ?? ""
    assert.match(head, /^POST \/api\/v3\/invoices HTTP\/1\.1/)
    for (const header of ["accept: application/json", "content-type: application/json", "accept-language: sr-Cyrl-RS", "PAC: ABC123", "RequestId: 0123456789abcdef0123456789abcdef"]) {
      assert.include(head, header)
    }
    assert.notMatch(head, /accept-encoding|expect:|transfer-encoding/i)
    assert.strictEqual(arrived?.socket.getProtocol(), "TLSv1.2")
    assert.include(arrived?.socket.getPeerX509Certificate()?.subject ?? "", jid)
    assert.strictEqual((JSON.parse(arrived?.body ?? "") as { readonly cashier: string }).cashier, "web")
  })

  it("an operator may ask for English", async () => {
    const { end, far } = await start({ acceptLanguage: "en-US" })
    end.behaviour.onRequest = answer
    await far.submit()
    assert.include(end.arrived[0]?.head ?? "", "accept-language: en-US")
  })
})

describe("find: a read-only search by RequestId (V-PFR §1.6)", () => {
  const find = Effect.gen(function*() {
    const authority = yield* TaxAuthority
    return yield* authority.find(invoice(), { requestId: "abc", submittedAt: DateTime.makeUnsafe(Date.now()) })
  })

  it("asks under the element of the attempt and reads null as nothing found", async () => {
    const { end, far } = await start()
    end.behaviour.onRequest = ({ socket }) => void socket.write(message("200 OK", "null"))
    assert.strictEqual((await far.run(find))._tag, "NothingFound")
    assert.match(end.arrived[0]?.head ?? "", /^GET \/api\/v3\/invoices\/abc HTTP\/1\.1/)
    assert.include(end.arrived[0]?.head ?? "", "PAC: ABC123")
  })

  it.each<readonly [string, CuttingServer["behaviour"]]>([
    ["silence", {}],
    ["a cut", { onRequest: ({ socket }) => void socket.destroy() }],
    ["a refusal", { onRequest: ({ socket }) => void socket.write(message("401 Unauthorized", "")) }]
  ])("%s is no answer, in the time allowed", async (_, behaviour) => {
    const { end, far } = await start({ searchDeadlineMillis: 200 })
    end.behaviour = behaviour
    assert.strictEqual((await far.run(find))._tag, "NoAnswer")
  })

  it("an element that cannot be opened is no answer either", async () => {
    const { far } = await start({ vault: new Map() })
    assert.deepStrictEqual(await far.run(find), { _tag: "NoAnswer", detail: "no such element" })
  })
})

describe("The circuit at the port (Decisions §4)", () => {
  it("opens at once when the element is refused, and a probe that succeeds closes it", async () => {
    const { end, far } = await start({ testClock: true, vault: new Map([[elementId(), credentials({ validTo: Number.MAX_SAFE_INTEGER })]]) })
    end.behaviour.onRequest = ({ socket }) => void socket.write(message("403 Forbidden", ""))
    const outcome = await far.submit()
    assert.isTrue(outcome._tag === "NotSent" && outcome.elementRefused)
    assert.strictEqual(await refusalOf(far), "PFR_SECURITY_ELEMENT_UNAVAILABLE")
    await far.run(pass(5_000))
    end.behaviour.onRequest = answer
    assert.strictEqual((await far.submit())._tag, "Signed")
    assert.isNull(await refusalOf(far))
    assert.strictEqual(end.arrived.length, 2)
  })

  it("opens after five failed connections in a row, not after unknown outcomes", async () => {
    const { end, far } = await start({ testClock: true })
    end.behaviour = { onRequest: ({ socket }) => void socket.destroy() }
    for (let i = 0; i < 6; i += 1) assert.strictEqual((await far.submit())._tag, "NoAnswer")
    end.behaviour = { onTcp: (socket) => void socket.destroy() }
    for (let i = 0; i < 5; i += 1) assert.strictEqual((await far.submit())._tag, "NotSent")
    assert.strictEqual(await refusalOf(far), "PFR_UNAVAILABLE")
    end.behaviour = { onRequest: answer }
    await far.run(pass(1_000))
    assert.strictEqual((await far.submit())._tag, "Signed")
    assert.isNull(await refusalOf(far))
  })

  const lasting = new Map([[elementId(), credentials({ validTo: Number.MAX_SAFE_INTEGER })]])
  const forbidden = ({ socket }: Arrived) => void socket.write(message("403 Forbidden", ""))
  const status = '{"currentTaxRates":{"validFrom":"2021-12-19T23:00:00Z","groupId":5,"taxCategories":[{"name":"VAT","categoryType":0,"taxRates":[]}]}}'
  const askStatus = Effect.gen(function*() {
    const rates = yield* TaxRates
    return yield* rates.fresh(invoice().tenant, elementId())
  }).pipe(Effect.map(() => "fresh"), Effect.catch(() => Effect.succeed("unavailable")))
  const search = Effect.gen(function*() {
    const authority = yield* TaxAuthority
    return (yield* authority.find(invoice(), { requestId: "abc", submittedAt: DateTime.makeUnsafe(0) }))._tag
  })

  it("opening uses up nothing: a request that opens its element twice still finds the healthy far end", async () => {
    const { end, far } = await start({ testClock: true, vault: lasting })
    end.behaviour.onRequest = forbidden
    await far.submit()
    end.behaviour.onRequest = answer
    await far.run(pass(5_000))
    for (let i = 0; i < 3; i += 1) assert.isNull(await refusalOf(far))
    assert.strictEqual((await far.submit())._tag, "Signed")
  })

  it("of requests whose elements are opened together one is the probe; the others end before anything leaves, and the circuit then is theirs too", async () => {
    const { end, far } = await start({ testClock: true, vault: lasting })
    end.behaviour.onRequest = forbidden
    await far.submit()
    await far.run(pass(5_000))
    const outcomes = await Promise.all([far.submit(), far.submit(), far.submit()])
    assert.strictEqual(end.arrived.length, 2)
    assert.isTrue(outcomes.every((outcome) => outcome._tag === "NotSent" && outcome.failureCode === "PFR_SECURITY_ELEMENT_UNAVAILABLE"))
    end.behaviour.onRequest = answer
    await far.run(pass(10_000))
    assert.strictEqual((await far.submit())._tag, "Signed")
    assert.strictEqual((await far.submit())._tag, "Signed")
  })

  it("each refused probe doubles the pause, and only the first is reported for attention", async () => {
    const { end, far } = await start({ testClock: true, vault: lasting })
    end.behaviour.onRequest = forbidden
    const reported: Array<boolean> = []
    for (const pause of [5_000, 10_000, 20_000, 40_000]) {
      const outcome = await far.submit()
      reported.push(outcome._tag === "NotSent" && outcome.elementRefused)
      await far.run(pass(pause - 1))
      assert.strictEqual(await refusalOf(far), "PFR_SECURITY_ELEMENT_UNAVAILABLE")
      await far.run(pass(1))
      assert.isNull(await refusalOf(far))
    }
    assert.deepStrictEqual(reported, [true, false, false, false])
  })

  it.each([
    ["a 403 to the status query", message("403 Forbidden", ""), askStatus, "unavailable"],
    ["a 403 to a search", message("403 Forbidden", ""), search, "NoAnswer"],
    ["a good status", message("200 OK", status), askStatus, "fresh"],
    ["a search that finds nothing", message("200 OK", "null"), search, "NothingFound"]
  ] as const)("%s leaves a refused element's circuit open", async (_, text, ask, expected) => {
    const { end, far } = await start({ testClock: true, vault: lasting })
    end.behaviour.onRequest = forbidden
    await far.submit()
    end.behaviour.onRequest = ({ socket }) => void socket.write(text)
    assert.strictEqual(await far.run(ask as Effect.Effect<string, never, TaxAuthority | TaxRates>), expected)
    assert.strictEqual(await refusalOf(far), "PFR_SECURITY_ELEMENT_UNAVAILABLE")
  })

  it("a 403 to the status query closes no circuit that opened for lost connections; a good answer does", async () => {
    const { end, far } = await start({ testClock: true, vault: lasting })
    end.behaviour = { onTcp: (socket) => void socket.destroy() }
    for (let i = 0; i < 5; i += 1) await far.submit()
    end.behaviour = { onRequest: forbidden }
    assert.strictEqual(await far.run(askStatus), "unavailable")
    assert.strictEqual(await refusalOf(far), "PFR_UNAVAILABLE")
    end.behaviour = { onRequest: ({ socket }) => void socket.write(message("200 OK", status)) }
    assert.strictEqual(await far.run(askStatus), "fresh")
    assert.isNull(await refusalOf(far))
  })

  it("a probe whose caller has gone gives its turn to the next request", async () => {
    const { end, far } = await start({ testClock: true, vault: lasting })
    end.behaviour = { onTcp: (socket) => void socket.destroy() }
    for (let i = 0; i < 5; i += 1) await far.submit()
    end.behaviour = { onRequest: answer }
    await far.run(pass(1_000))
    const gone = await far.submit({ callerGone: AbortSignal.abort() })
    assert.strictEqual("failureCode" in gone ? gone.failureCode : "", "PFR_SUBMISSION_CANCELLED_BEFORE_SEND")
    assert.strictEqual((await far.submit())._tag, "Signed")
  })

  it("another element's circuit is another's", async () => {
    const { end, far } = await start({ vault: new Map([[elementId(1), credentials()], [elementId(2), credentials()]]) })
    end.behaviour.onRequest = ({ socket }) => void socket.write(message("403 Forbidden", ""))
    await far.submit({}, { elementId: elementId(1) })
    end.behaviour.onRequest = answer
    assert.strictEqual((await far.submit({}, { elementId: elementId(2) }))._tag, "Signed")
  })
})

describe("Open elements", () => {
  it("are one and the same for submissions and tax rates", async () => {
    const { end, far } = await start()
    end.behaviour.onRequest = (arrived) =>
      arrived.head.startsWith("GET")
        ? void arrived.socket.write(message("200 OK", '{"currentTaxRates":{"validFrom":"2021-12-19T23:00:00Z","groupId":5,"taxCategories":[{"name":"VAT","categoryType":0,"taxRates":[]}]}}'))
        : answer(arrived)
    await far.run(Effect.gen(function*() {
      const rates = yield* TaxRates
      yield* rates.fresh(invoice().tenant, elementId())
    }))
    assert.strictEqual((await far.submit())._tag, "Signed")
    assert.strictEqual(end.connections(), 1)
  })

  it("beyond the bound the least recently used idle one is closed; one in use is not", async () => {
    const vault = new Map([1, 2, 3].map((number) => [elementId(number), credentials()] as const))
    const { end, far } = await start({ vault, elementsOpen: 2 })
    const held = Promise.withResolvers<Arrived>()
    end.behaviour.onRequest = held.resolve
    const inUse = far.submit({}, { elementId: elementId(1) })
    const first = await held.promise
    end.behaviour.onRequest = answer
    await far.submit({}, { elementId: elementId(2) })
    const second = end.arrived.find((arrived) => arrived !== first)
    const closed = second === undefined ? Promise.reject(new Error("nothing arrived")) : once(second.socket, "close")
    await far.submit({}, { elementId: elementId(3) })
    await closed
    answer(first)
    assert.strictEqual((await inUse)._tag, "Signed")
  })

  it("connections of an element that are reset are closed, one under way when its answer is whole", async () => {
    const { end, far } = await start()
    const held = Promise.withResolvers<Arrived>()
    end.behaviour.onRequest = (arrived) => (arrived.body.includes("slow") ? held.resolve(arrived) : answer(arrived))
    await far.submit()
    const slow = far.submit({}, { content: content({ clientReference: "slow", cashier: { id: "slow", displayName: null } }) })
    const arrived = await held.promise
    await far.submit()
    assert.strictEqual(end.connections(), 2)
    await far.run(Effect.flatMap(TaxAuthority, (authority) => authority.resetConnections(invoice().tenant, elementId())))
    answer(arrived)
    assert.strictEqual((await slow)._tag, "Signed")
    await vi.waitUntil(() => end.openConnections() === 0, { timeout: 5_000, interval: 5 })
    assert.strictEqual((await far.submit())._tag, "Signed")
    assert.strictEqual(end.connections(), 3)
  })

  it("a renewed credential is used within a minute, on a new connection", async () => {
    const vault = new Map([[elementId(), credentials({ validTo: Number.MAX_SAFE_INTEGER })]])
    const { end, far } = await start({ testClock: true, vault })
    end.behaviour.onRequest = answer
    await far.submit()
    vault.set(elementId(), credentials({ validTo: Number.MAX_SAFE_INTEGER, pac: Redacted.make("NEWPAC") }))
    await far.submit()
    await far.run(pass(60_000))
    await far.submit()
    assert.deepStrictEqual(end.arrived.map(({ connection, head }) => [connection, /PAC: (\w+)/.exec(head)?.[1]]), [
      [1, "ABC123"],
      [1, "ABC123"],
      [2, "NEWPAC"]
    ])
  })
})

describe("VpfrFarEnd: what an operator may ask", () => {
  const asking = async <A>(behaviour: CuttingServer["behaviour"], effect: Effect.Effect<A, unknown, VpfrFarEnd>) => {
    const end = await cuttingServer(server, { jid, ca: clientCa.certificate })
    end.behaviour = behaviour
    const sandbox = { baseUrl: end.url, trustAnchors: serverCa.certificate, verificationRoot: null }
    const runtime = ManagedRuntime.make(VpfrFarEnd.layer.pipe(
      Layer.provide(Layer.merge(
        Layer.orDie(VpfrConnection.layer({ environments: { sandbox } })),
        vaultOf(new Map([[elementId(), credentials()]]))
      ))
    ))
    open.push(end, { close: () => runtime.dispose() })
    return { end, result: await runtime.runPromise(effect.pipe(Effect.catch((error) => Effect.succeed(String(error))))) }
  }
  const tenant = { organizationId, environment: "sandbox" } as const
  const attention = Effect.gen(function*() {
    const farEndService = yield* VpfrFarEnd
    yield* farEndService.attention(tenant, elementId())
    return "ready"
  })
  const parameters = Effect.gen(function*() {
    const farEndService = yield* VpfrFarEnd
    return yield* farEndService.environmentParameters(tenant, elementId())
  })
  const replying = (status: string, body: string): CuttingServer["behaviour"] => ({
    onRequest: ({ socket }) => void socket.write(message(status, body))
  })

  it("attention", async () => {
    const { end, result } = await asking(replying("200 OK", ""), attention)
    assert.strictEqual(result, "ready")
    assert.match(end.arrived[0]?.head ?? "", /^GET \/api\/v3\/attention HTTP/)
  })
  it("environment parameters", async () => {
    const body = '{"environmentName":"СУФ Развој","supportedLanguages":["sr-Cyrl-RS","en-US",7],"endpoints":{"root":"https://x/v/?vl="}}'
    const { result } = await asking(replying("200 OK", body), parameters)
    assert.deepInclude(result, { environmentName: "СУФ Развој", supportedLanguages: ["sr-Cyrl-RS", "en-US"], country: null })
  })
  it.each([["503 Busy", "{}"], ["200 OK", "<html>"]])("%s %s is no answer", async (status, body) => {
    const { result } = await asking(replying(status, body), parameters)
    assert.include(String(result), "FarEndUnanswered")
  })
})
