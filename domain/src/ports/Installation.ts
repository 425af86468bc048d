import { Context, type Effect } from "effect"
import type { Environment } from "../tenancy/Environment.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { EnvironmentSettings } from "../tenancy/EnvironmentSettings.ts"

/** The operator's settings, and the identity of this process. */
export class Installation extends Context.Service<Installation, {
  readonly settings: (environment: Environment) => Effect.Effect<EnvironmentSettings, StoreUnavailable>
  readonly hostId: string
  readonly bootId: string
}>()("@overa/domain/ports/Installation") {}
