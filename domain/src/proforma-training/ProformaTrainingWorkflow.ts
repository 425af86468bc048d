import { BigDecimal, type DateTime, Result, Schema } from "effect"
import type { DocumentStatus, FailureCode } from "../documents/DocumentStatus.ts"
import type { FiscalDocument } from "../documents/FiscalDocument.ts"
import type { LineItem } from "../documents/LineItem.ts"
import { formatDecimal } from "../money/decimals.ts"
import type { DocumentReference } from "../references/ReferencedDocument.ts"
import { RefundItemMustMatchOriginalLine } from "../refunds/errors.ts"
import { differingFields, mustRepeat } from "../refunds/refundable.ts"
import { pointerOf } from "../requests/Fault.ts"
import type { BusinessPremiseId, TaxpayerId, WorkflowId } from "../tenancy/identifiers.ts"
import { ProformaTrainingSourceAlreadyRefunded, ProformaTrainingWorkflowReservationConflict } from "./errors.ts"

/** Source: Decisions §5, Proforma and training. */
export const ProformaTrainingStatus = Schema.Literals(["PENDING", "OUTCOME_UNKNOWN", "COMPLETED", "FAILED"])
export type ProformaTrainingStatus = typeof ProformaTrainingStatus.Type

/** A proforma or training document, sale or refund, with its status. Source: Decisions §5, Proforma and training. */
export interface ProformaTrainingWorkflow {
  readonly id: WorkflowId
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientReference: string
  readonly status: ProformaTrainingStatus
  readonly document: FiscalDocument
  /** The sale a refund gives back; null on a sale. */
  readonly source: DocumentReference | null
  readonly failureCode: FailureCode | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/**
 * The workflow's status follows from its one document. A document that was not sent is PENDING: the same key drives it again, and only a rejection
 * ends it without a document (Decisions §3, §5: PENDING answers 503, FAILED 422).
 */
export const proformaTrainingStatus = (document: DocumentStatus): ProformaTrainingStatus => {
  switch (document) {
    case "RECEIVED":
    case "VALIDATED":
    case "SUBMITTING":
    case "NOT_FISCALIZED":
      return "PENDING"
    case "OUTCOME_UNKNOWN":
    case "RECONCILING":
      return "OUTCOME_UNKNOWN"
    case "FISCALIZED":
      return "COMPLETED"
    case "REJECTED":
      return "FAILED"
  }
}

type Detail = RefundItemMustMatchOriginalLine["details"][number]

const detail = (index: number, path: ReadonlyArray<PropertyKey>, message: string): Detail => ({
  pointer: pointerOf(path),
  message,
  itemIndex: index,
  originalLineIndex: index
})

const differences = (item: LineItem, line: LineItem, index: number): ReadonlyArray<Detail> => {
  const fields = differingFields(item, line).map((field) => detail(index, ["items", index, field], mustRepeat(line, field)))
  if (BigDecimal.equals(item.quantity, line.quantity)) return fields
  const quantity = `must be ${formatDecimal(line.quantity)}, as on the original's line: the whole document is given back`
  return [...fields, detail(index, ["items", index, "quantity"], quantity)]
}

/**
 * The items of a proforma or training refund: all of the source, in its order, each with the line it gives back. Items that differ, are missing or
 * are too many are refused, with every such place. Source: Spec, refund-workflows, Related; Decisions §5, Proforma and training.
 */
export const repeatSource = (
  source: ReadonlyArray<LineItem>,
  items: ReadonlyArray<LineItem>
): Result.Result<ReadonlyArray<LineItem>, RefundItemMustMatchOriginalLine> => {
  const repeated = items.flatMap((item, index) => {
    const line = source[index]
    return line === undefined
      ? [detail(index, ["items", index], `must be left out: the original has ${source.length} items`)]
      : differences(item, line, index)
  })
  const missing = source.slice(items.length).map((line, at) =>
    detail(items.length + at, ["items"], `must repeat the original's line ${items.length + at}, ${JSON.stringify(line.name)}, too`)
  )
  const details = [...repeated, ...missing]
  return details.length > 0
    ? Result.fail(new RefundItemMustMatchOriginalLine({ details }))
    : Result.succeed(items.map((item, originalLineIndex) => ({ ...item, originalLineIndex })))
}

/** The facts of one refund of a source that the next refund depends on. */
export interface SourceRefund {
  readonly workflowId: WorkflowId
  readonly status: ProformaTrainingStatus
}

/** Whether a refund blocks other refunds of its source: all but a failed one (Decisions §5: FAILED frees). */
export const claimsSource = (refund: SourceRefund): boolean => refund.status !== "FAILED"

/**
 * Whether `workflowId` may refund the source, given the refunds the source already has. Its own earlier reservation does not block it, so its key can
 * drive it again. A completed refund is reported before one in flight.
 * Source: Spec, Errors, Catalogue; Decisions §5, Proforma and training.
 */
export const claimSource = (
  workflowId: WorkflowId,
  refunds: ReadonlyArray<SourceRefund>
): Result.Result<void, ProformaTrainingSourceAlreadyRefunded | ProformaTrainingWorkflowReservationConflict> => {
  const others = refunds.filter((refund) => refund.workflowId !== workflowId && claimsSource(refund))
  const done = others.find(({ status }) => status === "COMPLETED")
  if (done !== undefined) return Result.fail(new ProformaTrainingSourceAlreadyRefunded({ workflowId: done.workflowId }))
  const [open] = others
  return open === undefined
    ? Result.succeed(undefined)
    : Result.fail(new ProformaTrainingWorkflowReservationConflict({ workflowId: open.workflowId }))
}
