import { AttentionOversight, cashRefundCopyKey, type FiscalDocumentId, type Operation, OperationStore, type PutBack, type RefundReservation, type RefundReserved, RefundStore, RestoreActs } from "@overa/domain"
import { BigDecimal, DateTime, Effect, Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import { acknowledgeInPostgres } from "../src/support/acknowledgeInPostgres.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { postgresStage } from "../src/support/postgresStage.ts"
import { concluded, type RefundStores, reservationOf, reserve, soldReceipt } from "../src/support/refundSamples.ts"
import { sampleAnswer, sampleAttempt, sampleOperation, sampleReservation, sampleTime } from "../src/support/sampleOperations.ts"

const act = { actor: "ana", reason: "test" }
const one = { quantity: "1", payment: "CARD" } as const

const stage = postgresStage()

interface File {
  readonly kind: "proof" | "answer"
  readonly invoiceNumber: string | null
}

const proof: File = { kind: "proof", invoiceNumber: "A-A-7" }
const proofInFlight: File = { kind: "proof", invoiceNumber: null }
const answer: File = { kind: "answer", invoiceNumber: "A-A-7" }
const answerUnknown: File = { kind: "answer", invoiceNumber: null }

interface Given {
  readonly expected?: PutBack
  readonly key?: string
  readonly since?: DateTime.Utc
}

/** The kept file of a refund that a restore lost whole is taken back, and the restore ended. */
const takenBack = Effect.fnUntraced(function*(original: Operation, { invoiceNumber, kind }: File, { expected = "PUT_BACK", key, since = sampleTime }: Given = {}) {
  const acts = yield* RestoreActs
  const made = sampleOperation(original)
  const refund = key === undefined ? made : { ...made, boundKey: { ...made.boundKey, key } }
  const lost = sampleAttempt(refund, { requestId: refund.id.replaceAll("-", "").replace(/^./, "f") })
  const tried = kind === "proof" ? { attempts: [lost] as const, fingerprint: refund.boundKey.fingerprint.digest } : null
  yield* acts.begin(act, since)
  const result = yield* acts.putBack(act, { _tag: "Key", owner: refund, mayBeSigned: true, inCase: null, givesBack: original.id, copied: null, invoiceNumber, tried })
  yield* acts.end(act)
  assert.strictEqual(result, expected)
  return { key: refund.boundKey.key, requestId: lost.requestId }
})

const planned = (original: Operation) => Effect.map(RefundStore.use((refunds) => refunds.ledger(original)), (ledger) => Result.getOrThrow(reservationOf(original, one)(ledger)))

const reserved = (original: Operation, kept: RefundReservation) => Effect.map(RefundStore.use((refunds) => refunds.reserve(original, () => Result.succeed(kept))), Result.getOrThrow)

/** What the store answers, with the status and the doubt of the document that has the key. */
const told = (answered: RefundReserved) => {
  if (answered._tag === "Reserved" || !("content" in answered.existing)) return [answered._tag]
  return [answered._tag, answered.existing.id, answered.existing.status, answered.existing.inDoubt]
}

const takenOf = (original: Operation) =>
  Effect.map(RefundStore.use((refunds) => refunds.ledger(original)), ({ lines: [line] }) => line === undefined ? null : BigDecimal.format(line.quantityTaken))

const itemsOf = ({ id, organizationId }: Operation) => AttentionOversight.use((attention) => attention.attentionOf(organizationId, id))

const acknowledge = (refund: Operation) => acknowledgeInPostgres(stage.url)(refund, "LOST_ATTEMPT")

const heldUp = Effect.fnUntraced(function*(original: Operation) {
  const other = yield* planned(original)
  assert.strictEqual((yield* reserved(original, other))._tag, "KeyTaken")
  return other
})

/** The proof of the copy that the service makes of a refund; it names the refund as the receipt A-A-7. */
const proofOfCopy = (original: Operation, refund: Operation) => {
  const copy = sampleOperation(original, { boundKey: { ...refund.boundKey, role: "INNER", key: cashRefundCopyKey(refund.boundKey.key) } })
  const tried = { attempts: [sampleAttempt(copy)] as const, fingerprint: copy.boundKey.fingerprint.digest }
  const copied = { id: refund.id, key: refund.boundKey.key, invoiceNumber: "A-A-7" }
  return { _tag: "Key", owner: copy, mayBeSigned: true, inCase: null, givesBack: null, copied, invoiceNumber: null, tried } as const
}

describe("PostgreSQL: a refund of a receipt of which a restore lost another refund, that was taken back", () => {
  const files: ReadonlyArray<readonly [string, File, (lost: { readonly requestId: string }) => string]> = [
    ["its proof", proof, ({ requestId }) => `which may be signed, under RequestId ${requestId}; it could not be put back`],
    ["its proof, made while it was in flight", proofInFlight, ({ requestId }) => `which may be signed, under RequestId ${requestId}; it could not be put back`],
    ["its answer", answer, () => "which the V-PFR signed as A-A-7; it could not be put back"],
    ["an answer without its outcome", answerUnknown, () => "which may be signed; it could not be put back"]
  ]
  for (const [what, file, said] of files) {
    it(`is not sent before a person has looked, given ${what}, however often its commit is repeated`, async () => {
      await stage.run(Effect.gen(function*() {
        const original = yield* soldReceipt
        const lost = yield* takenBack(original, file)
        const other = yield* planned(original)
        const { operation } = other.reservation
        for (let time = 0; time < 2; time++) {
          assert.deepStrictEqual(told(yield* reserved(original, other)), ["KeyTaken", operation.id, "OUTCOME_UNKNOWN", "NOT_FISCALIZED"])
          assert.strictEqual(yield* takenOf(original), "1")
        }
        const stored = Option.getOrThrow(yield* RefundStore.use((refunds) => refunds.get(original, other.workflowId)))
        assert.deepStrictEqual([stored.refund.status, stored.copy], ["OUTCOME_UNKNOWN", null])
        const items = yield* itemsOf(operation)
        assert.deepStrictEqual(items.map(({ detail, kind }) => [kind, detail]), [
          ["LOST_ATTEMPT", `the restore lost a refund of the same receipt under the key ${lost.key}, ${said(lost)}`]
        ])
      }))
    })
  }

  for (const file of [proof, answer]) {
    it(`is held up too where another document has taken the lost refund's key before its ${file.kind} was given`, async () => {
      await stage.run(Effect.gen(function*() {
        const original = yield* soldReceipt
        const taker = sampleOperation(original)
        yield* OperationStore.use((store) => store.reserve(sampleReservation(taker)))
        yield* takenBack(original, file, { expected: "KEY_TAKEN", key: taker.boundKey.key })
        const { reservation: { operation } } = yield* heldUp(original)
        assert.deepStrictEqual((yield* itemsOf(operation)).map(({ kind }) => kind), ["LOST_ATTEMPT"])
      }))
    })
  }

  it("that was sent before the file was given is told to a person when the restore is ended, once, and keeps its status", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const sent = yield* reserve(original, one)
      const { operation } = sent.reservation
      yield* concluded(sent, "signed")
      const { key } = yield* takenBack(original, proof)
      const tell = Effect.gen(function*() {
        assert.deepStrictEqual((yield* itemsOf(operation)).map(({ detail, kind }) => [kind, detail.includes(key)]), [["LOST_ATTEMPT", true]])
        assert.strictEqual(Option.getOrThrow(yield* RefundStore.use((refunds) => refunds.get(original, sent.workflowId))).refund.status, "FISCALIZED")
      })
      yield* tell
      yield* takenBack(yield* soldReceipt, proof)
      yield* tell
      yield* acknowledge(operation)
      yield* takenBack(yield* soldReceipt, proof)
      assert.deepStrictEqual((yield* itemsOf(operation)).map(({ acknowledgedAt }) => acknowledgedAt === null), [false])
    }))
  })

  it("that was sent before the point of the restore is not told", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const sent = yield* reserve(original, { quantity: "0.5", payment: "CARD" })
      yield* concluded(sent, "signed")
      yield* takenBack(original, proof, { since: DateTime.add(sampleTime, { seconds: 1 }) })
      assert.deepStrictEqual(yield* itemsOf(sent.reservation.operation), [])
    }))
  })

  it("has failed once a person has acknowledged the item, and the next one is sent", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      yield* takenBack(original, proof)
      const { reservation: { operation } } = yield* heldUp(original)
      yield* acknowledge(operation)
      assert.strictEqual(yield* takenOf(original), "0")
      const next = yield* reserve(original, one)
      assert.strictEqual(yield* takenOf(original), "1")
      assert.deepStrictEqual(yield* itemsOf(next.reservation.operation), [])
    }))
  })

  it("does not count as reserved where a person acknowledges the item while its commit is repeated: its attempt is given up", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      yield* takenBack(original, proof)
      const other = yield* heldUp(original)
      yield* acknowledge(other.reservation.operation)
      assert.deepStrictEqual(told(yield* reserved(original, other)), ["KeyTaken", other.reservation.operation.id, "NOT_FISCALIZED", undefined])
    }))
  })

  it("is held up again by a refund that a later restore lost", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      yield* takenBack(original, proof)
      yield* acknowledge((yield* heldUp(original)).reservation.operation)
      const later = yield* takenBack(original, answer)
      const { reservation: { operation } } = yield* heldUp(original)
      const items = yield* itemsOf(operation)
      assert.deepStrictEqual(items.map(({ detail }) => detail.includes(later.key)), [true])
    }))
  })

  it("of which the element cannot be opened has failed at once, and asks nobody", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      yield* takenBack(original, proof)
      const { reservation, ...kept } = yield* planned(original)
      const operation: Operation = { ...reservation.operation, status: "NOT_FISCALIZED", attempt: 0, failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE" }
      assert.deepStrictEqual(told(yield* reserved(original, { ...kept, reservation: { ...reservation, operation, attempt: null } })), ["Reserved"])
      assert.deepStrictEqual(yield* itemsOf(operation), [])
    }))
  })

  it("is sent where what was taken back gave another receipt back", async () => {
    await stage.run(Effect.gen(function*() {
      const [original, neighbour] = [yield* soldReceipt, yield* soldReceipt]
      yield* takenBack(neighbour, proof)
      yield* takenBack({ ...original, id: mintUuid() as FiscalDocumentId }, answer)
      assert.deepStrictEqual(told(yield* reserved(original, yield* planned(original))), ["Reserved"])
    }))
  })

  it("whose copy's proof alone was given keeps its key, in each order of the two files", async () => {
    for (const order of ["the copy alone", "the copy, then the refund", "the refund, then the copy"] as const) {
      await stage.run(Effect.gen(function*() {
        const original = yield* soldReceipt
        const refund = sampleOperation(original)
        const tried = { attempts: [sampleAttempt(refund)] as const, fingerprint: refund.boundKey.fingerprint.digest }
        const ofCopy = proofOfCopy(original, refund)
        const ofRefund = { ...ofCopy, owner: refund, copied: null, tried }
        const files = { "the copy alone": [ofCopy], "the copy, then the refund": [ofCopy, ofRefund], "the refund, then the copy": [ofRefund, ofCopy] }[order]
        const acts = yield* RestoreActs
        yield* acts.begin(act, sampleTime)
        const results: Array<PutBack> = []
        for (const given of files) results.push(yield* acts.putBack(act, given))
        yield* acts.end(act)
        assert.notInclude(results, "KEY_TAKEN", order)
        const again = yield* planned(original)
        const { reservation: { operation } } = again
        const repeated = { ...again, reservation: { ...again.reservation, operation: { ...operation, boundKey: refund.boundKey } } }
        assert.deepStrictEqual(told(yield* reserved(original, repeated)), ["KeyTaken"], order)
        assert.deepStrictEqual(told(yield* reserved(original, yield* planned(original))), ["Reserved"], "another key is free")
      }))
    }
  })

  it("holds up another refund, whichever is given first: the proof of its copy, or its answer", async () => {
    for (const isCopyFirst of [true, false]) {
      await stage.run(Effect.gen(function*() {
        const original = yield* soldReceipt
        const refund = sampleOperation(original)
        const ofCopy = proofOfCopy(original, refund)
        const ofRefund = { ...ofCopy, owner: refund, givesBack: original.id, copied: null, invoiceNumber: "A-A-7", tried: null }
        const acts = yield* RestoreActs
        yield* acts.begin(act, sampleTime)
        for (const given of isCopyFirst ? [ofCopy, ofRefund] : [ofRefund, ofCopy]) yield* acts.putBack(act, given)
        yield* acts.end(act)
        assert.strictEqual((yield* reserved(original, yield* planned(original)))._tag, "KeyTaken", `the copy first: ${isCopyFirst}`)
      }))
    }
  })

  /** A refund that the database has, and of which the proof of its copy was given; `before` ends its attempt before the restore. */
  const copyGiven = Effect.fnUntraced(function*(original: Operation, before: (kept: RefundReservation) => Effect.Effect<unknown, never, RefundStores>) {
    const kept = yield* reserve(original, { quantity: "0.5", payment: "CASH" })
    yield* before(kept)
    const acts = yield* RestoreActs
    yield* acts.begin(act, sampleTime)
    yield* acts.putBack(act, proofOfCopy(original, kept.reservation.operation))
    yield* acts.end(act)
    return kept
  })

  const receiptA7 = sampleAnswer("A-A-7")
  const refundStatus = (original: Operation, { workflowId }: RefundReservation) =>
    Effect.map(RefundStore.use((refunds) => refunds.get(original, workflowId)), (found) => Option.getOrThrow(found).refund.status)

  it("whose copy's proof was given is as it was where the database has its receipt", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const kept = yield* copyGiven(original, (reserved) => Effect.orDie(concluded(reserved, "signed", receiptA7)))
      assert.strictEqual(yield* refundStatus(original, kept), "FISCALIZED")
      assert.deepStrictEqual(yield* itemsOf(kept.reservation.operation), [])
    }))
  })

  it("whose copy's proof was given gets its receipt where the database has its attempt in flight", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const kept = yield* copyGiven(original, () => Effect.void)
      assert.strictEqual((yield* concluded(kept, "signed", receiptA7))._tag, "Applied")
      assert.strictEqual(yield* refundStatus(original, kept), "FISCALIZED")
    }))
  })

  it("whose copy's proof was given is not sent again where the database has it as not sent, before a person has looked", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const kept = yield* copyGiven(original, (reserved) => Effect.orDie(concluded(reserved, "notSent")))
      const { operation } = kept.reservation
      assert.deepStrictEqual(told(yield* reserved(original, kept)), ["KeyTaken", operation.id, "OUTCOME_UNKNOWN", "NOT_FISCALIZED"])
      assert.strictEqual(yield* refundStatus(original, kept), "OUTCOME_UNKNOWN")
      const [item, ...others] = yield* itemsOf(operation)
      assert.deepStrictEqual([item?.kind, others], ["LOST_ATTEMPT", []])
      assert.include(item?.detail, "the V-PFR signed as A-A-7")
    }))
  })

  it("is sent where the lost attempt was put into the refund that the database has", async () => {
    await stage.run(Effect.gen(function*() {
      const original = yield* soldReceipt
      const kept = yield* reserve(original, { quantity: "0.5", payment: "CARD" })
      const { operation } = kept.reservation
      yield* concluded(kept, "notSent")
      const acts = yield* RestoreActs
      yield* acts.begin(act, sampleTime)
      const tried = { attempts: [sampleAttempt(operation, { requestId: operation.id.replaceAll("-", "").replace(/^./, "f") })] as const, fingerprint: operation.boundKey.fingerprint.digest }
      const result = yield* acts.putBack(act, { _tag: "Key", owner: operation, mayBeSigned: true, inCase: null, givesBack: original.id, copied: null, invoiceNumber: null, tried })
      yield* acts.end(act)
      assert.strictEqual(result, "ATTEMPT_PUT_BACK")
      assert.deepStrictEqual(told(yield* reserved(original, Result.getOrThrow(reservationOf(original, { quantity: "0.5", payment: "CARD" })(yield* RefundStore.use((refunds) => refunds.ledger(original)))))), ["Reserved"])
    }))
  })
})
