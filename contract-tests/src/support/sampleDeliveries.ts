import type { ReceiptDelivery, ReceiptDeliveryId, TaxpayerId, FiscalDocumentId, OrganizationId } from "@overa/domain"
import { DateTime } from "effect"
import { mintUuid } from "./mintIdentity.ts"

/** A new organization's delivery, queued and due. */
export const sampleDelivery = (change: Partial<ReceiptDelivery> = {}): ReceiptDelivery => {
  const at = DateTime.makeUnsafe(Date.now())
  return {
    id: mintUuid() as ReceiptDeliveryId,
    organizationId: mintUuid() as OrganizationId,
    environment: "sandbox",
    taxpayerId: mintUuid() as TaxpayerId,
    fiscalDocumentId: mintUuid() as FiscalDocumentId,
    clientId: "svc-sbx-tests",
    boundKey: {
      role: "REQUEST",
      key: mintUuid(),
      target: "POST /v1/receipt-deliveries",
      body: "{}",
      fingerprint: { version: 1, digest: "digest" }
    },
    recipient: "kupac@example.rs",
    formats: ["pdf-a4"],
    locale: "sr-Cyrl",
    status: "QUEUED",
    attempts: 0,
    maybeTaken: 0,
    lastError: null,
    failure: null,
    createdAt: at,
    updatedAt: at,
    ...change
  }
}
