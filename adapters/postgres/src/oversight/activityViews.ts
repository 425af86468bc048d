import type { Activity, ActivityFilter, OrganizationId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { installationItself } from "../administration/activity.ts"
import type { PgDatabase } from "../PgDatabase.ts"
import { utc } from "../rows/OperationRow.ts"

interface ActivityRow {
  readonly organization_id: string
  readonly at: Date
  readonly line_id: string
  readonly actor: string
  readonly actor_name: string | null
  readonly act: string
  readonly subject: string
  readonly subject_name: string | null
  readonly before: string | null
  readonly after: string | null
  readonly reason: string
}

const decode = (row: ActivityRow): Activity => ({
  organizationId: row.organization_id === installationItself ? null : row.organization_id as OrganizationId,
  at: utc(row.at),
  actor: row.actor,
  actorName: row.actor_name,
  act: row.act,
  subject: row.subject,
  subjectName: row.subject_name,
  before: row.before,
  after: row.after,
  reason: row.reason
})

// A person's name is not kept in the log: with the person it is erased (Decisions §15).
const nameOfActor = "(select nullif(p.name, '') from people p where p.email = split_part(l.actor, ':', 2)) as actor_name"

const conditions = `($1::uuid is null or organization_id = $1) and ($2::text is null or actor = $2)
    and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)`

const lines = `select l.organization_id, l.at, l.activity_id as line_id, l.actor, ${nameOfActor}, l.act, l.subject,
    coalesce(l.subject_name, (select nullif(p.name, '') from people p where p.email = l.subject)) as subject_name, l.before, l.after, l.reason
  from activity_log l
  where ${conditions}
    and ($3::text is null or act = any($7::text[]) or position(lower($3) in lower(concat_ws(' ', act, subject, subject_name, before, after, reason))) > 0)
  order by at desc, activity_id limit $6`

const kindOfDocument = `case when invoice_type = 'COPY' then 'copy'
    else case transaction_type when 'REFUND' then case invoice_type when 'PROFORMA' then 'refund of a proforma' when 'TRAINING' then 'training refund'
        when 'ADVANCE' then 'refund of an advance' else 'refund' end
      else case invoice_type when 'PROFORMA' then 'proforma' when 'TRAINING' then 'training receipt' when 'ADVANCE' then 'advance' else 'sale' end end end`

// What a person asked for is a line of the log from its first commit on: the operation itself is that line.
const documents = `select organization_id, at, line_id, actor, ${nameOfActor}, act, subject, subject_name, null as before, after, 'in the portal' as reason
  from (select organization_id, created_at as at, operation_id::text as line_id, client_id as actor, operation_id::text as subject,
      ${kindOfDocument} || case status when 'FISCALIZED' then ' issued' else ' asked for' end as act, coalesce(invoice_number, client_reference) as subject_name,
      json_build_object('environment', environment, 'status', status, 'total', total_amount::text, 'clientReference', client_reference)::text as after
    from operations where client_id like 'portal:%' and ($1::uuid is null or organization_id = $1)) l
  where ${conditions}
    and ($3::text is null or act = any($7::text[]) or position(lower($3) in lower(concat_ws(' ', act, subject, subject_name, after))) > 0)
  order by at desc, line_id limit $6`

const mails = `select organization_id, at, line_id, actor, ${nameOfActor}, act, subject, subject_name, null as before, after, 'in the portal' as reason
  from (select d.organization_id, d.created_at as at, d.delivery_id::text as line_id, d.client_id as actor, d.fiscal_document_id::text as subject,
      case d.status when 'SENT' then 'receipt mailed' else 'mailing of a receipt asked for' end as act,
      coalesce(o.invoice_number, o.client_reference) as subject_name,
      json_build_object('environment', d.environment, 'status', d.status, 'recipient', d.recipient)::text as after
    from receipt_deliveries d
      left join operations o on o.organization_id = d.organization_id and o.operation_id = d.fiscal_document_id
    where d.client_id like 'portal:%' and ($1::uuid is null or d.organization_id = $1)) l
  where ${conditions}
    and ($3::text is null or act = any($7::text[]) or position(lower($3) in lower(concat_ws(' ', act, subject, subject_name, after))) > 0)
  order by at desc, line_id limit $6`

const dateOrNull = (instant: DateTime.Utc | undefined): Date | null => instant === undefined ? null : DateTime.toDateUtc(instant)

const newestFirst = (one: ActivityRow, other: ActivityRow): number => other.at.getTime() - one.at.getTime()

/** The lines of the log, with what people asked for in the portal among them; newest first. */
export const searchActivity = Effect.fnUntraced(function*(database: PgDatabase["Service"], filter: ActivityFilter) {
  const organizationId = filter.organizationId === undefined ? null : filter.organizationId ?? installationItself
  const asked = [
    organizationId,
    filter.actor ?? null,
    filter.text ?? null,
    dateOrNull(filter.from),
    dateOrNull(filter.to),
    filter.limit,
    filter.acts ?? []
  ]
  const found = yield* Effect.forEach([lines, documents, mails], (statement) => database.read<ActivityRow>(statement, asked))
  // Documents and mails are told with their status; the installation itself has none.
  const organizations = new Set(found.slice(1).flat().map((row) => row.organization_id))
  for (const organizationId of organizations) yield* database.keyed.confirmed(Effect.void, { organizationId })
  return found.flat().toSorted(newestFirst).slice(0, filter.limit).map(decode)
})
