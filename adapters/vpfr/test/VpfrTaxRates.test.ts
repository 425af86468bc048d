import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, DateTime, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { afterEach } from "vitest"
import { TaxRates } from "@overa/domain"
import { readTaxRates } from "../src/readTaxRates.ts"
import { cuttingServer, type CuttingServer } from "./support/cuttingServer.ts"
import { clientCa, elementId, farEnd, type FarEnd, jid, organizationId, server } from "./support/farEnd.ts"
import { message } from "./support/httpMessage.ts"

const group = (groupId: number, validFrom: string, rate = "9.00") =>
  `{"validFrom":"${validFrom}","groupId":${groupId},"taxCategories":[` +
  `{"name":"VAT","categoryType":0,"taxRates":[{"rate":${rate},"label":"A"}],"orderId":6},` +
  `{"name":"PBL","categoryType":2,"taxRates":[{"rate":0.50,"label":"P"}],"orderId":3}]}`
const older = group(4, "2020-12-31T23:00:00Z")
const current = group(5, "2021-12-19T23:00:00Z", "19.00")
const status = (currentTaxRates: string, all = `[${current},${older}]`) =>
  `{"uid":"${jid}","currentTaxRates":${currentTaxRates},"allTaxRates":${all}}`

describe("The tax configuration of a status answer (V-PFR §5)", () => {
  const groups = (text: string) => Result.getOrThrow(readTaxRates(text))
  it("newest first, every rate with its category", () => {
    const [first, second] = groups(status(current))
    assert.deepStrictEqual([first?.groupId, second?.groupId], [5, 4])
    assert.strictEqual(first === undefined ? "" : DateTime.formatIso(first.validFrom), "2021-12-19T23:00:00.000Z")
    assert.deepStrictEqual(first?.rates.map(({ category, categoryType, label }) => [label, category, categoryType]), [
      ["A", "VAT", 0],
      ["P", "PBL", 2]
    ])
    assert.isTrue(first !== undefined && BigDecimal.equals(first.rates[0]?.rate ?? BigDecimal.make(0n, 0), BigDecimal.make(19n, 0)))
  })

  it.each([
    ["the current rates as a list", status(`[${current}]`)],
    ["no history beside the current rates", status(current, "null")],
    ["category types by name", status(current).replaceAll('"categoryType":2', '"categoryType":"AmountPerQuantity"')],
    ["PascalCase", status(current).replaceAll(/"([a-z])(\w+)":/g, (_, a: string, b: string) => `"${a.toUpperCase()}${b}":`)],
    ["a time without offset is UTC", status(current).replaceAll("T23:00:00Z", "T23:00:00")]
  ])("%s", (_, text) => {
    const [first] = groups(text)
    assert.strictEqual(first?.groupId, 5)
    assert.deepStrictEqual(first?.rates.map((rate) => rate.categoryType), [0, 2])
    assert.strictEqual(first === undefined ? "" : DateTime.formatIso(first.validFrom), "2021-12-19T23:00:00.000Z")
  })

  it.each([
    ["no JSON", "<html>"],
    ["nothing", "{}"],
    ["null rates", status("null")],
    ["an empty list", status("[]")],
    ["no categories", status('{"validFrom":"2021-12-19T23:00:00Z","groupId":5,"taxCategories":[]}', "null")],
    ["an unknown category type", status(current).replaceAll('"categoryType":2', '"categoryType":"constructor"')],
    ["a label twice", status(current.replace('"label":"P"', '"label":"A"'), "null")],
    ["a rate that is no number", status(current.replace("19.00", '"high"'), "null")],
    ["a negative rate", status(current.replace("19.00", "-19.00"), "null")],
    ["no time", status(current.replace("2021-12-19T23:00:00Z", "soon"), "null")],
    ["a damaged older group", status(current, `[${older.replace('"groupId":4', '"groupId":null')}]`)]
  ])("%s is no configuration", (_, text) => {
    assert.isTrue(Result.isFailure(readTaxRates(text)))
  })
})

const open: Array<{ readonly close: () => Promise<void> }> = []
afterEach(async () => {
  for (const closable of open.splice(0).reverse()) await closable.close()
})
const start = async (options: Parameters<typeof farEnd>[1] = {}): Promise<{ readonly end: CuttingServer; readonly far: FarEnd }> => {
  const end = await cuttingServer(server, { jid, ca: clientCa.certificate })
  end.behaviour.onRequest = ({ socket }) => void socket.write(message("200 OK", status(current)))
  const far = farEnd(end.url, { testClock: true, ...options })
  open.push(end, far)
  return { end, far }
}
const tenant = { organizationId, environment: "sandbox" } as const
const fresh = Effect.gen(function*() {
  const rates = yield* TaxRates
  return yield* rates.fresh(tenant, elementId()).pipe(
    Effect.map((history) => history.groups[0]?.groupId ?? 0),
    Effect.catch((unavailable) => Effect.succeed(unavailable.detail))
  )
})
const known = Effect.gen(function*() {
  const rates = yield* TaxRates
  return yield* rates.known(tenant, elementId())
})
const doubt = Effect.gen(function*() {
  const rates = yield* TaxRates
  yield* rates.doubt(elementId())
})
const pass = (millis: number) => TestClock.adjust(millis) as Effect.Effect<void>
const arrivals = (end: CuttingServer, count: number) =>
  new Promise<void>((resolve) => {
    const look = () => void (end.arrived.length >= count ? resolve() : setImmediate(look))
    look()
  })

describe("Fresh tax rates (Decisions §2)", () => {
  it("asked for once, by status with PAC and certificate, however many ask at once", async () => {
    const { end, far } = await start()
    const answers = await far.run(Effect.all(Array.from({ length: 20 }, () => fresh), { concurrency: "unbounded" }))
    assert.deepStrictEqual(new Set(answers), new Set([5]))
    assert.strictEqual(end.arrived.length, 1)
    const head = end.arrived[0]?.head ?? ""
    assert.match(head, /^GET \/api\/v3\/status HTTP\/1\.1/)
    assert.match(head, /^PAC: ABC123$/m)
    assert.match(head, /^accept-language: sr-Cyrl-RS$/m)
    assert.isString(end.arrived[0]?.socket.getPeerX509Certificate()?.subject)
  })

  it("an answer serves five minutes and not a moment more", async () => {
    const { end, far } = await start()
    await far.run(fresh)
    end.behaviour.onRequest = ({ socket }) => void socket.destroy()
    await far.run(pass(195_000))
    assert.strictEqual(await far.run(fresh), 5)
    assert.strictEqual(end.arrived.length, 1)
    await far.run(pass(104_999))
    assert.strictEqual(await far.run(fresh), 5)
    await far.run(pass(1))
    assert.match(String(await far.run(fresh)), /failed after the first byte/)
    assert.isNotNull(await far.run(known))
  })

  it("are refreshed in the background while they are used", async () => {
    const { end, far } = await start()
    await far.run(fresh)
    await far.run(pass(220_000))
    await arrivals(end, 2)
    assert.strictEqual(await far.run(fresh), 5)
    assert.strictEqual(end.arrived.length, 2)
  })

  it("and no longer once nobody asks", async () => {
    const { end, far } = await start()
    await far.run(fresh)
    for (let minutes = 0; minutes < 60; minutes += 3) await far.run(pass(180_000))
    assert.isAtMost(end.arrived.length, 6)
  })

  it("are asked for again after a 2310", async () => {
    const { end, far } = await start()
    await far.run(fresh)
    end.behaviour.onRequest = ({ socket }) => void socket.write(message("200 OK", status(group(6, "2022-01-01T00:00:00Z"), `[${current}]`)))
    await far.run(doubt)
    assert.strictEqual(await far.run(fresh), 6)
    assert.strictEqual(end.arrived.length, 2)
  })

  it("a doubt about an element nobody asked for does nothing", async () => {
    const { end, far } = await start()
    await far.run(doubt)
    assert.strictEqual(end.openConnections(), 0)
  })

  it.each<readonly [string, CuttingServer["behaviour"], RegExp]>([
    ["silence", {}, /no whole answer within/],
    ["an error", { onRequest: ({ socket }) => void socket.write(message("500 Oops", "")) }, /answered the status query with 500/],
    ["no rates", { onRequest: ({ socket }) => void socket.write(message("200 OK", "{}")) }, /names no current tax rates/],
    ["no text", { onRequest: ({ socket }) => void socket.write(message("200 OK", "x", ["content-encoding: nonsense"])) }, /no readable text/]
  ])("%s is a configuration unavailable, in the time allowed", async (_, behaviour, words) => {
    const { end, far } = await start({ statusDeadlineMillis: 300, testClock: false })
    end.behaviour = behaviour
    assert.match(String(await far.run(fresh)), words)
    assert.isNull(await far.run(known))
  })

  it("an element that cannot be opened has none", async () => {
    const { far } = await start({ vault: new Map() })
    assert.match(String(await far.run(fresh)), /no such element/)
    assert.isNull(await far.run(known))
  })
})
