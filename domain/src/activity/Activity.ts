import type { DateTime } from "effect"
import type { OrganizationId } from "../tenancy/identifiers.ts"

/** Who does something to the installation, and why. Both go to the activity log with the act, in the same commit. */
export interface Act {
  readonly actor: string
  readonly reason: string
}

/** A line of the activity log. `before` and `after` are JSON texts. */
export interface Activity {
  readonly organizationId: OrganizationId | null
  readonly at: DateTime.Utc
  readonly actor: string
  readonly act: string
  readonly subject: string
  readonly before: string | null
  readonly after: string | null
  readonly reason: string
}
