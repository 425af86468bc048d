import { unknownOutcome } from "@overa/domain"
import { appendedLine, operationColumns } from "../rows/OperationRow.ts"
import { firstAttemptColumns } from "../rows/AttemptRow.ts"

// Rows of many organizations are read without a lock, and each organization's rows are then changed by a statement of their own, which checks the
// conditions again: two workers that read the same candidates both try, and one of them changes a row. Such statements run unchanged on one server
// and on a database split by organization.

const inWork = "status in ('SUBMITTING', 'RECONCILING')"

// The holder of a lease: the sender of the first attempt, unless another process has taken the operation since.
const holder = "coalesce(host_id, sender_host)"
const holdersBoot = "(case when host_id is null then sender_boot else boot_id end)"

/** $1 limit: leases that have ended, oldest end first. */
export const expiredLeases = `select organization_id, operation_id from operations where ${inWork} and lease_until <= now()
order by lease_until limit $1`

/** $1 host, $2 boot, $3 limit: leases of this host's earlier processes, ended or not. */
export const leasesOfEarlierBoots = `select organization_id, operation_id from operations
where ${inWork} and lease_until is not null and ${holder} = $1 and ${holdersBoot} is distinct from $2 limit $3`

/** $1 host, $2 boot: claims of this host's earlier processes that changed no status, for example a copy that waits to be sent. */
export const claimsOfEarlierBoots = `select organization_id, operation_id from operations
where lease_until is not null and not (${inWork}) and ${holder} = $1 and ${holdersBoot} is distinct from $2`

// The same as `column <= now()`, in a form for which no index on the column can be used: rows named by their keys must be found by the keys.
const hasPassed = (column: string): string => `coalesce(${column}, 'infinity') <= now()`

// The holder of a lease that has ended counts as crashed. What it sent may have been signed, so the outcome is unknown and due for a search at once;
// nothing is ever resubmitted (Decisions §4, Orphans).
const endLeases = (condition: string): string => `update operations
set status = 'OUTCOME_UNKNOWN', revision = revision + 1, history = ${appendedLine("$3")}, updated_at = $4::timestamptz,
  failure_code = coalesce(failure_code, '${unknownOutcome.failureCode}'), lease_until = null, next_check_at = now()
where organization_id = $1 and operation_id = any ($2::uuid[]) and ${inWork} and ${condition}
returning operation_id`

/** $1 organization, $2 operations, $3 beginning of the line, $4 at: ends leases that are past on the store's clock. */
export const expireLeases = endLeases(hasPassed("lease_until"))

/** $1 organization, $2 operations, $3 beginning of the line, $4 at, $5 host, $6 boot: ends leases of this host's earlier processes. */
export const endLeasesOfEarlierBoots = endLeases(`lease_until is not null and ${holder} = $5 and ${holdersBoot} is distinct from $6`)

/** $1 organization, $2 operations, $3 host, $4 boot: releases claims that changed no status; the rows are due as before. */
export const releaseClaims = `update operations set lease_until = null
where organization_id = $1 and operation_id = any ($2::uuid[]) and lease_until is not null and not (${inWork})
  and ${holder} = $3 and ${holdersBoot} is distinct from $4
returning operation_id`

const isFree = "(lease_until is null or lease_until <= now()) and status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')"

/** $1 limit: searches that are due, oldest first. */
export const dueSearches = `select organization_id, operation_id from operations
where next_check_at <= now() and ${isFree} order by next_check_at, created_at limit $1`

/**
 * $1 organization, $2 operations, $3 beginning of the line, $4 at, $5 lease in milliseconds, $6 host: claims due searches and answers the claimed
 * rows. Only an unknown outcome changes its status.
 */
export const claimDue = `update operations
set status = case when status = 'OUTCOME_UNKNOWN' then 'RECONCILING' else status end,
  revision = case when status = 'OUTCOME_UNKNOWN' then revision + 1 else revision end,
  history = case when status = 'OUTCOME_UNKNOWN' then ${appendedLine("$3")} else history end,
  updated_at = case when status = 'OUTCOME_UNKNOWN' then $4::timestamptz else updated_at end,
  lease_until = now() + $5::float8 * interval '1 millisecond', host_id = $6, boot_id = null
where organization_id = $1 and operation_id = any ($2::uuid[]) and ${hasPassed("next_check_at")} and ${isFree}
returning ${operationColumns}, ${firstAttemptColumns}`

/** $1 organization, $2 operation: an unreadable operation is claimed again an hour later, when it may have been repaired. */
export const setAside = `update operations set next_check_at = now() + interval '1 hour', lease_until = null
where organization_id = $1 and operation_id = $2 and status not in ('SUBMITTING', 'RECONCILING')`

/** $1 organization, $2 operations: the rows that `claimDue` would answer. */
export const readForClaim = `select ${operationColumns}, ${firstAttemptColumns} from operations
where organization_id = $1 and operation_id = any ($2::uuid[])`

/**
 * What the service sends by itself, as `isDueToBeSent` in the domain. The final sale of an advance case is due only once it has its reference; one that
 * was not fiscalized has it, unless it ended with its Advance Refund.
 */
const dueToBeSent = `status in ('VALIDATED', 'NOT_FISCALIZED') and coalesce(invoice_type = 'COPY' and key_role = 'INNER'
  or workflow_type = 'ADVANCE' and invoice_type = 'NORMAL'
    and (late_reference is not null or status = 'NOT_FISCALIZED' and failure_code <> 'ADVANCE_REFUND_NOT_FISCALIZED'), false)`

/** $1 organization, $2 operation: the row that a search is recorded on, locked. */
export const lockSearched = `select status, lease_until is not null as is_leased, (${dueToBeSent}) as is_due_to_be_sent, ${firstAttemptColumns} from operations
where organization_id = $1 and operation_id = $2 for update`

/**
 * $1 organization, $2 operation, $3 at, $4 whether something was found; both null where the search got no answer. What was found of an attempt stays
 * true whatever the operation's status is by then.
 */
export const noteFirstSearch = `update operations set first_search_at = $3::timestamptz, first_search_found = $4::bool
where organization_id = $1 and operation_id = $2`

/** The same of a later attempt. $5 attempt. */
export const noteLaterSearch = `update attempts set last_search_at = $3::timestamptz, last_search_found = $4::bool
where organization_id = $1 and operation_id = $2 and number = $5`

/** $1 organization, $2 operation, $3 milliseconds to the next check or null: ends a claim that found nothing; the status is unchanged. */
export const endClaim = `update operations set checks = checks + 1, lease_until = null, next_check_at = now() + $3::float8 * interval '1 millisecond'
where organization_id = $1 and operation_id = $2`

/** $1 organization, $2 operation: the same, and the operation stays due as it was. */
export const endClaimStillDue = `update operations set checks = checks + 1, lease_until = null
where organization_id = $1 and operation_id = $2`

/**
 * $1 organization, $2 operation, $3 milliseconds to the next check or null, $4 beginning of the line, $5 at: RECONCILING → OUTCOME_UNKNOWN, of a
 * locked row.
 */
export const endSearch = `update operations
set status = 'OUTCOME_UNKNOWN', revision = revision + 1, history = ${appendedLine("$4")}, updated_at = $5::timestamptz,
  checks = checks + 1, lease_until = null, next_check_at = now() + $3::float8 * interval '1 millisecond'
where organization_id = $1 and operation_id = $2`

/** $1 element: organizations with operations that wait for this element to answer again; by first attempts, and by later ones. */
export const organizationsWaitingFor = [
  "select distinct organization_id from operations where next_check_at > now() and element_id = $1",
  `select distinct o.organization_id from operations o
   join attempts a on a.organization_id = o.organization_id and a.operation_id = o.operation_id
   where o.next_check_at > now() and a.element_id = $1`
]

/** $1 organization, $2 element: makes what waits for the element due. */
export const makeDue = `update operations o set next_check_at = now() where o.organization_id = $1 and next_check_at > now() and (element_id = $2
  or exists (select from attempts a where a.organization_id = $1 and a.operation_id = o.operation_id and a.element_id = $2))`
