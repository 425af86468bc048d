import type { InstallationFigures } from "@overa/domain"
import { Effect } from "effect"
import type { PgQueries } from "../PgDatabase.ts"
import { utc } from "../rows/OperationRow.ts"
import { elementColumns } from "../rows/TenancyRows.ts"

type Figures = InstallationFigures

interface ElementCountRow {
  readonly environment: Figures["elements"][number]["environment"]
  readonly status: Figures["elements"][number]["status"]
  readonly count: number
}

interface CertificateRow {
  readonly environment: Figures["certificates"][number]["environment"]
  readonly first_ends_at: Date
  readonly ending_soon: number
}

interface UnresolvedCountRow {
  readonly environment: Figures["unresolved"][number]["environment"]
  readonly status: Figures["unresolved"][number]["status"]
  readonly count: number
  readonly oldest_at: Date
}

interface WaitingRow {
  readonly searches_due: number
  readonly at_rest: number
  readonly open_attention: number
  readonly counter_gaps: number
  readonly unreadable: number
  readonly pool_elements: number
}

const elementCounts = `select environment, status, count(*)::int as count
  from (select ${elementColumns} from security_elements e) as shown group by environment, status order by environment, status`

const certificateEnds = `select environment, min(valid_to) as first_ends_at,
    (count(*) filter (where valid_to < now() + interval '60 days'))::int as ending_soon
  from security_elements where status = 'ACTIVE' group by environment order by environment`

const unresolvedCounts = `select environment, status, count(*)::int as count, min(created_at) as oldest_at from operations
  where status in ('OUTCOME_UNKNOWN', 'RECONCILING') group by environment, status order by environment, status`

// The condition of the index `operations_at_rest` (step 46); `isDueToBeSent` in the domain.
const atRest = `status in ('VALIDATED', 'NOT_FISCALIZED') and next_check_at is null and (invoice_type = 'COPY' and key_role = 'INNER'
  or workflow_type = 'ADVANCE' and invoice_type = 'NORMAL'
    and (late_reference is not null or status = 'NOT_FISCALIZED' and failure_code <> 'ADVANCE_REFUND_NOT_FISCALIZED'))`

const waiting = `select
  (select count(*)::int from operations where next_check_at <= now()) as searches_due,
  (select count(*)::int from operations where ${atRest}) as at_rest,
  (select count(*)::int from attention where acknowledged_at is null) as open_attention,
  (select count(*)::int from attention where acknowledged_at is null and kind = 'COUNTER_GAP') as counter_gaps,
  (select count(*)::int from attention where acknowledged_at is null and kind = 'OPERATION_UNREADABLE') as unreadable,
  (select count(*)::int from element_pool) as pool_elements`

interface DeliveryRow {
  readonly queued: number
  readonly waiting_since: Date | null
  readonly sent: number
}

const deliveries = `select
  (select count(*)::int from receipt_deliveries where status = 'QUEUED') as queued,
  (select min(waiting_since) from receipt_deliveries where status = 'QUEUED' and waiting_since < now()) as waiting_since,
  (select count(*)::int from receipt_deliveries where status = 'SENT' and updated_at > now() - interval '1 day') as sent`

const failedDeliveries = `select failure, count(*)::int as count from receipt_deliveries
  where status = 'FAILED' and updated_at > now() - interval '1 day' group by failure order by failure`

const sealed = `select split_part(secrets, '.', 2) as "keyId", count(*)::int as envelopes from (
    select secrets from security_elements union all select secrets from element_pool union all select secrets from token_keys union all
    select secrets from journal_keys union all
    select totp_secrets from people where totp_secrets is not null) as everything
  group by 1 order by 1`

/** How many secrets are encrypted under each key id. */
export const sealingKeys = (database: PgQueries) => database.read<{ readonly keyId: string; readonly envelopes: number }>(sealed)

/** Counts that stay cheap while finished operations grow: each reads a small table or a partial index. */
export const figures = Effect.fn("InstallationOversight.figures")(function*(database: PgQueries) {
  const elements = yield* database.read<ElementCountRow>(elementCounts)
  const certificates = yield* database.read<CertificateRow>(certificateEnds)
  const unresolved = yield* database.read<UnresolvedCountRow>(unresolvedCounts)
  const [row] = yield* database.read<WaitingRow>(waiting)
  const [mail] = yield* database.read<DeliveryRow>(deliveries)
  const failed = yield* database.read<Figures["deliveries"]["failed"][number]>(failedDeliveries)
  const found: Figures = {
    deliveries: {
      queued: mail?.queued ?? 0,
      waitingSince: mail === undefined || mail.waiting_since === null ? null : utc(mail.waiting_since),
      sent: mail?.sent ?? 0,
      failed
    },
    elements,
    certificates: certificates.map((it) => ({
      environment: it.environment,
      firstEndsAt: utc(it.first_ends_at),
      endingSoon: it.ending_soon
    })),
    unresolved: unresolved.map(({ oldest_at, ...it }) => ({ ...it, oldestAt: utc(oldest_at) })),
    searchesDue: row?.searches_due ?? 0,
    atRest: row?.at_rest ?? 0,
    openAttention: row?.open_attention ?? 0,
    counterGaps: row?.counter_gaps ?? 0,
    unreadable: row?.unreadable ?? 0,
    poolElements: row?.pool_elements ?? 0
  }
  return found
})
