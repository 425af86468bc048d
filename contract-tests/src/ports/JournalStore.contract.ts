import {
  compareInJournal,
  formatDecimal,
  isInRange,
  journalLineOf,
  type JournalCursor,
  type JournalFilter,
  JournalStore,
  JournalUpkeep,
  matchesJournalFilter,
  type Operation,
  OperationStore,
  pfrInstant,
  readJournalFilter,
  salesAndRefunds,
  type SalesAndRefunds,
  turnover,
  type TurnoverGrouping,
  TurnoverGrouping as Groupings,
  type TurnoverRow,
  type Tenant,
  UnresolvedOperations
} from "@overa/domain"
import { BigDecimal, DateTime, Effect, Equal, type Layer, ManagedRuntime, Option, Result } from "effect"
import * as fc from "fast-check"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { historyOperation, signLate, storeHistory } from "../support/sampleHistory.ts"
import { mintPlace } from "../support/sampleOperations.ts"

type Stores = OperationStore | JournalStore | JournalUpkeep | UnresolvedOperations

const historyLength = 640

type QueryTexts = Readonly<Record<string, string | ReadonlyArray<string>>>

const decimalOrNull = (text: string | ReadonlyArray<string> | undefined) => typeof text === "string" ? BigDecimal.fromStringUnsafe(text) : null

/** `amountFrom` and `amountTo` are asked for in the portal only. */
const filterOf = (query: QueryTexts): JournalFilter => {
  const filter = Result.getOrThrow(readJournalFilter(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()]))))
  const amount = { from: decimalOrNull(query["amountFrom"]), to: decimalOrNull(query["amountTo"]) }
  return amount.from === null && amount.to === null ? filter : { ...filter, amount }
}

const told = (rows: ReadonlyArray<TurnoverRow | SalesAndRefunds>): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === "object" && value !== null && "scale" in value && "value" in value ? formatDecimal(value as never, 2) : value))

/** The item leaves a document without a receipt in doubt: it is found by the status that is told of it, and by no other. */
const raiseDoubt = (operation: Operation) =>
  UnresolvedOperations.use((unresolved) =>
    unresolved.raise({ organizationId: operation.organizationId, operationId: operation.id }, [{ kind: "LOST_ATTEMPT", detail: "x", evidence: null }], operation.createdAt))

/**
 * The contract of every journal. `register` makes an organization known to the store; `takesIn` says that its upkeep has something to do.
 * The journal passes through five states. With `everything` each filter and each report is asked for in each state, over the whole history;
 * without, each of them in two or three states and half of them in each, over half of the history.
 */
export const journalStoreContract = (
  name: string,
  start: () => { readonly layer: Layer.Layer<Stores, unknown>; readonly register: (organizationId: string) => Promise<void>; readonly takesIn: boolean },
  asked: "half" | "everything" = "half"
) =>
  describe(`JournalStore on ${name}`, () => {
    let runtime: ManagedRuntime.ManagedRuntime<Stores, unknown>
    let all: ReadonlyArray<Operation>
    let takesIn: boolean
    let findsAsserted = 0
    let reportsAsserted = 0
    const isWhole = asked === "everything"
    /** Half of the history is every second document of it, even and odd ones in turns, so that it runs over the same months. */
    const positions = Array.from({ length: isWhole ? historyLength : historyLength / 2 }, (_, index) => isWhole ? index : 2 * index + (index % 2))
    /** Whether the question at this place is asked in this state: neighbours take turns. */
    const isAsked = (at: number, state: number): boolean => isWhole || (at + state) % 2 === 0
    const home = mintPlace()
    const tenant: Tenant = home
    const second = { ...mintPlace(), organizationId: home.organizationId }
    const production = { ...mintPlace("production"), organizationId: home.organizationId }
    const stranger = mintPlace()
    const run = <A, E>(body: Effect.Effect<A, E, Stores>): Promise<A> => runtime.runPromise(body)

    const stored = Effect.fnUntraced(function*(operations: ReadonlyArray<Operation>) {
      const store = yield* OperationStore
      const found = yield* Effect.forEach(operations, (operation) => store.get(operation, operation.id), { concurrency: 16 })
      return found.map(Option.getOrThrow)
    })

    beforeAll(async () => {
      const started = start()
      runtime = ManagedRuntime.make(started.layer)
      takesIn = started.takesIn
      for (const { organizationId } of [home, stranger]) await started.register(organizationId)
      await run(Effect.gen(function*() {
        const store = yield* OperationStore
        const made = positions.map((at) => historyOperation(at % 40 === 0 ? [at % 80 === 0 ? production : stranger] : [home, home, second], at))
        yield* Effect.forEach(made, (operation, index) => storeHistory(store, operation, positions[index] ?? 0), { concurrency: 16 })
        yield* Effect.forEach(made.filter((_, at) => at % 3 === 0), raiseDoubt, { concurrency: 16 })
        all = yield* stored(made)
      }))
    }, 120_000)
    afterAll(() => runtime.dispose())

    const ofTenant = (of: Tenant): ReadonlyArray<Operation> =>
      all.filter((operation) => operation.organizationId === of.organizationId && operation.environment === of.environment)
    const matching = (of: Tenant, filter: JournalFilter): ReadonlyArray<Operation> =>
      ofTenant(of).filter((operation) => matchesJournalFilter(filter, operation)).toSorted(compareInJournal)
    const ids = (operations: ReadonlyArray<Operation>) => operations.map(({ id }) => id)

    const listed = Effect.fnUntraced(function*(of: Tenant, filter: JournalFilter, pageSize: number) {
      const journal = yield* JournalStore
      const found: Array<Operation> = []
      for (let cursor: JournalCursor | null = null;;) {
        const page: Effect.Success<ReturnType<typeof journal.page>> = yield* journal.page(of, filter, { cursor, pageSize })
        assert.isAtMost(page.items.length, pageSize)
        found.push(...page.items)
        if (page.nextCursor === null) return found
        cursor = page.nextCursor
      }
    })

    /** The one after so large a part of the tenant's documents. */
    const operationAfter = (part: number) => ofTenant(tenant)[Math.floor(part * ofTenant(tenant).length)] as Operation
    const queries = (): ReadonlyArray<QueryTexts> => {
      const one = operationAfter(0.22)
      const receipt = ofTenant(tenant).find(({ answer }) => answer !== null) as Operation
      const number = receipt.answer?.pfr.invoiceNumber ?? ""
      return [
        {},
        { taxpayerId: second.taxpayerId },
        { businessPremiseId: home.businessPremiseId },
        ...["FISCALIZED", "REJECTED", "NOT_FISCALIZED", "OUTCOME_UNKNOWN", "SUBMITTING", "RECONCILING", "VALIDATED"].map((status): QueryTexts => ({ status })),
        ...["NORMAL", "COPY", "ADVANCE", "TRAINING", "PROFORMA"].map((invoiceType) => ({ invoiceType })),
        { transactionType: "REFUND" },
        { clientReference: one.content.clientReference },
        { pfrNumber: number },
        { pfrNumber: "AAAAAAAA-AAAAAAAA-1" },
        { buyerId: "20:007" },
        { cashierId: "ана" },
        { cashierId: "нико" },
        { text: "SECER" },
        { text: "djumbir" },
        { text: "retko" },
        { text: "ХЛЕБ 7" },
        { text: "а" },
        { text: number.slice(0, 12) },
        { text: number.slice(0, 7).toLowerCase() },
        { text: `${number.slice(0, 9).toLowerCase()}${number.slice(9, 14)}` },
        { text: number.toLowerCase() },
        { text: number.slice(3, 12).toLowerCase() },
        { text: number.slice(-3) },
        { amountFrom: "251", amountTo: "251.00" },
        { amountFrom: "125.51" },
        { amountTo: "125.49" },
        { amountTo: "200", text: "kafa" },
        { amountFrom: "200", transactionType: "REFUND" },
        { amountFrom: "200", pfrFrom: "2026-02-01T00:00:00Z", status: "FISCALIZED" },
        { text: "101883300" },
        { text: "nothing like it" },
        { pfrFrom: "2026-02-01T00:00:00Z", pfrTo: "2026-02-03T00:00:00Z" },
        { pfrTo: "2026-01-16T00:00:00Z" },
        { pfrFrom: "2026-07-01T00:00:00Z" },
        { createdFrom: DateTime.formatIso(one.createdAt), createdTo: "2026-06-01T00:00:00Z" },
        { createdTo: DateTime.formatIso(one.createdAt) },
        { status: "REJECTED", text: "kafa" },
        { status: ["REJECTED", "NOT_FISCALIZED"] },
        { status: ["OUTCOME_UNKNOWN", "RECONCILING", "SUBMITTING", "NOT_FISCALIZED"] },
        { status: ["SUBMITTING", "FISCALIZED"], text: "kafa" },
        { cashierId: "ана", invoiceType: "NORMAL", transactionType: "SALE", pfrFrom: "2026-02-01T00:00:00Z", pfrTo: "2026-05-01T00:00:00+02:00" },
        { text: "porudzbina-1", taxpayerId: home.taxpayerId, createdTo: "2026-04-01T00:00:00Z" },
        { status: "FISCALIZED", buyerId: "10:100000008", text: "carape" }
      ]
    }

    const assertShowsLines = async () => {
      const asked = ofTenant(tenant).toSorted((one, other) => (one.id.slice(-4) < other.id.slice(-4) ? -1 : 1))
      const lines = await run(Effect.flatMap(JournalStore, (journal) => journal.lines(tenant, [mintPlace().taxpayerId as never, ...ids(asked)])))
      assert.lengthOf(lines, asked.length)
      for (const [at, line] of lines.entries()) assert.isTrue(Equal.equals(line, journalLineOf(asked[at] as Operation)), line.id)
    }

    const assertFindsEverything = async () => {
      findsAsserted += 1
      for (const [at, query] of queries().entries()) {
        if (!isAsked(at, findsAsserted)) continue
        const filter = filterOf(query)
        const wanted = ids(matching(tenant, filter))
        for (const pageSize of at % 6 === 0 ? [23, 200] : [120]) {
          assert.deepStrictEqual(ids(await run(listed(tenant, filter, pageSize))), wanted, `${JSON.stringify(query)} by ${pageSize}`)
        }
        const selected = await run(Effect.flatMap(JournalStore, (journal) => journal.select(tenant, filter, 10_001)))
        assert.deepStrictEqual(selected, wanted, `selected by ${JSON.stringify(query)}`)
        const labels = [...new Set(matching(tenant, filter).flatMap(({ content }) => content.items.flatMap(({ taxLabels }) => taxLabels)))].sort()
        const found = await run(Effect.flatMap(JournalStore, (journal) => journal.labels(tenant, selected)))
        assert.deepStrictEqual(found, labels, `labels of ${JSON.stringify(query)}`)
      }
      await assertShowsLines()
    }

    const assertReportsEverything = async () => {
      const groupings: ReadonlyArray<ReadonlyArray<TurnoverGrouping>> = [
        [],
        ...Groupings.literals.map((grouping) => [grouping]),
        ["day", "taxLabel"],
        ["month", "paymentType", "taxLabel"],
        ["cashier", "premise", "month"],
        [...Groupings.literals].reverse()
      ]
      // Everything; whole months; days begun on both sides of the change of clocks; a part of a day; one bound only.
      const ranges = [
        {},
        { pfrFrom: "2026-02-01T00:00:00+01:00", pfrTo: "2026-04-01T00:00:00+02:00" },
        { pfrFrom: "2026-02-10T13:00:00+01:00", pfrTo: "2026-04-11T16:30:00+02:00" },
        { pfrFrom: "2026-02-10T01:00:00+01:00", pfrTo: "2026-02-10T23:00:00+01:00" },
        { pfrFrom: "2026-03-01T09:00:00+01:00" },
        { pfrTo: "9999-12-31T23:59:59Z" }
      ].map((query) => filterOf(query))
      // Documents are signed two seconds after their requests: these bounds are in between.
      const received = Array.from({ length: 3 }, (_, at) => DateTime.formatIso(DateTime.add(operationAfter((at + 1) / 5).createdAt, { seconds: 1 })))
      const byRequest = [
        { createdFrom: received[0] ?? "", createdTo: received[2] ?? "" },
        { createdTo: received[1] ?? "" },
        { createdFrom: received[0] ?? "", createdTo: received[2] ?? "", pfrFrom: received[1] ?? "" }
      ].map(filterOf)
      // Of everybody and of one taxpayer in turns, which every second state begins with the other; both sides of every third report.
      reportsAsserted += 1
      const everybodyFirst = (reportsAsserted >> 1) % 2
      let reported = -1
      for (const groupBy of groupings) {
        for (const { created, pfr } of [...(groupBy.length % 2 === 0 ? ranges : ranges.slice(0, 2)), ...byRequest.slice(groupBy.length % 2)]) {
          reported += 1
          if (!isAsked(reported >> 1, reportsAsserted)) continue
          const taxpayerId = reported % 2 === everybodyFirst ? null : second.taxpayerId
          const asked = ofTenant(tenant).filter((operation) => {
            const at = Option.flatMap(Option.fromNullishOr(operation.answer), (answer) => pfrInstant(answer.pfr.sdcTime))
            return Option.isSome(at) && isInRange(at.value, pfr) && isInRange(operation.createdAt, created) && (taxpayerId === null || operation.taxpayerId === taxpayerId)
          })
          const found = await run(Effect.flatMap(JournalStore, (journal) => journal.turnover(tenant, { taxpayerId, businessPremiseId: null, pfr, created, groupBy })))
          assert.strictEqual(told(found), told(turnover(asked, groupBy)), groupBy.join())
          if (reported % 3 !== 2) continue
          const sides = await run(Effect.flatMap(JournalStore, (journal) => journal.salesAndRefunds(tenant, { taxpayerId, businessPremiseId: null, pfr, created, groupBy })))
          const both = salesAndRefunds(asked, groupBy)
          assert.strictEqual(told(sides.rows), told(both.rows), `both sides by ${groupBy.join()}`)
          assert.strictEqual(told(sides.whole === null ? [] : [sides.whole]), told(both.whole === null ? [] : [both.whole]), `their total by ${groupBy.join()}`)
        }
      }
    }

    const advance = (marginMillis: number) => run(Effect.flatMap(JournalUpkeep, (upkeep) => upkeep.advance({ marginMillis, limit: 100_000 })))
    // At that time more than one window of documents is not indexed.
    const halfTime = Date.UTC(2026, 1, 10)

    it("finds what every filter asks for, alone and with others, before anything was taken in", () => assertFindsEverything(), 120_000)
    it("reports the turnover by every grouping, before anything was taken in", () => assertReportsEverything(), 120_000)

    it("finds and reports the same when the older part of it was taken in", async () => {
      const older = all.filter(({ createdAt }) => createdAt.epochMilliseconds < halfTime).length
      const taken = await advance(Date.now() - halfTime)
      assert.approximately(taken, takesIn ? older : 0, 3)
      await assertFindsEverything()
      await assertReportsEverything()
    }, 240_000)

    it("finds and reports the same when all of it was taken in, and taking in again changes nothing", async () => {
      assert.strictEqual(await advance(0) > 0, takesIn)
      assert.strictEqual(await advance(0), 0)
      await assertFindsEverything()
      await assertReportsEverything()
    }, 240_000)

    it("what becomes a receipt after it was taken in is found and counted at once, and still after it is settled", async () => {
      const late = ofTenant(tenant).filter(({ status }) => status === "OUTCOME_UNKNOWN" || status === "SUBMITTING").slice(0, 12)
      assert.isNotEmpty(late)
      await run(Effect.flatMap(OperationStore, (store) =>
        Effect.forEach(late, (operation) => signLate(store, operation, positions[all.indexOf(operation)] ?? 0))))
      all = await run(stored(all))
      await assertFindsEverything()
      await assertReportsEverything()
      await advance(0)
      await assertFindsEverything()
      await assertReportsEverything()
    }, 240_000)

    it("shows nothing of another organization or environment, whatever is asked", async () => {
      for (const other of [stranger, production]) {
        const theirs = ids(matching(other, filterOf({})))
        assert.isNotEmpty(theirs)
        assert.deepStrictEqual(ids(await run(listed(other, filterOf({}), 50))), theirs)
        for (const query of queries().filter((one) => "clientReference" in one || "pfrNumber" in one || "taxpayerId" in one)) {
          assert.deepStrictEqual(ids(await run(listed(other, filterOf(query), 50))), ids(matching(other, filterOf(query))))
        }
        assert.deepStrictEqual(await run(Effect.flatMap(JournalStore, (journal) => journal.lines(other, ids(ofTenant(tenant)).slice(0, 5)))), [])
        const last = ofTenant(tenant).toSorted(compareInJournal)[3] as Operation
        const page = await run(Effect.flatMap(JournalStore, (journal) =>
          journal.page(other, filterOf({}), { cursor: { createdAt: last.createdAt, id: last.id }, pageSize: 200 })))
        assert.isTrue(page.items.every((operation) => theirs.includes(operation.id)))
      }
    })

    it("pages read while documents are written repeat none and lose none that was there before", async () => {
      const before = new Set(ids(ofTenant(tenant)))
      const rounds = 3
      const written = positions.length / 5
      for (let round = 0; round < rounds; round++) {
        const writing = Effect.flatMap(OperationStore, (store) =>
          Effect.forEach(Array.from({ length: written }, (_, at) => historyLength + round * written + at), (at) => {
            // Some of them are between the ones that are being read.
            const made = historyOperation([home, second], at % 2 === 0 ? at : at % historyLength)
            return storeHistory(store, made, at)
          }, { concurrency: 4 }))
        const keepingUp = Effect.flatMap(JournalUpkeep, (upkeep) => Effect.repeat(upkeep.advance({ marginMillis: 0, limit: 200 }), { times: 5 }))
        const reading = Effect.forEach([filterOf({}), filterOf({ text: "а" }), filterOf({ cashierId: "web" })], (filter) =>
          Effect.map(listed(tenant, filter, 23), (found) => ({ filter, found })), { concurrency: 3 })
        const [read] = await run(Effect.all([reading, writing, keepingUp], { concurrency: 3 }))
        for (const { filter, found } of read) {
          assert.strictEqual(new Set(ids(found)).size, found.length, "an operation is on two pages")
          const lost = ofTenant(tenant).filter((operation) => before.has(operation.id) && matchesJournalFilter(filter, operation) && !ids(found).includes(operation.id))
          assert.deepStrictEqual(ids(lost), [])
        }
      }
    }, 120_000)

    it("any text of a document finds it", async () => {
      const journal = await run(Effect.service(JournalStore))
      await fc.assert(fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 6 }), async (of, from, length) => {
        const operation = ofTenant(tenant)[of % ofTenant(tenant).length] as Operation
        const said = [operation.content.clientReference, operation.content.cashier.id, ...operation.content.items.map((item) => item.name)]
        const characters = [...(said[from % said.length] ?? "")]
        const text = characters.slice(from % characters.length, (from % characters.length) + length).join("")
        const selected = await run(journal.select(tenant, filterOf({ text, createdFrom: DateTime.formatIso(operation.createdAt) }), 10_001))
        assert.include(selected, operation.id, text)
      }), { numRuns: 60 })
    }, 120_000)
  })
