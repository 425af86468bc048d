import type { Environment } from "../tenancy/Environment.ts"

/** Limits against misuse of the installation's mail address (Decisions §12). A shop that only sends its receipts stays far below them. */
export const deliveryLimits = {
  /** Different mailboxes one document may be sent to. */
  recipientsOfDocument: 10,
  /** Deliveries of one document, repeated ones included. */
  deliveriesOfDocument: 30,
  /** Deliveries an organization may ask for within an hour. */
  perHour: { sandbox: 1_000, production: 10_000 } satisfies Record<Environment, number>
} as const

/** How many deliveries were requested already, without the one being checked. */
export interface DeliveryUse {
  /** Different recipients of the document, this one not counted. */
  readonly otherRecipients: number
  readonly deliveriesOfDocument: number
  readonly inLastHour: number
}

/** Which limit a further delivery would break; null when none. */
export const brokenLimit = (use: DeliveryUse, environment: Environment): "DOCUMENT" | "HOUR" | null => {
  if (use.otherRecipients >= deliveryLimits.recipientsOfDocument) return "DOCUMENT"
  if (use.deliveriesOfDocument >= deliveryLimits.deliveriesOfDocument) return "DOCUMENT"
  return use.inLastHour >= deliveryLimits.perHour[environment] ? "HOUR" : null
}
