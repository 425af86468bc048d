import { NbsCompanyRegister } from "@overa/adapter-company-register"
import { SmtpPersonMailer, SmtpReceiptMailer } from "@overa/adapter-mail"
import * as PooledReceiptRenderer from "@overa/adapter-renderers/pool"
import { VpfrClocks, VpfrContacts, VpfrTaxAuthority, VpfrTaxRates } from "@overa/adapter-vpfr"
import { HttpWebhookSender, HttpWitnesses } from "@overa/adapter-webhooks"
import { ElementContacts, InFlight } from "@overa/domain"
import { newBoot, storeOf, tracing, vpfrConnection } from "@overa/host-kit"
import { Layer } from "effect"
import type { WorkerConfig } from "./Config.ts"

/** Fewer connections than a REST host: a worker runs a few searches at once. */
const connections = 4

/** All services of a worker, composed here and nowhere else. */
export const workerServices = (config: WorkerConfig) => {
  const store = storeOf(config, newBoot(config), { applicationName: `overa-worker ${config.hostId}`, maxConnections: connections })
  const vpfr = Layer.mergeAll(VpfrTaxAuthority.layer, VpfrTaxRates.layer, VpfrClocks.layer, VpfrContacts.layer).pipe(
    Layer.provide(vpfrConnection(config))
  )
  // The worker itself issues only copies, whose buyers were looked up with their originals.
  const mailer = config.mail === null ? SmtpReceiptMailer.layerNone : SmtpReceiptMailer.layer(config.mail)
  const personMailer = config.mail === null ? SmtpPersonMailer.layerNone : SmtpPersonMailer.layer(config.mail)
  return Layer.mergeAll(vpfr, mailer, personMailer, HttpWebhookSender.layer(config.webhooks), HttpWitnesses.layer(config.witnesses ?? []), PooledReceiptRenderer.layer(), ElementContacts.layer, InFlight.layer, NbsCompanyRegister.layerNone).pipe(
    Layer.provideMerge(store),
    Layer.provideMerge(tracing("overa-worker"))
  )
}
