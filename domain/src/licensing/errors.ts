import { Schema } from "effect"

/** Source of all five: Spec, Errors, Catalogue; Spec, Authentication 8. */
export class LicenseRequired extends Schema.TaggedError<LicenseRequired>()("LicenseRequired", {}) {
  readonly code = "LICENSE_REQUIRED"
}

export class LicenseNotStarted extends Schema.TaggedError<LicenseNotStarted>()("LicenseNotStarted", {
  startsAt: Schema.DateTimeUtc
}) {
  readonly code = "LICENSE_NOT_STARTED"
}

export class LicenseExpired extends Schema.TaggedError<LicenseExpired>()("LicenseExpired", {
  expiresAt: Schema.DateTimeUtc
}) {
  readonly code = "LICENSE_EXPIRED"
}

export class LicenseSuspended extends Schema.TaggedError<LicenseSuspended>()("LicenseSuspended", {}) {
  readonly code = "LICENSE_SUSPENDED"
}

/** `module` is the one that is not enabled: advance or email. */
export class ModuleNotLicensed extends Schema.TaggedError<ModuleNotLicensed>()("ModuleNotLicensed", {
  module: Schema.Literals(["advance", "email"])
}) {
  readonly code = "MODULE_NOT_LICENSED"
}
