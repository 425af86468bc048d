import type { Reservation } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { reserveParameters, reserveStatement } from "./reserveStatement.ts"

/** Commit 1 as part of a larger commit; false when the key is taken and nothing was written. */
export const reserveInTransaction = (statements: PgStatements, reservation: Reservation) =>
  Effect.map(statements.query(reserveStatement, reserveParameters(reservation)), (rows) => rows.length === 1)
