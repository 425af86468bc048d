import { acquireHostLock } from "@overa/adapter-postgres"
import { Installation, UnresolvedOperations, Witnesses } from "@overa/domain"
import { watchStore } from "@overa/host-kit"
import { DateTime, Effect, Layer } from "effect"
import type { WorkerConfig } from "./Config.ts"
import { closeMonths } from "./jobs/billing.ts"
import { sendPortalMails, sendReceiptDeliveries, watchReceiptDeliveries } from "./jobs/deliveries.ts"
import { queueDueMonthMails } from "./jobs/monthMails.ts"
import { jobs, keepJournal, sealJournal, watchCounters } from "./jobs/jobs.ts"
import { keepDoing } from "./jobs/keepDoing.ts"
import { forgetWebhooks, sendWebhooks } from "./jobs/webhooks.ts"
import { cosignLogs } from "./jobs/witnesses.ts"
import { workerServices } from "./layers.ts"
import { watchCertificates } from "./operational/watchCertificates.ts"
import { watchRates } from "./operational/watchRates.ts"

/**
 * The leases of this worker's earlier processes are freed at once if this process is the only one of its name (Decisions §4, Orphans). A second
 * worker of the same name only waits for the leases to end.
 */
const endEarlierBoots = Effect.gen(function*() {
  const { bootId, hostId } = yield* Installation
  if (!(yield* acquireHostLock(hostId))) {
    return yield* Effect.logWarning("worker: another process runs under this name; leases of earlier boots end by themselves", { hostId })
  }
  const unresolved = yield* UnresolvedOperations
  const ended = yield* unresolved.endLeasesOfEarlierBoots({ hostId, bootId }, `worker:${hostId}`, yield* DateTime.now)
  if (ended > 0) yield* Effect.logInfo("worker: leases of earlier boots ended", { ended })
})

/** The loops alone, over services provided from outside. */
export const workerLoops = Layer.effectDiscard(Effect.gen(function*() {
  yield* endEarlierBoots
  for (const job of jobs) yield* Effect.forkScoped(keepDoing(job))
  yield* Effect.forkScoped(keepDoing(keepJournal))
}))

/** Receipts by e-mail, and messages to people, separate from everything else: not on a receipt's path. */
const deliveries = Layer.effectDiscard(Effect.gen(function*() {
  yield* Effect.forkScoped(keepDoing(sendReceiptDeliveries))
  yield* Effect.forkScoped(keepDoing(sendPortalMails))
  yield* Effect.forkScoped(keepDoing(queueDueMonthMails()))
  yield* Effect.forkScoped(keepDoing(watchReceiptDeliveries))
}))

/** A layer of its own: the loops above also run over stores in memory, which seal on request. */
const sealing = Layer.effectDiscard(Effect.gen(function*() {
  yield* Effect.forkScoped(keepDoing(sealJournal))
  yield* Effect.forkScoped(keepDoing(watchCounters))
}))

/** Events to the addresses of shops, separate from everything else: a slow receiver delays no receipt and no other receiver. */
const webhooks = Layer.effectDiscard(Effect.gen(function*() {
  yield* Effect.forkScoped(keepDoing(yield* sendWebhooks))
  yield* Effect.forkScoped(keepDoing(forgetWebhooks))
}))

const endsWatch = Layer.effectDiscard(Effect.gen(function*() {
  yield* Effect.forkScoped(keepDoing(watchCertificates))
  yield* Effect.forkScoped(keepDoing(watchRates))
}))

const billing = Layer.effectDiscard(Effect.suspend(() => Effect.forkScoped(keepDoing(closeMonths()))))

/** Other parties cosign the logs, where the installation has set any: a loop of its own, so that a slow witness delays nothing else. */
const witnesses = Layer.effectDiscard(Effect.gen(function*() {
  if ((yield* Witnesses).known.length > 0) yield* Effect.forkScoped(keepDoing(yield* cosignLogs))
}))

/** Everything that a worker does. */
const everything = Layer.mergeAll(workerLoops, endsWatch, deliveries, sealing, billing, webhooks, witnesses)

/** The running worker with its services, for a process that also tells of itself. */
export const watchedWorker = (config: WorkerConfig) => Layer.merge(everything, watchStore).pipe(Layer.provideMerge(workerServices(config)))

/** The running worker. When it is built its loops run; when it is closed, passes in progress are finished, then nothing runs any more. */
export const worker = (config: WorkerConfig) =>
  everything.pipe(Layer.provide(workerServices(config)))
