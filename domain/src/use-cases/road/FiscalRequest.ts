import { fingerprint } from "../../idempotency/fingerprint.ts"
import type { BoundKey } from "../../operations/Operation.ts"
import type { Tenant } from "../../tenancy/Caller.ts"

/** A fiscal mutation as a host received it, its body already read. */
export interface FiscalRequest {
  readonly tenant: Tenant
  readonly clientId: string
  readonly idempotencyKey: string
  /** Method and path with its parameters, e.g. `POST /v1/fiscal-documents`. */
  readonly target: string
  /** The body as received. */
  readonly bodyText: string
  /** The body as a tree with decimals for numbers. */
  readonly bodyTree: unknown
  /** Aborts when the caller disconnects. */
  readonly callerGone: AbortSignal
  /** A faster SHA-256 (in hex, of a text's UTF-8) than the portable one, where the host has one: it is computed for every request. */
  readonly sha256?: (text: string) => string
}

/** Who requests a document, and under which key. */
export interface KeyedRequest {
  readonly tenant: Tenant
  readonly clientId: string
  readonly boundKey: BoundKey
  /** Aborts when the caller disconnects. */
  readonly callerGone: AbortSignal
}

/** The caller's key, bound to method, path and canonical content (Decisions §3). */
const boundKeyOf = (request: FiscalRequest): BoundKey => ({
  role: "REQUEST",
  key: request.idempotencyKey,
  target: request.target,
  body: request.bodyText,
  fingerprint: fingerprint(request.target, request.bodyTree, request.sha256)
})

/** A caller's request under its own key. */
export const underCallersKey = (request: FiscalRequest): KeyedRequest => ({
  tenant: request.tenant,
  clientId: request.clientId,
  boundKey: boundKeyOf(request),
  callerGone: request.callerGone
})
