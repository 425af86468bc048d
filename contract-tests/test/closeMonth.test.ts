import { layerBilling, type MemoryAccount } from "@overa/adapter-memory"
import {
  ActRefused,
  BillingTerms,
  closeMonth,
  DocumentCounts,
  formatDecimal,
  Installation,
  Invoices,
  type LicenseChange,
  notePayment,
  type OrganizationId,
  paidOn,
  printedNumber,
  setPrices,
  StoreUnavailable
} from "@overa/domain"
import { closeMonths } from "@overa/worker"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { month, sampleBuyer, sampleChange, sampleIssuer, samplePrices } from "../src/support/sampleBilling.ts"

const act = { actor: "operator:ana", reason: "test" }
const idOf = (index: number) => `0190a1b2-0000-7000-8000-${String(index).padStart(12, "0")}` as OrganizationId

interface Stage {
  readonly accounts: Map<OrganizationId, MemoryAccount>
  /** Documents by organization; an absent one makes the store fail. */
  readonly documents: Map<OrganizationId, number>
  /** The counted ranges: organization, environment, range. */
  readonly asked: Array<string>
  restoring: boolean
}

const stageOf = (licences: ReadonlyArray<ReadonlyArray<LicenseChange>>): Stage => ({
  accounts: new Map(licences.map((licenseChanges, index) => [idOf(index), { buyer: sampleBuyer({ name: `Фирма ${index}` }), licenseChanges: [...licenseChanges] }])),
  documents: new Map(licences.map((_, index) => [idOf(index), 0])),
  asked: [],
  restoring: false
})

const countsOf = ({ asked, documents }: Stage) =>
  Layer.succeed(DocumentCounts, DocumentCounts.of({
    fiscalized: ({ environment, organizationId }, { from, to }) => {
      asked.push(`${organizationId.slice(-1)} ${environment} ${DateTime.formatIso(from)} ${DateTime.formatIso(to)}`)
      const found = documents.get(organizationId)
      return found === undefined ? Effect.fail(new StoreUnavailable({ committed: "no", cause: "down" })) : Effect.succeed(found)
    },
    refunds: () => Effect.succeed([])
  }))

const installationOf = (stage: Stage) =>
  Layer.succeed(Installation, Installation.of({
    hostId: "w1",
    bootId: "b",
    settings: (environment) =>
      Effect.succeed({ adapterConfigured: true, trafficEnabled: true, restoring: environment === "production" && stage.restoring, restoredAt: null, esirNumber: "", vatCategories: new Set<string>(), proformaReferences: false })
  }))

/** Runs at an instant, with a new memory store. */
const on = (stage: Stage, instant: string, body: Effect.Effect<void, unknown, BillingTerms | Invoices | DocumentCounts | Installation | Layer.Success<ReturnType<typeof layerBilling>>>) =>
  Effect.runPromise(
    Effect.andThen(TestClock.setTime(Date.parse(instant)), body).pipe(
      Effect.provide(Layer.mergeAll(layerBilling(stage.accounts), countsOf(stage), installationOf(stage))),
      Effect.provide(TestClock.layer())
    )
  )

/** Prices from a month on, decided in the middle of that month, and the issuer. */
const arranged = Effect.fnUntraced(function*(from: string, licence = "1990") {
  const terms = yield* BillingTerms
  yield* terms.addPriceList(act, { ...samplePrices(licence), validFrom: month(from) }, (yield* terms.priceLists)[0]?.version ?? 0)
  if ((yield* terms.issuer) === null) yield* terms.changeIssuer(act, sampleIssuer, 0)
})

const reasonOf = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.map(Effect.flip(effect), (error) => (error as { readonly reason?: string; readonly _tag?: string }).reason ?? (error as { readonly _tag: string })._tag)
const all = Effect.flatMap(Invoices, (invoices) => invoices.list({ paid: null, before: null, limit: 1_000 }))
const shown = Effect.map(all, (entries) => entries.toReversed().map(({ invoice: { content, id, organizationId } }) => `${printedNumber(id)} ${organizationId.slice(-1)} ${content.month} ${formatDecimal(content.total, 2)}`))
const licensed = sampleChange("2026-01-01T00:00:00Z")

describe("a month is closed", () => {
  it("not before a day after its end, not without prices, not without an issuer", () => on(stageOf([[licensed]]), "2026-12-01T22:59:59.999Z", Effect.gen(function*() {
    assert.strictEqual(yield* reasonOf(closeMonth(act, month("2026-10"), null, 10)), "MONTH_NOT_CLOSABLE")
    const terms = yield* BillingTerms
    yield* terms.addPriceList(act, { ...samplePrices(), validFrom: month("2026-11") }, 0)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* reasonOf(closeMonth(act, month("2026-11"), null, 10)), "MONTH_NOT_CLOSABLE")
    yield* terms.changeIssuer(act, sampleIssuer, 0)
    assert.strictEqual(yield* reasonOf(closeMonth(act, month("2026-12"), null, 10)), "MONTH_NOT_CLOSABLE")
    assert.strictEqual(yield* reasonOf(closeMonth(act, month("2026-10"), null, 10)), "MONTH_NOT_CLOSABLE")
    assert.deepStrictEqual(yield* shown, [])
    assert.deepStrictEqual(yield* closeMonth(act, month("2026-11"), null, 10), { issued: 1, next: null })
    assert.deepStrictEqual(yield* closeMonth(act, month("2026-11"), null, 10), { issued: 0, next: null })
    assert.deepStrictEqual(yield* shown, ["2026-000001 0 2026-11 2388.00"])
  })))

  it("for whoever had a licence, in parts, by the month's own days and production documents", () => {
    const stage = stageOf([[licensed], [], [sampleChange("2026-11-16T10:00:00Z")], [sampleChange("2026-12-01T10:00:00Z")], [licensed]])
    stage.documents.set(idOf(0), 1_000).set(idOf(4), 600)
    return on(stage, "2026-12-05T10:00:00Z", Effect.gen(function*() {
      yield* arranged("2026-11")
      yield* arranged("2026-12", "9999")
      assert.deepStrictEqual(yield* closeMonth(act, month("2026-11"), null, 2), { issued: 2, next: idOf(2) })
      assert.deepStrictEqual(yield* closeMonth(act, month("2026-11"), idOf(2), 2), { issued: 1, next: null })
      // 1990 + 400 × 2.50; half a month; the price of December does not apply to any of them.
      assert.deepStrictEqual(yield* shown, ["2026-000001 0 2026-11 3588.00", "2026-000002 2 2026-11 1194.00", "2026-000003 4 2026-11 2388.00"])
      assert.deepStrictEqual(stage.asked, ["0", "2", "4"].map((id) => `${id} production 2026-10-31T23:00:00.000Z 2026-11-30T23:00:00.000Z`))
    }))
  })

  it("again after the store failed in the middle: what was issued stays, the rest follows without a gap", () => {
    const stage = stageOf([[licensed], [licensed], [licensed]])
    stage.documents.delete(idOf(1))
    return on(stage, "2026-12-05T10:00:00Z", Effect.gen(function*() {
      yield* arranged("2026-11")
      assert.strictEqual(yield* reasonOf(closeMonth(act, month("2026-11"), null, 10)), "StoreUnavailable")
      assert.deepStrictEqual(yield* shown, ["2026-000001 0 2026-11 2388.00"])
      stage.documents.set(idOf(1), 601)
      assert.deepStrictEqual(yield* closeMonth(act, month("2026-11"), null, 10), { issued: 2, next: null })
      assert.deepStrictEqual(yield* shown, ["2026-000001 0 2026-11 2388.00", "2026-000002 1 2026-11 2391.00", "2026-000003 2 2026-11 2388.00"])
    }))
  })
})

describe("the worker", () => {
  it("closes every month left open, oldest first, part by part, and then waits", () => {
    const stage = stageOf(Array.from({ length: 25 }, () => [licensed]))
    return on(stage, "2026-12-05T10:00:00Z", Effect.gen(function*() {
      const job = closeMonths()
      assert.isFalse(yield* job.pass)
      yield* arranged("2026-10")
      const more = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => job.pass)
      assert.deepStrictEqual(more, [true, true, true, false, false, false])
      const months = (yield* all).toReversed().map(({ invoice }) => invoice.content.month)
      assert.deepStrictEqual(months, [...Array.from({ length: 25 }, () => month("2026-10")), ...Array.from({ length: 25 }, () => month("2026-11"))])
    }))
  })

  it("gets past organizations that have nothing to pay, however many there are", () => {
    const unlicensed = sampleChange("2026-01-01T00:00:00Z", { startsAt: DateTime.makeUnsafe("2026-11-10T00:00:00Z"), expiresAt: DateTime.makeUnsafe("2026-11-09T00:00:00Z") })
    const ended = [sampleChange("2026-01-01T00:00:00Z"), sampleChange("2026-10-01T00:00:00Z", { suspended: true })]
    const stage = stageOf([...Array.from({ length: 45 }, (_, index) => (index % 2 === 0 ? [unlicensed, ...ended] : ended)), [licensed]])
    return on(stage, "2026-12-05T10:00:00Z", Effect.gen(function*() {
      yield* arranged("2026-11")
      const job = closeMonths()
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3, 4], () => job.pass), [true, true, false, false])
      assert.deepStrictEqual((yield* all).map(({ invoice }) => invoice.organizationId), [idOf(45)])
      const asked = stage.asked.length
      yield* TestClock.adjust("23 hours")
      assert.isFalse(yield* job.pass)
      assert.strictEqual(stage.asked.length, asked, "a month that was gone through is not counted again at once")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3], () => job.pass), [true, true, false])
    }))
  })

  it("goes on where it stopped when the store failed, and issues nothing without an issuer", () => {
    const stage = stageOf(Array.from({ length: 25 }, () => [licensed]))
    stage.documents.delete(idOf(22))
    return on(stage, "2026-12-05T10:00:00Z", Effect.gen(function*() {
      const terms = yield* BillingTerms
      yield* terms.addPriceList(act, { ...samplePrices(), validFrom: month("2026-11") }, 0)
      const job = closeMonths()
      assert.isFalse(yield* job.pass)
      yield* terms.changeIssuer(act, sampleIssuer, 0)
      assert.isTrue(yield* job.pass)
      assert.strictEqual(yield* reasonOf(job.pass), "StoreUnavailable")
      stage.documents.set(idOf(22), 0)
      assert.isFalse(yield* job.pass)
      assert.strictEqual((yield* all).length, 25)
    }))
  })
})

describe("a restore in progress", () => {
  it("closes no month until it is ended", () => {
    const stage = stageOf([[licensed]])
    stage.restoring = true
    return on(stage, "2026-12-05T10:00:00Z", Effect.gen(function*() {
      yield* arranged("2026-11")
      assert.strictEqual(yield* reasonOf(closeMonth(act, month("2026-11"), null, 10)), "MONTH_NOT_CLOSABLE")
      assert.isFalse(yield* closeMonths().pass)
      assert.deepStrictEqual(yield* shown, [])
      stage.restoring = false
      assert.isFalse(yield* closeMonths().pass)
      assert.strictEqual((yield* shown).length, 1)
    }))
  })
})

describe("the operator's decisions", () => {
  const prices = (from: string) => ({ ...samplePrices(), validFrom: month(from) })

  it("prices begin with a month to come; only the first list with the running one", () => on(stageOf([]), "2026-11-20T10:00:00Z", Effect.gen(function*() {
    for (const from of ["2026-10", "2025-01"]) assert.strictEqual(yield* reasonOf(setPrices(act, prices(from), null)), "PRICES_NOT_POSSIBLE")
    assert.strictEqual(yield* setPrices(act, prices("2026-11"), 0), 1)
    assert.strictEqual(yield* reasonOf(setPrices(act, prices("2026-11"), null)), "PRICES_NOT_POSSIBLE")
    assert.strictEqual(yield* reasonOf(setPrices(act, prices("2026-12"), 0)), "CHANGED_MEANWHILE")
    assert.strictEqual(yield* setPrices(act, prices("2026-12"), 1), 2)
    assert.strictEqual(yield* setPrices(act, prices("2026-12"), null), 3)
  })))

  it("a payment is noted up to today in Belgrade, on a day that exists", () => on(stageOf([[licensed]]), "2026-12-05T23:30:00Z", Effect.gen(function*() {
    yield* arranged("2026-11")
    yield* closeMonth(act, month("2026-11"), null, 10)
    const id = { year: 2026, number: 1 }
    for (const day of ["2026-12-07", "2026-02-30", "2026-13-01", "06.12.2026", "", "2026-12-06T00:00:00Z"]) {
      assert.strictEqual(yield* reasonOf(notePayment(act, id, day)), "INVOICE_NOT_PAID", day)
    }
    yield* notePayment(act, id, "2026-12-06")
    const [entry] = yield* all
    assert.strictEqual(entry === undefined ? null : paidOn(entry), "2026-12-06")
    assert.instanceOf(yield* Effect.flip(notePayment(act, id, "2026-12-06")), ActRefused)
  })))
})
