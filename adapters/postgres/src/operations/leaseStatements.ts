// Whoever held an ended lease is taken for dead. What it sent may have been signed, so the outcome is unknown and due for a search at
// once; nothing is ever resubmitted (Decisions §4, Orphans).
const endLeases = (chosen: string, actor: string, at: string): string => `
with chosen as (${chosen}),
moved as (
  update operations o
  set status = 'OUTCOME_UNKNOWN', status_before = o.status, revision = o.revision + 1,
    failure_code = coalesce(o.failure_code, 'OUTCOME_UNKNOWN'), lease_until = null, next_check_at = now(),
    updated_at = ${at}::timestamptz
  from chosen
  where o.organization_id = chosen.organization_id and o.operation_id = chosen.operation_id
    and o.status in ('SUBMITTING', 'RECONCILING')
  returning o.organization_id, o.operation_id, o.revision, o.status_before, o.attempt
),
recorded as (
  insert into transitions (organization_id, operation_id, position, from_status, to_status, at, cause, actor, attempt)
  select organization_id, operation_id, revision, status_before, 'OUTCOME_UNKNOWN', ${at}::timestamptz, 'leaseExpired',
    ${actor}::text, attempt
  from moved
)
select operation_id from moved`

const leased = `select organization_id, operation_id from operations where status in ('SUBMITTING', 'RECONCILING')`

/** $1 organization, $2 operation, $3 actor, $4 at: ends this operation's lease if the store's clock has passed it. */
export const expireLeaseStatement = endLeases(
  `${leased} and organization_id = $1 and operation_id = $2 and lease_until <= now() for update`,
  "$3",
  "$4"
)

/** $1 limit, $2 actor, $3 at: ends leases that are over, longest over first. */
export const expireLeasesStatement = endLeases(
  `${leased} and lease_until <= now() order by lease_until limit $1 for update skip locked`,
  "$2",
  "$3"
)

/** $1 host, $2 boot, $3 limit, $4 actor, $5 at: ends leases of this host's earlier boots, over or not. */
export const endEarlierBootsStatement = endLeases(
  `${leased} and lease_until is not null and host_id = $1 and boot_id is distinct from $2
     limit $3 for update skip locked`,
  "$4",
  "$5"
)

/**
 * $1 host, $2 boot: gives back what this host's earlier boots had claimed without moving it, a copy that waits to be sent for example;
 * it is due as it was.
 */
export const releaseClaimsStatement = `
update operations set lease_until = null
where lease_until is not null and host_id = $1 and boot_id is distinct from $2 and status not in ('SUBMITTING', 'RECONCILING')`

/** $1 limit, $2 lease in milliseconds, $3 host, $4 actor, $5 at: claims due searches, oldest first, and answers the claims. */
export const claimDueStatement = `
with due as (
  select organization_id, operation_id from operations
  where next_check_at <= now() and (lease_until is null or lease_until <= now())
    and status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')
  order by next_check_at, created_at limit $1 for update skip locked
),
moved as (
  update operations o
  set status = case o.status when 'OUTCOME_UNKNOWN' then 'RECONCILING' else o.status end, status_before = o.status,
    revision = o.revision + case o.status when 'OUTCOME_UNKNOWN' then 1 else 0 end,
    updated_at = case o.status when 'OUTCOME_UNKNOWN' then $5::timestamptz else o.updated_at end,
    lease_until = now() + $2::float8 * interval '1 millisecond', host_id = $3, boot_id = null
  from due
  where o.organization_id = due.organization_id and o.operation_id = due.operation_id
    and o.status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')
  returning o.organization_id, o.operation_id, o.revision, o.status_before, o.attempt
),
recorded as (
  insert into transitions (organization_id, operation_id, position, from_status, to_status, at, cause, actor, attempt)
  select organization_id, operation_id, revision, status_before, 'RECONCILING', $5::timestamptz, 'searchStarted', $4::text, attempt
  from moved where status_before = 'OUTCOME_UNKNOWN'
)
select organization_id, operation_id from moved`

/**
 * $1 organization, $2 operation, $3 at, $4 actor, $5 attempts reached, $6 milliseconds to the next check or null: notes a search that
 * found nothing. A row whose claim an outcome has ended keeps what it is; that the attempts were searched stays true. Where the outcome is known and
 * no other attempt can have arrived, there is nothing left to search for.
 */
export const recordSearchStatement = `
with moved as (
  update operations o
  set status = case o.status when 'RECONCILING' then 'OUTCOME_UNKNOWN' else o.status end, status_before = o.status,
    revision = o.revision + case o.status when 'RECONCILING' then 1 else 0 end,
    updated_at = case o.status when 'RECONCILING' then $3::timestamptz else o.updated_at end,
    checks = o.checks + 1, lease_until = null,
    next_check_at = case when o.status in ('FISCALIZED', 'REJECTED') and 0 = (
        select count(*) from attempts a where a.organization_id = o.organization_id and a.operation_id = o.operation_id
          and (a.outcome is null or a.outcome = 'NO_ANSWER'))
      then null else now() + $6::float8 * interval '1 millisecond' end
  where o.organization_id = $1 and o.operation_id = $2 and o.status not in ('RECEIVED', 'SUBMITTING')
    and o.lease_until is not null
  returning o.organization_id, o.operation_id, o.revision, o.status_before, o.attempt
),
searched as (
  update attempts set last_search_at = $3, last_search_found = false
  where organization_id = $1 and operation_id = $2 and number = any ($5::int4[])
),
recorded as (
  insert into transitions (organization_id, operation_id, position, from_status, to_status, at, cause, actor, attempt)
  select organization_id, operation_id, revision, 'RECONCILING', 'OUTCOME_UNKNOWN', $3::timestamptz, 'notFound', $4::text, attempt
  from moved where status_before = 'RECONCILING'
)
select operation_id from moved`
