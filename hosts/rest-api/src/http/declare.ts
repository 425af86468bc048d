import type { ErrorCode } from "@overa/domain"
import type { Effect } from "effect"
import type { DeclaredAsAnswered } from "./handlerErrors.ts"
import type { HostServices } from "./HostServices.ts"
import type { Answer, Call, Operation, TenantCall } from "./Operation.ts"

type Handle<C> = (call: C) => Effect.Effect<Answer, unknown, HostServices>

type Declared<Codes, H> = Omit<Operation, "needsEnvironment" | "errors" | "handle"> & { readonly errors: Codes; readonly handle: H }

/** The operation, if `errors` and the handler's error channel agree; otherwise the difference, and the list of operations does not compile. */
type Checked<Codes extends ReadonlyArray<ErrorCode>, H extends Handle<never>> = DeclaredAsAnswered<Operation, Effect.Error<ReturnType<H>>, Codes[number]>

/** Declares an operation for credentials that carry an environment. */
export const declareForTenant = <const Codes extends ReadonlyArray<ErrorCode>, H extends Handle<TenantCall>>(
  operation: Declared<Codes, H>
): Checked<Codes, H> => {
  const declared: Operation = {
    ...operation,
    needsEnvironment: true,
    handle: (call) => operation.handle({ ...call, tenant: tenantOf(call) })
  }
  return declared as Checked<Codes, H>
}

/** Declares an operation that a credential without an environment may call too (Decisions §10). */
export const declareForCaller = <const Codes extends ReadonlyArray<ErrorCode>, H extends Handle<Call>>(
  operation: Declared<Codes, H>
): Checked<Codes, H> => {
  const declared: Operation = { ...operation, needsEnvironment: false }
  return declared as Checked<Codes, H>
}

/** `runOperation` refuses callers without an environment before this point. */
const tenantOf = ({ caller }: Call): TenantCall["tenant"] => {
  if (caller.environment === null) throw new Error("A credential without an environment passed the check for one.")
  return { organizationId: caller.organizationId, environment: caller.environment }
}
