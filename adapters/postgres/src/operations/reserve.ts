import type { Reservation } from "@overa/domain"
import { Effect } from "effect"
import type { PgDatabase, PgQueries } from "../PgDatabase.ts"
import { commitLanes } from "./commitLanes.ts"
import { patience } from "./patience.ts"
import { reserveManyParameters, reserveManyStatement, reserveParameters, reserveStatement } from "./reserveStatement.ts"

const reserveAlone = (database: PgQueries, item: Reservation) =>
  Effect.map(database.query(reserveStatement, reserveParameters(item)), (rows) => rows.length === 1)

const reserveMany = (database: PgQueries, items: ReadonlyArray<Reservation>) =>
  Effect.map(database.query<{ readonly operation_id: string }>(reserveManyStatement, reserveManyParameters(items)), (rows) => {
    const stored = new Set(rows.map((row) => row.operation_id))
    return items.map(({ operation }) => stored.has(operation.id))
  })

/** Commit 1; false when the key is taken and nothing was written. */
export const reserve = ({ isSplit, keyed }: PgDatabase["Service"]) =>
  commitLanes<Reservation, boolean>({
    keyOf: ({ operation }) => `${operation.organizationId} ${operation.boundKey.role} ${operation.boundKey.key}`,
    // The content is the decoded body: about as large again.
    sizeOf: ({ operation }) => 2 * operation.boundKey.body.length,
    mayShare: () => isSplit() === false,
    one: (item) => reserveAlone(keyed, item),
    many: (items) => reserveMany(keyed, items)
  }, patience)
