import { layerPasskeyChecks, layerRecoverySecrets, layerSignInChecks, layerSignInIssuer } from "@overa/adapter-identity"
import { layerPortalStore } from "@overa/adapter-postgres"
import { PdfInvoiceRenderer, PdfMonthBookRenderer } from "@overa/adapter-renderers"
import { layerWebhookKeys } from "@overa/adapter-webhooks"
import { type IssuingConfig, issuingServices } from "@overa/host-kit"
import { credentialKeyId } from "@overa/domain"
import { Context, Layer, Redacted } from "effect"
import type { PortalConfig } from "./Config.ts"
import { PastDays } from "./pages/start/PastDays.ts"

/** The configuration that pages need. */
export class PortalSettings extends Context.Service<PortalSettings, Pick<PortalConfig, "mail" | "registrations" | "vpfr"> & {
  /** The id of the key for new digests of credentials' secrets. */
  readonly credentialKeyId: string
  /** Whether a company register is configured. */
  readonly registerConfigured: boolean
  /** Whether the workers have a mail server. */
  readonly mailConfigured: boolean
}>()("@overa/portal/layers/PortalSettings") {}

/** All services of the portal: what the API issues with, and the people who sign in. */
export const portalServices = (config: IssuingConfig & Pick<PortalConfig, "mail" | "signInIssuer">) =>
  Layer.mergeAll(
    layerPortalStore(config.encryptionKeys, config.mailConfigured),
    PastDays.layer,
    layerSignInChecks,
    layerRecoverySecrets,
    layerPasskeyChecks,
    layerWebhookKeys,
    PdfInvoiceRenderer.layer,
    PdfMonthBookRenderer.layer,
    layerSignInIssuer(config.signInIssuer),
    Layer.succeed(PortalSettings, PortalSettings.of({ credentialKeyId: credentialKeyId(Redacted.value(config.credentialKey)), mail: config.mail, registrations: config.registrations, vpfr: config.vpfr, mailConfigured: config.mailConfigured, registerConfigured: config.companyRegister !== null }))
  ).pipe(
    Layer.provideMerge(issuingServices(config, "overa-portal"))
  )

/** The services a page may use. */
export type PortalServices = Layer.Success<ReturnType<typeof portalServices>>
