import { signerModuli } from "@overa/adapter-vpfr"
import { InstallationOversight, KnownSigners } from "@overa/domain"
import { Effect } from "effect"
import type { AdminConfig } from "../AdminConfig.ts"

/** The signers as an operator has recorded them, for what each proof says of its link. */
export const recordedSigners = (config: AdminConfig) =>
  Effect.map(Effect.flatMap(InstallationOversight, (oversight) => oversight.referenceKeys), (keys) =>
    KnownSigners.of({
      inEnvironment: (environment) => ({
        signers: Array.from(signerModuli(keys, environment), ([name, modulus]) => ({ name, modulus })),
        verificationRoot: config.vpfr[environment]?.verificationRoot ?? null
      })
    }))
