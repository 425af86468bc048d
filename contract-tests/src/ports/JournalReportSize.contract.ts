import { anyTime, Dinars, JournalStore, JournalUpkeep, mostTurnoverRows, type Operation, OperationStore, Quantity, type TurnoverGrouping, type TurnoverQuery } from "@overa/domain"
import { BigDecimal, DateTime, Effect, type Layer, ManagedRuntime } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintPlace, sampleAnswer, sampleContent, sampleOperation, sampleReservation, sampleTime, signed } from "../support/sampleOperations.ts"

type Stores = OperationStore | JournalStore | JournalUpkeep

const dinars = (whole: number) => Dinars.make(BigDecimal.fromBigInt(BigInt(whole)))
const payments = ["CARD", "CASH", "CHECK", "OTHER"] as const
const labels = Array.from({ length: 250 }, (_, at) => String.fromCharCode(0x1000 + at))

/** Ten such receipts, each of another cashier, are as many rows as a report may have. */
const everyWay = (cashier: string): Operation["content"] => {
  const { items: [item], ...content } = sampleContent(1)
  if (item === undefined) throw new Error("the sample has lines")
  return {
    ...content,
    cashier: { id: cashier, displayName: null },
    items: labels.map((label) => ({ ...item, quantity: Quantity.make(BigDecimal.fromBigInt(1n)), unitPrice: dinars(payments.length), unitPriceBeforeDiscount: null, taxLabels: [label] })),
    payments: payments.map((type) => ({ type, amount: dinars(labels.length) }))
  }
}

/** The contract of every journal about reports with too many rows. `takesIn` says that its upkeep has something to do. */
export const journalReportSizeContract = (
  name: string,
  start: () => { readonly layer: Layer.Layer<Stores, unknown>; readonly register: (organizationId: string) => Promise<void>; readonly takesIn: boolean }
) =>
  describe(`JournalStore on ${name}: the rows of a report`, () => {
    const place = mintPlace()
    let runtime: ManagedRuntime.ManagedRuntime<Stores, unknown>
    let takesIn: boolean
    const run = <A, E>(body: Effect.Effect<A, E, Stores>): Promise<A> => runtime.runPromise(body)

    const store = Effect.fnUntraced(function*(content: Operation["content"]) {
      const operations = yield* OperationStore
      const createdAt = yield* DateTime.now
      const operation = sampleOperation(place, { content, createdAt, updatedAt: createdAt })
      yield* operations.reserve(sampleReservation(operation))
      const jid = operation.id.slice(-8).toUpperCase()
      yield* operations.conclude(signed(operation, { answer: sampleAnswer(`${jid}-${jid}-1`) }))
    })
    const takeIn = async () => assert.strictEqual(await run(Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis: 0, limit: 1_000 }))) > 0, takesIn)

    beforeAll(async () => {
      const started = start()
      runtime = ManagedRuntime.make(started.layer)
      takesIn = started.takesIn
      await started.register(place.organizationId)
      await run(Effect.forEach(Array.from({ length: 10 }, (_, at) => everyWay(`k-${at}`)), store))
    }, 120_000)
    afterAll(() => runtime.dispose())

    /** How many rows the two reports have, or what is wrong with them. */
    const rows = (groupBy: ReadonlyArray<TurnoverGrouping>, more: Partial<TurnoverQuery> = {}) => {
      const query = { taxpayerId: null, businessPremiseId: null, pfr: anyTime, created: anyTime, groupBy, ...more }
      const told = <A, E extends { readonly _tag: string }>(report: Effect.Effect<A, E, Stores>, count: (of: A) => number) =>
        Effect.match(report, { onSuccess: count, onFailure: (error) => "faults" in error ? (error.faults as ReadonlyArray<{ readonly key: string }>).map(({ key }) => key) : error._tag })
      return run(Effect.flatMap(JournalStore, (journal) => Effect.all([
        told(journal.turnover(place, query), (found) => found.length),
        told(journal.salesAndRefunds(place, query), (found) => found.rows.length)
      ])))
    }
    const all: ReadonlyArray<TurnoverGrouping> = ["day", "premise", "cashier", "paymentType", "taxLabel"]
    const both = <A>(each: A): [A, A] => [each, each]

    it("are answered up to the last one that a report may have, before its receipts are taken in and after", async () => {
      assert.deepStrictEqual(await rows(all), both(mostTurnoverRows))
      await takeIn()
      assert.deepStrictEqual(await rows(all), both(mostTurnoverRows))
    }, 60_000)

    it("are refused with one more, wherever it is read from, and a report with fewer is answered", async () => {
      await run(store({ ...sampleContent(1), cashier: { id: "k-10", displayName: null } }))
      const refused = both(["GroupBy"])
      assert.deepStrictEqual(await rows(all), refused)
      await takeIn()
      assert.deepStrictEqual(await rows(all), refused)
      const created = { from: sampleTime, to: null }
      assert.deepStrictEqual(await rows(all, { created }), refused)
      assert.deepStrictEqual(await rows(["cashier"]), both(11))
      assert.deepStrictEqual(await rows([]), both(1))
    }, 60_000)
  })
