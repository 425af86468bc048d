import type { Operation, Tenant } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { turnoverColumns, type TurnoverRowParts, turnoverRowsOf } from "./turnoverRows.ts"

// The parts of receipts and their sums by day are written by one commit, under the lock of the tenant's horizon.

/** Parts summed by one commit, where they were not summed when they were added. */
export const summedAtOnce = 5_000

type AddedPart = Omit<TurnoverRowParts, "position" | "sdc_time">

const summedColumns = turnoverColumns.filter(([name]) => name !== "position" && name !== "sdc_time")
const definitions = (columns: ReadonlyArray<readonly [string, string]>): string => columns.map(([name, type]) => `${name} ${type}`).join(", ")

/** As they are summed; whole numbers as texts, as JSON needs them. */
const added = summedColumns.map(([name, type]) => type === "bigint" ? `t.${name}::text as ${name}` : `t.${name}`).join(", ")

const names = turnoverColumns.map(([name]) => name).join(", ")

/** $1 organization, $2 environment, $3 parts: those that were not there before. */
const insertParts = `insert into turnover_parts as t (organization_id, environment, operation_id, summed, ${names})
  select $1, $2, a.operation_id, true, ${turnoverColumns.map(([name]) => `a.${name}`).join(", ")}
  from jsonb_to_recordset($3::jsonb) as a (operation_id uuid, ${definitions(turnoverColumns)})
  on conflict do nothing returning ${added}`

/** $1 organization, $2 environment: the next parts that are in no sum. */
const markSummed = `update turnover_parts t set summed = true
  from (select p.operation_id, p.position from turnover_parts p
    where p.organization_id = $1 and p.environment = $2 and not p.summed order by p.sdc_time limit ${summedAtOnce}) n
  where t.organization_id = $1 and t.operation_id = n.operation_id and t.position = n.position and not t.summed
  returning ${added}`

const keys = ["day", "taxpayer_id", "premise_id", "cashier_id", "label_set", "payment_type", "tax_label"]
const sums = ["paras", "tax", "receipts", "payments", "labels", "parts"]

/** $1 organization, $2 environment, $3 parts. */
const addToDays = `insert into turnover_days as d (organization_id, environment, ${[...keys, ...sums].join(", ")})
  select $1, $2, a.day, a.taxpayer_id, a.premise_id, a.cashier_id, a.label_set, coalesce(a.payment_type, ''), coalesce(a.tax_label, ''), sum(a.paras), sum(a.tax),
    count(*) filter (where a.counts_receipt), count(*) filter (where a.counts_payment), count(*) filter (where a.counts_labels),
    count(*) filter (where a.counts_part)
  from jsonb_to_recordset($3::jsonb) as a (${definitions(summedColumns)})
  group by 3, 4, 5, 6, 7, 8, 9
  on conflict (organization_id, environment, ${keys.join(", ")}) do update set ${sums.map((name) => `${name} = d.${name} + excluded.${name}`).join(", ")}`

const sumUp = (tx: PgStatements, { environment, organizationId }: Tenant, parts: ReadonlyArray<AddedPart>) =>
  parts.length === 0 ? Effect.void : tx.query(addToDays, [organizationId, environment, JSON.stringify(parts)])

/** Adds the parts of receipts, each once, and adds them to the sums of their days. */
export const addTurnover = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, operations: ReadonlyArray<Operation>) {
  const parts = operations.flatMap((operation) => turnoverRowsOf(operation).map((row) => ({ operation_id: operation.id, ...row })))
  if (parts.length === 0) return
  yield* sumUp(tx, tenant, yield* tx.query<AddedPart>(insertParts, [tenant.organizationId, tenant.environment, JSON.stringify(parts)]))
})

/** Sums parts that a host of an earlier release has added; answers how many. */
export const sumEarlierParts = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant) {
  const parts = yield* tx.query<AddedPart>(markSummed, [tenant.organizationId, tenant.environment])
  yield* sumUp(tx, tenant, parts)
  return parts.length
})
