import { Schema, Result } from "effect"

const uuid = Schema.decodeUnknownResult(Schema.String.check(Schema.isUUID()))

/** An identifier from a path in lower case; null when it is no UUID, which is answered like an unknown id (Decisions §1). */
export const pathId = (text: string | undefined): string | null => {
  const decoded = uuid(text)
  return Result.isSuccess(decoded) ? decoded.success.toLowerCase() : null
}
