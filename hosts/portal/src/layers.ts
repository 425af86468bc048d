import { layerSignInChecks } from "@overa/adapter-identity"
import { layerPortalStore } from "@overa/adapter-postgres"
import { issuingServices } from "@overa/rest-api"
import { Layer } from "effect"
import type { PortalConfig } from "./Config.ts"

/** Everything the portal works with: what the API issues with, and the people who sign in. */
export const portalServices = (config: Pick<PortalConfig, "companyRegister" | "credentialKey" | "databaseUrl" | "encryptionKeys" | "hostId" | "vpfr">) =>
  Layer.mergeAll(layerPortalStore(config.encryptionKeys), layerSignInChecks).pipe(
    Layer.provideMerge(issuingServices(config, "overa-portal"))
  )

/** The services a page may use. */
export type PortalServices = Layer.Success<ReturnType<typeof portalServices>>
