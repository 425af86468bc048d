import { Result } from "effect"
import type { Fault } from "./Fault.ts"

const form = /^[\x21-\x7E]{16,200}$/

/** The `Idempotency-Key` header: 16 to 200 visible ASCII characters, taken literally (Spec, Limits; Decisions §1). */
export const decodeIdempotencyKey = (header: string | undefined): Result.Result<string, Fault> => {
  if (header === undefined || header === "") return Result.fail(keyFault("is required on this operation"))
  return form.test(header) ? Result.succeed(header) : Result.fail(keyFault("must be 16 to 200 visible ASCII characters"))
}

const keyFault = (message: string): Fault => ({ pointer: "", key: "IdempotencyKey", message })
