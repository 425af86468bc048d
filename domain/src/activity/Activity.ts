import type { DateTime } from "effect"
import type { OrganizationId } from "../tenancy/identifiers.ts"

/** Who changes the installation, and why. Both are written to the activity log in the same commit as the change. */
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
