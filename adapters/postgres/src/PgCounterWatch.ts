import { type CounterGap, counterGaps, counterOf, type CounterSpan, CounterWatch, type FiscalDocumentId, gapSentence, type OrganizationId, type Tenant } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { runningTransactions } from "./journal-log/logStatements.ts"
import type { RunningTransactions } from "./journal-log/sealingPosition.ts"
import { raiseItems } from "./operations/raise.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"

/** $1 organization, $2 environment, $3 series, $4 counters, $5 operations: receipts that were sealed, noted in the same commit. */
const noteReceipts = `insert into counter_spans (organization_id, environment, series, first_counter, last_counter, operation_id, noted_at)
select $1, $2, many.series, many.counter, many.counter, many.operation_id, now()
from unnest($3::text[], $4::int8[], $5::uuid[]) as many (series, counter, operation_id) on conflict do nothing`

/** Notes the counters of receipts, as a part of the commit that seals them. */
export const noteCounters = Effect.fnUntraced(function*(
  tx: PgStatements,
  tenant: Tenant,
  receipts: ReadonlyArray<{ readonly operation_id: string; readonly invoice_number: string | null }>
) {
  const noted = receipts.flatMap(({ invoice_number: number, operation_id }) => {
    const counter = number === null ? null : counterOf(number)
    return counter === null ? [] : [{ ...counter, operation_id }]
  })
  if (noted.length === 0) return
  yield* tx.query(noteReceipts, [
    tenant.organizationId, tenant.environment, noted.map(({ series }) => series), noted.map(({ counter }) => counter), noted.map((one) => one.operation_id)
  ])
})

interface SeriesRow {
  readonly organization_id: string
  readonly environment: string
  readonly series: string
}

// During a log's first sweep, counters of earlier receipts may be noted after later ones.
const waitingSeries = `select distinct c.organization_id, c.environment, c.series from counter_spans c
join journal_log_positions p on p.organization_id = c.organization_id and p.environment = c.environment
where p.swept_at is not null`
const openSeries = "insert into counter_series (organization_id, environment, series) values ($1, $2, $3) on conflict do nothing"
const lockSeries = "select accounted_to from counter_series where organization_id = $1 and environment = $2 and series = $3 for update skip locked"

// Hosts' clocks may differ by minutes. A lease is measured by the store's clock alone, and lasts at most this long from its sending.
const lease = "interval '50 seconds'"
const clocksApart = "interval '5 minutes'"

// Far more transactions than begin between two statements.
const meanwhile = 1_000_000n

// $5: a transaction that has not begun. In a database that was copied from another server, documents may have greater numbers. Once the log has a
// position of this server they are sealed, and need not be read at every check.
// The unknown documents of an element at one moment, in one snapshot: those in flight, unknown or not noted yet, and the spans.
export const snapshot = `select first_counter, last_counter, noted_at, operation_id, null::timestamptz as sent_at from counter_spans
  where organization_id = $1 and environment = $2 and series = $3
union all
select null, null, null, operation_id, case when status = 'SUBMITTING' then lease_until - ${lease} else started_at - ${clocksApart} end from operations
  where organization_id = $1 and environment = $2 and (lease_until is not null or status in ('OUTCOME_UNKNOWN', 'RECONCILING'))
    and status in ('SUBMITTING', 'OUTCOME_UNKNOWN', 'RECONCILING') and (jid = $4 or jid is null or attempt > 1)
union all
select null, null, null, o.operation_id, o.started_at - ${clocksApart} from operations o
  where o.organization_id = $1 and o.environment = $2 and o.status = 'FISCALIZED' and (o.jid = $4 or o.jid is null or o.attempt > 1)
    and o.moved_by >= (select moved_by from journal_log_positions where organization_id = $1 and environment = $2)
    and o.moved_by < (select case when moved_by > $5::text::xid8 then '18446744073709551615' else $5::text::xid8 end
      from journal_log_positions where organization_id = $1 and environment = $2)
    and not exists (select from journal_log_entries e
      where e.organization_id = $1 and e.operation_id = o.operation_id and e.first_position + e.leaves > o.revision offset 0)`

const noteGap = `insert into counter_spans (organization_id, environment, series, first_counter, last_counter, operation_id, noted_at)
values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`
const forget = "delete from counter_spans where organization_id = $1 and environment = $2 and series = $3 and last_counter <= $4"
const account = "update counter_series set accounted_to = greatest(accounted_to, $4) where organization_id = $1 and environment = $2 and series = $3"

interface SnapshotRow {
  readonly first_counter: bigint | null
  readonly last_counter: bigint | null
  readonly noted_at: Date | null
  readonly operation_id: string
  /** Null for a span, and for a document of an earlier release, which was sent long ago. */
  readonly sent_at: Date | null
}

type NotedSpan = CounterSpan & { readonly operationId: string }

const spansOf = (rows: ReadonlyArray<SnapshotRow>): ReadonlyArray<NotedSpan> =>
  rows.flatMap(({ first_counter: first, last_counter: last, noted_at: noted, operation_id: operationId }) =>
    first === null || last === null || noted === null ? [] : [{ first: Number(first), last: Number(last), notedAt: noted.getTime(), operationId }]
  )

const doubtsOf = (rows: ReadonlyArray<SnapshotRow>): ReadonlyArray<number> => rows.flatMap(({ first_counter: first, sent_at: sent }) => (first === null ? [sent?.getTime() ?? 0] : []))

const raiseGap = Effect.fnUntraced(function*(tx: PgStatements, scope: ReadonlyArray<string>, gap: CounterGap, series: string) {
  const before = gap.before as NotedSpan
  yield* tx.query(noteGap, [...scope, gap.first, gap.last, before.operationId, new Date(before.notedAt)])
  const about = { organizationId: scope[0] as OrganizationId, operationId: before.operationId as FiscalDocumentId, at: yield* DateTime.now }
  yield* raiseItems(tx, about, [{ kind: "COUNTER_GAP", detail: gapSentence(series, gap), evidence: null }])
  yield* Effect.logError("counters of an element are missing", { series, first: gap.first, last: gap.last, operationId: before.operationId })
})

const checkSeries = Effect.fnUntraced(function*(tx: PgStatements, { environment, organization_id, series }: SeriesRow) {
  const scope = [organization_id, environment, series]
  yield* tx.query(openSeries, scope)
  const [state] = yield* tx.query<{ readonly accounted_to: bigint | null }>(lockSeries, scope)
  if (state === undefined) return 0
  const [running] = yield* tx.query<RunningTransactions>(runningTransactions)
  const later = running === undefined ? null : String(BigInt(running.next) + meanwhile)
  const rows = yield* tx.query<SnapshotRow>(snapshot, [...scope, series.slice(0, series.indexOf("-")), later])
  const verdict = counterGaps(state.accounted_to === null ? null : Number(state.accounted_to), spansOf(rows), doubtsOf(rows))
  for (const gap of verdict.gaps) yield* raiseGap(tx, scope, gap, series)
  yield* tx.query(account, [...scope, verdict.accountedTo])
  yield* tx.query(forget, [...scope, verdict.accountedTo])
  return verdict.gaps.length
})

/** Gaps in the counters, over what the sealer noted. */
export const layerCounterWatch: Layer.Layer<CounterWatch, never, PgDatabase> = Layer.effect(
  CounterWatch,
  Effect.gen(function*() {
    const database = yield* PgDatabase
    return CounterWatch.of({
      check: Effect.gen(function*() {
        let raised = 0
        for (const row of yield* database.read<SeriesRow>(waitingSeries)) raised += yield* database.transaction((tx) => checkSeries(tx, row))
        return raised
      }).pipe(Effect.withSpan("CounterWatch.check"))
    })
  })
)
