import {
  type Attempt, type BoundKey, cashRefundCopyKey, derivedRequestId, type FiscalDocumentId, type Operation, OperationHistory, OperationStore, RefundStore, RestoreActs, type TakeBack, type TriedRequest, UnresolvedOperations, type WorkflowId
} from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Option, Result } from "effect"
import fc from "fast-check"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { concluded, reservationOf } from "../src/support/refundSamples.ts"
import { mintPlace, noAnswer, notSent, sampleAnswer, sampleAttempt, sampleConclusion, sampleContent, sampleOperation, sampleReservation, sampleTime, signed } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

type Item = Exclude<TakeBack, { readonly _tag: "Nothing" }>
type Place = ReturnType<typeof mintPlace>

const act = { actor: "ana", reason: "test" }

let database: ThrowawayDatabase
let runtime: ManagedRuntime.ManagedRuntime<OperationHistory | OperationStore | RefundStore | RestoreActs | UnresolvedOperations, unknown>
beforeAll(async () => {
  database = await throwawayDatabase()
  runtime = ManagedRuntime.make(postgresPorts(database.url).pipe(Layer.orDie))
}, 60_000)
afterAll(async () => {
  await runtime.dispose()
  await database.drop()
})

const query = async <Row>(sql: string, parameters: ReadonlyArray<unknown> = []): Promise<ReadonlyArray<Row>> => {
  const client = await database.client()
  try {
    return (await client.query(sql, [...parameters])).rows as ReadonlyArray<Row>
  } finally {
    await client.end()
  }
}

/** Ids and RequestIds are the same in each run, in an organization of its own. */
const uuidOf = (name: string): string => `00000000-0000-7000-8000-${Buffer.from(name.padEnd(6)).toString("hex")}`
const requestIdOf = (name: string): string => Buffer.from(name.padEnd(16)).toString("hex")
/** A RequestId that is derived is another one in each organization: the one that stands for it here. */
const standIns = new Map<string, string>()
const keyOf = (name: string, role: BoundKey["role"] = "REQUEST"): BoundKey => ({ role, key: `key-of-${name}`, target: "POST /v1/x", body: "{}", fingerprint: { version: 1, digest: name } })

const documentOf = (place: Place, name: string, changes: Partial<Operation> = {}): Operation =>
  sampleOperation(place, { id: uuidOf(name) as FiscalDocumentId, boundKey: keyOf(name), ...changes })

const attemptsOf = (operation: Operation, names: readonly [string, ...ReadonlyArray<string>]): TriedRequest["attempts"] => {
  const [first, ...others] = names
  const made = (name: string, at: number): Attempt => sampleAttempt(operation, { number: at + 1, requestId: derivedRequestId(operation, at + 1) ?? requestIdOf(name), elementId: uuidOf("elem") as Attempt["elementId"] })
  return [made(first, 0), ...others.map((name, at) => made(name, at + 1))]
}

const sale = (operation: Operation, attempts: readonly [string, ...ReadonlyArray<string>], invoiceNumber: string | null = null): Item => ({
  _tag: "Operation", operation, attempts: attemptsOf(operation, attempts), invoiceNumber, transitions: sampleReservation(operation).transitions
})

const key = (operation: Operation, attempts: readonly [string, ...ReadonlyArray<string>] | null, mayBeSigned = true): Item => ({
  _tag: "Key", owner: operation, mayBeSigned, inCase: null, givesBack: null, copied: null, invoiceNumber: null,
  tried: attempts === null ? null : { attempts: attemptsOf(operation, attempts), fingerprint: operation.boundKey.fingerprint.digest }
})

const attempt = (name: string) => ({ requestId: requestIdOf(name), elementId: uuidOf("elem") as Attempt["elementId"] })

const refundNumber = "REFUND01-REFUND01-1"

/** The copy of the receipt that a refund has, or had. */
const copyOf = (place: Place, { boundKey, id, workflow }: Operation, pfrNumber: string): Operation =>
  documentOf(place, "copy", {
    boundKey: { ...boundKey, role: "INNER", key: cashRefundCopyKey(boundKey.key) },
    workflow,
    content: {
      ...sampleContent(),
      invoiceType: "COPY",
      transactionType: "REFUND",
      reference: { source: "SVC", fiscalDocumentId: id, pfrNumber, pfrTime: "2026-03-04T06:06:08.4551405+01:00", invoiceType: "NORMAL", transactionType: "REFUND" }
    }
  })

/** The database at the point of a restore, and what callers have kept since: proofs of several ages, and answers. */
const pointOfARestore = Effect.fnUntraced(function*(place: Place) {
  const store = yield* OperationStore
  const refunds = yield* RefundStore
  const [lost, flying, unsent, sold, manual] = ["lost", "flying", "unsent", "sold", "manual"].map((name) => documentOf(place, name)) as [Operation, Operation, Operation, Operation, Operation]
  yield* store.reserve(sampleReservation(flying, { attempt: attempt("flying 1") }))
  yield* store.reserve(sampleReservation(unsent, { attempt: attempt("unsent 1") }))
  yield* store.conclude(notSent(unsent))
  yield* store.reserve(sampleReservation(sold, { attempt: attempt("sold 1") }))
  yield* store.conclude(signed(sold))
  const original = Option.getOrThrow(yield* store.get(place, sold.id))
  const reserved = Result.getOrThrow(yield* refunds.reserve(original, (ledger) =>
    Result.map(reservationOf(original, { quantity: "1", payment: "CASH" })(ledger), (given) => {
      const operation: Operation = { ...given.reservation.operation, id: uuidOf("refund") as FiscalDocumentId, boundKey: keyOf("refund"), workflow: { type: "REFUND", id: uuidOf("flow") as WorkflowId } }
      return { ...given, copyId: uuidOf("copy") as FiscalDocumentId, workflowId: uuidOf("flow") as WorkflowId, reservation: sampleReservation(operation, { attempt: attempt("refund 1") }) }
    })))
  if (reserved._tag === "KeyTaken") return yield* Effect.die(new Error("the key is taken"))
  const refund = reserved.kept.reservation.operation
  const copy = copyOf(place, refund, refundNumber)
  for (const [at, name] of ["copy 1", "copy 2"].entries()) standIns.set(derivedRequestId(copy, at + 1) ?? "none", requestIdOf(name))
  const items: ReadonlyArray<Item> = [
    sale(lost, ["lost 1", "lost 2"]), sale(lost, ["lost 2"], "A-A-1"), key(lost, null), key(lost, null, false),
    sale(flying, ["flying 1"]), sale(flying, ["flying 1", "flying 2"]), sale(flying, ["flying 3"]), key(flying, null),
    sale(unsent, ["unsent 2"]), sale(unsent, ["unsent 3", "unsent 2"]), key(unsent, null),
    key(refund, ["refund 1"]), key(refund, ["refund 2"]), key(refund, null),
    key(copy, ["copy 1"]), key(copy, ["copy 1", "copy 2"]), key(copy, null), key(copy, null, false),
    key(manual, null), key(manual, ["manual 1"])
  ]
  return { items, refund: reserved.kept }
})

/** Everything of the organization by which its documents will be searched, sent, answered or refused. */
const stateOf = async ({ organizationId }: Place) => ({
  operations: (await query<Row>(`select o.operation_id, o.environment, o.key_role, o.key, o.status, o.attempt, o.next_check_at is not null as due,
      array(select r from (select o.request_id as r union select a.request_id from attempts a
        where a.organization_id = o.organization_id and a.operation_id = o.operation_id) as all_of_them where r is not null order by r) as request_ids
    from operations o where o.organization_id = $1 order by o.operation_id`, [organizationId])).map((row) => ({ ...row, request_ids: row.request_ids.map((id) => standIns.get(id) ?? id).toSorted() })),
  attention: await query("select operation_id, kind, detail from attention where organization_id = $1 order by 1, 2, 3", [organizationId])
})

/** The state after the items in this order, after the restore was ended, and after the refund was found. */
const afterItems = (order: (items: ReadonlyArray<Item>) => ReadonlyArray<Item>) => {
  const place = mintPlace()
  return runtime.runPromise(Effect.gen(function*() {
    const acts = yield* RestoreActs
    const { items, refund } = yield* pointOfARestore(place)
    yield* acts.begin(act, sampleTime)
    const results: Array<string> = []
    for (const item of order(items)) results.push(yield* acts.putBack(act, item))
    const taken = yield* Effect.promise(() => stateOf(place))
    yield* acts.end(act)
    yield* concluded(refund, "signed", sampleAnswer(refundNumber))
    return { results, taken, ended: yield* Effect.promise(() => stateOf(place)) }
  }))
}

type Row = { readonly operation_id: string; readonly environment: string; readonly status: string; readonly due: boolean; readonly request_ids: ReadonlyArray<string> }
const rowOf = (rows: ReadonlyArray<Row>, name: string) => rows.find((row) => row.operation_id === uuidOf(name))
const searchedOf = (rows: ReadonlyArray<Row>, name: string): string =>
  `${rowOf(rows, name)?.environment} ${rowOf(rows, name)?.status} ${(rowOf(rows, name)?.request_ids ?? []).map((id) => Buffer.from(id, "hex").toString().trim()).join()}`

const itemsOf = (rows: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  (rows as ReadonlyArray<{ readonly kind: string; readonly operation_id: string }>).map(({ kind, operation_id: id }) => `${id} ${kind}`).toSorted()

describe("PostgreSQL: what is taken back after a restore", () => {
  it("is every document with all its attempts; a key is held only where the document could not be restored", async () => {
    const { ended, taken } = await afterItems((items) => items)
    assert.deepStrictEqual(["lost", "flying", "unsent", "refund"].map((name) => searchedOf(taken.operations, name)), [
      "sandbox SUBMITTING lost 1,lost 2",
      "sandbox SUBMITTING flying 1,flying 2,flying 3",
      "sandbox SUBMITTING unsent 1,unsent 2,unsent 3",
      "sandbox SUBMITTING refund 1,refund 2"
    ])
    assert.isUndefined(rowOf(taken.operations, "copy"))
    assert.isUndefined(rowOf(taken.operations, "manual"))
    assert.strictEqual(searchedOf(ended.operations, "copy"), "sandbox SUBMITTING copy 1,copy 2")
    assert.strictEqual(searchedOf(ended.operations, "manual"), "sandbox key RECEIVED ")
    assert.strictEqual(searchedOf(ended.operations, "lost"), "sandbox SUBMITTING lost 1,lost 2")
    // Nothing was found by then of what the answers speak of: a person is told when the restore is ended, not of held keys.
    assert.deepStrictEqual(taken.attention, [])
    assert.deepStrictEqual(itemsOf(ended.attention), ["flying", "lost", "refund", "unsent"].map((name) => `${uuidOf(name)} LOST_ATTEMPT`).toSorted())
  })

  it("does not depend on the order in which the files are given, nor on how often", async () => {
    const expected = await afterItems((items) => items)
    const count = expected.results.length
    const orders = fc.array(fc.nat(count - 1), { maxLength: 6 }).chain((again) =>
      fc.shuffledSubarray([...expected.results.keys(), ...again], { minLength: count + again.length }))
    await fc.assert(fc.asyncProperty(orders, async (order) => {
      const { ended, taken } = await afterItems((items) => order.flatMap((at) => items[at] ?? []))
      assert.deepStrictEqual(taken, expected.taken)
      assert.deepStrictEqual(ended, expected.ended)
    }), { numRuns: 40 })
  }, 180_000)

  it("of another request under the key of a copy is told to a person, and the copy is sent", async () => {
    const place = mintPlace()
    await runtime.runPromise(Effect.gen(function*() {
      const acts = yield* RestoreActs
      const { items, refund } = yield* pointOfARestore(place)
      const [item] = items.filter((one) => one._tag === "Key" && one.owner.boundKey.role === "INNER" && one.tried !== null)
      if (item?._tag !== "Key" || item.tried === null) return assert.fail("no item of a copy")
      yield* acts.begin(act, sampleTime)
      assert.strictEqual(yield* acts.putBack(act, { ...item, tried: { ...item.tried, fingerprint: "another" } }), "KEPT")
      yield* acts.end(act)
      yield* concluded(refund, "signed")
      const { attention, operations } = yield* Effect.promise(() => stateOf(place))
      assert.strictEqual(searchedOf(operations, "copy"), "sandbox VALIDATED ")
      assert.deepStrictEqual((attention as ReadonlyArray<{ readonly kind: string; readonly operation_id: string }>).map(({ kind, operation_id: id }) => [kind, id]), [["LOST_ATTEMPT", uuidOf("copy")]])
    }))
  })

  it("is not another document's key, kept or stored", async () => {
    const place = mintPlace()
    await runtime.runPromise(Effect.gen(function*() {
      const acts = yield* RestoreActs
      yield* pointOfARestore(place)
      const other = (name: string): Operation => documentOf(place, name, { id: mintUuid() as FiscalDocumentId })
      yield* acts.begin(act, sampleTime)
      assert.strictEqual(yield* acts.putBack(act, key(documentOf(place, "manual"), null)), "PUT_BACK")
      assert.strictEqual(yield* acts.putBack(act, key(other("manual"), null)), "KEY_TAKEN")
      assert.strictEqual(yield* acts.putBack(act, sale(other("manual"), ["other 1"])), "KEY_TAKEN")
      assert.strictEqual(yield* acts.putBack(act, key(other("flying"), null)), "KEY_TAKEN")
      assert.strictEqual(yield* acts.putBack(act, sale(other("flying"), ["other 2"])), "KEY_TAKEN")
      yield* acts.end(act)
      yield* acts.begin(act, sampleTime)
      assert.strictEqual(yield* acts.putBack(act, sale(documentOf(place, "manual"), ["manual 1"])), "KEY_HELD")
      assert.strictEqual(yield* acts.putBack(act, key(documentOf(place, "manual"), null)), "KNOWN")
      yield* acts.end(act)
    }))
  })

  it("of a rejected document of a caller is searched for, and its receipt becomes a second one", async () => {
    const place = mintPlace()
    await runtime.runPromise(Effect.gen(function*() {
      const [acts, store] = [yield* RestoreActs, yield* OperationStore]
      const refused = documentOf(place, "denied")
      yield* store.reserve(sampleReservation(refused, { attempt: attempt("denied 1") }))
      yield* store.conclude(sampleConclusion(refused, { event: "rejected", attemptOutcome: "REJECTED", failureCode: "PFR_VALIDATION_REJECTED", rejection: { items: [] } }))
      yield* acts.begin(act, sampleTime)
      assert.strictEqual(yield* acts.putBack(act, sale(refused, ["denied 2"], "A-A-9")), "ATTEMPT_PUT_BACK")
      yield* acts.end(act)
      const { operations } = yield* Effect.promise(() => stateOf(place))
      assert.strictEqual(searchedOf(operations, "denied"), "sandbox REJECTED denied 1,denied 2")
      assert.strictEqual(operations[0]?.due, true)
      const { _tag } = yield* store.conclude(signed(refused, { attempt: 2, event: "found", actor: "worker:w" }))
      assert.strictEqual(_tag, "Superseded")
    }))
  })

  it("of an attempt that is stored as not sent, under the same derived RequestId, is searched for again", async () => {
    for (const later of [false, true]) {
      const place = mintPlace()
      await runtime.runPromise(Effect.gen(function*() {
        const [acts, store] = [yield* RestoreActs, yield* OperationStore]
        const unsent = documentOf(place, "unsent")
        yield* store.reserve(sampleReservation(unsent, { attempt: attempt("unsent 1") }))
        yield* store.conclude(notSent(unsent))
        if (later) {
          const second = sampleAttempt(unsent, { ...attempt("unsent 2"), number: 2, mark: mintUuid() })
          const transition = { from: "NOT_FISCALIZED", to: "SUBMITTING", at: sampleTime, cause: "redriven", actor: "api:host-a", attempt: 2 } as const
          yield* store.redrive({ operation: { ...unsent, attempt: 2 }, attempt: second, transition, leaseMillis: 50_000 })
          yield* store.conclude(notSent(unsent, { attempt: 2 }))
        }
        yield* acts.begin(act, sampleTime)
        const item = sale(unsent, [later ? "unsent 2" : "unsent 1"], "A-A-9")
        assert.strictEqual(yield* acts.putBack(act, item), "ATTEMPT_PUT_BACK")
        assert.strictEqual(yield* acts.putBack(act, item), "KNOWN")
        yield* acts.end(act)
        const outcomes = (yield* (yield* OperationHistory).attempts(place.organizationId, unsent.id)).map(({ outcome }) => outcome)
        assert.deepStrictEqual(outcomes, later ? ["NOT_SENT", null] : [null])
        const [row] = (yield* Effect.promise(() => stateOf(place))).operations
        assert.deepStrictEqual([row?.status, row?.due], ["NOT_FISCALIZED", true])
      }))
    }
  })

  it.each(["OUTCOME_UNKNOWN", "FISCALIZED"] as const)("ends the claim of a search that runs now, of a document that is %s: what that search plans does not count", async (status) => {
    const place = mintPlace()
    await runtime.runPromise(Effect.gen(function*() {
      const [acts, store, unresolved] = [yield* RestoreActs, yield* OperationStore, yield* UnresolvedOperations]
      const flying = documentOf(place, "flying")
      yield* store.reserve(sampleReservation(flying, { attempt: attempt("flying 1") }))
      yield* store.conclude(status === "FISCALIZED" ? signed(flying, { attempt: 0, event: "found", actor: "worker:w", nextCheckAfterMillis: 0 }) : noAnswer(flying))
      const claim = { leaseMillis: 120_000, actor: "worker:w", hostId: "w", at: sampleTime, limit: 100 }
      assert.isTrue((yield* unresolved.claimDue(claim)).some(({ operation }) => operation.organizationId === place.organizationId))
      yield* acts.begin(act, sampleTime)
      assert.strictEqual(yield* acts.putBack(act, sale(flying, ["flying 2"])), "ATTEMPT_PUT_BACK")
      yield* acts.end(act)
      // The seven days of the first attempt are over: this search would be the last one.
      const last = { organizationId: place.organizationId, operationId: flying.id, at: sampleTime, actor: "worker:w", searches: [{ attempt: 1, finding: "NOTHING" as const }], nextCheckAfterMillis: null }
      yield* unresolved.recordSearch(last)
      const [row] = (yield* Effect.promise(() => stateOf(place))).operations
      assert.deepStrictEqual([row?.status, row?.due], [status, true])
    }))
  })

  it("by an answer is told to a person only where the receipt is not stored when the restore is ended, once", async () => {
    const place = mintPlace()
    await runtime.runPromise(Effect.gen(function*() {
      const [acts, store] = [yield* RestoreActs, yield* OperationStore]
      const [one, other] = [documentOf(place, "flying"), documentOf(place, "unsent")]
      const answered = signed(one)
      const number = answered.answer?.pfr.invoiceNumber ?? ""
      for (const operation of [one, other]) yield* store.reserve(sampleReservation(operation))
      yield* store.conclude(notSent(other))
      const numbered = (operation: Operation): Item => ({ ...key(operation, null), invoiceNumber: number }) as Item
      yield* acts.begin(act, sampleTime)
      assert.deepStrictEqual([yield* acts.putBack(act, numbered(one)), yield* acts.putBack(act, numbered(other))], ["UNRESOLVED", "UNSIGNED"])
      yield* store.conclude(answered)
      assert.strictEqual(yield* acts.putBack(act, numbered(one)), "KNOWN")
      yield* acts.end(act)
      const told = yield* Effect.promise(() => stateOf(place))
      assert.deepStrictEqual(itemsOf(told.attention), [`${other.id} LOST_ATTEMPT`])
      assert.include((told.attention[0] as { readonly detail: string }).detail, number)
      assert.strictEqual(Option.getOrThrow(yield* store.get(place, other.id)).status, "OUTCOME_UNKNOWN")
      yield* acts.begin(act, sampleTime)
      yield* acts.end(act)
      assert.deepStrictEqual((yield* Effect.promise(() => stateOf(place))).attention, told.attention)
    }))
  })
})
