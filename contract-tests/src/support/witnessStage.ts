import { HttpWitnesses, type WitnessPlace } from "@overa/adapter-webhooks"
import { layerCosignatures, layerDatabase, layerJournalLog, layerJournalSealer, layerOperationStore, makeSecrets } from "@overa/adapter-postgres"
import { Cosignatures, cosignedAt, type JournalLog, JournalSealer, type NoteKey, noteKeyOf, openCheckpoint, type OperationStore, readVerifierKey, type Tenant, Witnesses } from "@overa/domain"
import { serveWitness, WitnessState } from "@overa/witness"
import { cosignLogs } from "@overa/worker"
import { type Context, Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { randomBytes } from "node:crypto"
import { encryptionKeys, issued } from "./sealingStage.ts"
import type { mintPlace } from "./sampleOperations.ts"
import type { ThrowawayDatabase } from "./throwawayDatabase.ts"

/** A witness of another party: its own key, its own folder, its own address. */
export interface StartedWitness {
  readonly place: WitnessPlace
  readonly stop: () => Promise<void>
}

/** Starts a witness for the logs of the given keys; `before` is one that was stopped, with its key and folder. */
export const startWitness = async (name: string, folder: string, logKeys: ReadonlyArray<string>, secretKey: Uint8Array = new Uint8Array(randomBytes(32))): Promise<StartedWitness> => {
  const keys = logKeys.map((key) => readVerifierKey(key)).filter((key) => key !== null)
  const running = await serveWitness(
    { name, secretKey, logKeys: keys, state: new WitnessState(folder), now: () => Math.floor(Date.now() / 1_000) },
    { host: "127.0.0.1", port: 0 }
  )
  return { place: { key: noteKeyOf(name, secretKey), url: `${running.url}/add-checkpoint` }, stop: running.stop }
}

/** A worker that seals and asks witnesses by its own job, over a test's database. */
export const cosigningWorker = (
  database: Pick<ThrowawayDatabase, "url">,
  witnesses: ReadonlyArray<WitnessPlace>,
  { asks, timeoutMillis }: { readonly asks?: Context.Service.Shape<typeof Witnesses>["ask"]; readonly timeoutMillis?: number } = {}
) => {
  const secrets = Result.getOrThrow(makeSecrets(encryptionKeys))
  const http = HttpWitnesses.layer(witnesses, timeoutMillis)
  const asked = asks === undefined ? http : Layer.succeed(Witnesses, Witnesses.of({ known: witnesses.map(({ key }) => key), ask: asks }))
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(layerJournalLog(secrets), layerJournalSealer(secrets), layerOperationStore, layerCosignatures, asked).pipe(
      Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "cosigning" }))
    )
  )
  const run = <A, E>(body: Effect.Effect<A, E, JournalLog | JournalSealer | OperationStore | Cosignatures | Witnesses>): Promise<A> => runtime.runPromise(body)
  const job = runtime.runPromise(cosignLogs)
  return {
    run,
    /** Issues and seals one receipt. */
    grow: (tenant: ReturnType<typeof mintPlace>) => run(Effect.andThen(issued(tenant), Effect.flatMap(JournalSealer, (sealer) => sealer.seal({ limit: 10_000 })))),
    /** Passes of the worker's job, until no log is left whose turn it is. */
    pass: async () => {
      while (await run((await job).pass));
    },
    newest: (tenant: Tenant) => run(Effect.flatMap(Cosignatures, (store) => store.newest(tenant))),
    close: () => runtime.dispose()
  }
}

/** Whether a note convinces a reader who has the log's keys and demands the cosignature of each of these witnesses. */
export const convinces = (note: string | null, logKeys: ReadonlyArray<string>, origin: string, witnesses: ReadonlyArray<NoteKey>): boolean => {
  const keys = logKeys.map((key) => readVerifierKey(key)).filter((key) => key !== null)
  return note !== null && openCheckpoint(note, keys, origin) !== null && witnesses.every((witness) => cosignedAt(note, witness) !== null)
}
