import { Context } from "effect"
import type { Environment } from "../tenancy/Environment.ts"
import type { SignerKey } from "../verification/checkReceipt.ts"

/** What an operator has recorded of an environment's signers. */
export class KnownSigners extends Context.Service<KnownSigners, {
  readonly inEnvironment: (environment: Environment) => {
    readonly signers: ReadonlyArray<SignerKey>
    /** The tax authority's verification address up to and including `vl=`; null where it is not known. */
    readonly verificationRoot: string | null
  }
}>()("@overa/domain/ports/KnownSigners") {}
