import { fromMinorUnits, type OrderLine } from "@overa/orders"
import type { Translation } from "./Shop.ts"

/** A line of an order as engines know it; money in paras, with tax. */
export interface Position {
  readonly id: string
  readonly name: string
  readonly kind?: "shipping"
  /** Whole pieces. */
  readonly quantity: number
  /** Of one piece, before discounts. */
  readonly unitPrice: number
  /** After everything that was taken off. */
  readonly total: number
  /** Percent. */
  readonly taxRate: number
}

/** Prices without tax may round to more than the quantity times the rounded price: the listed price then is the next para above. */
export const orderLineOf = ({ id, kind, name, quantity, taxRate, total, unitPrice }: Position, { taxLabels }: Translation): OrderLine => {
  const label = taxLabels.get(String(taxRate))
  const listed = Math.max(unitPrice, Math.ceil(total / quantity))
  const discount = quantity * listed - total
  return {
    id, name, unit: "ком", quantity, unitPrice: fromMinorUnits(listed), taxLabels: label === undefined || label === "" ? [] : [label],
    ...(discount > 0 ? { discounts: [{ amount: fromMinorUnits(discount) }] } : {}),
    ...(kind === undefined ? {} : { kind })
  }
}
