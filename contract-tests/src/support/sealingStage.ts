import { layerDatabase, layerEventFeed, layerJournalLog, layerJournalSealer, layerOperationStore, makeSecrets } from "@overa/adapter-postgres"
import {
  type Checkpoint, EventFeed, JournalLog, JournalSealer, type LogPlace, openCheckpoint, type Operation, OperationStore, readVerifierKey, type Tenant, verifyConsistency
} from "@overa/domain"
import { type Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import * as Fx from "effect/Effect"
import { randomBytes } from "node:crypto"
import type pg from "pg"
import { sampleAnswer, sampleOperation, sampleReservation, signed } from "./sampleOperations.ts"
import type { ThrowawayDatabase } from "./throwawayDatabase.ts"

type Services = OperationStore | JournalLog | JournalSealer | EventFeed
type Place = Parameters<typeof sampleOperation>[0]

/** A worker that seals, over a test's database; several share one database and its keys. */
export interface SealingWorker {
  readonly run: <A, E>(body: Effect.Effect<A, E, Services>) => Promise<A>
  readonly seal: () => Promise<number>
  readonly close: () => Promise<void>
}

export const encryptionKeys = Redacted.make(`k1:${randomBytes(32).toString("base64")}`)

/** Starts a worker with connections of its own. */
export const sealingWorker = (database: Pick<ThrowawayDatabase, "url">, applicationName: string): SealingWorker => {
  const secrets = Result.getOrThrow(makeSecrets(encryptionKeys))
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(layerJournalLog(secrets), layerJournalSealer(secrets), layerOperationStore, layerEventFeed).pipe(
      Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName }))
    )
  )
  const run: SealingWorker["run"] = (body) => runtime.runPromise(body)
  return { run, seal: () => run(Fx.map(Fx.flatMap(Fx.service(JournalSealer), (sealer) => sealer.seal({ limit: 100_000 })), ({ added }) => added)), close: () => runtime.dispose() }
}

/** An organization that the database knows. */
export const registerOrganization = (client: pg.Client, organizationId: string): Promise<unknown> =>
  client.query("insert into organizations values ($1, 'Продавница', now())", [organizationId])

/** Issues a receipt, whose number and operation may be given. */
export const issued = Fx.fnUntraced(function*(place: Place, invoiceNumber?: string, operation = sampleOperation(place)) {
  const store = yield* OperationStore
  yield* store.reserve(sampleReservation(operation))
  yield* store.conclude(signed(operation, { answer: sampleAnswer(invoiceNumber) }))
  return operation
})

/** The last checkpoint, verified. */
export const verifiedCheckpoint = async (worker: SealingWorker, tenant: Tenant): Promise<Checkpoint> => {
  const [{ note, origin }, keys] = await worker.run(Fx.gen(function*() {
    const log = yield* JournalLog
    return [yield* log.checkpoint(tenant), yield* log.verifierKeys] as const
  }))
  const checkpoint = openCheckpoint(note, keys.map((key) => readVerifierKey(key)).filter((key) => key !== null), origin)
  if (checkpoint === null) throw new Error("the checkpoint does not verify")
  return checkpoint
}

/** Whether the log grew from one checkpoint to another, by its own proof. */
export const isConsistent = async (worker: SealingWorker, tenant: Tenant, older: Checkpoint, newer: Checkpoint): Promise<boolean> => {
  const proof = await worker.run(Fx.flatMap(Fx.service(JournalLog), (log) => log.consistency(tenant, older.size, newer.size)))
  return verifyConsistency({ from: older.size, to: newer.size, fromRoot: older.root, toRoot: newer.root, proof })
}

/** A document's place in the log. */
export const placeOf = (worker: SealingWorker, tenant: Tenant, operation: Pick<Operation, "id">): Promise<LogPlace | null> =>
  worker.run(Fx.flatMap(Fx.service(JournalLog), (log) => log.entriesOf(tenant, operation.id)))
