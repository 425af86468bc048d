import type { OrganizationId, SecurityElementId, VpfrAnswers } from "@overa/domain"
import { Effect } from "effect"
import type { PgQueries } from "../PgDatabase.ts"
import { utcOrNull } from "../rows/OperationRow.ts"

interface AnswersRow {
  readonly organization_id: string
  readonly environment: VpfrAnswers["environment"]
  readonly element_id: string
  readonly jid: string
  readonly sent: number
  readonly signed: number
  readonly rejected: number
  readonly not_sent: number
  readonly no_answer: number
  readonly last_outcome: VpfrAnswers["lastOutcome"]
  readonly last_answer_at: Date | null
  readonly median_millis: number | null
  readonly p95_millis: number | null
}

/** Documents of one organization and environment that are read: the latest of the last 24 hours. A large shop's last hours tell how its V-PFR answers. */
const documentsRead = 200

const millis = "extract(epoch from updated_at - started_at)::float8 * 1000"

/**
 * A document's first attempt is in its own row, later ones in `attempts`. The time of an answer is known where the first attempt was signed: the document's
 * last change is the commit of that answer.
 */
const statement = `with recent as (
    select o.* from organizations g cross join (values ('sandbox'), ('production')) e (environment)
    cross join lateral (
      select o.organization_id, o.environment, o.operation_id, o.element_id, o.jid, o.first_outcome, o.started_at, o.updated_at, o.attempt
      from operations o where o.organization_id = g.organization_id and o.environment = e.environment and o.created_at > now() - interval '1 day'
        and o.started_at is not null
      order by o.created_at desc, o.operation_id desc limit ${documentsRead}) o),
  sent as (
    select organization_id, environment, element_id, jid, first_outcome as outcome, started_at,
      case when first_outcome = 'SIGNED' and attempt = 1 then ${millis} end as millis from recent
    union all
    select a.organization_id, r.environment, a.element_id, a.jid, a.outcome, a.started_at, null
    from recent r join attempts a on a.organization_id = r.organization_id and a.operation_id = r.operation_id)
  select organization_id, environment, element_id, jid, count(*)::int as sent, (count(*) filter (where outcome = 'SIGNED'))::int as signed,
    (count(*) filter (where outcome = 'REJECTED'))::int as rejected, (count(*) filter (where outcome = 'NOT_SENT'))::int as not_sent,
    (count(*) filter (where outcome = 'NO_ANSWER'))::int as no_answer, (array_agg(outcome order by started_at desc) filter (where outcome is not null))[1] as last_outcome,
    max(started_at) filter (where outcome in ('SIGNED', 'REJECTED')) as last_answer_at,
    percentile_disc(0.5) within group (order by millis) as median_millis, percentile_disc(0.95) within group (order by millis) as p95_millis
  from sent group by organization_id, environment, element_id, jid`

/** How the V-PFR has answered, by element. */
export const vpfrAnswers = (database: PgQueries) =>
  Effect.map(database.read<AnswersRow>(statement), (rows) => rows.map((row): VpfrAnswers => ({
    organizationId: row.organization_id as OrganizationId,
    environment: row.environment,
    elementId: row.element_id as SecurityElementId,
    jid: row.jid,
    sent: row.sent,
    signed: row.signed,
    rejected: row.rejected,
    notSent: row.not_sent,
    noAnswer: row.no_answer,
    lastOutcome: row.last_outcome,
    lastAnswerAt: utcOrNull(row.last_answer_at),
    medianMillis: row.median_millis,
    p95Millis: row.p95_millis
  })))
