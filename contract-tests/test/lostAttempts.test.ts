import { MemoryOperations } from "@overa/adapter-memory"
import {
  cashRefundCopyKey, derivedRequestId, type DocumentContent, Installation, type Operation, OperationHistory, OperationStore, reconcileDue, type SearchOutcome, type SignedAnswer
} from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { sampleAnswer, sampleContent, sampleOperation } from "../src/support/sampleOperations.ts"
import { boundKey, notSent, place, run, scriptedVpfr, tenant } from "../src/support/useCaseStage.ts"

const restoredAt = DateTime.makeUnsafe("2026-08-29T09:00:00Z").pipe(DateTime.toUtc)
const reference = (pfrTime: string): DocumentContent["reference"] =>
  ({ source: "SVC", fiscalDocumentId: mintUuid() as Operation["id"], pfrNumber: "ABCD2345-ABCD2345-7", pfrTime, invoiceType: "NORMAL", transactionType: "REFUND" })
const beforeTheEnd = reference("2026-08-29T10:30:00.0000000+02:00")
const wellAfterTheEnd = reference("2026-08-29T13:30:00.0000000+02:00")

/** The copy of a cash refund that was reserved and not sent. */
const copyOf = (to: DocumentContent["reference"]): Operation => {
  const key = boundKey("refund-key-0000000001", {})
  return sampleOperation({ ...tenant, taxpayerId: place.taxpayerId, businessPremiseId: place.businessPremiseId }, {
    boundKey: { ...key, role: "INNER", key: cashRefundCopyKey(key.key) },
    content: { ...sampleContent(), invoiceType: "COPY", transactionType: "REFUND", reference: to },
    workflow: { type: "REFUND", id: mintUuid() as NonNullable<Operation["workflow"]>["id"] },
    status: "VALIDATED",
    attempt: 0
  })
}

const found = (answer: SignedAnswer): SearchOutcome => ({ _tag: "Found", answer, remarks: [] })

/** The service after a restore that lost attempts of a copy: `signed` has the V-PFR's search results by the attempt's number. */
const sentAgain = (options: {
  readonly copy?: Operation
  readonly restoredAt?: DateTime.Utc | null
  readonly signed?: Readonly<Record<number, SearchOutcome>>
  readonly times?: number
  readonly unsent?: boolean
}) => {
  const { script, layer } = scriptedVpfr()
  const copy = options.copy ?? copyOf(beforeTheEnd)
  const byId = new Map(Object.entries(options.signed ?? {}).map(([number, outcome]) => [derivedRequestId(copy, Number(number)) ?? "", outcome]))
  const searched: Array<string> = []
  script.searchOf = (requestId) => {
    searched.push(requestId)
    return byId.get(requestId) ?? { _tag: "NothingFound" }
  }
  if (options.unsent === true) script.outcome = () => Effect.succeed(notSent)
  return run(layer, Effect.gen(function*() {
    const store = yield* OperationStore
    const { byId: rows } = yield* MemoryOperations
    const before = yield* Installation
    const settings = yield* before.settings("sandbox")
    const given = options.restoredAt === undefined ? restoredAt : options.restoredAt
    const installation = Installation.of({ ...before, settings: () => Effect.succeed({ ...settings, restoredAt: given }) })
    yield* store.reserve({ operation: copy, attempt: null, transitions: [], leaseMillis: 0 })
    for (let time = 0; time < (options.times ?? 1); time++) {
      const row = rows.get(copy.id)
      if (row !== undefined) row.nextCheckAt = 0
      yield* reconcileDue({ limit: 10, concurrency: 1 }).pipe(Effect.provideService(Installation, installation))
    }
    const stored = Option.getOrThrow(yield* store.get(tenant, copy.id))
    const attempts = yield* (yield* OperationHistory).attempts(tenant.organizationId, copy.id)
    return { copy, stored, attempts, searched, submissions: script.submissions, attention: rows.get(copy.id)?.attention ?? [] }
  }))
}

describe("a document that the service itself sends, after a declared restore", () => {
  it.each([1, 2, 7, 32])("is not sent where the lost future signed attempt %i: its receipt is stored", async (number) => {
    const answer = sampleAnswer()
    const { attempts, attention, copy, searched, stored, submissions } = await sentAgain({ signed: { [number]: found(answer) } })
    assert.deepStrictEqual([submissions, stored.status, stored.answer?.pfr.invoiceNumber], [0, "FISCALIZED", answer.pfr.invoiceNumber])
    assert.deepStrictEqual(attempts.map(({ number: of, outcome, requestId }) => [of, outcome, requestId]), [[1, "SIGNED", derivedRequestId(copy, number)]])
    assert.lengthOf(searched, 32)
    assert.deepStrictEqual(attention, [])
  })

  it("is sent where the V-PFR has nothing under any of its RequestIds, with the first of them", async () => {
    const { attempts, copy, searched, stored, submissions } = await sentAgain({})
    assert.deepStrictEqual([submissions, stored.status], [1, "FISCALIZED"])
    assert.deepStrictEqual(attempts.map(({ requestId }) => requestId), [derivedRequestId(copy, 1)])
    assert.deepStrictEqual(searched, Array.from({ length: 32 }, (_, at) => derivedRequestId(copy, at + 1)))
  })

  it("that could not be sent is sent with the next RequestId, and what follows it is searched for before", async () => {
    const { attempts, copy, searched, submissions } = await sentAgain({ times: 2, unsent: true })
    assert.strictEqual(submissions, 2)
    assert.deepStrictEqual(attempts.map(({ requestId }) => requestId), [derivedRequestId(copy, 1), derivedRequestId(copy, 2)])
    assert.deepStrictEqual(searched.slice(32), Array.from({ length: 32 }, (_, at) => derivedRequestId(copy, at + 2)))
  })

  it("is not sent while a search gets no answer, and nothing is stored", async () => {
    const { attempts, stored, submissions } = await sentAgain({ signed: { 1: found(sampleAnswer()), 3: { _tag: "NoAnswer", detail: "silence" } } })
    assert.deepStrictEqual([submissions, stored.status, attempts.length], [0, "VALIDATED", 0])
  })

  it("is not sent where its RequestId has a receipt that cannot be its own, and a person is told", async () => {
    const { attention, stored, submissions } = await sentAgain({ signed: { 2: { _tag: "FoundForeign", detail: "another total", text: "{}" } } })
    assert.deepStrictEqual([submissions, stored.status, attention.map(({ kind }) => kind)], [0, "VALIDATED", ["FOREIGN_ANSWER"]])
  })

  it("with two receipts in the lost future keeps the first, and a person is told of the second", async () => {
    const [first, second] = [sampleAnswer(), sampleAnswer()]
    const { attention, stored, submissions } = await sentAgain({ signed: { 2: found(first), 5: found(second) } })
    assert.deepStrictEqual([submissions, stored.answer?.pfr.invoiceNumber], [0, first.pfr.invoiceNumber])
    assert.deepStrictEqual(attention.map(({ kind }) => kind), ["SECOND_RECEIPT"])
    assert.include(attention[0]?.detail, second.pfr.invoiceNumber)
  })

  it("is sent without a search where no restore was declared, or it refers to a receipt that was signed after it", async () => {
    for (const options of [{ restoredAt: null }, { copy: copyOf(wellAfterTheEnd) }]) {
      const { searched, submissions } = await sentAgain({ ...options, signed: { 1: found(sampleAnswer()) } })
      assert.deepStrictEqual([submissions, searched], [1, []])
    }
  })
})
