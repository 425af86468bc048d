import { FiscalDocumentUnreadable } from "@overa/domain"
import { Result } from "effect"

/** What `read` makes of an operation's row; fails where it throws anything. */
export const readRow = <A>(operationId: string, read: () => A): Result.Result<A, FiscalDocumentUnreadable> =>
  Result.try({
    try: read,
    catch: (cause) => cause instanceof FiscalDocumentUnreadable ? cause : new FiscalDocumentUnreadable({ operationId, cause })
  })

/** The same for whoever cannot go on without it. Throws `FiscalDocumentUnreadable`. */
export const orUnreadable = <A>(operationId: string, read: () => A): A => Result.getOrThrow(readRow(operationId, read))
