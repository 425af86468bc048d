import { Context, type Effect } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { ReferenceKey } from "../verification/checkReceipt.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Settings of the whole installation. Every act is one commit together with its line in the activity log: who, what, before, after, why. */
export class InstallationActs extends Context.Service<InstallationActs, {
  readonly changeEnvironment: (
    act: Act,
    environment: Environment,
    change: {
      readonly trafficEnabled?: boolean
      readonly esirNumber?: string
      readonly vatCategories?: ReadonlyArray<string>
    }
  ) => Effect.Effect<void, StoreUnavailable>
  /** Adds a root certificate of elements, or a signer's key. Stored keys are never changed (V-PFR §9). */
  readonly addReferenceKey: (act: Act, key: Omit<ReferenceKey, "addedAt">) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /**
   * Encrypts every secret again under the first of the configured keys; answers how many were under another one. It may be interrupted and started
   * again.
   */
  readonly resealSecrets: (act: Act) => Effect.Effect<number, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/InstallationActs") {}
