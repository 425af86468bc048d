import { exampleDocument } from "./exampleDocument.ts"

export const exampleDeliveryRequest = {
  fiscalDocumentId: exampleDocument.id,
  recipient: "kupac@example.rs",
  formats: ["pdf-a4"],
  locale: "sr-Latn"
}

export const exampleDelivery = {
  id: "0198f3a1-7d40-7c11-9a52-3f6f2d1b8c77",
  fiscalDocumentId: exampleDocument.id,
  recipient: exampleDeliveryRequest.recipient,
  status: "QUEUED",
  attempts: 0,
  lastError: null,
  createdAt: "2026-08-29T10:15:30.123Z",
  updatedAt: "2026-08-29T10:15:30.123Z"
}
