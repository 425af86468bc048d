import type { Operation, Tenant } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { turnoverColumns, type TurnoverRowParts, turnoverRowsOf } from "./turnoverRows.ts"

// The parts of receipts and their sums by day are written by one commit, under the lock of the tenant's horizon.

/** Parts that an earlier release has added, and that one commit adds to the sums. */
export const summedAtOnce = 5_000

interface AddedPart extends Omit<TurnoverRowParts, "position" | "sdc_time"> {
  readonly operation_id: string
}

/** What a part adds to the sums of its day. */
interface SummedPart extends AddedPart {
  readonly is_refund: boolean
  /** Without it, only the refunds' own sums: the others have it already. */
  readonly is_new: boolean
}

const summedColumns = turnoverColumns.filter(([name]) => name !== "position" && name !== "sdc_time")
const definitions = (columns: ReadonlyArray<readonly [string, string]>): string => columns.map(([name, type]) => `${name} ${type}`).join(", ")

/** As they are summed; whole numbers as texts, as JSON needs them. */
const added = ["t.operation_id", ...summedColumns.map(([name, type]) => type === "bigint" ? `t.${name}::text as ${name}` : `t.${name}`)].join(", ")

const names = turnoverColumns.map(([name]) => name).join(", ")

/** $1 organization, $2 environment, $3 parts: those that were not there before. */
const insertParts = `insert into turnover_parts as t (organization_id, environment, operation_id, summed, sided, ${names})
  select $1, $2, a.operation_id, true, true, ${turnoverColumns.map(([name]) => `a.${name}`).join(", ")}
  from jsonb_to_recordset($3::jsonb) as a (operation_id uuid, ${definitions(turnoverColumns)})
  on conflict do nothing returning ${added}`

/** $1 organization, $2 environment: the next parts that are in no sum, or in none of refunds. The release before step 39 summed none. */
const markSummed = `update turnover_parts t set summed = true, sided = true
  from (select p.operation_id, p.position, not p.summed as is_new, coalesce(o.transaction_type = 'REFUND', false) as is_refund
    from turnover_parts p left join operations o on o.organization_id = $1 and o.operation_id = p.operation_id
    where p.organization_id = $1 and p.environment = $2 and not p.sided order by p.sdc_time limit ${summedAtOnce}) n
  where t.organization_id = $1 and t.operation_id = n.operation_id and t.position = n.position and not t.sided
  returning ${added}, n.is_new, n.is_refund`

const keys = ["day", "taxpayer_id", "premise_id", "cashier_id", "label_set", "payment_type", "tax_label"]

const sumOver = (some: string, column: string): string => `coalesce(sum(a.${column}) filter (where ${some}), 0)`
const countOver = (some: string, flag: string): string => `count(*) filter (where ${some} and a.${flag})`

/** The columns of sums, and what some of the parts add to each. */
const sumsOf = (prefix: "" | "refund_", some: string) => [
  [`${prefix}paras`, sumOver(some, "paras")],
  [`${prefix}tax`, sumOver(some, "tax")],
  [`${prefix}receipts`, countOver(some, "counts_receipt")],
  [`${prefix}payments`, countOver(some, "counts_payment")],
  [`${prefix}labels`, countOver(some, "counts_labels")],
  [`${prefix}parts`, countOver(some, "counts_part")]
] as const

const dayColumns = [...sumsOf("", "a.is_new"), ...sumsOf("refund_", "a.is_refund")]

/** $1 organization, $2 environment, $3 parts. */
const addToDays = `insert into turnover_days as d (organization_id, environment, ${[...keys, ...dayColumns.map(([name]) => name)].join(", ")})
  select $1, $2, a.day, a.taxpayer_id, a.premise_id, a.cashier_id, a.label_set, coalesce(a.payment_type, ''), coalesce(a.tax_label, ''),
    ${dayColumns.map(([, sum]) => sum).join(", ")}
  from jsonb_to_recordset($3::jsonb) as a (${definitions(summedColumns)}, is_new boolean, is_refund boolean)
  group by 3, 4, 5, 6, 7, 8, 9
  on conflict (organization_id, environment, ${keys.join(", ")}) do update set ${dayColumns.map(([name]) => `${name} = d.${name} + excluded.${name}`).join(", ")}`

const sumUp = Effect.fnUntraced(function*(tx: PgStatements, { environment, organizationId }: Tenant, parts: ReadonlyArray<SummedPart>) {
  const adding = parts.filter((part) => part.is_new || part.is_refund)
  if (adding.length > 0) yield* tx.query(addToDays, [organizationId, environment, JSON.stringify(adding)])
})

/** Adds the parts of receipts, each once, and adds them to the sums of their days. */
export const addTurnover = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, operations: ReadonlyArray<Operation>) {
  const parts = operations.flatMap((operation) => turnoverRowsOf(operation).map((row) => ({ operation_id: operation.id, ...row })))
  if (parts.length === 0) return
  const refunds = new Set<string>(operations.filter(({ content }) => content.transactionType === "REFUND").map(({ id }) => id))
  const inserted = yield* tx.query<AddedPart>(insertParts, [tenant.organizationId, tenant.environment, JSON.stringify(parts)])
  yield* sumUp(tx, tenant, inserted.map((part) => ({ ...part, is_new: true, is_refund: refunds.has(part.operation_id) })))
})

/** Adds to the sums what a host of an earlier release has not; answers of how many parts. */
export const sumEarlierParts = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant) {
  const parts = yield* tx.query<SummedPart>(markSummed, [tenant.organizationId, tenant.environment])
  yield* sumUp(tx, tenant, parts)
  return parts.length
})
