import {
  afterDeliveryAttempt, type ChangeEvent, type ChangeType, type Conclusion, DeliveryOutbox, DeliveryStore, EventFeed, MailOutcome, type ReceiptDelivery, JournalSealer, type Operation, OperationStore, type Tenant, type WorkflowLink
} from "@overa/domain"
import { Effect } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../support/mintIdentity.ts"
import { sampleDelivery } from "../support/sampleDeliveries.ts"
import { mintPlace, noAnswer, notSent, rejected, sampleOperation, sampleReservation, sampleUnsentReservation, signed } from "../support/sampleOperations.ts"
import { type StartedStores, storesWithTenants } from "../support/storesWithTenants.ts"

export type EventStores = OperationStore | JournalSealer | EventFeed | DeliveryStore | DeliveryOutbox

type Place = ReturnType<typeof mintPlace>

/** What happens to a document after it is reserved, and the events that it must have. */
interface Life {
  readonly steps: ReadonlyArray<(operation: Operation) => Conclusion>
  readonly events: ReadonlyArray<ChangeType>
}

const lives: Readonly<Record<string, Life>> = {
  inFlight: { steps: [], events: [] },
  signed: { steps: [(it) => signed(it)], events: ["document.fiscalized"] },
  rejected: { steps: [(it) => rejected(it)], events: ["document.rejected"] },
  notSent: { steps: [(it) => notSent(it)], events: ["document.not_fiscalized"] },
  unknown: { steps: [(it) => noAnswer(it)], events: ["document.outcome_unknown"] },
  found: { steps: [(it) => noAnswer(it), (it) => signed(it)], events: ["document.outcome_unknown", "document.found"] },
  foundUnsent: { steps: [(it) => notSent(it), (it) => signed(it)], events: ["document.not_fiscalized", "document.found"] },
  rejectedLate: { steps: [(it) => noAnswer(it), (it) => rejected(it)], events: ["document.outcome_unknown", "document.rejected"] }
}

const workflowTypes = { REFUND: "refund_workflow.changed", ADVANCE: "advance_case.changed", PROFORMA_TRAINING: "proforma_training_workflow.changed" } as const

/** The events of a life as part of a workflow, or of none. */
const expectedOf = ({ events }: Life, workflow: WorkflowLink["type"] | null): ReadonlyArray<ChangeType> =>
  workflow === null ? events : events.flatMap((type) => [type, workflowTypes[workflow]])

const history = fc.record({
  documents: fc.array(fc.tuple(fc.constantFrom(...Object.keys(lives)), fc.constantFrom(null, "REFUND", "ADVANCE", "PROFORMA_TRAINING")), { minLength: 1, maxLength: 6 }),
  /** Which document goes on next; -1 seals. */
  order: fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 30 }),
  pageSize: fc.integer({ min: 1, max: 7 })
})

/** What every feed of events does: exactly one event for each change of a stored document, none without one, and numbers that never change. */
export const eventFeedContract = (
  name: string,
  start: () => StartedStores<EventStores>,
  numRuns: number
) =>
  describe(`EventFeed on ${name}`, () => {
    const { newTenant, run } = storesWithTenants(start)
    const seal = () => run(Effect.flatMap(Effect.service(JournalSealer), (sealer) => sealer.seal({ limit: 10_000 })))
    const store = <A>(use: (store: OperationStore["Service"]) => Effect.Effect<A, unknown>) => run(Effect.flatMap(Effect.service(OperationStore), use))
    const page = (tenant: Tenant, after = 0, limit = 200) => run(Effect.flatMap(Effect.service(EventFeed), (feed) => feed.page(tenant, { after, limit })))

    const allEvents = async (tenant: Tenant, pageSize = 200): Promise<ReadonlyArray<ChangeEvent>> => {
      const events: Array<ChangeEvent> = []
      for (let more = true; more;) {
        const { afterId, items, last } = await page(tenant, events.length, pageSize)
        assert.strictEqual(afterId, events.at(-1)?.id ?? null)
        events.push(...items)
        more = items.length > 0
        if (!more) assert.strictEqual(last, events.length)
      }
      return events
    }

    const issue = async (place: Place, changes: Partial<Operation> = {}) => {
      const operation = sampleOperation(place, changes)
      await store((it) => Effect.andThen(it.reserve(sampleReservation(operation)), it.conclude(signed(operation))))
      return operation
    }

    it("whatever happens to documents and whenever the sealer runs: each change has one event, in order, numbered from 1 without gaps", async () => {
      await fc.assert(
        fc.asyncProperty(history, async ({ documents, order, pageSize }) => {
          const tenant = await newTenant()
          const running = documents.map(([life, workflow]) => ({
            operation: sampleOperation(tenant, { workflow: workflow === null ? null : { type: workflow, id: mintUuid() as WorkflowLink["id"] } }),
            life: lives[life] ?? assert.fail("no such life"),
            workflow,
            done: -1
          }))
          const goOn = async (one: (typeof running)[number]) => {
            const step = one.life.steps[one.done]
            if (one.done === -1) await store((it) => it.reserve(sampleReservation(one.operation)))
            else if (step !== undefined) await store((it) => it.conclude(step(one.operation)))
            one.done += 1
          }
          let known: ReadonlyArray<ChangeEvent> = []
          for (const next of order) {
            const one = running[next]
            if (one !== undefined) await goOn(one)
            if (next !== -1) continue
            await seal()
            const now = await allEvents(tenant)
            assert.deepStrictEqual(now.slice(0, known.length), known)
            known = now
          }
          for (const one of running) while (one.done < one.life.steps.length) await goOn(one)
          await seal()
          const events = await allEvents(tenant, pageSize)
          assert.deepStrictEqual(events.slice(0, known.length), known)
          assert.deepStrictEqual(events.map(({ sequence }) => sequence), events.map((_, index) => index + 1))
          assert.strictEqual(new Set(events.map(({ id }) => id)).size, events.length)
          for (const { life, operation, workflow } of running) {
            const own = events.filter(({ fiscalDocumentId }) => fiscalDocumentId === operation.id)
            assert.deepStrictEqual(own.map(({ type }) => type), expectedOf(life, workflow))
          }
          assert.strictEqual(events.length, running.reduce((sum, { life, workflow }) => sum + expectedOf(life, workflow).length, 0))
        }),
        { numRuns }
      )
    }, 120_000)

    it("an event says what changed, where to read it and the official number, and about a workflow where that is", async () => {
      const tenant = await newTenant()
      const id = mintUuid() as WorkflowLink["id"]
      const sale = await issue(tenant)
      const refund = await issue(tenant, { workflow: { type: "REFUND", id } })
      await seal()
      const [first, , third] = await allEvents(tenant)
      assert.deepInclude(first, { type: "document.fiscalized", sequence: 1, fiscalDocumentId: sale.id, clientReference: "порџбина-4711" })
      assert.deepStrictEqual(first?.resource, { type: "FISCAL_DOCUMENT", id: sale.id, url: `/v1/fiscal-documents/${sale.id}` })
      assert.match(first?.invoiceNumber ?? "", /^ABCD2345-/)
      assert.match(first?.id ?? "", /^evt_[0-9a-f]{32}$/)
      assert.deepInclude(third, { type: "refund_workflow.changed", sequence: 3, fiscalDocumentId: refund.id, invoiceNumber: null })
      assert.deepStrictEqual(third?.resource, { type: "REFUND_WORKFLOW", id, url: `/v1/refund-workflows/${id}` })
    })

    it("an outcome that was unknown says no number, also after the receipt was found", async () => {
      const tenant = await newTenant()
      const operation = sampleOperation(tenant)
      await store((it) => Effect.andThen(it.reserve(sampleReservation(operation)), it.conclude(noAnswer(operation))))
      await seal()
      const [before] = await allEvents(tenant)
      await store((it) => it.conclude(signed(operation)))
      await seal()
      const [unknown, found] = await allEvents(tenant)
      assert.deepStrictEqual(unknown, before)
      assert.strictEqual(unknown?.invoiceNumber, null)
      assert.match(found?.invoiceNumber ?? "", /^ABCD2345-/)
    })

    it("a document that was never sent has its event", async () => {
      const tenant = await newTenant()
      await store((it) => it.reserve(sampleUnsentReservation(tenant)))
      await seal()
      assert.deepStrictEqual((await allEvents(tenant)).map(({ type }) => type), ["document.not_fiscalized"])
    })

    const deliver = (delivery: ReceiptDelivery, outcome: MailOutcome) =>
      run(Effect.gen(function*() {
        const outbox = yield* DeliveryOutbox
        for (const claimed of yield* outbox.claimDue(1_000, 60_000)) {
          if (claimed.delivery.id !== delivery.id) yield* outbox.release(claimed, 0)
          else if (yield* outbox.beginSending(claimed, 60_000)) yield* outbox.conclude(claimed, afterDeliveryAttempt(claimed.delivery, outcome, 0))
        }
      }))

    it("a delivery has an event for each status that it reaches and for no attempt, among the documents' in one sequence", async () => {
      const tenant = await newTenant()
      const sale = await issue(tenant)
      const deliveries = ["Taken", "Refused", "Deferred"].map(() => sampleDelivery({ ...tenant, fiscalDocumentId: sale.id }))
      for (const delivery of deliveries) await run(Effect.flatMap(Effect.service(DeliveryStore), (it) => it.queue(delivery)))
      await seal()
      const before = await allEvents(tenant)
      const [taken, refused, deferred] = deliveries as [ReceiptDelivery, ReceiptDelivery, ReceiptDelivery]
      await deliver(taken, MailOutcome.make({ _tag: "Taken" }))
      await seal()
      await deliver(refused, MailOutcome.make({ _tag: "Refused", reason: "550 no", recipientNamed: true }))
      await deliver(deferred, MailOutcome.make({ _tag: "Deferred", reason: "451 later", recipientNamed: true }))
      await seal()
      await seal()
      const events = await allEvents(tenant)
      assert.deepStrictEqual(events.slice(0, before.length), before)
      assert.deepStrictEqual(events.map(({ sequence }) => sequence), [1, 2, 3, 4, 5, 6])
      const of = (id: string) => events.filter(({ resource }) => resource.id === id).map(({ type }) => type)
      assert.deepStrictEqual(of(taken.id), ["receipt_delivery.queued", "receipt_delivery.sent"])
      assert.deepStrictEqual(of(refused.id), ["receipt_delivery.queued", "receipt_delivery.failed"])
      assert.deepStrictEqual(of(deferred.id), ["receipt_delivery.queued"])
      assert.deepInclude(events.at(-1), { fiscalDocumentId: sale.id, clientReference: "порџбина-4711", invoiceNumber: null })
      assert.deepStrictEqual(events.at(-1)?.resource, { type: "RECEIPT_DELIVERY", id: refused.id, url: `/v1/receipt-deliveries/${refused.id}` })
    })

    it("events of organizations and environments are apart, each numbered from 1", async () => {
      const [home, stranger] = [await newTenant(), await newTenant()]
      const production: Place = { ...home, environment: "production" }
      const operations = [await issue(home), await issue(production), await issue(stranger)]
      await seal()
      for (const [index, tenant] of [home, production, stranger].entries()) {
        assert.deepStrictEqual((await allEvents(tenant)).map(({ fiscalDocumentId, sequence }) => [fiscalDocumentId, sequence]), [[operations[index]?.id ?? null, 1]])
      }
    })

    it("where nothing happened there is nothing, and behind the last event neither", async () => {
      const tenant = await newTenant()
      assert.deepStrictEqual(await page(tenant), { afterId: null, items: [], last: 0 })
      await issue(tenant)
      await seal()
      assert.deepStrictEqual(await page(tenant, 2), { afterId: null, items: [], last: 1 })
    })
  })
