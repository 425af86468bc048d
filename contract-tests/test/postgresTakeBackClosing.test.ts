import { AdvanceCases, advancePartOf, type OpenedAdvanceCase, type Operation, OperationHistory, OperationStore, type PutBack, type Reservation, RestoreActs } from "@overa/domain"
import { Effect, Result } from "effect"
import { assert, describe, it } from "vitest"
import { cancellationOf, closingOf, openedCase, paid, paymentOf, read } from "../src/support/caseSteps.ts"
import { postgresStage } from "../src/support/postgresStage.ts"
import { notSent, rejected, sampleAttempt, sampleOperation, sampleReservation, sampleTime, signed } from "../src/support/sampleOperations.ts"
import { withClient } from "../src/support/withClient.ts"

const act = { actor: "ana", reason: "test" }

const stage = postgresStage()

type Part = "PAYMENT" | "CANCELLATION" | "CLOSING_REFUND" | "FINAL_SALE"

interface Lost {
  readonly part: Part
  /** The documents of the lost request, as they were reserved in the lost future. */
  readonly of: ReadonlyArray<Reservation>
  /** Of another request under its key than the file's. */
  readonly fingerprint?: string
}

/** A case with a signed payment. */
const paidCase = Effect.tap(openedCase, (opened) => paid(opened))

/** The kept file of one document of a case is taken back. */
const takenBack = Effect.fnUntraced(function*(opened: OpenedAdvanceCase, { fingerprint, of, part }: Lost, expected: PutBack = part === "CLOSING_REFUND" ? "KEPT" : "PUT_BACK") {
  const acts = yield* RestoreActs
  const operation = of.map((reservation) => reservation.operation).find((one) => advancePartOf(one) === part)
  if (operation === undefined) throw new Error(`no ${part} was lost`)
  const lost = sampleAttempt(operation, { requestId: operation.id.replaceAll("-", "").replace(/^./, "f") })
  const tried = { attempts: [lost] as const, fingerprint: fingerprint ?? operation.boundKey.fingerprint.digest }
  yield* acts.begin(act, sampleTime)
  const result = yield* acts.putBack(act, { _tag: "Key", owner: operation, mayBeSigned: true, inCase: { id: opened.id, referredId: null, closes: part === "CLOSING_REFUND" || part === "FINAL_SALE" }, givesBack: null, copied: null, invoiceNumber: null, tried })
  yield* acts.end(act)
  assert.strictEqual(result, expected)
  return { lost, key: operation.boundKey.key }
})

const planned = (opened: OpenedAdvanceCase) => Effect.map(read(opened), ({ documents }) => Result.getOrThrow(closingOf(opened, documents)))

const finalSaleOf = ([, finalSale]: ReadonlyArray<Reservation>): Operation => {
  if (finalSale === undefined) throw new Error("a closing has two documents")
  return finalSale.operation
}

/** What the lost request reserved; the database has forgotten it. */
const lostDocuments = Effect.fnUntraced(function*(opened: OpenedAdvanceCase, part: Part) {
  const { documents } = yield* read(opened)
  const [payment] = documents
  if (part === "PAYMENT") return Result.getOrThrow(paymentOf(opened, documents))
  return part === "CANCELLATION" && payment !== undefined ? Result.getOrThrow(cancellationOf(opened, documents, payment)) : yield* planned(opened)
})

const reserved = (opened: OpenedAdvanceCase, closing: ReadonlyArray<Reservation>) =>
  Effect.map(AdvanceCases.use((cases) => cases.reserve(opened, () => Result.succeed(closing))), Result.getOrThrow)

const seen = (opened: OpenedAdvanceCase) =>
  Effect.map(read(opened), ({ documents }) =>
    documents.flatMap((one) => advancePartOf(one) === "PAYMENT" ? [] : [[advancePartOf(one), one.status, one.inDoubt ?? null]]))

const itemsOf = (id: string) =>
  Effect.promise(() => withClient(stage.url(), async (client) => {
    const { rows } = await client.query<{ readonly kind: string; readonly detail: string }>("select kind, detail from attention where operation_id = $1", [id])
    return rows
  }))

/** A case as the restore left it, and its closing, of which take-back has kept an attempt of the Advance Refund, of this request or of another one. */
const keptClosing = Effect.fnUntraced(function*(fingerprint?: string) {
  const opened = yield* paidCase
  const closing = yield* planned(opened)
  const [{ operation: refund }] = closing as readonly [Reservation, Reservation]
  const { lost } = yield* takenBack(opened, { part: "CLOSING_REFUND", of: closing, ...(fingerprint === undefined ? {} : { fingerprint }) })
  return { opened, closing, lost, refund }
})

describe("PostgreSQL: a closing whose Advance Refund was taken back before it", () => {
  it("is not sent: the caller hears that its key is taken, and the kept attempt is searched for, however often the commit is repeated", async () => {
    await stage.run(Effect.gen(function*() {
      const { closing, lost, opened, refund } = yield* keptClosing()
      for (let time = 0; time < 2; time++) {
        const answer = yield* reserved(opened, closing)
        assert.strictEqual(answer._tag === "KeyTaken" ? answer.existing.id : answer._tag, closing[1]?.operation.id)
        const { documents } = yield* read(opened)
        assert.deepStrictEqual(documents.slice(1).map(({ attempt, status }) => [status, attempt]), [["SUBMITTING", 2], ["VALIDATED", 0]])
        const attempts = yield* (yield* OperationHistory).attempts(refund.organizationId, refund.id)
        assert.deepStrictEqual(attempts.map(({ outcome, requestId }) => [requestId === lost.requestId, outcome]), [[false, "NOT_SENT"], [true, null]])
      }
    }))
  })

  it("of another request under its key is told to a person, and is not sent until then", async () => {
    await stage.run(Effect.gen(function*() {
      const { closing, opened } = yield* keptClosing("another")
      assert.strictEqual((yield* reserved(opened, closing))._tag, "KeyTaken")
      const { documents } = yield* read(opened)
      assert.deepStrictEqual(documents.slice(1).map(({ inDoubt, status }) => [status, inDoubt !== undefined]), [["OUTCOME_UNKNOWN", true], ["VALIDATED", false]])
    }))
  })
})

describe("PostgreSQL: a closing under another key than the one that was taken back", () => {
  for (const part of ["CLOSING_REFUND", "FINAL_SALE", "PAYMENT", "CANCELLATION"] as const) {
    it(`is not sent before a person has looked: the lost ${part} may be signed`, async () => {
      await stage.run(Effect.gen(function*() {
        const opened = yield* paidCase
        const { key, lost } = yield* takenBack(opened, { part, of: yield* lostDocuments(opened, part) })
        const other = yield* planned(opened)
        for (let time = 0; time < 2; time++) {
          const answer = yield* reserved(opened, other)
          assert.strictEqual(answer._tag === "KeyTaken" ? answer.existing.id : answer._tag, other[1]?.operation.id)
          assert.deepStrictEqual(yield* seen(opened), [["CLOSING_REFUND", "OUTCOME_UNKNOWN", "NOT_FISCALIZED"], ["FINAL_SALE", "VALIDATED", null]])
        }
        const items = yield* itemsOf(other[0]?.operation.id ?? "")
        assert.deepStrictEqual(items.map(({ kind }) => kind), ["LOST_ATTEMPT"])
        assert.include(items[0]?.detail, `the restore lost a ${part === "PAYMENT" || part === "CANCELLATION" ? "payment or cancellation" : "closing"} of`)
        assert.include(items[0]?.detail, key)
        assert.include(items[0]?.detail, lost.requestId)
      }))
    })
  }

  it("has its final sale in doubt too, although a person found the receipt of its Advance Refund: the lost final sale may be signed", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* paidCase
      yield* takenBack(opened, { part: "FINAL_SALE", of: yield* planned(opened) })
      const other = yield* planned(opened)
      yield* reserved(opened, other)
      const [refund, finalSale] = other.map(({ operation }) => operation)
      if (refund === undefined || finalSale === undefined) throw new Error("a closing has two documents")
      yield* OperationStore.use((store) => store.conclude(signed(refund, { event: "found", workflow: refund.workflow })))
      assert.deepStrictEqual(yield* seen(opened), [["CLOSING_REFUND", "FISCALIZED", null], ["FINAL_SALE", "OUTCOME_UNKNOWN", "VALIDATED"]])
      assert.deepStrictEqual((yield* itemsOf(finalSale.id)).map(({ kind }) => kind), ["LOST_ATTEMPT"])
    }))
  })

  it("has its final sale sent once a person found the receipt of its Advance Refund, where only a payment was lost", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* paidCase
      yield* takenBack(opened, { part: "PAYMENT", of: yield* lostDocuments(opened, "PAYMENT") })
      const other = yield* planned(opened)
      yield* reserved(opened, other)
      const [refund] = other.map(({ operation }) => operation)
      if (refund === undefined) throw new Error("a closing has two documents")
      yield* OperationStore.use((store) => store.conclude(signed(refund, { event: "found", workflow: refund.workflow })))
      assert.deepStrictEqual(yield* seen(opened), [["CLOSING_REFUND", "FISCALIZED", null], ["FINAL_SALE", "VALIDATED", null]])
    }))
  })

  it("that has no Advance Refund is not sent either", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* openedCase
      const closing = yield* planned(opened)
      assert.deepStrictEqual(closing.map(({ attempt, operation }) => [advancePartOf(operation), attempt !== null]), [["FINAL_SALE", false]])
      yield* takenBack(opened, { part: "FINAL_SALE", of: closing })
      const other = yield* planned(opened)
      assert.strictEqual((yield* reserved(opened, other))._tag, "KeyTaken")
      assert.deepStrictEqual(yield* seen(opened), [["FINAL_SALE", "OUTCOME_UNKNOWN", "VALIDATED"]])
      assert.deepStrictEqual((yield* itemsOf(other[0]?.operation.id ?? "")).map(({ kind }) => kind), ["LOST_ATTEMPT"])
    }))
  })

  for (const part of ["CLOSING_REFUND", "CANCELLATION"] as const) {
    it(`holds up a cancellation too: the lost ${part} may have given the money back`, async () => {
      await stage.run(Effect.gen(function*() {
        const opened = yield* paidCase
        yield* takenBack(opened, { part, of: yield* lostDocuments(opened, part) })
        assert.strictEqual((yield* reserved(opened, yield* lostDocuments(opened, "CANCELLATION")))._tag, "KeyTaken")
        assert.deepStrictEqual(yield* seen(opened), [["CANCELLATION", "OUTCOME_UNKNOWN", "NOT_FISCALIZED"]])
      }))
    })
  }

  it("does not hold up a payment", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* paidCase
      yield* takenBack(opened, { part: "CANCELLATION", of: yield* lostDocuments(opened, "CANCELLATION") })
      assert.strictEqual((yield* reserved(opened, yield* lostDocuments(opened, "PAYMENT")))._tag, "Reserved")
    }))
  })

  it("that was stored unsent at the point is in doubt when the restore is ended", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* paidCase
      const [closing, other] = [yield* planned(opened), yield* planned(opened)]
      yield* reserved(opened, closing)
      const [{ operation: refund }] = closing as readonly [Reservation]
      yield* OperationStore.use((store) => store.conclude(notSent(refund, { workflow: refund.workflow })))
      yield* takenBack(opened, { part: "CLOSING_REFUND", of: other })
      assert.deepStrictEqual(yield* seen(opened), [["CLOSING_REFUND", "OUTCOME_UNKNOWN", "NOT_FISCALIZED"], ["FINAL_SALE", "VALIDATED", null]])
      assert.deepStrictEqual((yield* itemsOf(refund.id)).map(({ kind }) => kind), ["LOST_ATTEMPT"])
    }))
  })

  it("whose Advance Refund was in flight at the point is in doubt too: it is not sent again where nothing is found", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* paidCase
      const [closing, other] = [yield* planned(opened), yield* planned(opened)]
      yield* reserved(opened, closing)
      yield* takenBack(opened, { part: "CLOSING_REFUND", of: other })
      assert.deepStrictEqual(yield* seen(opened), [["CLOSING_REFUND", "SUBMITTING", "SUBMITTING"], ["FINAL_SALE", "VALIDATED", null]])
    }))
  })

  it("that was given up before the point is not told of", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* paidCase
      const [closing, other] = [yield* planned(opened), yield* planned(opened)]
      yield* reserved(opened, closing)
      for (const { operation } of closing) {
        yield* OperationStore.use((store) => store.conclude(notSent(operation, { attempt: operation.attempt, workflow: operation.workflow, failureCode: "ADVANCE_REFUND_NOT_FISCALIZED" })))
      }
      yield* takenBack(opened, { part: "CLOSING_REFUND", of: other })
      assert.deepStrictEqual((yield* seen(opened)).map(([, , inDoubt]) => inDoubt), [null, null])
    }))
  })

  it("of which the final sale alone was stored unsent has its own lost attempt put back", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* openedCase
      const closing = yield* planned(opened)
      yield* reserved(opened, closing)
      const { lost } = yield* takenBack(opened, { part: "FINAL_SALE", of: closing }, "ATTEMPT_PUT_BACK")
      assert.deepStrictEqual((yield* read(opened)).documents.map(({ attempt, status }) => [status, attempt]), [["SUBMITTING", 1]])
      const [finalSale] = (yield* read(opened)).documents
      if (finalSale === undefined) throw new Error("a closing has a final sale")
      const attempts = yield* (yield* OperationHistory).attempts(finalSale.organizationId, finalSale.id)
      assert.deepStrictEqual(attempts.map(({ requestId }) => requestId), [lost.requestId])
    }))
  })

  it("whose final sale alone is sent is carried on by the service once a person has acknowledged the item", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* openedCase
      const payment = yield* paid(opened)
      const [{ operation: refund }, { operation: finalSale }] = (yield* planned(opened)) as readonly [Reservation, Reservation]
      yield* takenBack(opened, { part: "FINAL_SALE", of: yield* planned(opened) })
      const reference = refund.content.reference
      const sent = sampleReservation({ ...finalSale, content: { ...finalSale.content, reference }, status: "SUBMITTING", attempt: 1 })
      assert.strictEqual(reference?.fiscalDocumentId, payment.id)
      assert.strictEqual((yield* reserved(opened, [sent]))._tag, "KeyTaken")
      assert.deepStrictEqual(yield* seen(opened), [["FINAL_SALE", "OUTCOME_UNKNOWN", "NOT_FISCALIZED"]])
      assert.isNotNull((yield* read(opened)).documents[1]?.nextCheckAt)
    }))
  })

  it("is held up by a proof whose key another document has taken", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* paidCase
      const lost = yield* planned(opened)
      const finalSale = finalSaleOf(lost)
      yield* OperationStore.use((store) => store.reserve(sampleReservation(sampleOperation(opened, { boundKey: finalSale.boundKey }))))
      yield* takenBack(opened, { part: "FINAL_SALE", of: lost }, "KEY_TAKEN")
      assert.strictEqual((yield* reserved(opened, yield* planned(opened)))._tag, "KeyTaken")
    }))
  })

  it("is held up by a proof that was given after the key was held", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* paidCase
      const lost = yield* planned(opened)
      const finalSale = finalSaleOf(lost)
      const acts = yield* RestoreActs
      const answer = { _tag: "Key", owner: finalSale, mayBeSigned: true, inCase: null, givesBack: null, copied: null, invoiceNumber: null, tried: null } as const
      yield* acts.begin(act, sampleTime)
      assert.strictEqual(yield* acts.putBack(act, answer), "PUT_BACK")
      yield* acts.end(act)
      yield* takenBack(opened, { part: "FINAL_SALE", of: lost }, "KNOWN")
      assert.strictEqual((yield* reserved(opened, yield* planned(opened)))._tag, "KeyTaken")
    }))
  })

  it("is sent where the closing that was taken back is stored again, and ended", async () => {
    await stage.run(Effect.gen(function*() {
      const opened = yield* paidCase
      const [closing, other] = [yield* planned(opened), yield* planned(opened)]
      yield* takenBack(opened, { part: "CLOSING_REFUND", of: closing })
      yield* reserved(opened, closing)
      const [{ operation: refund }] = closing as readonly [Reservation]
      yield* OperationStore.use((store) => store.conclude(rejected(refund, { attempt: 2, workflow: refund.workflow })))
      assert.strictEqual((yield* reserved(opened, other))._tag, "Reserved")
    }))
  })

  it("is sent where what was taken back is of another case", async () => {
    await stage.run(Effect.gen(function*() {
      const [opened, neighbour] = [yield* paidCase, yield* paidCase]
      yield* takenBack(neighbour, { part: "CLOSING_REFUND", of: yield* planned(neighbour) })
      assert.strictEqual((yield* reserved(opened, yield* planned(opened)))._tag, "Reserved")
    }))
  })
})
