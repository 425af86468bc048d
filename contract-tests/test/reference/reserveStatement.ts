import { type Reservation, totalAmount, type Transition, formatDecimal } from "@overa/domain"
import { DateTime } from "effect"
import { toStoredJson } from "../../../adapters/postgres/src/rows/storedJson.ts"
import { type Column, manyRows, manyRowsParameters, namesOf, oneRow, oneRowParameters } from "./columns.ts"

const millis = DateTime.toEpochMillis

// The operation with the attempt it starts with; the attempt's columns are null where the element could not be opened.
const asked: ReadonlyArray<Column<Reservation>> = [
  { name: "organization_id", type: "uuid", value: ({ operation }) => operation.organizationId },
  { name: "operation_id", type: "uuid", value: ({ operation }) => operation.id },
  { name: "environment", type: "text", value: ({ operation }) => operation.environment },
  { name: "taxpayer_id", type: "uuid", value: ({ operation }) => operation.taxpayerId },
  { name: "premise_id", type: "uuid", value: ({ operation }) => operation.businessPremiseId },
  { name: "client_id", type: "text", value: ({ operation }) => operation.clientId },
  { name: "key_role", type: "text", value: ({ operation }) => operation.boundKey.role },
  { name: "key", type: "text", value: ({ operation }) => operation.boundKey.key },
  { name: "key_target", type: "text", value: ({ operation }) => operation.boundKey.target },
  { name: "key_body", type: "text", value: ({ operation }) => operation.boundKey.body },
  { name: "fingerprint_version", type: "int4", value: ({ operation }) => operation.boundKey.fingerprint.version },
  { name: "fingerprint_digest", type: "text", value: ({ operation }) => operation.boundKey.fingerprint.digest },
  { name: "content", type: "text", value: ({ operation }) => toStoredJson(operation.content) },
  { name: "invoice_type", type: "text", value: ({ operation }) => operation.content.invoiceType },
  { name: "transaction_type", type: "text", value: ({ operation }) => operation.content.transactionType },
  { name: "client_reference", type: "text", value: ({ operation }) => operation.content.clientReference },
  { name: "cashier_id", type: "text", value: ({ operation }) => operation.content.cashier.id },
  { name: "buyer_id", type: "text", value: ({ operation }) => operation.content.buyer?.id ?? null },
  { name: "total_amount", type: "numeric", value: ({ operation }) => formatDecimal(totalAmount(operation.content.items), 2) },
  { name: "workflow_type", type: "text", value: ({ operation }) => operation.workflow?.type ?? null },
  { name: "workflow_id", type: "uuid", value: ({ operation }) => operation.workflow?.id ?? null },
  { name: "created_at", type: "timestamptz", value: ({ operation }) => millis(operation.createdAt) },
  { name: "status", type: "text", value: ({ operation }) => operation.status },
  { name: "revision", type: "int4", value: ({ transitions }) => transitions.length },
  { name: "attempt", type: "int4", value: ({ operation }) => operation.attempt },
  { name: "host_id", type: "text", value: ({ attempt }) => attempt?.hostId ?? null },
  { name: "boot_id", type: "text", value: ({ attempt }) => attempt?.bootId ?? null },
  { name: "lease_millis", type: "float8", value: ({ attempt, leaseMillis }) => (attempt === null ? null : leaseMillis) },
  { name: "failure_code", type: "text", value: ({ operation }) => operation.failureCode },
  { name: "updated_at", type: "timestamptz", value: ({ operation }) => millis(operation.updatedAt) },
  { name: "request_id", type: "text", value: ({ attempt }) => attempt?.requestId ?? null },
  { name: "element_id", type: "uuid", value: ({ attempt }) => attempt?.elementId ?? null },
  { name: "jid", type: "text", value: ({ attempt }) => attempt?.jid ?? null },
  { name: "started_at", type: "timestamptz", value: ({ attempt }) => (attempt === null ? null : millis(attempt.startedAt)) }
]

interface PositionedTransition {
  readonly operation: Reservation["operation"]
  readonly position: number
  readonly transition: Transition
}

const recorded: ReadonlyArray<Column<PositionedTransition>> = [
  { name: "organization_id", type: "uuid", value: ({ operation }) => operation.organizationId },
  { name: "operation_id", type: "uuid", value: ({ operation }) => operation.id },
  { name: "position", type: "int4", value: ({ position }) => position },
  { name: "from_status", type: "text", value: ({ transition }) => transition.from },
  { name: "to_status", type: "text", value: ({ transition }) => transition.to },
  { name: "at", type: "timestamptz", value: ({ transition }) => millis(transition.at) },
  { name: "cause", type: "text", value: ({ transition }) => transition.cause },
  { name: "actor", type: "text", value: ({ transition }) => transition.actor },
  { name: "attempt", type: "int4", value: ({ transition }) => transition.attempt }
]

const operationColumns = `organization_id, operation_id, environment, taxpayer_id, premise_id, client_id, key_role, key, key_target,
  key_body, fingerprint_version, fingerprint_digest, content, invoice_type, transaction_type, client_reference, cashier_id,
  buyer_id, total_amount, workflow_type, workflow_id, created_at, status, revision, attempt, host_id, boot_id`

// One statement is one commit and one round trip. A taken key inserts nothing, and then nothing else is inserted either.
const statement = (source: typeof oneRow): string => `
with asked as (select * from ${source(asked, 1)} as asked (${namesOf(asked)})),
stored as (
  insert into operations (${operationColumns}, lease_until, failure_code, updated_at)
  select ${operationColumns}, now() + lease_millis * interval '1 millisecond', failure_code, updated_at from asked
  on conflict do nothing
  returning organization_id, operation_id
),
tried as (
  insert into attempts (organization_id, operation_id, number, request_id, element_id, jid, host_id, boot_id, started_at)
  select organization_id, operation_id, attempt, request_id, element_id, jid, host_id, boot_id, started_at
  from asked join stored using (organization_id, operation_id) where request_id is not null
),
recorded as (
  insert into transitions (${namesOf(recorded)})
  select ${namesOf(recorded)} from ${manyRows(recorded, asked.length + 1)} as recorded (${namesOf(recorded)})
  join stored using (organization_id, operation_id)
)
select operation_id from stored`

/** Commit 1 of one operation, and of many. Both answer the ids they stored; a missing id is a taken key. */
export const reserveOne = statement(oneRow)
export const reserveMany = statement(manyRows)

const positioned = (reservation: Reservation): ReadonlyArray<PositionedTransition> =>
  reservation.transitions.map((transition, index) => ({ operation: reservation.operation, position: index + 1, transition }))

export const reserveOneParameters = (reservation: Reservation): ReadonlyArray<unknown> => [
  ...oneRowParameters(asked, reservation),
  ...manyRowsParameters(recorded, positioned(reservation))
]

export const reserveManyParameters = (reservations: ReadonlyArray<Reservation>): ReadonlyArray<unknown> => [
  ...manyRowsParameters(asked, reservations),
  ...manyRowsParameters(recorded, reservations.flatMap(positioned))
]
