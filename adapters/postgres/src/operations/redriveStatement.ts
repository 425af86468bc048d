import type { Redrive } from "@overa/domain"
import { DateTime } from "effect"
import { type Column, namesOf, oneRow, oneRowParameters } from "./columns.ts"

const redriven: ReadonlyArray<Column<Redrive>> = [
  { name: "organization_id", type: "uuid", value: ({ operation }) => operation.organizationId },
  { name: "operation_id", type: "uuid", value: ({ operation }) => operation.id },
  { name: "from_status", type: "text", value: ({ transition }) => transition.from },
  { name: "number", type: "int4", value: ({ attempt }) => attempt.number },
  { name: "request_id", type: "text", value: ({ attempt }) => attempt.requestId },
  { name: "element_id", type: "uuid", value: ({ attempt }) => attempt.elementId },
  { name: "jid", type: "text", value: ({ attempt }) => attempt.jid },
  { name: "host_id", type: "text", value: ({ attempt }) => attempt.hostId },
  { name: "boot_id", type: "text", value: ({ attempt }) => attempt.bootId },
  { name: "started_at", type: "timestamptz", value: ({ attempt }) => DateTime.toEpochMillis(attempt.startedAt) },
  { name: "lease_millis", type: "float8", value: ({ leaseMillis }) => leaseMillis },
  { name: "at", type: "timestamptz", value: ({ transition }) => DateTime.toEpochMillis(transition.at) },
  { name: "cause", type: "text", value: ({ transition }) => transition.cause },
  { name: "actor", type: "text", value: ({ transition }) => transition.actor }
]

/** The transition's status → SUBMITTING for the attempt that follows the stored one; answers one row when this caller won. */
export const redriveStatement = `
with moved as (
  update operations o
  set status = 'SUBMITTING', status_before = o.status, revision = o.revision + 1, attempt = r.number, failure_code = null,
    rejection = null,
    host_id = r.host_id, boot_id = r.boot_id, lease_until = now() + r.lease_millis * interval '1 millisecond',
    next_check_at = null, updated_at = r.at
  from ${oneRow(redriven, 1)} as r (${namesOf(redriven)})
  where o.organization_id = r.organization_id and o.operation_id = r.operation_id and o.status = r.from_status
    and o.attempt = r.number - 1
  returning o.revision, o.status_before, r.*
),
tried as (
  insert into attempts (organization_id, operation_id, number, request_id, element_id, jid, host_id, boot_id, started_at)
  select organization_id, operation_id, number, request_id, element_id, jid, host_id, boot_id, started_at from moved
),
recorded as (
  insert into transitions (organization_id, operation_id, position, from_status, to_status, at, cause, actor, attempt)
  select organization_id, operation_id, revision, status_before, 'SUBMITTING', at, cause, actor, number from moved
)
select operation_id from moved`

export const redriveParameters = (redrive: Redrive): ReadonlyArray<unknown> => oneRowParameters(redriven, redrive)
