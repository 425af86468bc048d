import type { DateTime } from "effect"

/** Modules that are licensed separately. Source: Spec, Authentication 8. */
export type LicenseModule = "advance" | "email"

/** An organization's production licence. */
export interface License {
  readonly startsAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc | null
  readonly suspended: boolean
  readonly modules: ReadonlyArray<LicenseModule>
}
