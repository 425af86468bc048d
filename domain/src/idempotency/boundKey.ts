import { Result } from "effect"
import type { BoundKey } from "../operations/Operation.ts"
import type { Fault } from "../requests/Fault.ts"
import { canonicalContent, canonicalRuleVersion, portableSha256 } from "./fingerprint.ts"

const form = /^[\x21-\x7E]{16,200}$/

/** The `Idempotency-Key` header: 16 to 200 visible ASCII characters, taken literally (Spec, Limits; Decisions §1). */
export const decodeIdempotencyKey = (header: string | undefined): Result.Result<string, Fault> => {
  if (header === undefined || header === "") return Result.fail(keyFault("is required on this operation"))
  return form.test(header) ? Result.succeed(header) : Result.fail(keyFault("must be 16 to 200 visible ASCII characters"))
}

const keyFault = (message: string): Fault => ({ pointer: "", key: "IdempotencyKey", message })

/** A request whose key is to be bound to it. */
export interface RequestToBind {
  readonly key: string
  /** Method and path with its parameters, e.g. `POST /v1/fiscal-documents`. */
  readonly target: string
  /** The body as a tree with decimals for numbers. */
  readonly body: unknown
  /** The body as received. Where it was never a text, its canonical text is kept. */
  readonly received?: string
}

/**
 * A caller's key, bound to method, path and canonical content (Decisions §3). It is computed for every request: a host that has a faster SHA-256 (in
 * hex, of a text's UTF-8) than the portable one hands it over.
 */
export const bindKey = (request: RequestToBind, sha256Of: (text: string) => string = portableSha256): BoundKey => {
  const canonical = canonicalContent(request.target, request.body)
  return {
    role: "REQUEST",
    key: request.key,
    target: request.target,
    body: request.received ?? canonical.slice(canonical.indexOf("\n") + 1),
    fingerprint: { version: canonicalRuleVersion, digest: sha256Of(canonical) }
  }
}
