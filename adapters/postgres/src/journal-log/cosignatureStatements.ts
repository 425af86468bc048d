// Each statement names one organization, except the search for logs to show, which takes no lock.

/** A log that was shown within this time is not shown again. A time in the future is that of a clock that was wrong. */
const shownAlready = "asked_at between now() - interval '1 minute' and now()"

/** $1 witnesses, $2 limit: logs whose last checkpoint one of the witnesses has not cosigned, those first that have waited longest. */
export const logsToShow = `select l.organization_id, l.environment
from journal_logs l
left join journal_witnessed w on w.organization_id = l.organization_id and w.environment = l.environment
where l.size > 0 and (w.asked_at is null or not (w.${shownAlready}))
  and (w.size is distinct from l.size or cardinality($1::text[]) > (
    select count(*) from journal_cosignatures c
    where c.organization_id = l.organization_id and c.environment = l.environment and c.witness = any ($1::text[]) and c.size = l.size))
order by w.asked_at nulls first limit $2`

/** $1 organization, $2 environment: a row where the log was not taken yet. */
export const takeFirst = "insert into journal_witnessed (organization_id, environment, asked_at) values ($1, $2, now()) on conflict do nothing returning asked_at"

/** $1 organization, $2 environment: a row where nobody has taken it within the minute. */
export const takeAgain = `update journal_witnessed set asked_at = now()
where organization_id = $1 and environment = $2 and not (${shownAlready}) returning asked_at`

/** $1 organization, $2 environment, $3 witnesses. */
export const cosignaturesOf = "select witness, size, line from journal_cosignatures where organization_id = $1 and environment = $2 and witness = any ($3::text[])"

/** $1 organization, $2 environment, $3 witness, $4 size, $5 line. */
export const putCosignature = `insert into journal_cosignatures (organization_id, environment, witness, size, line) values ($1, $2, $3, $4, $5)
on conflict on constraint journal_cosignatures_pk do update set size = excluded.size, line = excluded.line where journal_cosignatures.size <= excluded.size`

/** $1 organization, $2 environment, $3 size, $4 note. */
export const putWitnessed = `update journal_witnessed set size = $3, note = $4
where organization_id = $1 and environment = $2 and (size is null or size <= $3)`

/** $1 organization, $2 environment. */
export const newestWitnessed = "select note from journal_witnessed where organization_id = $1 and environment = $2"

/** $1 organization, $2 kind, $3 detail. */
export const itemRaised = "select 1 as known from attention where organization_id = $1 and kind = $2 and detail = $3 limit 1"

/** $1 organization, $2 kind, $3 detail. */
export const raiseItem = `insert into attention (organization_id, kind, detail, raised_at) values ($1, $2, $3, now())
on conflict (organization_id, kind) where operation_id is null and element_id is null and person_id is null and acknowledged_at is null do nothing
returning kind`
