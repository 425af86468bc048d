import { StoreUnavailable } from "@overa/domain"
import { Data, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { constraints } from "./constraints.ts"

/**
 * A statement that did not succeed, with the two facts that the callers decide by.
 *
 * `committed` is "no" when the server answered that the statement failed, or when it was never sent; "unknown" when the connection ended or time ran
 * out while the statement was in flight (Decisions §4, Store trouble). `constraint` is the violated constraint's name.
 */
export class PgFailure extends Data.TaggedError("PgFailure")<{
  readonly committed: "no" | "unknown"
  readonly sqlState: string | null
  readonly constraint: string | null
  readonly cause: unknown
}> {}

interface ServerFields {
  readonly severity?: unknown
  readonly code?: unknown
  readonly constraint?: unknown
  readonly message?: unknown
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

// The server ended the session, lost a server behind it, or does not know the result: the statement may or may not have been committed.
const saysNothing = (sqlState: string): boolean => /^(57P|08|XX|40003)/.test(sqlState)

// A server that splits tables over others reports a violated constraint without its field, under the name it has on the other server: our name
// followed by the number of the shard.
const constraintIn = (sqlState: string | null, message: unknown): string | null => {
  if (sqlState === null || !sqlState.startsWith("23") || typeof message !== "string") return null
  return /(?:constraint|index) "([^"]+)"/.exec(message)?.[1] ?? null
}

// Rows from a SELECT reach a cluster's other server by COPY, which reports a violation as an error of its own; the message is the other server's.
const reportedByCopy = /^duplicate key value violates unique constraint "/

const codeOf = (fields: ServerFields): string | null => {
  // Errors of the network have codes too ("EPIPE"); only those of the server have a severity.
  const code = fields.severity === undefined ? null : textOrNull(fields.code)
  return code === "XX000" && reportedByCopy.test(textOrNull(fields.message) ?? "") ? "23505" : code
}

const withoutPart = (constraint: string | null): string | null => constraint === null ? null : constraint.replace(/_\d{5,}$/, "")

/** Reads the driver's error: the server's own code decides where there is one. */
export const classifySqlError = (error: SqlError): PgFailure => {
  const fields = (typeof error.reason.cause === "object" && error.reason.cause !== null ? error.reason.cause : {}) as
    & ServerFields
    & object
  const sqlState = codeOf(fields)
  const neverSent = error.reason.operation === "connect" || error.reason._tag === "AuthenticationError"
  const serverRefused = sqlState !== null && !saysNothing(sqlState)
  // The driver reports a parameter that it cannot encode as UnknownError before anything is written. Without a server code that is a bug here, and
  // "unknown" only makes the caller read again before it acts.
  return new PgFailure({
    committed: neverSent || serverRefused ? "no" : "unknown",
    sqlState,
    constraint: withoutPart(textOrNull(fields.constraint) ?? constraintIn(sqlState, fields.message)),
    cause: error
  })
}

/** Two transactions conflicted; the same statement may be sent again. */
export const isConflict = (failure: PgFailure): boolean =>
  failure.sqlState === "40001" || failure.sqlState === "40P01"

/**
 * Failures that no caller can handle: a constraint that no code expects, a statement that does not fit the schema, data that the columns cannot hold.
 * These are bugs and are reported as such.
 */
const isBug = (failure: PgFailure): boolean =>
  failure.constraint !== constraints.oneInFlightInCase && failure.sqlState !== null && /^(22|23|42|P0)/.test(failure.sqlState) && failure.sqlState !== "42501"

/** Turns a failure that no rule has handled into the port's error, or into a defect where it is a bug. */
export const toStoreUnavailable = (failure: PgFailure): Effect.Effect<never, StoreUnavailable> =>
  isBug(failure)
    ? Effect.die(failure)
    : Effect.fail(new StoreUnavailable({ committed: failure.committed, cause: failure }))
