import { givenUp, type Redrive } from "@overa/domain"
import { DateTime } from "effect"
import { historyLines } from "../rows/OperationRow.ts"
import { type Column, parametersOf, placeholderOf } from "./columns.ts"

/** An attempt of a stored operation. */
export interface AddedAttempt extends Pick<Redrive, "attempt"> {
  readonly operation: Pick<Redrive["operation"], "organizationId" | "id">
}

/** A next attempt, as the statements need it. */
export type NextAttempt = AddedAttempt & Omit<Redrive, "operation">

const attemptColumns: ReadonlyArray<Column<AddedAttempt>> = [
  { name: "organization_id", type: "uuid", value: ({ operation }) => operation.organizationId },
  { name: "operation_id", type: "uuid", value: ({ operation }) => operation.id },
  { name: "number", type: "int4", value: ({ attempt }) => attempt.number },
  { name: "request_id", type: "text", value: ({ attempt }) => attempt.requestId },
  { name: "mark", type: "uuid", value: ({ attempt }) => attempt.mark },
  { name: "element_id", type: "uuid", value: ({ attempt }) => attempt.elementId },
  { name: "jid", type: "text", value: ({ attempt }) => attempt.jid },
  { name: "host_id", type: "text", value: ({ attempt }) => attempt.hostId },
  { name: "boot_id", type: "text", value: ({ attempt }) => attempt.bootId },
  { name: "started_at", type: "timestamptz", value: ({ attempt }) => DateTime.toEpochMillis(attempt.startedAt) }
]

const columns: ReadonlyArray<Column<NextAttempt>> = [
  ...attemptColumns,
  { name: "from_status", type: "text", value: ({ transition }) => transition.from },
  { name: "lease_millis", type: "float8", value: ({ leaseMillis }) => leaseMillis },
  { name: "at", type: "timestamptz", value: ({ transition }) => DateTime.toEpochMillis(transition.at) },
  { name: "line", type: "text", value: ({ transition }) => historyLines([transition]) }
]

const of = <Item>(used: ReadonlyArray<Column<Item>>) => (name: string): string => placeholderOf(used, name)

// Nothing is sent while the operation is in doubt. An attempt without a lease was sent before, and is only searched for.
const move = (p: (name: string) => string, attempt: string): string => `update operations
set status = 'SUBMITTING', revision = revision + 1, history = history || ${p("line")}, updated_at = ${p("at")}, attempt = ${p("number")},
  failure_code = null, rejection = null, next_check_at = null, checks = 0, lease_until = now() + ${p("lease_millis")} * interval '1 millisecond', ${attempt}
where organization_id = ${p("organization_id")} and operation_id = ${p("operation_id")} and status = ${p("from_status")}
  and attempt = ${p("number")} - 1 and (not in_doubt or ${p("lease_millis")} = 0)
  and failure_code is distinct from '${givenUp.failureCode}'
returning operation_id`

const without = (...names: ReadonlyArray<string>) => columns.filter(({ name }) => !names.includes(name))

// The first attempt of a document that was reserved unsent is in the operation's own row, as every first attempt is.
const firstColumns = columns
const f = of(firstColumns)

/** The transition's status → SUBMITTING for the first attempt; answers one row if this caller won. */
export const firstAttemptStatement = move(
  f,
  `request_id = ${f("request_id")}, first_mark = ${f("mark")}, element_id = ${f("element_id")}, jid = ${f("jid")}, started_at = ${f("started_at")},
  sender_host = ${f("host_id")}, sender_boot = ${f("boot_id")}, host_id = null, boot_id = null`
)

export const firstAttemptParameters = (redrive: NextAttempt): ReadonlyArray<unknown> => parametersOf(firstColumns, redrive)

const laterColumns = without("request_id", "mark", "element_id", "jid", "started_at")
const l = of(laterColumns)

/** The same for a later attempt, which `insertAttempt` stores in the same transaction. */
export const laterAttemptStatement = move(l, `host_id = ${l("host_id")}, boot_id = ${l("boot_id")}`)

export const laterAttemptParameters = (redrive: NextAttempt): ReadonlyArray<unknown> => parametersOf(laterColumns, redrive)

const a = of(attemptColumns)

/** A later attempt. `knows_first`: the writer has read the first attempt from the operation's row, where it is stored now. */
export const insertAttempt = `insert into attempts
  (organization_id, operation_id, number, request_id, mark, element_id, jid, host_id, boot_id, started_at, knows_first)
values (${["organization_id", "operation_id", "number", "request_id", "mark", "element_id", "jid", "host_id", "boot_id", "started_at"].map(a).join(", ")}, true)`

export const insertAttemptParameters = (added: AddedAttempt): ReadonlyArray<unknown> => parametersOf(attemptColumns, added)

/** $1 organization, $2 operation, $3 outcome, $4 answer, $5 number: the outcome of a later attempt. */
export const concludeAttempt = `update attempts set outcome = coalesce($3, outcome), answer_text = coalesce($4, answer_text)
where organization_id = $1 and operation_id = $2 and number = $5`
