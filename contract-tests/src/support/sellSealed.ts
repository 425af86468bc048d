import { layerDatabase, layerJournalSealer, layerOperationStore, makeSecrets } from "@overa/adapter-postgres"
import { JournalSealer } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import type { mintPlace } from "./sampleOperations.ts"
import { issued } from "./sealingStage.ts"

/** Stores sales of an organization in the database at `url`, and adds them to its log under the installation's key. */
export const sellSealed = async (url: string, secretKeys: string, place: ReturnType<typeof mintPlace>, count: number): Promise<void> => {
  const secrets = Result.getOrThrow(makeSecrets(Redacted.make(secretKeys)))
  const worker = ManagedRuntime.make(Layer.mergeAll(layerJournalSealer(secrets), layerOperationStore).pipe(
    Layer.provide(layerDatabase({ url: Redacted.make(url), applicationName: "worker" }))
  ))
  await worker.runPromise(Effect.gen(function*() {
    yield* Effect.forEach(Array.from({ length: count }), () => issued(place))
    yield* (yield* JournalSealer).seal({ limit: 1_000 })
  }))
  await worker.dispose()
}
