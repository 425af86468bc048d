import type { Effect } from "effect"
import type { Answer, Call, Operation, TenantCall } from "./Operation.ts"
import type { HostServices } from "./HostServices.ts"

/** Declares an operation for credentials that carry an environment: every one but `/v1/runtime`. */
export const declareForTenant = <E>(
  operation: Omit<Operation<(call: TenantCall) => Effect.Effect<Answer, E, HostServices>>, "needsEnvironment">
): Operation => ({
  ...operation,
  needsEnvironment: true,
  handle: (call) => operation.handle({ ...call, tenant: tenantOf(call) })
})

/** `runOperation` refuses callers without an environment before this point. */
const tenantOf = ({ caller }: Call): TenantCall["tenant"] => {
  if (caller.environment === null) throw new Error("A credential without an environment passed the check for one.")
  return { organizationId: caller.organizationId, environment: caller.environment }
}
