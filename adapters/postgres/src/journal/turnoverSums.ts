import { type SummedParts, type Tenant, type TimeRange, type TurnoverGrouping, type TurnoverQuery, type WholeDays, wholeDays } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { Parameters } from "../search/Parameters.ts"
import { equal, scopeConditions, within } from "./journalConditions.ts"

interface SummedRow {
  readonly payment_type: string | null
  readonly tax_label: string | null
  readonly paras: string
  readonly tax: string
  readonly receipts: string
  /** The groupings, `g0` the first one requested. */
  readonly [grouping: `g${number}`]: string | null
}

/** Where sums are read from: a table, what its rows count, and the condition on its rows. */
interface Source {
  readonly table: "turnover_days" | "turnover_parts"
  readonly paymentType: string
  readonly taxLabel: string
  readonly receipts: string
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

/** What counts receipts in a report: a receipt is counted once in every group that it has a part of. */
const countedBy = (groupBy: ReadonlyArray<TurnoverGrouping>): "part" | "payment" | "labels" | "receipt" => {
  const [payment, labels] = [groupBy.includes("paymentType"), groupBy.includes("taxLabel")]
  if (payment && labels) return "part"
  if (payment) return "payment"
  return labels ? "labels" : "receipt"
}

const dayCounts = { receipt: "receipts", payment: "payments", labels: "labels", part: "parts" } as const

type SourceOf = (parameters: Parameters) => Source

const daysSource = ({ groupBy }: TurnoverQuery, { before, from }: NonNullable<WholeDays["days"]>): SourceOf => ({ add }) => ({
  table: "turnover_days",
  paymentType: "nullif(t.payment_type, '')",
  taxLabel: "nullif(t.tax_label, '')",
  receipts: `sum(t.${dayCounts[countedBy(groupBy)]})`,
  conditions: [...(from === null ? [] : [`t.day >= ${add(from, "text")}`]), ...(before === null ? [] : [`t.day < ${add(before, "text")}`])]
})

const partsSource = ({ groupBy }: TurnoverQuery, range: TimeRange, isSummed: boolean): SourceOf => (parameters) => ({
  table: "turnover_parts",
  paymentType: "t.payment_type",
  taxLabel: "t.tax_label",
  receipts: `count(*) filter (where t.counts_${countedBy(groupBy)})`,
  conditions: [...within("t.sdc_time", range, parameters), isSummed ? "t.summed" : "not t.summed"]
})

/** The sums by group, payment type and tax label. */
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
  const sql = `select ${keys.map(([column, name]) => `${column} as ${name}`).join(", ")},
      sum(t.paras)::text as paras, sum(t.tax)::text as tax, ${source.receipts}::text as receipts
    from ${source.table} t where ${conditions.join(" and ")} group by ${keys.map((_, at) => at + 1).join(", ")}`
  return { sql, values: parameters.values }
}

/** A summed row as the report takes it. */
const partsOf = (row: SummedRow, groupBy: ReadonlyArray<TurnoverGrouping>): SummedParts => ({
  group: Object.fromEntries(groupBy.map((grouping, at) => [grouping, row[`g${at}`] ?? null])),
  paymentType: row.payment_type as SummedParts["paymentType"],
  paras: BigInt(row.paras),
  taxes: row.tax_label === null ? new Map() : new Map([[row.tax_label, BigInt(row.tax)]]),
  receipts: Number(row.receipts)
})

/**
 * Hands over the sums of all receipts in the journal's tables that the report counts: whole Belgrade days as they were summed, the parts of begun days,
 * and the parts that the worker has not summed yet. Needs one snapshot for all statements.
 */
export const eachSum = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, query: TurnoverQuery, use: (parts: SummedParts) => void) {
  const { days, rest } = wholeDays(query.pfr)
  const sources = [
    ...(days === null ? [] : [daysSource(query, days)]),
    ...rest.map((range) => partsSource(query, range, true)),
    partsSource(query, query.pfr, false)
  ]
  for (const source of sources) {
    const { sql, values } = sumsOf(tenant, query, source)
    for (const row of yield* tx.query<SummedRow>(sql, values)) use(partsOf(row, query.groupBy))
  }
})
