import { type Conclusion, copyNotReserved, type ReservedCopy } from "@overa/domain"
import { Effect } from "effect"
import { followItems } from "../operations/inDoubt.ts"
import { raiseItems } from "../operations/raise.ts"
import { reserveInTransaction } from "../operations/reserve.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { putBackKept } from "../restore/keptAttempts.ts"
import { toStoredJson } from "../rows/storedJson.ts"

interface Holder {
  readonly operation_id: string
  readonly is_copy: boolean
}

/** $1 organization, $2 copy, $3 environment, $4 key: what has the copy's id or its key. */
const holdersOf = `select operation_id, operation_id = $2 and environment = $3 and key_role = 'INNER' and key = $4 as is_copy from operations
  where organization_id = $1 and (operation_id = $2 or (key_role = 'INNER' and key = $4))`

/** A copy has the same buyer facts as its refund. */
const completeCopy = `update operations set next_check_at = now() + $3::float8 * interval '1 millisecond', buyer_details = $4
  where organization_id = $1 and operation_id = $2`

/** This commit may have been sent before; whatever else has the copy's place, a person is told. */
const explainUnreserved = Effect.fnUntraced(function*(statements: PgStatements, conclusion: Conclusion, { operation }: ReservedCopy) {
  const { boundKey, environment, id, organizationId } = operation
  const holders = yield* statements.query<Holder>(holdersOf, [organizationId, id, environment, boundKey.key])
  const others = holders.filter((holder) => !holder.is_copy)
  yield* raiseItems(statements, conclusion, others.map((holder) => copyNotReserved(id, holder.operation_id)))
})

/** Reserves the signed copy of a cash refund, unsent and due, with the attempts of it that were kept, and in doubt where an item about it is open. */
export const reserveCopy = Effect.fnUntraced(function*(statements: PgStatements, conclusion: Conclusion, copy: ReservedCopy, dueAfterMillis: number) {
  const { buyerDetails, id } = copy.operation
  const reserved = yield* reserveInTransaction(statements, { ...copy, attempt: null, leaseMillis: 0 })
  if (!reserved) return yield* explainUnreserved(statements, conclusion, copy)
  yield* statements.query(completeCopy, [conclusion.organizationId, id, dueAfterMillis, buyerDetails === null ? null : toStoredJson(buyerDetails)])
  yield* putBackKept(statements, conclusion, id)
  // Its id is known before it is stored: an item about it may be open since a failover has lost it.
  yield* followItems(statements, { organizationId: conclusion.organizationId, operationId: id })
})
