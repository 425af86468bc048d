import type { ReceiptDelivery } from "@overa/domain"
import { utcTime } from "@overa/host-kit"

/** A delivery as callers see it (Decisions §5). */
export const receiptDeliveryJson = (delivery: ReceiptDelivery) => ({
  id: delivery.id,
  fiscalDocumentId: delivery.fiscalDocumentId,
  recipient: delivery.recipient,
  status: delivery.status,
  attempts: delivery.attempts,
  lastError: delivery.lastError,
  createdAt: utcTime(delivery.createdAt),
  updatedAt: utcTime(delivery.updatedAt)
})
