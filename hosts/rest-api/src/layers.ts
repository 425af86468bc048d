import { externalCallers, ownCallers, ownTokenEndpoint } from "@overa/adapter-identity"
import { layerWebhookKeys } from "@overa/adapter-webhooks"
import { issuingServices } from "@overa/host-kit"
import { Layer } from "effect"
import type { RestApiConfig } from "./Config.ts"
import { OwnRegistrations } from "./http/OwnRegistrations.ts"

/** All services of a REST host, composed here and nowhere else. */
export const restApiServices = (config: RestApiConfig) => {
  const { audience, external, issuer } = config.identity
  const identity = Layer.mergeAll(
    Layer.succeed(OwnRegistrations, config.registrations),
    layerWebhookKeys,
    ownTokenEndpoint({ issuer, audience, credentialKey: config.credentialKey, formerCredentialKeys: config.formerCredentialKeys ?? [] }),
    external === null ? ownCallers({ issuer, audience }) : externalCallers({ issuer, audience, jwksUrl: external.jwksUrl })
  )
  return identity.pipe(Layer.provideMerge(issuingServices(config, "overa-api")))
}
