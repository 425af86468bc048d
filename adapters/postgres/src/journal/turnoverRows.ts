import { type Operation, pfrInstant, type TurnoverReceipt, turnoverReceipt } from "@overa/domain"
import { DateTime, Option } from "effect"

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
