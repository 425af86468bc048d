import type {
  AdvanceCaseList,
  AdvanceCases,
  BillingAccounts,
  BillingTerms,
  BrandingStore,
  Cosignatures,
  CounterWatch,
  Credentials,
  DeliveryOutbox,
  DeliveryStore,
  DocumentCounts,
  ElsewhereReceipts,
  EventFeed,
  Identifiers,
  Installation,
  Invoices,
  JournalAudit,
  JournalLog,
  JournalSealer,
  JournalStore,
  JournalUpkeep,
  LicenseRegister,
  MailTransport,
  MonthMailOutbox,
  OperationHistory,
  OperationStore,
  PersonMailOutbox,
  ProductReferences,
  ProductStore,
  ProformaTrainingDocuments,
  RefundStore,
  SecurityElements,
  TenancyDirectory,
  UnresolvedOperations,
  WebhookMessages,
  WebhookOutbox,
  WebhookStore
} from "@overa/domain"
import { Effect, Layer, type Redacted } from "effect"
import { layerBillingAccounts } from "./billing/PgBillingAccounts.ts"
import { layerBillingTerms } from "./billing/PgBillingTerms.ts"
import { layerInvoices } from "./billing/PgInvoices.ts"
import { type ActPorts, layerAdministration } from "./PgAdministration.ts"
import { layerAdvanceCases } from "./PgAdvanceCases.ts"
import { layerBrandingStore } from "./PgBrandingStore.ts"
import { layerCosignatures } from "./PgCosignatures.ts"
import { layerCounterWatch } from "./PgCounterWatch.ts"
import { layerCredentials } from "./PgCredentials.ts"
import { layerDeliveryOutbox } from "./PgDeliveryOutbox.ts"
import { layerDeliveryStore } from "./PgDeliveryStore.ts"
import { layerDocumentCounts } from "./PgDocumentCounts.ts"
import { layerElsewhereReceipts } from "./elsewhere/PgElsewhereReceipts.ts"
import { layerEventFeed } from "./PgEventFeed.ts"
import { layerDatabase, PgDatabase, type PgDatabaseConfig } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { type HostFacts, layerInstallation } from "./PgInstallation.ts"
import { layerMailTransport } from "./PgMailTransport.ts"
import { layerLicenseRegister } from "./PgLicenseRegister.ts"
import { layerOperationStore } from "./PgOperationStore.ts"
import { layerJournalAudit } from "./PgJournalAudit.ts"
import { layerJournalLog } from "./PgJournalLog.ts"
import { layerJournalSealer } from "./PgJournalSealer.ts"
import { layerJournalStore } from "./PgJournalStore.ts"
import { layerJournalUpkeep } from "./PgJournalUpkeep.ts"
import { layerProductStore } from "./PgProductStore.ts"
import { layerProformaTraining } from "./PgProformaTraining.ts"
import { layerRefundStore } from "./PgRefundStore.ts"
import { layerSecurityElements } from "./PgSecurityElements.ts"
import { layerTenancyDirectory } from "./PgTenancyDirectory.ts"
import { layerMonthMailOutbox } from "./people/PgMonthMailOutbox.ts"
import { layerPersonMailOutbox } from "./people/PgPersonMails.ts"
import { layerUnresolvedOperations } from "./PgUnresolvedOperations.ts"
import { layerWebhookOutbox } from "./webhooks/PgWebhookOutbox.ts"
import { layerWebhookStore } from "./webhooks/PgWebhookStore.ts"
import { type EncryptionKeysInvalid, makeSecrets } from "./Secrets.ts"

/** The settings of a host that keeps its data in PostgreSQL. */
export interface PostgresConfig {
  readonly database: PgDatabaseConfig
  /** `keyId:base64,…` of 256-bit keys; the first encrypts, all of them decrypt. */
  readonly encryptionKeys: Redacted.Redacted<string>
  /** The key of the credentials' digests: the same on every host, and the identity adapter's. */
  readonly credentialKey: Redacted.Redacted<Uint8Array>
  readonly host: HostFacts
  /** Whether this installation has a mail server; without one deliveries are refused. */
  readonly mailConfigured?: boolean
}

/** The ports that PostgreSQL implements. */
export type PostgresPorts =
  | OperationStore
  | OperationHistory
  | UnresolvedOperations
  | RefundStore
  | AdvanceCaseList
  | AdvanceCases
  | ProformaTrainingDocuments
  | ProductStore
  | ProductReferences
  | CounterWatch
  | Cosignatures
  | JournalAudit
  | JournalLog
  | JournalSealer
  | JournalStore
  | JournalUpkeep
  | TenancyDirectory
  | LicenseRegister
  | Credentials
  | DeliveryOutbox
  | DeliveryStore
  | MailTransport
  | MonthMailOutbox
  | PersonMailOutbox
  | DocumentCounts
  | ElsewhereReceipts
  | EventFeed
  | WebhookStore
  | WebhookMessages
  | WebhookOutbox
  | SecurityElements
  | Installation
  | BrandingStore
  | BillingAccounts
  | BillingTerms
  | Invoices
  | ActPorts

/**
 * Every port that PostgreSQL implements, over one pool, which is also provided as `PgDatabase` for `migrate` and the host lock. Nothing is migrated
 * here: a host calls `migrate` before it takes traffic.
 */
export const layerPostgres = (
  config: PostgresConfig
): Layer.Layer<PostgresPorts | PgDatabase, PgFailure | EncryptionKeysInvalid, Identifiers> =>
  Layer.unwrap(Effect.gen(function*() {
    const secrets = yield* Effect.fromResult(makeSecrets(config.encryptionKeys))
    return Layer.mergeAll(
      layerOperationStore,
      layerUnresolvedOperations,
      layerRefundStore,
      layerAdvanceCases,
      layerProformaTraining,
      layerProductStore,
      layerJournalAudit(secrets),
      layerJournalLog(secrets),
      layerJournalSealer(secrets),
      layerJournalStore,
      layerJournalUpkeep,
      layerTenancyDirectory,
      layerLicenseRegister,
      layerCounterWatch,
      layerCosignatures,
      layerCredentials(secrets),
      layerDocumentCounts,
      layerElsewhereReceipts,
      layerEventFeed,
      layerWebhookStore(secrets),
      layerWebhookOutbox({ secrets, isConfigured: config.mailConfigured === true }),
      layerDeliveryStore,
      layerMailTransport(config.mailConfigured === true),
      layerDeliveryOutbox,
      layerPersonMailOutbox(secrets),
      layerMonthMailOutbox(secrets),
      layerSecurityElements(secrets),
      layerInstallation(config.host),
      layerBrandingStore,
      layerBillingAccounts,
      layerBillingTerms,
      layerInvoices,
      layerAdministration(secrets, config.credentialKey, config.mailConfigured === true)
    ).pipe(Layer.provideMerge(layerDatabase(config.database)))
  }))

/** Each by itself, for a host that needs only some of them. */
export {
  layerAdvanceCases, layerBillingAccounts, layerBillingTerms, layerBrandingStore, layerCosignatures, layerCounterWatch, layerCredentials,
  layerDeliveryOutbox, layerDeliveryStore, layerElsewhereReceipts, layerEventFeed, layerInvoices, layerJournalAudit, layerJournalLog,
  layerJournalSealer, layerJournalStore, layerJournalUpkeep, layerLicenseRegister, layerMailTransport, layerMonthMailOutbox, layerOperationStore, layerProductStore,
  layerProformaTraining, layerRefundStore, layerSecurityElements, layerTenancyDirectory, layerUnresolvedOperations, layerWebhookOutbox,
  layerWebhookStore
}
