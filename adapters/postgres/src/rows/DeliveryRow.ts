import type { DeliveryFailure, DeliveryFormat, DeliveryLocale, Environment, FiscalDocumentId, OrganizationId, ReceiptDelivery, ReceiptDeliveryId, ReceiptDeliveryStatus, TaxpayerId } from "@overa/domain"
import { utc } from "./OperationRow.ts"

/** A delivery as a row. */
export interface DeliveryRow {
  readonly organization_id: string
  readonly delivery_id: string
  readonly environment: Environment
  readonly taxpayer_id: string
  readonly fiscal_document_id: string
  readonly client_id: string
  readonly idempotency_key: string
  readonly target: string
  readonly request_body: string
  readonly fingerprint_version: number
  readonly fingerprint: string
  readonly recipient: string | null
  readonly formats: ReadonlyArray<DeliveryFormat>
  readonly locale: DeliveryLocale
  readonly status: ReceiptDeliveryStatus
  readonly attempts: number
  readonly maybe_taken: number
  readonly last_error: string | null
  readonly failure: DeliveryFailure | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** The columns a `DeliveryRow` is read from, in the order they are written. */
export const deliveryColumns = "organization_id, delivery_id, environment, taxpayer_id, fiscal_document_id, client_id, idempotency_key, target, " +
  "request_body, fingerprint_version, fingerprint, recipient, formats, locale, status, attempts, maybe_taken, last_error, failure, created_at, updated_at"

/** The delivery a row holds. */
export const decodeDelivery = (row: DeliveryRow): ReceiptDelivery => ({
  id: row.delivery_id as ReceiptDeliveryId,
  organizationId: row.organization_id as OrganizationId,
  environment: row.environment,
  taxpayerId: row.taxpayer_id as TaxpayerId,
  fiscalDocumentId: row.fiscal_document_id as FiscalDocumentId,
  clientId: row.client_id,
  boundKey: {
    role: "REQUEST",
    key: row.idempotency_key,
    target: row.target,
    body: row.request_body,
    fingerprint: { version: row.fingerprint_version, digest: row.fingerprint }
  },
  recipient: row.recipient,
  formats: row.formats,
  locale: row.locale,
  status: row.status,
  attempts: row.attempts,
  maybeTaken: row.maybe_taken,
  lastError: row.last_error,
  failure: row.failure,
  createdAt: utc(row.created_at),
  updatedAt: utc(row.updated_at)
})

/** The values of `deliveryColumns`. */
export const deliveryValues = (delivery: ReceiptDelivery): ReadonlyArray<unknown> => [
  delivery.organizationId,
  delivery.id,
  delivery.environment,
  delivery.taxpayerId,
  delivery.fiscalDocumentId,
  delivery.clientId,
  delivery.boundKey.key,
  delivery.boundKey.target,
  delivery.boundKey.body,
  delivery.boundKey.fingerprint.version,
  delivery.boundKey.fingerprint.digest,
  delivery.recipient,
  delivery.formats,
  delivery.locale,
  delivery.status,
  delivery.attempts,
  delivery.maybeTaken,
  delivery.lastError,
  delivery.failure,
  new Date(delivery.createdAt.epochMilliseconds),
  new Date(delivery.updatedAt.epochMilliseconds)
]
