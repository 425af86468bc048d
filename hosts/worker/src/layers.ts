import { randomUUID } from "node:crypto"
import { NbsCompanyRegister } from "@overa/adapter-company-register"
import { layerIdentifiers } from "@overa/adapter-identity"
import { SmtpReceiptMailer } from "@overa/adapter-mail"
import { layerOversight, layerPostgres } from "@overa/adapter-postgres"
import { PooledReceiptRenderer } from "@overa/adapter-renderers"
import { VpfrConnection, VpfrTaxAuthority, VpfrTaxRates, withKnownSigners } from "@overa/adapter-vpfr"
import { ElementContacts, type Environment, InFlight, InstallationOversight } from "@overa/domain"
import { Effect, Layer } from "effect"
import type { WorkerConfig } from "./Config.ts"
import { tracing } from "./operational/tracing.ts"

/** Fewer connections than a REST host: a worker runs a few searches at once. */
const connections = 4

/** Where the V-PFR is, and the signers an operator has recorded by the time this worker starts. */
const vpfrConnection = (config: WorkerConfig) =>
  Layer.unwrap(Effect.gen(function*() {
    const keys = yield* (yield* InstallationOversight).referenceKeys
    return VpfrConnection.layer({ environments: withKnownSigners(config.vpfr, keys) })
  }))

/** All services of a worker, wired here and nowhere else. */
export const workerServices = (config: WorkerConfig) => {
  const postgres = layerPostgres({
    database: { url: config.databaseUrl, applicationName: `overa-worker ${config.hostId}`, maxConnections: connections },
    encryptionKeys: config.encryptionKeys,
    credentialKey: config.credentialKey,
    host: {
      hostId: config.hostId,
      bootId: randomUUID(),
      configuredAdapters: new Set(Object.keys(config.vpfr) as ReadonlyArray<Environment>)
    }
  }).pipe(Layer.provideMerge(layerIdentifiers))
  const store = layerOversight.pipe(Layer.provideMerge(postgres))
  const vpfr = Layer.mergeAll(VpfrTaxAuthority.layer, VpfrTaxRates.layer).pipe(
    Layer.provide(vpfrConnection(config))
  )
  // What a worker issues itself are copies, whose buyers were looked up with their originals.
  const mailer = config.mail === null ? SmtpReceiptMailer.layerNone : SmtpReceiptMailer.layer(config.mail)
  return Layer.mergeAll(vpfr, mailer, PooledReceiptRenderer.layer(), ElementContacts.layer, InFlight.layer, NbsCompanyRegister.layerNone).pipe(
    Layer.provideMerge(store),
    Layer.provideMerge(tracing("overa-worker"))
  )
}
