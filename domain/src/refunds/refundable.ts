import { BigDecimal, Option } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { advanceLiteralLabel } from "../documents/signedItemName.ts"
import { Quantity } from "../money/Dinars.ts"
import { formatDecimal } from "../money/decimals.ts"
import { Environment } from "../tenancy/Environment.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import { amountRefundable, type LedgerLine, quantityRefundable, type RefundLedger } from "./RefundLedger.ts"
import type { RefundItem } from "./RefundWorkflow.ts"

/** What of one line can still be given back. */
export interface RefundableLine {
  readonly originalLineIndex: number
  readonly quantity: BigDecimal.BigDecimal
  readonly amount: BigDecimal.BigDecimal
  /** Refunds with an open outcome that hold the rest. */
  readonly heldBy: ReadonlyArray<{
    readonly workflowId: WorkflowId
    readonly quantity: BigDecimal.BigDecimal
    readonly amount: BigDecimal.BigDecimal
  }>
  /** The refund item that gives back everything left, ready to send; null when nothing is left. */
  readonly item: RefundItem | null
}

/** What of a receipt can still be given back. Source: Decisions §5, Refund workflow; §10. */
export interface Refundable {
  readonly fiscalDocumentId: FiscalDocumentId
  readonly lines: ReadonlyArray<RefundableLine>
}

/** The preview of a receipt's refunds, from its lines and its ledger. */
export const refundable = (
  fiscalDocumentId: FiscalDocumentId,
  original: ReadonlyArray<LineItem>,
  ledger: RefundLedger
): Refundable => ({
  fiscalDocumentId,
  lines: ledger.lines.map((line, originalLineIndex) => ({
    originalLineIndex,
    quantity: quantityRefundable(line),
    amount: amountRefundable(line),
    heldBy: heldBy(ledger, originalLineIndex),
    item: itemToSend(original[originalLineIndex], line, originalLineIndex)
  }))
})

const heldBy = (ledger: RefundLedger, originalLineIndex: number): RefundableLine["heldBy"] =>
  ledger.holds.flatMap((hold) =>
    hold.entries
      .filter((entry) => entry.originalLineIndex === originalLineIndex)
      .map(({ quantity, amount }) => ({ workflowId: hold.workflowId, quantity, amount }))
  )

const itemToSend = (item: LineItem | undefined, line: LedgerLine, originalLineIndex: number): RefundItem | null => {
  const quantity = quantityRefundable(line)
  if (item === undefined || BigDecimal.isZero(quantity)) return null
  // The amount follows from the ledger and is no field of a request.
  const { signedAmount: _, ...fields } = item
  return { ...fields, quantity: Quantity.make(quantity), originalLineIndex }
}

/** The fields of an item that must repeat the original's line. */
export type RepeatedField = "name" | "unitOfMeasure" | "unitPrice" | "taxLabels" | "gtin"

const repeatedFields: ReadonlyArray<RepeatedField> = ["name", "unitOfMeasure", "unitPrice", "taxLabels", "gtin"]

const sameLabels = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean => {
  const labels = new Set(left)
  return labels.size === new Set(right).size && right.every((label) => labels.has(label))
}

/**
 * Whether the units are the same. Advance literals have none; one that an earlier release stored with the unit it was sent with matches all the same
 * (docs/adr/0213).
 */
const sameUnit = (item: LineItem, line: LineItem): boolean =>
  item.unitOfMeasure === line.unitOfMeasure ||
  (item.unitOfMeasure === null && Environment.literals.some((environment) => Option.isSome(advanceLiteralLabel(line.name, environment))))

/**
 * The fields in which an item differs from a line, in the contract's names; empty when it matches. The quantity may differ; the price before discount
 * and the catalogue product are not part of the fiscal line. Source: Spec, Refunds rule 2; Decisions §5, Refund workflow.
 */
export const differingFields = (item: LineItem, line: LineItem): ReadonlyArray<RepeatedField> => {
  const repeats: Readonly<Record<RepeatedField, boolean>> = {
    name: item.name === line.name,
    unitOfMeasure: sameUnit(item, line),
    unitPrice: BigDecimal.equals(item.unitPrice, line.unitPrice),
    taxLabels: sameLabels(item.taxLabels, line.taxLabels),
    gtin: item.gtin === line.gtin
  }
  return repeatedFields.filter((field) => !repeats[field])
}

/** What a differing field would have to be, in words for people. */
export const mustRepeat = (line: LineItem, field: RepeatedField): string => {
  const value = line[field]
  if (value === null) return "must be absent, as on the original's line"
  return `must be ${BigDecimal.isBigDecimal(value) ? formatDecimal(value, 2) : JSON.stringify(value)}, as on the original's line`
}
