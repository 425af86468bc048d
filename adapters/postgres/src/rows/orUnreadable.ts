import { FiscalDocumentUnreadable } from "@overa/domain"
import { Result } from "effect"

/** The result of `read` for an operation's row; fails where it throws anything. */
export const readRow = <A>(operationId: string, read: () => A): Result.Result<A, FiscalDocumentUnreadable> =>
  Result.try({
    try: read,
    catch: (cause) => cause instanceof FiscalDocumentUnreadable ? cause : new FiscalDocumentUnreadable({ operationId, cause })
  })

/** The same for callers that need the value. Throws `FiscalDocumentUnreadable`. */
export const orUnreadable = <A>(operationId: string, read: () => A): A => Result.getOrThrow(readRow(operationId, read))
