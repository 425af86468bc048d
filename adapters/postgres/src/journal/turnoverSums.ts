import { isBounded, mapInTurns, mostTurnoverRows, type SidesParts, type Tenant, type TimeRange, type TurnoverGrouping, type TurnoverQuery, type WholeDays, wholeDays } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { Parameters } from "../search/Parameters.ts"
import { equal, scopeConditions, within } from "./journalConditions.ts"

/** Payment type, tax label, paras, tax, receipts, receipts of the whole report. */
type Sum = readonly [paymentType: string | null, taxLabel: string | null, paras: string, tax: string, receipts: string, receiptsOfWhole: string]

/** The sums of a group. */
interface SummedRow {
  /** JSON of `Sum`s. */
  readonly sums: string
  /** The groupings, `g0` the first one requested. */
  readonly [grouping: `g${number}`]: string | null
}

/** What counts receipts in a report: a receipt is counted once in every group that it has a part of. */
type CountedBy = "part" | "payment" | "labels" | "receipt"

/** Where sums are read from: a table with what it is joined to, how it counts receipts, and the conditions on its rows. */
interface Source {
  readonly from: string
  readonly paymentType: string
  readonly taxLabel: string
  readonly paras: string
  readonly tax: string
  readonly counting: (by: CountedBy) => string
  readonly conditions: ReadonlyArray<string>
}

/** The column of each grouping. */
const groupColumns = ({ paymentType }: Source): Readonly<Record<TurnoverGrouping, string>> => ({
  day: "t.day",
  month: "left(t.day, 7)",
  premise: "t.premise_id::text",
  paymentType,
  taxLabel: "t.label_set",
  cashier: "t.cashier_id"
})

const countedBy = (groupBy: ReadonlyArray<TurnoverGrouping>): CountedBy => {
  const [payment, labels] = [groupBy.includes("paymentType"), groupBy.includes("taxLabel")]
  if (payment && labels) return "part"
  if (payment) return "payment"
  return labels ? "labels" : "receipt"
}

const dayCounts = { receipt: "receipts", payment: "payments", labels: "labels", part: "parts" } as const

type SourceOf = (parameters: Parameters) => Source

/** Whole days: of all receipts, or of the refunds among them (`refund_`). */
const daysSource = ({ before, from }: NonNullable<WholeDays["days"]>, side: "" | "refund_" = ""): SourceOf => ({ add }) => ({
  from: "turnover_days t",
  paymentType: "nullif(t.payment_type, '')",
  taxLabel: "nullif(t.tax_label, '')",
  paras: `t.${side}paras`,
  tax: `t.${side}tax`,
  counting: (by) => `sum(t.${side}${dayCounts[by]})`,
  conditions: [...(from === null ? [] : [`t.day >= ${add(from, "text")}`]), ...(before === null ? [] : [`t.day < ${add(before, "text")}`])]
})

const partsOnly: Omit<Source, "conditions"> = {
  from: "turnover_parts t",
  paymentType: "t.payment_type",
  taxLabel: "t.tax_label",
  paras: "t.paras",
  tax: "t.tax",
  counting: (by) => `count(*) filter (where t.counts_${by})`
}

const partsSource = (range: TimeRange, isSummed: boolean): SourceOf => (parameters) => ({
  ...partsOnly,
  conditions: [...within("t.sdc_time", range, parameters), isSummed ? "t.summed" : "not t.summed"]
})

/** The parts of receipts that were asked for at some time: neither the days nor the parts tell that time, so the documents do. */
const createdSource = (query: TurnoverQuery, tenant: Tenant): SourceOf => (parameters) => ({
  ...partsOnly,
  from: "turnover_parts t join operations o on o.organization_id = t.organization_id and o.operation_id = t.operation_id",
  conditions: [
    ...within("t.sdc_time", query.pfr, parameters),
    ...scopeConditions("o", tenant, parameters),
    ...within("o.created_at", query.created, parameters)
  ]
})

/**
 * The parts of refunds, found by the index of refunds: parts do not tell of which kind their receipt is, and the smallest of a refund are 0. The time of a
 * refund's parts is the time of its document.
 */
const refundsSource = (query: TurnoverQuery, tenant: Tenant, some: ReadonlyArray<string> = []): SourceOf => (parameters) => {
  const { conditions, ...source } = createdSource(query, tenant)(parameters)
  return {
    ...source,
    conditions: [
      ...conditions,
      ...some,
      ...within("o.sdc_time", query.pfr, parameters),
      "o.status = 'FISCALIZED' and o.transaction_type = 'REFUND' and o.invoice_type in ('NORMAL', 'ADVANCE')"
    ]
  }
}

/**
 * The sums by group, payment type and tax label, a row for each group: of a report that is refused, the statement hands over one group more than a report
 * may have, however many sums a group has.
 */
const sumsOf = (tenant: Tenant, { businessPremiseId, groupBy, taxpayerId }: TurnoverQuery, sourceOf: SourceOf) => {
  const parameters = new Parameters()
  const source = sourceOf(parameters)
  const columns = groupColumns(source)
  const conditions = [
    ...scopeConditions("t", tenant, parameters),
    ...source.conditions,
    ...equal("t.taxpayer_id", taxpayerId, parameters, "uuid"),
    ...equal("t.premise_id", businessPremiseId, parameters, "uuid")
  ]
  const keys = [...groupBy.map((grouping, at) => [columns[grouping], `g${at}`]), [source.paymentType, "payment_type"], [source.taxLabel, "tax_label"]]
  const summed = `select ${keys.map(([column, name]) => `${column} as ${name}`).join(", ")},
      sum(${source.paras})::text as paras, sum(${source.tax})::text as tax,
      ${source.counting(countedBy(groupBy))}::text as receipts, ${source.counting("receipt")}::text as receipts_of_whole
    from ${source.from} where ${conditions.join(" and ")} group by ${keys.map((_, at) => at + 1).join(", ")}`
  const groups = groupBy.map((_, at) => `s.g${at}`)
  const sql = `select ${[...groups, "json_agg(json_build_array(s.payment_type, s.tax_label, s.paras, s.tax, s.receipts, s.receipts_of_whole))::text as sums"].join(", ")}
    from (${summed}) s ${groups.length === 0 ? "having count(*) > 0" : `group by ${groups.join(", ")}`} limit ${mostTurnoverRows + 1}`
  return { sql, values: parameters.values }
}

/** The sums of a group as the report takes them. */
const partsOf = (row: SummedRow, groupBy: ReadonlyArray<TurnoverGrouping>): ReadonlyArray<SidesParts> => {
  const group = Object.fromEntries(groupBy.map((grouping, at) => [grouping, row[`g${at}`] ?? null]))
  return (JSON.parse(row.sums) as ReadonlyArray<Sum>).map(([paymentType, taxLabel, paras, tax, receipts, receiptsOfWhole]) => ({
    group,
    paymentType: paymentType as SidesParts["paymentType"],
    paras: BigInt(paras),
    taxes: taxLabel === null ? new Map() : new Map([[taxLabel, BigInt(tax)]]),
    receipts: Number(receipts),
    receiptsOfWhole: Number(receiptsOfWhole)
  }))
}

const sourcesOf = (tenant: Tenant, query: TurnoverQuery): ReadonlyArray<SourceOf> => {
  if (isBounded(query.created)) return [createdSource(query, tenant)]
  const { days, rest } = wholeDays(query.pfr)
  return [
    ...(days === null ? [] : [daysSource(days)]),
    ...rest.map((range) => partsSource(range, true)),
    partsSource(query.pfr, false)
  ]
}

/** Whether a host of an earlier release has added parts whose refunds are in no day's sums yet. */
const hasUnsided = "select from turnover_parts where organization_id = $1 and environment = $2 and not sided limit 1"

const refundSources = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, query: TurnoverQuery) {
  if (isBounded(query.created)) return [refundsSource(query, tenant)]
  const { days, rest } = wholeDays(query.pfr)
  const unsided = yield* tx.query(hasUnsided, [tenant.organizationId, tenant.environment])
  return [
    ...(days === null ? [] : [daysSource(days, "refund_")]),
    ...rest.map((range) => refundsSource({ ...query, pfr: range }, tenant, ["t.sided"])),
    ...(unsided.length === 0 ? [] : [refundsSource(query, tenant, ["not t.sided"])])
  ]
})

const handOver = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, query: TurnoverQuery, sources: ReadonlyArray<SourceOf>, use: (parts: SidesParts) => void) {
  for (const source of sources) {
    const { sql, values } = sumsOf(tenant, query, source)
    yield* mapInTurns(yield* tx.query<SummedRow>(sql, values), (row) => partsOf(row, query.groupBy).forEach(use))
  }
})

/**
 * Hands over the sums of all receipts in the journal's tables that the report counts: whole Belgrade days as they were summed, the parts of begun days,
 * and the parts that the worker has not summed yet. A report by the time of the request sums parts alone. Needs one snapshot for all statements.
 */
export const eachSum = (tx: PgStatements, tenant: Tenant, query: TurnoverQuery, use: (parts: SidesParts) => void) =>
  handOver(tx, tenant, query, sourcesOf(tenant, query), use)

/** Hands over the sums of the refunds among them, from the same sources. Needs the same snapshot. */
export const eachRefundSum = (tx: PgStatements, tenant: Tenant, query: TurnoverQuery, use: (parts: SidesParts) => void) =>
  Effect.flatMap(refundSources(tx, tenant, query), (sources) => handOver(tx, tenant, query, sources, use))
