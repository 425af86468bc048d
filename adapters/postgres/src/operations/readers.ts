import type { Attempt, FiscalDocumentId, KeyHolder, OrganizationId, Tenant, Transition } from "@overa/domain"
import { Effect, Option } from "effect"
import type { PgKeyed, PgStatements } from "../PgDatabase.ts"
import { attemptColumns, type AttemptRow, decodeAttempts, firstAttemptColumns, type FirstAttemptRow } from "../rows/AttemptRow.ts"
import { decodeKeyHolder, decodeOperation, operationColumns, type OperationRow } from "../rows/OperationRow.ts"
import { raisingUnreadable } from "./raise.ts"
import { decodeTransitions, type TransitionRow } from "../rows/TransitionRow.ts"

/** $1 organization, $2 operation. */
export const operationById = `select ${operationColumns} from operations where organization_id = $1 and operation_id = $2`
/** $1 organization, $2 role, $3 key. */
export const operationByKey = `select ${operationColumns} from operations where organization_id = $1 and key_role = $2 and key = $3`

const firstAttemptOf = `select ${firstAttemptColumns} from operations where organization_id = $1 and operation_id = $2`
/** $1 organization, $2 operations. */
export const attemptsOf = `select ${attemptColumns} from attempts where organization_id = $1 and operation_id = any ($2::uuid[]) order by number`
const historyOf = `select history from operations where organization_id = $1 and operation_id = $2 and environment = $3`
const transitionsOf = `select position, to_status, at, cause, actor, attempt from transitions
  where organization_id = $1 and operation_id = $2 order by position`

/** The holder of a key, read with the given connection or transaction; null where there is none. */
export const readKeyHolder = Effect.fnUntraced(function*(
  statements: PgStatements,
  { boundKey: { key, role }, organizationId }: Pick<KeyHolder, "boundKey" | "organizationId">
) {
  const [row] = yield* statements.query<OperationRow>(operationByKey, [organizationId, role, key])
  return row === undefined ? null : decodeKeyHolder(row)
})

/** Every attempt of one operation, read with the given connection or transaction. */
export const readAttempts = Effect.fnUntraced(function*(statements: PgStatements, organizationId: string, id: string) {
  const [first] = yield* statements.query<FirstAttemptRow>(firstAttemptOf, [organizationId, id])
  if (first === undefined) return [] as ReadonlyArray<Attempt>
  return decodeAttempts(first, yield* statements.query<AttemptRow>(attemptsOf, [organizationId, [id]]))
})

const readTransitions = Effect.fnUntraced(function*(database: PgKeyed, tenant: Tenant, id: FiscalDocumentId) {
  const [row] = yield* database.read<{ readonly history: string }>(historyOf, [tenant.organizationId, id, tenant.environment])
  if (row === undefined) return [] as ReadonlyArray<Transition>
  return decodeTransitions(row.history, yield* database.read<TransitionRow>(transitionsOf, [tenant.organizationId, id]))
}, (reading, database, tenant) => database.confirmed(reading, tenant))

/** Reads of single operations over one set of connections, each confirmed. */
export const readers = (database: PgKeyed) => {
  const confirmed = (sql: string, params: readonly [organizationId: string, ...rest: ReadonlyArray<unknown>]) =>
    database.confirmed(database.read<OperationRow>(sql, params), { organizationId: params[0] })
  const first = (sql: string, params: readonly [organizationId: string, ...rest: ReadonlyArray<unknown>]) =>
    Effect.map(confirmed(sql, params), (rows) => Option.map(Option.fromNullishOr(rows[0]), decodeOperation)).pipe(
      raisingUnreadable(database, params[0])
    )
  return {
    byId: (organizationId: OrganizationId, id: FiscalDocumentId) => first(operationById, [organizationId, id]),
    byKey: (key: { readonly organizationId: OrganizationId; readonly role: string; readonly key: string }) =>
      Effect.map(confirmed(operationByKey, [key.organizationId, key.role, key.key]), ([row]) =>
        Option.map(Option.fromUndefinedOr(row), decodeKeyHolder)).pipe(raisingUnreadable(database, key.organizationId)),
    inTenant: (tenant: Tenant, id: FiscalDocumentId) =>
      first(`${operationById} and environment = $3`, [tenant.organizationId, id, tenant.environment]),
    transitions: (tenant: Tenant, id: FiscalDocumentId) => readTransitions(database, tenant, id),
    attempts: (organizationId: OrganizationId, id: FiscalDocumentId) => database.confirmed(readAttempts(database, organizationId, id), { organizationId })
  }
}

export type Readers = ReturnType<typeof readers>

