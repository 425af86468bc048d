import { layerSignInChecks } from "@overa/adapter-identity"
import { layerPortalStore } from "@overa/adapter-postgres"
import { type IssuingConfig, issuingServices } from "@overa/rest-api"
import { Context, Layer } from "effect"
import type { PortalConfig } from "./Config.ts"

/** The configuration that pages need. */
export class PortalSettings extends Context.Service<PortalSettings, Pick<PortalConfig, "vpfr">>()("@overa/portal/layers/PortalSettings") {}

/** All services of the portal: what the API issues with, and the people who sign in. */
export const portalServices = (config: IssuingConfig) =>
  Layer.mergeAll(
    layerPortalStore(config.encryptionKeys),
    layerSignInChecks,
    Layer.succeed(PortalSettings, PortalSettings.of({ vpfr: config.vpfr }))
  ).pipe(
    Layer.provideMerge(issuingServices(config, "overa-portal"))
  )

/** The services a page may use. */
export type PortalServices = Layer.Success<ReturnType<typeof portalServices>>
