import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect } from "effect"
import { afterEach } from "vitest"
import { TaxAuthority, TaxRates } from "@overa/domain"
import { VpfrClocks } from "@overa/adapter-vpfr"
import { cuttingServer } from "./support/cuttingServer.ts"
import { clientCa, credentials, elementId, farEnd, invoice, jid, newRequestId, server } from "./support/farEnd.ts"
import { message } from "./support/httpMessage.ts"

const open: Array<{ readonly close: () => Promise<void> }> = []
afterEach(async () => {
  for (const closable of open.splice(0).reverse()) await closable.close()
})

const rates = '"currentTaxRates":{"validFrom":"2021-12-19T23:00:00Z","groupId":5,"taxCategories":[{"name":"VAT","categoryType":0,"taxRates":[]}]}'

/** A host whose wall clock is ahead of the machine's, and whose monotonic clock can be moved too. */
class HostClock implements Clock.Clock {
  aheadMillis = 0
  passedMillis = 0
  readonly #machine: Clock.Clock
  constructor(machine: Clock.Clock) {
    this.#machine = machine
  }
  currentTimeMillisUnsafe(): number {
    return this.#machine.currentTimeMillisUnsafe() + this.aheadMillis
  }
  get currentTimeMillis() {
    return Effect.sync(() => this.currentTimeMillisUnsafe())
  }
  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.currentTimeMillisUnsafe()) * 1_000_000n
  }
  get currentTimeNanos() {
    return Effect.sync(() => this.currentTimeNanosUnsafe())
  }
  monotonicTimeNanosUnsafe(): bigint {
    return this.#machine.monotonicTimeNanosUnsafe() + BigInt(this.passedMillis) * 1_000_000n
  }
  get monotonicTimeNanos() {
    return Effect.sync(() => this.monotonicTimeNanosUnsafe())
  }
  sleep(duration: Parameters<Clock.Clock["sleep"]>[0]) {
    return this.#machine.sleep(duration)
  }
}

const minute = 60_000

/** A V-PFR that signs by the machine's clock, and a host whose clock the test sets. */
const start = async () => {
  const world = { laterMillis: 0 }
  const farTime = () => new Date(Date.now() + world.laterMillis).toISOString().replace("Z", "+00:00")
  const host = new HostClock(Effect.runSync(Clock.Clock))
  const end = await cuttingServer(server, { jid, ca: clientCa.certificate })
  const far = farEnd(end.url, { clock: host, vault: new Map([[elementId(), credentials({ validTo: Number.MAX_SAFE_INTEGER })]]) })
  open.push(end, far)
  end.behaviour.onRequest = ({ head, signed, socket }) =>
    head.startsWith("GET /api/v3/status")
      ? void socket.write(message("200 OK", `{"sdcDateTime":"${farTime()}",${rates}}`))
      : void socket.write(signed({ sdcDateTime: farTime() }))
  const asked = (method: string) => end.arrived.filter(({ head }) => head.startsWith(method)).length
  return { end, far, host, asked, world }
}
const fetchRates = Effect.flatMap(TaxRates, (taxRates) => taxRates.fresh(invoice().tenant, elementId()))

/** The result of a sale: refused before anything is sent, or the outcome that the V-PFR's answer was read as. */
const sell = Effect.gen(function*() {
  const authority = yield* TaxAuthority
  const opened = yield* authority.open(invoice())
  const submittedAt = yield* DateTime.now
  const outcome = yield* opened.submit(invoice(), {
    requestId: newRequestId(),
    firstByteWithinMillis: 10_000,
    callerGone: new AbortController().signal,
    submittedAt
  })
  return outcome._tag as string
}).pipe(Effect.catch((notPossible) => Effect.succeed(`${notPossible.failureCode}: ${notPossible.detail}`)))

describe("a host's clock against the V-PFR's (Decisions §4, Is it the answer to this request?)", () => {
  it("five minutes and more ahead, nothing is sent: the answer could not be told from another's", async () => {
    const { asked, far, host } = await start()
    host.aheadMillis = 6 * minute
    await far.run(fetchRates)
    assert.match(await far.run(sell), /^PFR_UNAVAILABLE: this host's clock is 360 seconds ahead of the V-PFR's$/)
    assert.strictEqual(asked("POST"), 0)
  })

  it.each([-600, -6, 0, 3])("%s minutes ahead, its receipts are its own", async (minutes) => {
    const { far, host } = await start()
    host.aheadMillis = minutes * minute
    await far.run(fetchRates)
    assert.strictEqual(await far.run(sell), "Signed")
  })

  it("set ahead later, it is noticed without asking, asked for once more, and refused", async () => {
    const { asked, far, host } = await start()
    await far.run(fetchRates)
    host.aheadMillis = 60 * minute
    host.passedMillis = 2_000
    assert.match(await far.run(sell), /3600 seconds ahead/)
    assert.match(await far.run(sell), /3600 seconds ahead/)
    assert.deepStrictEqual([asked("GET"), asked("POST")], [2, 0])
  })

  it("set right, it sends again at once", async () => {
    const { far, host } = await start()
    host.aheadMillis = 6 * minute
    await far.run(fetchRates)
    await far.run(sell)
    host.aheadMillis = 0
    assert.strictEqual(await far.run(sell), "Signed")
  })

  it("a machine that slept only seems to be ahead: it asks before it refuses", async () => {
    const { asked, far, host, world } = await start()
    world.laterMillis = -60 * minute
    host.aheadMillis = -60 * minute
    await far.run(fetchRates)
    // An hour passes, of which the monotonic clock counts two seconds.
    world.laterMillis = 0
    host.aheadMillis = 0
    host.passedMillis = 2_000
    assert.strictEqual(await far.run(sell), "Signed")
    assert.strictEqual(asked("GET"), 2)
  })

  it("a V-PFR that does not say its time is believed to be in step", async () => {
    const { end, far } = await start()
    const { onRequest } = end.behaviour
    end.behaviour.onRequest = (arrived) =>
      arrived.head.startsWith("GET") ? void arrived.socket.write(message("200 OK", `{${rates}}`)) : onRequest?.(arrived)
    await far.run(fetchRates)
    assert.strictEqual(await far.run(sell), "Signed")
  })

  it("the host says how far ahead it is while it may not send, and nothing otherwise", async () => {
    const { far, host } = await start()
    const seconds = Effect.flatMap(VpfrClocks, (clocks) => clocks.secondsTooFarAhead)
    assert.isNull(await far.run(seconds))
    host.aheadMillis = 7 * minute
    await far.run(fetchRates)
    assert.strictEqual(await far.run(seconds), 420)
    host.aheadMillis = 0
    assert.isNull(await far.run(seconds))
  })
})
