import { layerBookDocuments, layerDatabase, layerRecentDocuments, migrate } from "@overa/adapter-postgres"
import {
  type AdvanceCaseFilter, AdvanceCaseList, AdvanceCases, BookDocuments, Cosignatures, DeliveryStore, EventFeed, type FiscalDocumentId, InstallationOversight, JournalLog, JournalStore, noFilter, type Operation, OperationHistory,
  OperationStore, ProformaTrainingDocuments, RecentDocuments, type ReceiptDeliveryId, type Redrive, RefundStore, type StoreUnavailable, type WorkflowId
} from "@overa/domain"
import { Effect, Exit, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { awaitStandby } from "../src/support/awaitedStandby.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { type PostgresServer, startPostgresServer } from "../src/support/postgresServer.ts"
import { after, mintPlace, notSent, sampleAttempt, sampleContent, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { registerOrganization } from "../src/support/sealingStage.ts"
import { withClient } from "../src/support/withClient.ts"

let server: PostgresServer
const shop = mintPlace()

const makeHost = () => {
  const ports = postgresPorts(server.url("postgres"), { statementTimeoutMillis: 500 })
  return ManagedRuntime.make(Layer.merge(layerRecentDocuments, layerBookDocuments).pipe(Layer.provideMerge(ports)))
}
type Host = ReturnType<typeof makeHost>
type Ports = Host extends ManagedRuntime.ManagedRuntime<infer R, unknown> ? R : never
type Read = Effect.Effect<unknown, StoreUnavailable, Ports>

const withHost = async <A>(use: (host: Host) => Promise<A>): Promise<A> => {
  const host = makeHost()
  try {
    return await use(host)
  } finally {
    await host.dispose()
  }
}

/** As a person asks for it in the portal, whose activity tells of it. */
const proforma = (): Operation => {
  const workflow = { type: "PROFORMA_TRAINING", id: mintUuid() as WorkflowId } as const
  return sampleOperation(shop, { clientId: "portal:ana@example.rs", content: { ...sampleContent(1), invoiceType: "PROFORMA" }, workflow })
}

const everyCase: AdvanceCaseFilter = { taxpayerId: null, businessPremiseId: null, clientReference: null, created: noFilter.created }

const secondAttempt = (operation: Operation): Redrive => ({
  operation,
  attempt: sampleAttempt(operation, { number: 2 }),
  transition: { from: "NOT_FISCALIZED", to: "SUBMITTING", at: after(9), cause: "redriven", actor: "api:host-a", attempt: 2 },
  leaseMillis: 50_000
})

/** Every read that tells a caller of a document, its case, its messages, its events or its log. */
const readsOf = (document: Operation): Readonly<Record<string, Read>> => {
  const [id, workflowId] = [document.id, document.workflow?.id as WorkflowId]
  return {
    "an operation": OperationStore.use((it) => it.get(shop, id)),
    "its transitions": OperationHistory.use((it) => it.transitions(shop, id)),
    "its attempts": OperationHistory.use((it) => it.attempts(shop.organizationId, id)),
    "its attempts' evidence": OperationHistory.use((it) => it.evidence(shop.organizationId, id)),
    "a proforma": ProformaTrainingDocuments.use((it) => it.get(shop, workflowId)),
    "the refunds of a proforma": ProformaTrainingDocuments.use((it) => it.refundsOf(shop, id)),
    "a refund": RefundStore.use((it) => it.get(shop, workflowId)),
    "what is left to refund": RefundStore.use((it) => it.ledger(document)),
    "an advance case": AdvanceCases.use((it) => it.get(shop, workflowId)),
    "an advance case by its key": AdvanceCases.use((it) => it.find(shop.organizationId, { key: document.boundKey.key })),
    "the list of advance cases": AdvanceCaseList.use((it) => it.opened(shop, everyCase, { after: null, limit: 10 })),
    "a page of the journal": JournalStore.use((it) => it.page(shop, noFilter, { cursor: null, pageSize: 10 })),
    "the journal's lines": JournalStore.use((it) => it.lines(shop, [id])),
    "the newest documents": RecentDocuments.use((it) => it.page(shop, null, 10)),
    "documents found": RecentDocuments.use((it) => it.found(shop, [id])),
    "refunds of documents": RecentDocuments.use((it) => it.refundsOf(shop, [id], 10)),
    "a document by its number": RecentDocuments.use((it) => it.withNumber(shop, "ABCD2345-ABCD2345-1")),
    "the month's book": BookDocuments.use((it) => it.read(shop, [id])),
    "events": EventFeed.use((it) => it.page(shop, { after: 0, limit: 10 })),
    "a delivery": DeliveryStore.use((it) => it.get(shop, mintUuid() as ReceiptDeliveryId)),
    "a delivery by its key": DeliveryStore.use((it) => it.findByKey(shop.organizationId, "key")),
    "the log's checkpoint": JournalLog.use((it) => it.checkpoint(shop)),
    "a document's place in the log": JournalLog.use((it) => it.entriesOf(shop, id as FiscalDocumentId)),
    "the witnessed checkpoint": Cosignatures.use((it) => it.newest(shop)),
    "what people asked for": InstallationOversight.use((it) => it.searchActivity({ organizationId: shop.organizationId, limit: 10 }))
  }
}

const toldOf = async (host: Host, document: Operation): Promise<ReadonlyArray<string>> => {
  const reads = Object.entries(readsOf(document))
  const exits = await Promise.all(reads.map(([, read]) => host.runPromiseExit(read)))
  return reads.flatMap(([name], at) => exits[at]?._tag === "Success" ? [name] : [])
}

beforeAll(async () => {
  server = await startPostgresServer("standby-reads", { durable: false })
  await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(server.url("postgres")), applicationName: "migrate" })))
  await withClient(server.url("postgres"), (client) => registerOrganization(client, shop.organizationId))
})
afterAll(() => server?.destroy())
beforeEach(() => awaitStandby(server, ""))

describe("the synchronous standby is lost: what a server has alone is told by no read", () => {
  it("whatever the document is asked for by", () =>
    withHost(async (host) => {
      const operation = proforma()
      await host.runPromise(ProformaTrainingDocuments.use((it) => it.reserve(sampleReservation(operation))))
      expect(await toldOf(host, operation)).toEqual(Object.keys(readsOf(operation)))
      await awaitStandby(server, "nobody")
      const conclude = OperationStore.use((it) => it.conclude({ ...signed(operation), workflow: operation.workflow }))
      expect(await host.runPromiseExit(conclude)).toMatchObject({ _tag: "Failure" })
      expect(await toldOf(host, operation)).toEqual([])
      await awaitStandby(server, "")
      expect(await toldOf(host, operation)).toEqual(Object.keys(readsOf(operation)))
      const read = await host.runPromise(ProformaTrainingDocuments.use((it) => it.get(shop, operation.workflow?.id as WorkflowId)))
      expect(Option.getOrThrow(read).status).toBe("FISCALIZED")
    }), 60_000)

  it("a proforma that was reserved in vain is not reserved by asking again, and so never sent", () =>
    withHost(async (host) => {
      const reservation = sampleReservation(proforma())
      const reserve = ProformaTrainingDocuments.use((it) => it.reserve(reservation))
      await awaitStandby(server, "nobody")
      for (let again = 0; again < 2; again += 1) expect(await host.runPromiseExit(reserve)).toMatchObject({ _tag: "Failure" })
      await awaitStandby(server, "")
      expect(await host.runPromiseExit(reserve)).toEqual(Exit.succeed({ _tag: "Reserved" }))
    }), 60_000)

  it("a next attempt that was stored in vain is not won by asking again", () =>
    withHost(async (host) => {
      const operation = sampleOperation(shop)
      await host.runPromise(OperationStore.use((it) => Effect.andThen(it.reserve(sampleReservation(operation)), it.conclude(notSent(operation)))))
      const next = secondAttempt(operation)
      const redrive = OperationStore.use((it) => it.redrive(next))
      await awaitStandby(server, "nobody")
      for (let again = 0; again < 2; again += 1) expect(await host.runPromiseExit(redrive)).toMatchObject({ _tag: "Failure" })
      await awaitStandby(server, "")
      expect(await host.runPromiseExit(redrive)).toEqual(Exit.succeed(true))
    }), 60_000)
})
