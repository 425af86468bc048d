import { type FiscalDocumentId, type Operation, OperationStore, ProformaTrainingDocuments, type Reservation, UnresolvedOperations, type WorkflowId } from "@overa/domain"
import { Effect, type Layer, Option } from "effect"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../support/mintIdentity.ts"
import { plain } from "../support/plain.ts"
import { after, mintPlace, noAnswer, notSent, rejected, sampleContent, sampleOperation, sampleReservation, signed } from "../support/sampleOperations.ts"

type Stores = ProformaTrainingDocuments | OperationStore | UnresolvedOperations
/** A person acknowledges the open items of a kind about an operation. */
type Acknowledge = (operation: Operation, kind: string) => Effect.Effect<void, unknown, Stores>
type Place = ReturnType<typeof mintPlace>

const workflow = () => ({ type: "PROFORMA_TRAINING" as const, id: mintUuid() as WorkflowId })

const saleOf = (place: Place): Reservation =>
  sampleReservation(sampleOperation(place, { content: { ...sampleContent(1), invoiceType: "PROFORMA" }, workflow: workflow() }))

/** A refund of the whole of a sale. */
const refundOf = (sale: Operation, changes: Partial<Operation> = {}): Reservation => {
  const reference = {
    source: "SVC" as const,
    fiscalDocumentId: sale.id,
    pfrNumber: "ABCD2345-ABCD2345-1",
    pfrTime: "2026-03-04T06:06:07.089+01:00",
    invoiceType: "PROFORMA" as const,
    transactionType: "SALE" as const
  }
  const content: Operation["content"] = { ...sampleContent(1), invoiceType: "PROFORMA", transactionType: "REFUND", reference }
  return sampleReservation(sampleOperation(sale, { content, workflow: workflow(), ...changes }))
}

const reserve = (reservation: Reservation) => ProformaTrainingDocuments.use((documents) => documents.reserve(reservation))

const sold = Effect.fnUntraced(function*(place: Place = mintPlace()) {
  const sale = saleOf(place)
  assert.strictEqual((yield* reserve(sale))._tag, "Reserved")
  return sale.operation
})

const raise = ({ id, organizationId }: Operation) =>
  UnresolvedOperations.use((unresolved) =>
    unresolved.raise({ organizationId, operationId: id }, [{ kind: "LOST_ATTEMPT", detail: "there may be a receipt", evidence: null }], after(5)))

const outcomes = { signed, rejected, notSent, noAnswer }
const conclude = (operation: Operation, outcome: keyof typeof outcomes) =>
  OperationStore.use((store) => store.conclude({ ...outcomes[outcome](operation), workflow: operation.workflow }))

/** What every store of proforma and training documents does. Source: Decisions §5, Proforma and training. */
export const proformaTrainingContract = (name: string, layer: () => Layer.Layer<Stores, unknown>, acknowledge: Acknowledge, twoHosts?: () => Layer.Layer<Stores, unknown>) =>
  describe(`${name}: ProformaTrainingDocuments`, () => {
    const run = <A, E>(body: Effect.Effect<A, E, Stores>, host = layer) => Effect.runPromise(Effect.provide(body, host()))

    it("keeps a document, found by its workflow in its own organization and environment alone", () => run(Effect.gen(function*() {
      const documents = yield* ProformaTrainingDocuments
      const sale = yield* sold()
      const id = sale.workflow?.id as WorkflowId
      assert.deepStrictEqual(plain(Option.getOrThrow(yield* documents.get(sale, id))), plain(sale))
      assert.isTrue(Option.isNone(yield* documents.get({ ...sale, environment: "production" }, id)))
      assert.isTrue(Option.isNone(yield* documents.get(mintPlace(), id)))
      assert.deepStrictEqual(yield* documents.refundsOf(sale, sale.id), [])
    })))

    it("gives a source to one refund; the next is told whose it is, and nothing of it is stored", () => run(Effect.gen(function*() {
      const documents = yield* ProformaTrainingDocuments
      const sale = yield* sold()
      const [first, second] = [refundOf(sale), refundOf(sale)]
      assert.strictEqual((yield* reserve(first))._tag, "Reserved")
      assert.strictEqual((yield* reserve(first))._tag, "Reserved")
      const by = { workflowId: first.operation.workflow?.id, status: "PENDING" }
      assert.deepStrictEqual(plain(yield* reserve(second)), plain({ _tag: "SourceClaimed", by }))
      assert.deepStrictEqual(plain(yield* documents.refundsOf(sale, sale.id)), plain([by]))
      assert.isTrue(Option.isNone(yield* (yield* OperationStore).get(sale, second.operation.id)))
    })))

    it("tells a taken key before a claimed source", () => run(Effect.gen(function*() {
      const sale = yield* sold()
      const first = refundOf(sale)
      yield* reserve(first)
      const same = refundOf(sale, { boundKey: first.operation.boundKey })
      const answer = yield* reserve(same)
      assert.strictEqual(answer._tag === "KeyTaken" ? answer.existing.id : answer._tag, first.operation.id)
    })))

    it.each([["rejected", true], ["signed", false], ["notSent", false], ["noAnswer", false]] as const)(
      "a refund that is %s frees its source: %s",
      (outcome, frees) => run(Effect.gen(function*() {
        const sale = yield* sold()
        const first = refundOf(sale)
        yield* reserve(first)
        yield* conclude(first.operation, outcome)
        assert.strictEqual((yield* reserve(refundOf(sale)))._tag, frees ? "Reserved" : "SourceClaimed")
      }))
    )

    it("a rejected refund that may have a receipt after all claims its source again, until a person has acknowledged the item", () => run(Effect.gen(function*() {
      for (const order of ["item last", "item first"]) {
        const sale = yield* sold()
        const { operation } = yield* Effect.tap(Effect.succeed(refundOf(sale)), reserve)
        if (order === "item first") yield* raise(operation)
        yield* conclude(operation, "rejected")
        if (order === "item last") yield* raise(operation)
        assert.strictEqual((yield* reserve(refundOf(sale)))._tag, "SourceClaimed", order)
        const refunds = yield* (yield* ProformaTrainingDocuments).refundsOf(sale, sale.id)
        assert.deepStrictEqual(refunds.map(({ status }) => status), ["OUTCOME_UNKNOWN"])
        yield* acknowledge(operation, "LOST_ATTEMPT")
        assert.strictEqual((yield* reserve(refundOf(sale)))._tag, "Reserved", order)
      }
    })))

    it("the source of such a refund stays another's that has it by then", () => run(Effect.gen(function*() {
      const sale = yield* sold()
      const { operation } = yield* Effect.tap(Effect.succeed(refundOf(sale)), reserve)
      yield* conclude(operation, "rejected")
      const other = refundOf(sale)
      yield* reserve(other)
      yield* raise(operation)
      assert.strictEqual((yield* reserve(other))._tag, "Reserved")
      assert.strictEqual((yield* reserve(refundOf(sale)))._tag, "SourceClaimed")
    })))

    it("keeps the sources of organizations apart", () => run(Effect.gen(function*() {
      const sale = yield* sold()
      const elsewhere: Operation = { ...sale, ...mintPlace(), id: sale.id as FiscalDocumentId }
      assert.strictEqual((yield* reserve(refundOf(sale)))._tag, "Reserved")
      assert.strictEqual((yield* reserve(refundOf(elsewhere)))._tag, "Reserved")
    })))

    if (twoHosts === undefined) return
    it("of 200 refunds of one source at once, on two hosts, one is stored; the others are told whose it is", async () => {
      const sale = await run(sold())
      const many = (host: () => Layer.Layer<Stores, unknown>) =>
        run(Effect.all(Array.from({ length: 100 }, () => reserve(refundOf(sale))), { concurrency: "unbounded" }), host)
      const answers = (await Promise.all([many(layer), many(twoHosts)])).flat()
      assert.lengthOf(answers.filter(({ _tag }) => _tag === "Reserved"), 1)
      const refunds = await run(ProformaTrainingDocuments.use((documents) => documents.refundsOf(sale, sale.id)))
      assert.lengthOf(refunds, 1)
      const told = new Set(answers.flatMap((answer) => (answer._tag === "SourceClaimed" ? [answer.by.workflowId] : [])))
      assert.deepStrictEqual([...told], refunds.map(({ workflowId }) => workflowId))
      assert.lengthOf(answers.filter(({ _tag }) => _tag === "SourceClaimed"), 199)
    }, 60_000)
  })
