import { formatDecimal, type Reservation, totalAmount } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgDatabase, PgQueries, PgStatements } from "../PgDatabase.ts"
import { historyLines } from "../rows/OperationRow.ts"
import { packBody, toStoredJson } from "../rows/storedJson.ts"
import { type Column, manyParameters, manyRows, namesOf, parametersOf, placeholderOf, placeholders } from "./columns.ts"
import { commitQueues, waitLimits } from "./commitQueues.ts"

const millis = DateTime.toEpochMillis

/** What commit 1 stores, with its two serialized forms, each made once. */
interface Written {
  readonly reservation: Reservation
  readonly content: string
  readonly packed: Uint8Array | null
}

type Asked = Reservation["operation"]
const asked = (name: string, type: Column<Written>["type"], value: (operation: Asked) => string | number | null): Column<Written> => ({
  name,
  type,
  value: ({ reservation }) => value(reservation.operation)
})

type First = NonNullable<Reservation["attempt"]>
const tried = (name: string, type: Column<Written>["type"], value: (attempt: First) => string | number): Column<Written> => ({
  name,
  type,
  value: ({ reservation: { attempt } }) => (attempt === null ? null : value(attempt))
})

// The operation with its first attempt and its transitions so far; the attempt's columns are null where nothing is sent yet.
const columns: ReadonlyArray<Column<Written>> = [
  asked("organization_id", "uuid", (o) => o.organizationId),
  asked("operation_id", "uuid", (o) => o.id),
  asked("environment", "text", (o) => o.environment),
  asked("taxpayer_id", "uuid", (o) => o.taxpayerId),
  asked("premise_id", "uuid", (o) => o.businessPremiseId),
  asked("client_id", "text", (o) => o.clientId),
  asked("key_role", "text", (o) => o.boundKey.role),
  asked("key", "text", (o) => o.boundKey.key),
  asked("key_target", "text", (o) => o.boundKey.target),
  { name: "key_body", type: "text", value: ({ packed, reservation }) => (packed === null ? reservation.operation.boundKey.body : "") },
  { name: "key_body_packed", type: "bytea", value: ({ packed }) => packed },
  asked("fingerprint_version", "int4", (o) => o.boundKey.fingerprint.version),
  asked("fingerprint_digest", "text", (o) => o.boundKey.fingerprint.digest),
  { name: "content", type: "text", value: ({ content }) => content },
  asked("invoice_type", "text", (o) => o.content.invoiceType),
  asked("transaction_type", "text", (o) => o.content.transactionType),
  asked("client_reference", "text", (o) => o.content.clientReference),
  asked("cashier_id", "text", (o) => o.content.cashier.id),
  asked("buyer_id", "text", (o) => o.content.buyer?.id ?? null),
  asked("total_amount", "numeric", (o) => formatDecimal(totalAmount(o.content.items), 2)),
  asked("workflow_type", "text", (o) => o.workflow?.type ?? null),
  asked("workflow_id", "uuid", (o) => o.workflow?.id ?? null),
  asked("created_at", "timestamptz", (o) => millis(o.createdAt)),
  asked("status", "text", (o) => o.status),
  { name: "revision", type: "int4", value: ({ reservation }) => reservation.transitions.length },
  asked("attempt", "int4", (o) => o.attempt),
  asked("failure_code", "text", (o) => o.failureCode),
  asked("updated_at", "timestamptz", (o) => millis(o.updatedAt)),
  tried("request_id", "text", (a) => a.requestId),
  tried("element_id", "uuid", (a) => a.elementId),
  tried("jid", "text", (a) => a.jid),
  tried("sender_host", "text", (a) => a.hostId),
  tried("sender_boot", "text", (a) => a.bootId),
  tried("started_at", "timestamptz", (a) => millis(a.startedAt)),
  { name: "history", type: "text", value: ({ reservation }) => historyLines(reservation.transitions) }
]

const leaseMillis: Column<Written> = {
  name: "lease_millis",
  type: "float8",
  value: ({ reservation }) => (reservation.attempt === null ? null : reservation.leaseMillis)
}

const parameters = [...columns, leaseMillis]

/** Commit 1: one row by one plain statement. No row is returned where the key is taken. */
export const reserveStatement = `insert into operations (${namesOf(columns)}, lease_until)
values (${placeholders(columns)}, now() + ${placeholderOf(parameters, "lease_millis")} * interval '1 millisecond')
on conflict do nothing returning operation_id`

/** Commit 1 of several operations in one statement, on a database that is not split. Answers the ids it stored. */
export const reserveManyStatement = `insert into operations (${namesOf(columns)}, lease_until)
select ${namesOf(columns)}, now() + lease_millis * interval '1 millisecond' from ${manyRows(parameters)}
on conflict do nothing returning operation_id`

const written = (reservation: Reservation): Written => {
  const { boundKey, content } = reservation.operation
  const stored = toStoredJson(content)
  return { reservation, content: stored, packed: packBody(boundKey.body, stored) }
}

export const reserveParameters = (reservation: Reservation): ReadonlyArray<unknown> => parametersOf(parameters, written(reservation))

export const reserveManyParameters = (reservations: ReadonlyArray<Reservation>): ReadonlyArray<unknown> =>
  manyParameters(parameters, reservations.map(written))

const reserveAlone = (database: PgQueries, item: Reservation) =>
  Effect.map(database.query(reserveStatement, reserveParameters(item)), (rows) => rows.length === 1)

const reserveMany = (database: PgQueries, items: ReadonlyArray<Reservation>) =>
  Effect.map(database.query<{ readonly operation_id: string }>(reserveManyStatement, reserveManyParameters(items)), (rows) => {
    const stored = new Set(rows.map((row) => row.operation_id))
    return items.map(({ operation }) => stored.has(operation.id))
  })

/** Commit 1; false when the key is taken and nothing was written. */
export const reserve = ({ isSplit, keyed }: PgDatabase["Service"]) =>
  commitQueues<Reservation, boolean>({
    keyOf: ({ operation }) => `${operation.organizationId} ${operation.boundKey.role} ${operation.boundKey.key}`,
    // The content is the decoded body: about as large again.
    sizeOf: ({ operation }) => 2 * operation.boundKey.body.length,
    mayShare: () => isSplit() === false,
    gaveUp: keyed.noteUnanswered,
    one: (item) => reserveAlone(keyed, item),
    many: (items) => reserveMany(keyed, items)
  }, waitLimits)

/** Commit 1 as part of a larger commit; false when the key is taken and nothing was written. */
export const reserveInTransaction = (statements: PgStatements, reservation: Reservation) =>
  Effect.map(statements.query(reserveStatement, reserveParameters(reservation)), (rows) => rows.length === 1)
