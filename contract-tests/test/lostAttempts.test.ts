import { MemoryOperations } from "@overa/adapter-memory"
import {
  type Attempt, cashRefundCopyKey, derivedRequestId, type DocumentContent, Installation, type Operation, OperationHistory, OperationStore, reconcileDue, type SearchOutcome, type SecurityElement, type SignedAnswer, StoreUnavailable, type SubmissionOutcome, TenancyDirectory
} from "@overa/domain"
import { DateTime, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { sampleAnswer, sampleContent, sampleOperation } from "../src/support/sampleOperations.ts"
import { boundKey, notSent, place, run, scriptedVpfr, silence, type StoreTrouble, tenant } from "../src/support/useCaseStage.ts"

const restoredAt = DateTime.makeUnsafe("2026-08-29T09:00:00Z").pipe(DateTime.toUtc)
const reference = (pfrTime: string): DocumentContent["reference"] =>
  ({ source: "SVC", fiscalDocumentId: mintUuid() as Operation["id"], pfrNumber: "ABCD2345-ABCD2345-7", pfrTime, invoiceType: "NORMAL", transactionType: "REFUND" })
const beforeTheEnd = reference("2026-08-29T10:30:00.0000000+02:00")
const afterTheEnd = reference("2026-08-29T11:55:00.0000000+02:00")
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

const elementOf = (changes: Partial<SecurityElement>): SecurityElement => ({
  id: mintUuid() as SecurityElement["id"], taxpayerId: place.taxpayerId, businessPremiseId: place.businessPremiseId, environment: "sandbox", jid: "REPLACED", subject: "shop",
  issuer: "CA", serialNumber: "1", fingerprintSha256: "00", validFrom: restoredAt, validTo: DateTime.add(restoredAt, { years: 50 }), status: "ACTIVE", ...changes
})

const found = (answer: SignedAnswer): SearchOutcome => ({ _tag: "Found", answer, remarks: [] })

/** The service after a restore that lost attempts of a copy: `signed` has the V-PFR's search results by the attempt's number. */
const sentAgain = (options: {
  readonly copy?: Operation
  readonly restoredAt?: DateTime.Utc | null
  readonly signed?: Readonly<Record<number, SearchOutcome>>
  /** The element that signed it; any, where a test does not say. */
  readonly signedWith?: SecurityElement["id"]
  readonly times?: number
  readonly unsent?: boolean
  readonly trouble?: StoreTrouble
  /** Elements of the tenant besides the active one. */
  readonly elements?: ReadonlyArray<SecurityElement>
  /** What happens at the V-PFR, where something else than a signature does. */
  readonly outcome?: (memory: MemoryOperations["Service"], copy: Operation) => SubmissionOutcome
}) => {
  const { script, layer } = scriptedVpfr()
  const copy = options.copy ?? copyOf(beforeTheEnd)
  const byId = new Map(Object.entries(options.signed ?? {}).map(([number, outcome]) => [derivedRequestId(copy, Number(number)) ?? "", outcome]))
  const searched: Array<string> = []
  script.searchOf = (requestId, elementId) => {
    searched.push(requestId)
    return (options.signedWith === undefined || options.signedWith === elementId ? byId.get(requestId) : undefined) ?? { _tag: "NothingFound" }
  }
  if (options.unsent === true) script.outcome = () => Effect.succeed(notSent)
  return run(layer, Effect.gen(function*() {
    const store = yield* OperationStore
    const memory = yield* MemoryOperations
    const { byId: rows } = memory
    const { outcome } = options
    if (outcome !== undefined) script.outcome = () => Effect.sync(() => outcome(memory, copy))
    const before = yield* Installation
    const settings = yield* before.settings("sandbox")
    const given = options.restoredAt === undefined ? restoredAt : options.restoredAt
    const directory = TenancyDirectory.of({ ...yield* TenancyDirectory, securityElements: () => Effect.succeed(options.elements ?? []) })
    const installation = Installation.of({ ...before, settings: () => Effect.succeed({ ...settings, restoredAt: given }) })
    yield* store.reserve({ operation: copy, attempt: null, transitions: [], leaseMillis: 0 })
    let checking: Fiber.Fiber<number, StoreUnavailable> | undefined
    for (let time = 0; time < (options.times ?? 1); time++) {
      const row = rows.get(copy.id)
      if (row !== undefined) row.nextCheckAt = 0
      checking = yield* Effect.forkChild(reconcileDue({ limit: 10, concurrency: 1 }).pipe(Effect.provideService(Installation, installation), Effect.provideService(TenancyDirectory, directory)))
      yield* TestClock.adjust("10 seconds")
    }
    const stored = Option.getOrThrow(yield* store.get(tenant, copy.id))
    const attempts = yield* (yield* OperationHistory).attempts(tenant.organizationId, copy.id)
    // Whoever has lost the attempt waits until the winner's lease ends.
    yield* TestClock.adjust("2 minutes")
    if (checking !== undefined) yield* Fiber.join(checking)
    return { copy, stored, attempts, searched, submissions: script.submissions, attention: rows.get(copy.id)?.attention ?? [] }
  }), options.trouble)
}

describe("a document that the service itself sends, after a declared restore", () => {
  it.each([1, 2, 7, 32])("is not sent where the lost future signed attempt %i: its receipt is stored", async (number) => {
    const answer = sampleAnswer()
    const { attempts, attention, copy, searched, stored, submissions } = await sentAgain({ signed: { [number]: found(answer) } })
    assert.deepStrictEqual([submissions, stored.status, stored.answer?.pfr.invoiceNumber], [0, "FISCALIZED", answer.pfr.invoiceNumber])
    assert.deepStrictEqual(attempts.map(({ number: of, outcome, requestId }) => [of, outcome, requestId]), [[1, "SIGNED", derivedRequestId(copy, number)]])
    assert.lengthOf(searched, 32)
    assert.deepStrictEqual(attention, [])
    // If this process had ended before it stored the receipt, the search for this attempt would have to accept it: it was made after this time.
    assert.deepStrictEqual(attempts.map(({ startedAt }) => DateTime.formatIso(startedAt)), ["2026-08-29T08:30:00.000Z"])
  })

  it("is not sent where the lost future signed it with an element that was replaced since", async () => {
    const [answer, replaced] = [sampleAnswer(), elementOf({ status: "REPLACED" })]
    const { attempts, stored, submissions } = await sentAgain({ signed: { 1: found(answer) }, signedWith: replaced.id, elements: [replaced] })
    assert.deepStrictEqual([submissions, stored.answer?.pfr.invoiceNumber], [0, answer.pfr.invoiceNumber])
    assert.deepStrictEqual(attempts.map(({ elementId, jid }) => [elementId, jid]), [[replaced.id, replaced.jid]])
  })

  it("is not searched for with another premise's element, nor with one whose certificate has ended", async () => {
    const others = [elementOf({ businessPremiseId: mintUuid() as SecurityElement["businessPremiseId"] }), elementOf({ validTo: restoredAt })]
    const { searched, submissions } = await sentAgain({ elements: others })
    assert.deepStrictEqual([submissions, searched.length], [1, 32])
  })

  it("is sent where the V-PFR has nothing under any of its RequestIds, with the first of them", async () => {
    const { attempts, copy, searched, stored, submissions } = await sentAgain({})
    assert.deepStrictEqual([submissions, stored.status], [1, "FISCALIZED"])
    assert.deepStrictEqual(attempts.map(({ requestId }) => requestId), [derivedRequestId(copy, 1)])
    assert.deepStrictEqual(searched, Array.from({ length: 32 }, (_, at) => derivedRequestId(copy, at + 1)))
  })

  it.each([
    ["in the first quarter of an hour after the restore", "2026-08-29T09:50:00Z", beforeTheEnd, 0, "VALIDATED"],
    ["after it", "2026-08-29T09:44:00Z", beforeTheEnd, 1, "FISCALIZED"],
    ["in it, where it refers to a receipt that was signed after the restore", "2026-08-29T09:50:00Z", afterTheEnd, 1, "FISCALIZED"]
  ] as const)("is not sent while the receipt of an attempt that was made just before the restore may still come: %s", async (_, ended, to, sent, status) => {
    const given = { restoredAt: DateTime.toUtc(DateTime.makeUnsafe(ended)), copy: copyOf(to) }
    const { searched, stored, submissions } = await sentAgain(given)
    assert.deepStrictEqual([submissions, stored.status, searched.length], [sent, status, 32])
    const answer = sampleAnswer()
    const late = await sentAgain({ ...given, signed: { 2: found(answer) } })
    assert.deepStrictEqual([late.submissions, late.stored.answer?.pfr.invoiceNumber], [0, answer.pfr.invoiceNumber])
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

describe("two processes that try the same attempt of a copy, under the same RequestId", () => {
  const unconfirmed = new StoreUnavailable({ committed: "unknown", cause: new Error("the connection was lost") })
  const another = <A extends { readonly attempt: Attempt }>(redrive: A): A => ({ ...redrive, attempt: { ...redrive.attempt, mark: mintUuid() } })

  it("the one whose commit was not confirmed, and which reads the other's attempt, does not send", async () => {
    const trouble: StoreTrouble = (store) => ({ redrive: (redrive) => Effect.andThen(store.redrive(another(redrive)), Effect.fail(unconfirmed)) })
    const { attempts, submissions } = await sentAgain({ restoredAt: null, trouble })
    assert.deepStrictEqual([submissions, attempts.map(({ outcome }) => outcome)], [0, [null]])
  })

  it("the one whose commit was not confirmed, and which reads its own attempt, sends", async () => {
    const trouble: StoreTrouble = (store) => ({ redrive: (redrive) => Effect.andThen(store.redrive(redrive), Effect.fail(unconfirmed)) })
    const { stored, submissions } = await sentAgain({ restoredAt: null, trouble })
    assert.deepStrictEqual([submissions, stored.status], [1, "FISCALIZED"])
  })

  it("the one whose attempt a failover lost does not end the other's attempt, and a person is told of what it has sent", async () => {
    const { attempts, attention, stored } = await sentAgain({
      restoredAt: null,
      outcome: ({ byId }, { id }) => {
        const row = byId.get(id)
        if (row !== undefined) row.attempts = row.attempts.map((attempt) => ({ ...attempt, mark: mintUuid() }))
        return silence
      }
    })
    assert.deepStrictEqual([stored.status, attempts.map(({ outcome }) => outcome)], ["SUBMITTING", [null]])
    assert.deepStrictEqual(attention.map(({ kind }) => kind), ["LOST_ATTEMPT"])
  })
})
