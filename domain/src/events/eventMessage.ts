import { DateTime } from "effect"
import type { ChangeEvent } from "./ChangeEvent.ts"

/** An event as `GET /v1/events` answers it and as a webhook carries it. */
export const eventMessage = ({ at, clientReference, fiscalDocumentId, id, invoiceNumber, resource, sequence, type }: ChangeEvent) => ({
  id,
  sequence,
  type,
  timestamp: DateTime.formatIso(at),
  data: { resource, fiscalDocumentId, clientReference, invoiceNumber }
})
