import {
  type Operation,
  pfrInstant,
  type SummedParts,
  type TurnoverGrouping,
  type TurnoverQuery,
  type TurnoverReceipt,
  turnoverReceipt,
  type Tenant
} from "@overa/domain"
import { DateTime, Option } from "effect"
import { Parameters } from "../search/Parameters.ts"
import { dateOf } from "./journalConditions.ts"

/** A row of `turnover_parts` besides its operation: one tax of one share, or a share without any. */
export interface TurnoverRowParts {
  readonly position: number
  readonly taxpayer_id: string
  readonly premise_id: string
  readonly cashier_id: string
  readonly sdc_time: string
  readonly day: string
  readonly label_set: string
  readonly payment_type: string | null
  readonly paras: string
  readonly tax_label: string | null
  readonly tax: string
  readonly counts_receipt: boolean
  readonly counts_payment: boolean
  readonly counts_labels: boolean
  readonly counts_part: boolean
}

export const turnoverColumns = [
  ["position", "integer"],
  ["taxpayer_id", "uuid"],
  ["premise_id", "uuid"],
  ["cashier_id", "text"],
  ["sdc_time", "timestamptz"],
  ["day", "text"],
  ["label_set", "text"],
  ["payment_type", "text"],
  ["paras", "bigint"],
  ["tax_label", "text"],
  ["tax", "bigint"],
  ["counts_receipt", "boolean"],
  ["counts_payment", "boolean"],
  ["counts_labels", "boolean"],
  ["counts_part", "boolean"]
] as const

const taxesOf = (part: TurnoverReceipt["parts"][number]): ReadonlyArray<readonly [string | null, bigint]> =>
  part.taxes.size === 0 ? [[null, 0n]] : [...part.taxes]

/** A receipt as rows of `turnover_parts`; none where it is no turnover. The money of a share is in its first row. */
export const turnoverRowsOf = (operation: Operation): ReadonlyArray<TurnoverRowParts> => {
  const receipt = turnoverReceipt(operation)
  const instant = Option.flatMap(Option.fromNullishOr(operation.answer), ({ pfr }) => pfrInstant(pfr.sdcTime))
  if (receipt === null || Option.isNone(instant)) return []
  const payments = new Set<string | null>()
  const labels = new Set<string>()
  const rows: Array<TurnoverRowParts> = []
  for (const part of receipt.parts) {
    for (const [at, [taxLabel, tax]] of taxesOf(part).entries()) {
      rows.push({
        position: rows.length,
        taxpayer_id: operation.taxpayerId,
        premise_id: operation.businessPremiseId,
        cashier_id: receipt.cashier,
        sdc_time: DateTime.formatIso(instant.value),
        day: receipt.day,
        label_set: part.taxLabel,
        payment_type: part.paymentType,
        paras: String(at === 0 ? part.paras : 0n),
        tax_label: taxLabel,
        tax: String(tax),
        counts_receipt: rows.length === 0,
        counts_payment: !payments.has(part.paymentType),
        counts_labels: !labels.has(part.taxLabel),
        counts_part: at === 0
      })
      payments.add(part.paymentType)
      labels.add(part.taxLabel)
    }
  }
  return rows
}

/** The column of each grouping. */
const groupColumns: Readonly<Record<TurnoverGrouping, string>> = {
  day: "p.day",
  month: "left(p.day, 7)",
  premise: "p.premise_id::text",
  paymentType: "p.payment_type",
  taxLabel: "p.label_set",
  cashier: "p.cashier_id"
}

const countedBy = (groupBy: ReadonlyArray<TurnoverGrouping>): string => {
  const [payment, labels] = [groupBy.includes("paymentType"), groupBy.includes("taxLabel")]
  if (payment && labels) return "p.counts_part"
  if (payment) return "p.counts_payment"
  return labels ? "p.counts_labels" : "p.counts_receipt"
}

export interface SummedRow {
  readonly payment_type: string | null
  readonly tax_label: string | null
  readonly paras: string
  readonly tax: string
  readonly receipts: string
  /** The groupings, `g0` the first one requested. */
  readonly [grouping: `g${number}`]: string | null
}

/** The sums over the indexed receipts, by group, payment type and tax label. */
export const summedStatement = (tenant: Tenant, { businessPremiseId, groupBy, pfr, taxpayerId }: TurnoverQuery) => {
  const { add, values } = new Parameters()
  const groups = groupBy.map((grouping, at) => `${groupColumns[grouping]} as g${at}`)
  const conditions = [
    `p.organization_id = ${add(tenant.organizationId, "uuid")}`,
    `p.environment = ${add(tenant.environment, "text")}`,
    pfr.from === null ? "p.sdc_time >= '-infinity'" : `p.sdc_time >= ${add(dateOf(pfr.from), "timestamptz")}`,
    ...(pfr.to === null ? [] : [`p.sdc_time < ${add(dateOf(pfr.to), "timestamptz")}`]),
    ...(taxpayerId === null ? [] : [`p.taxpayer_id = ${add(taxpayerId, "uuid")}`]),
    ...(businessPremiseId === null ? [] : [`p.premise_id = ${add(businessPremiseId, "uuid")}`])
  ]
  const keys = [...groupBy.map((_, at) => `g${at}`), "payment_type", "tax_label"].join(", ")
  const sql = `select ${[...groups, "p.payment_type", "p.tax_label"].join(", ")}, sum(p.paras)::text as paras, sum(p.tax)::text as tax,
      count(*) filter (where ${countedBy(groupBy)})::text as receipts
    from turnover_parts p where ${conditions.join(" and ")} group by ${keys}`
  return { sql, values }
}

/** A summed row as the report takes it. */
export const summedParts = (row: SummedRow, groupBy: ReadonlyArray<TurnoverGrouping>): SummedParts => ({
  group: Object.fromEntries(groupBy.map((grouping, at) => [grouping, row[`g${at}`] ?? null])),
  paymentType: row.payment_type as SummedParts["paymentType"],
  paras: BigInt(row.paras),
  taxes: row.tax_label === null ? new Map() : new Map([[row.tax_label, BigInt(row.tax)]]),
  receipts: Number(row.receipts)
})
