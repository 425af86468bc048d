import { type Act, type ElsewhereFilter, type ElsewhereReceipt, ElsewhereReceipts, type FoundElsewhere, formatDecimal, OperationStore } from "@overa/domain"
import { DateTime, Effect, type Layer, ManagedRuntime, Option, Result, Stream } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { asLink, foundElsewhere, sampleElsewhere } from "../support/sampleElsewhere.ts"
import { mintPlace, noAnswer, sampleOperation, sampleReservation, signed } from "../support/sampleOperations.ts"
import { mintShop, type ProductShop } from "../support/sampleProducts.ts"

type Stores = ElsewhereReceipts | OperationStore
type Store = ElsewhereReceipts["Service"]
const act: Act = { actor: "operator:ana", reason: "moves to us" }
const all: ElsewhereFilter = { taxpayerId: null, pfrFrom: null, pfrTo: null, pfrNumber: null }

/** A receipt as a text; equal receipts give equal texts. */
const told = (receipt: ElsewhereReceipt): string =>
  JSON.stringify({ ...receipt, totalAmount: formatDecimal(receipt.totalAmount), totalTax: receipt.totalTax === null ? null : formatDecimal(receipt.totalTax) })

const inBatches = (...batches: ReadonlyArray<ReadonlyArray<FoundElsewhere>>) => Stream.fromIterable(batches)
const imported = (store: Store, { taxpayerId, tenant }: ProductShop, ...receipts: ReadonlyArray<ElsewhereReceipt>) =>
  store.importAll(act, tenant, taxpayerId, inBatches(foundElsewhere(...receipts)))
const failureOf = <A, E>(effect: Effect.Effect<A, E>) => Effect.map(Effect.result(effect), (it) => Result.isFailure(it) ? it.failure : null)

const listed = Effect.fnUntraced(function*(store: Store, { tenant }: ProductShop, filter: Partial<ElsewhereFilter> = {}, pageSize = 2) {
  const found: Array<ElsewhereReceipt> = []
  for (let after: string | null = null;;) {
    const { items, next }: Effect.Success<ReturnType<Store["page"]>> = yield* store.page(tenant, { ...all, ...filter }, after, pageSize)
    found.push(...items.map(({ receipt }) => receipt))
    if (next === null) return found
    after = next
  }
})

/** A document of this service, and the same as if it had been issued elsewhere. */
const issued = Effect.fnUntraced(function*({ taxpayerId, tenant }: ProductShop) {
  const operations = yield* OperationStore
  const operation = sampleOperation({ ...mintPlace(tenant.environment), organizationId: tenant.organizationId, taxpayerId })
  const conclusion = signed(operation)
  yield* operations.reserve(sampleReservation(operation))
  yield* operations.conclude(conclusion)
  return { id: operation.id, ours: sampleElsewhere(9, { pfrNumber: conclusion.answer?.pfr.invoiceNumber ?? assert.fail() }) }
})

/** What every store of receipts issued elsewhere does. `register` makes a taxpayer known to the store. */
export const elsewhereReceiptsContract = (
  name: string,
  start: () => {
    readonly layer: Layer.Layer<Stores, unknown>
    readonly register: (shop: ProductShop, status?: "active" | "inactive") => Promise<void>
  }
) =>
  describe(`ElsewhereReceipts on ${name}`, () => {
    let runtime: ManagedRuntime.ManagedRuntime<Stores, unknown>
    let started: ReturnType<typeof start>
    beforeAll(() => {
      started = start()
      runtime = ManagedRuntime.make(started.layer)
    })
    afterAll(() => runtime.dispose())
    const run = <E>(body: (store: Store) => Effect.Effect<void, E, OperationStore>): Promise<void> => runtime.runPromise(Effect.flatMap(Effect.service(ElsewhereReceipts), body))
    const shop = async (...of: Parameters<typeof mintShop>): Promise<ProductShop> => {
      const made = mintShop(...of)
      await started.register(made)
      return made
    }

    it("gives back what was imported, in order and page by page, and the same once more changes nothing", async () => {
      const own = await shop()
      const receipts = [3, 1, 2].map((number) => sampleElsewhere(number, { buyerId: number === 2 ? "10:100000008" : null }))
      await run(Effect.fnUntraced(function*(store) {
        assert.deepStrictEqual(yield* imported(store, own, ...receipts), { added: 3, completed: 0, known: 0 })
        const before = (yield* listed(store, own)).map(told)
        assert.deepStrictEqual(before, receipts.toSorted((one, other) => DateTime.toEpochMillis(other.pfrTime) - DateTime.toEpochMillis(one.pfrTime)).map(told))
        assert.deepStrictEqual(yield* imported(store, own, ...receipts), { added: 0, completed: 0, known: 3 })
        assert.deepStrictEqual((yield* listed(store, own)).map(told), before)
        const found = yield* store.get(own.tenant, own.taxpayerId, receipts[0]?.pfrNumber ?? "")
        assert.strictEqual(told(Option.getOrThrow(found)), told(receipts[0] ?? sampleElsewhere(0)))
      }))
    })

    it("completes a text by its link and a link by its text, in one import or two, in either order", async () => {
      const [one, other] = [await shop(), await shop()]
      const text = sampleElsewhere(1)
      const whole = told({ ...asLink(text), totalTax: text.totalTax, journal: text.journal })
      await run(Effect.fnUntraced(function*(store) {
        yield* imported(store, one, text)
        assert.deepStrictEqual(yield* imported(store, one, asLink(text)), { added: 0, completed: 1, known: 0 })
        const batches = inBatches(foundElsewhere(asLink(text)), foundElsewhere(text, text))
        assert.deepStrictEqual(yield* store.importAll(act, other.tenant, other.taxpayerId, batches), { added: 1, completed: 0, known: 1 })
        assert.deepStrictEqual((yield* listed(store, one)).map(told), [whole])
        assert.deepStrictEqual((yield* listed(store, other)).map(told), [whole])
      }))
    })

    it("stores nothing where one receipt is at fault, and names every fault with its place", async () => {
      const own = await shop()
      await run(Effect.fnUntraced(function*(store) {
        const { id, ours } = yield* issued(own)
        yield* imported(store, own, sampleElsewhere(1))
        const different = sampleElsewhere(1, { totalTax: null, counter: "7/1", buyerId: "10:1" })
        const batch: ReadonlyArray<FoundElsewhere> = [...foundElsewhere(sampleElsewhere(2), different, ours), { file: "x.pdf", line: 0, read: Result.fail({ _tag: "NothingFound" }) }]
        const refused = yield* failureOf(store.importAll(act, own.tenant, own.taxpayerId, inBatches(foundElsewhere(sampleElsewhere(3)), batch, foundElsewhere(sampleElsewhere(4)))))
        assert.deepInclude(refused, {
          _tag: "ElsewhereImportRefused",
          count: 3,
          faults: [
            { file: "old.txt", line: 2, fault: { _tag: "Contradicts", pfrNumber: different.pfrNumber, differences: ["counter"] } },
            { file: "old.txt", line: 3, fault: { _tag: "OwnDocument", pfrNumber: ours.pfrNumber, id } },
            { file: "x.pdf", line: 0, fault: { _tag: "NothingFound" } }
          ]
        })
        assert.deepStrictEqual((yield* listed(store, own)).map(told), [told(sampleElsewhere(1))])
      }))
    })

    it("tells a receipt of ours that was imported while its outcome was unknown as our own alone, once it is found", async () => {
      const own = await shop()
      await run(Effect.fnUntraced(function*(store) {
        const operations = yield* OperationStore
        const operation = sampleOperation({ ...mintPlace(own.tenant.environment), organizationId: own.tenant.organizationId, taxpayerId: own.taxpayerId })
        const found = signed(operation, { event: "found", actor: "worker:w" })
        const ours = sampleElsewhere(9, { pfrNumber: found.answer?.pfr.invoiceNumber ?? assert.fail() })
        const others = [8, 10].map((number) => sampleElsewhere(number))
        const seen = Effect.fnUntraced(function*() {
          const days = yield* store.days(own.tenant, all)
          return {
            listed: (yield* listed(store, own, {}, 1)).map(({ pfrNumber }) => pfrNumber),
            summed: days.reduce((sum, { receipts }) => sum + receipts, 0),
            shown: Option.isSome(yield* store.get(own.tenant, own.taxpayerId, ours.pfrNumber))
          }
        })
        yield* operations.reserve(sampleReservation(operation))
        yield* operations.conclude(noAnswer(operation))
        yield* imported(store, own, ours, ...others)
        assert.deepInclude(yield* seen(), { summed: 3, shown: true })
        yield* operations.conclude(found)
        assert.deepStrictEqual(yield* seen(), { listed: [10, 8].map((number) => sampleElsewhere(number).pfrNumber), summed: 2, shown: false })
        assert.deepInclude(yield* failureOf(imported(store, own, ours)), { faults: [{ file: "old.txt", line: 1, fault: { _tag: "OwnDocument", pfrNumber: ours.pfrNumber, id: operation.id } }] })
      }))
    })

    it("keeps tenants and taxpayers apart", async () => {
      const own = await shop()
      const foreign = await shop()
      const sister = { ...await shop(), tenant: own.tenant }
      await started.register(sister)
      const receipt = sampleElsewhere(5)
      await run(Effect.fnUntraced(function*(store) {
        yield* imported(store, own, receipt)
        yield* imported(store, foreign, sampleElsewhere(5, { counter: "1/5" }))
        assert.deepStrictEqual((yield* listed(store, own)).map(told), [told(receipt)])
        assert.isTrue(Option.isNone(yield* store.get(foreign.tenant, own.taxpayerId, receipt.pfrNumber)))
        assert.deepStrictEqual(yield* store.days({ ...own.tenant, environment: own.tenant.environment === "sandbox" ? "production" : "sandbox" }, all), [])
        assert.deepInclude(yield* failureOf(imported(store, sister, receipt)), { faults: [{ file: "old.txt", line: 1, fault: { _tag: "OtherTaxpayer", pfrNumber: receipt.pfrNumber, taxpayerId: own.taxpayerId } }] })
        assert.deepInclude(yield* failureOf(store.importAll(act, foreign.tenant, own.taxpayerId, inBatches(foundElsewhere(receipt)))), { _tag: "TaxpayerNotFound" })
        assert.deepInclude(yield* failureOf(store.remove(act, foreign.tenant, own.taxpayerId, 1)), { _tag: "TaxpayerNotFound" })
      }))
    })

    it("filters by time and number, and sums turnover by day of Belgrade, without copies, proformas and training", async () => {
      const own = await shop()
      const at = (time: string) => DateTime.makeUnsafe(time)
      const receipts = [
        sampleElsewhere(1, { pfrTime: at("2026-10-01T21:59:59.999Z") }),
        sampleElsewhere(2, { pfrTime: at("2026-10-01T22:00:00Z"), transactionType: "REFUND" }),
        sampleElsewhere(3, { pfrTime: at("2026-10-02T10:00:00Z"), invoiceType: "ADVANCE" }),
        ...(["COPY", "PROFORMA", "TRAINING"] as const).map((invoiceType, more) => sampleElsewhere(4 + more, { pfrTime: at("2026-10-02T11:00:00Z"), invoiceType }))
      ]
      await run(Effect.fnUntraced(function*(store) {
        yield* imported(store, own, ...receipts)
        const days = (yield* store.days(own.tenant, all)).map((it) => [it.day, it.receipts, formatDecimal(it.sales, 2), formatDecimal(it.refunds, 2)])
        assert.deepStrictEqual(days, [["2026-10-01", 1, "1200.50", "0.00"], ["2026-10-02", 2, "1200.50", "-1200.50"]])
        const numbers = Effect.fnUntraced(function*(filter: Partial<ElsewhereFilter>) {
          return (yield* listed(store, own, filter)).map(({ counter }) => counter)
        })
        assert.deepStrictEqual(yield* numbers({ pfrFrom: at("2026-10-01T21:59:59.999Z"), pfrTo: at("2026-10-02T10:00:00Z") }), ["2/2", "1/1"])
        assert.deepStrictEqual(yield* numbers({ pfrNumber: "AB12CD34-EF56GH78-3" }), ["3/3"])
        assert.deepStrictEqual(yield* numbers({ pfrNumber: "AB12CD34_" }), [])
        assert.deepStrictEqual((yield* numbers({ taxpayerId: own.taxpayerId })).length, 6)
      }))
    })

    it("removes what is old enough, and an inactive taxpayer's too", async () => {
      const own = mintShop()
      await started.register(own, "inactive")
      await run(Effect.fnUntraced(function*(store) {
        const now = DateTime.nowUnsafe()
        yield* imported(store, own, ...[5, 20].map((days) => sampleElsewhere(days, { pfrTime: DateTime.subtract(now, { days }) })))
        assert.strictEqual(yield* store.remove(act, own.tenant, own.taxpayerId, 10), 1)
        assert.deepStrictEqual((yield* listed(store, own)).map(({ counter }) => counter), ["5/5"])
        assert.strictEqual(yield* store.remove(act, own.tenant, own.taxpayerId, 10), 0)
      }))
    })
  })
