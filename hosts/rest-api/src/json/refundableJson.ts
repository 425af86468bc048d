import type { Refundable, RefundableLine } from "@overa/domain"
import { jsonNumber } from "@overa/host-kit"

/** What can still be given back. Source: Decisions §5, Refund workflow; §10. */
export const refundableJson = ({ fiscalDocumentId, lines }: Refundable) => ({
  fiscalDocumentId,
  lines: lines.map(({ amount, heldBy, item, originalLineIndex, quantity }) => ({
    originalLineIndex,
    quantity: jsonNumber(quantity),
    amount: jsonNumber(amount),
    heldBy: heldBy.map((hold) => ({
      workflowId: hold.workflowId,
      quantity: jsonNumber(hold.quantity),
      amount: jsonNumber(hold.amount)
    })),
    item: item === null ? null : refundItemJson(item)
  }))
})

/** A refund item ready to send: members the line does not have are left out. */
const refundItemJson = (item: NonNullable<RefundableLine["item"]>) => ({
  originalLineIndex: item.originalLineIndex,
  name: item.name,
  ...(item.unitOfMeasure === null ? {} : { unitOfMeasure: item.unitOfMeasure }),
  quantity: jsonNumber(item.quantity),
  unitPrice: jsonNumber(item.unitPrice),
  ...(item.unitPriceBeforeDiscount === null ? {} : { unitPriceBeforeDiscount: jsonNumber(item.unitPriceBeforeDiscount) }),
  ...(item.gtin === null ? {} : { gtin: item.gtin }),
  ...(item.catalogProductId === null ? {} : { catalogProductId: item.catalogProductId }),
  taxLabels: item.taxLabels
})
