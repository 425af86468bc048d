import { KnownSigners } from "@overa/domain"
import { Effect, Layer } from "effect"
import { VpfrConnection } from "./VpfrConnection.ts"

/** The signers and verification addresses of this installation's V-PFRs. */
export const VpfrKnownSigners = {
  layer: Layer.effect(
    KnownSigners,
    Effect.map(VpfrConnection, ({ environments }) =>
      KnownSigners.of({
        inEnvironment: (environment) => ({
          signers: Array.from(environments[environment]?.signerModuli ?? [], ([name, modulus]) => ({ name, modulus })),
          verificationRoot: environments[environment]?.verificationRoot ?? null
        })
      }))
  )
}
