import { bindKey, decodeIdempotencyKey, type KeyedRequest, RequestFaults } from "@overa/domain"
import { Effect, Result } from "effect"
import type { TenantCall } from "./Operation.ts"
import { sha256, type TransportRefusal } from "@overa/host-kit"

interface Keyed<A> {
  readonly request: KeyedRequest
  readonly decoded: A
}

type Decoded<A> = Result.Result<A, RequestFaults>

/** The decoded body, read at once or, where it is large, when the organization's turn comes. */
export const decodedBody = <A, E>(
  call: TenantCall,
  decode: (body: unknown) => Result.Result<A, E>
): Effect.Effect<Result.Result<A, E>, TransportRefusal<"RATE_LIMITED">> =>
  call.atItsTurn === null ? Effect.succeed(decode(call.body?.tree)) : call.atItsTurn(() => decode(call.body?.tree))

/** Reads body and `Idempotency-Key` together: the faults of both are answered at once (Decisions §1, order of transport checks). */
export const keyedRequest = <A>(
  call: TenantCall,
  decode: (body: unknown) => Decoded<A>
): Effect.Effect<Keyed<A>, RequestFaults | TransportRefusal<"RATE_LIMITED">> =>
  Effect.flatMap(decodedBody(call, decode), (decoded) => keyed(call, decoded))

const keyed = <A>(call: TenantCall, decoded: Decoded<A>): Effect.Effect<Keyed<A>, RequestFaults> => {
  const key = decodeIdempotencyKey(call.idempotencyKey)
  if (Result.isFailure(key) || Result.isFailure(decoded)) {
    return new RequestFaults({
      faults: [
        ...(Result.isFailure(key) ? [key.failure] : []),
        ...(Result.isFailure(decoded) ? decoded.failure.faults : [])
      ]
    })
  }
  const { body, target } = call
  const boundKey = bindKey({ key: key.success, target, body: body?.tree, received: body?.text ?? "" }, sha256)
  const request = { tenant: call.tenant, clientId: call.caller.clientId, boundKey, callerGone: call.callerGone }
  return Effect.succeed({ request, decoded: decoded.success })
}
