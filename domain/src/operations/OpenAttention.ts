import type { DateTime } from "effect"
import type { FiscalDocumentId, OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"

/** An item of the attention list that nobody has resolved yet. */
export interface OpenAttention {
  readonly id: string
  readonly organizationId: OrganizationId
  /** What it is about: an operation, a security element, a person of the portal, or none of these: the organization itself. */
  readonly operationId: FiscalDocumentId | null
  readonly elementId: SecurityElementId | null
  readonly personId: string | null
  readonly kind: string
  readonly detail: string
  readonly evidence: string | null
  readonly raisedAt: DateTime.Utc
}
