import { decodeIdempotencyKey, type FiscalRequest, RequestFaults } from "@overa/domain"
import { Effect, Result } from "effect"
import { hash } from "node:crypto"
import type { TenantCall } from "./Operation.ts"

/** Of a text's UTF-8, in hex. */
export const sha256 = (text: string): string => hash("sha256", text, "hex")

/** Reads body and `Idempotency-Key` together: the faults of both are answered at once (Decisions §1, order of transport checks). */
export const keyedRequest = <A>(
  call: TenantCall,
  decode: (body: unknown) => Result.Result<A, RequestFaults>
): Effect.Effect<{ readonly fiscal: FiscalRequest; readonly decoded: A }, RequestFaults> => {
  const key = decodeIdempotencyKey(call.idempotencyKey)
  const bodyTree = call.body?.tree
  const decoded = decode(bodyTree)
  if (Result.isFailure(key) || Result.isFailure(decoded)) {
    return new RequestFaults({
      faults: [
        ...(Result.isFailure(key) ? [key.failure] : []),
        ...(Result.isFailure(decoded) ? decoded.failure.faults : [])
      ]
    })
  }
  const fiscal = {
    tenant: call.tenant,
    clientId: call.caller.clientId,
    idempotencyKey: key.success,
    target: call.target,
    bodyText: call.body?.text ?? "",
    bodyTree,
    callerGone: call.callerGone,
    sha256
  }
  return Effect.succeed({ fiscal, decoded: decoded.success })
}
