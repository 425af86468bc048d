import type { DateTime } from "effect"
import type { ReceiptDelivery } from "../delivery/ReceiptDelivery.ts"
import type { FiscalDocumentId, OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"

/** What changes beside the documents: the journal's log does not have it, so the commit of the change notes it. */
export const notedTypes = [
  "receipt_delivery.queued",
  "receipt_delivery.sent",
  "receipt_delivery.failed",
  "security_element.activated",
  "security_element.replaced",
  "security_element.expiring",
  "security_element.expired",
  "license.changed",
  "license.expired"
] as const
export type NotedType = (typeof notedTypes)[number]

/** A change that waits for its number. */
export interface NotedChange {
  readonly type: NotedType
  readonly at: DateTime.Utc
  /** Names the change: whoever notes it twice names it alike, and it is one event. */
  readonly source: string
  /** The id of what changed. */
  readonly subjectId: string
  /** The document that it concerns; null where it concerns none. */
  readonly documentId: FiscalDocumentId | null
}

const deliveryTypes = { QUEUED: "receipt_delivery.queued", SENT: "receipt_delivery.sent", FAILED: "receipt_delivery.failed" } as const

/** A delivery has reached its status. It has each status once, however many attempts were made. */
export const deliveryChange = ({ fiscalDocumentId, id, status }: Pick<ReceiptDelivery, "fiscalDocumentId" | "id" | "status">, at: DateTime.Utc): NotedChange => ({
  type: deliveryTypes[status],
  at,
  source: `${deliveryTypes[status]} ${id}`,
  subjectId: id,
  documentId: fiscalDocumentId
})

type ElementType = Extract<NotedType, `security_element.${string}`>

/** An element is in use, has made place for another, or its certificate ends within `days` days; each of it once. */
export const elementChange = (type: ElementType, id: SecurityElementId, at: DateTime.Utc, days: number | null = null): NotedChange => ({
  type,
  at,
  source: `${type} ${id}${days === null ? "" : ` ${days}`}`,
  subjectId: id,
  documentId: null
})

/** What a person did to the licence of an organization; `actId` is the act's. */
export const licenseChange = (organizationId: OrganizationId, at: DateTime.Utc, actId: string): NotedChange => ({
  type: "license.changed",
  at,
  source: `license.changed ${actId}`,
  subjectId: organizationId,
  documentId: null
})

/** A licence has reached its end: the passing of time alone, without a commit of anybody. */
export const licenseExpiry = (organizationId: OrganizationId, expiresAt: DateTime.Utc): NotedChange => ({
  type: "license.expired",
  at: expiresAt,
  source: `license.expired ${expiresAt.epochMilliseconds}`,
  subjectId: organizationId,
  documentId: null
})
