import { Context, type Effect } from "effect"
import type { License } from "../licensing/License.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The organizations' licences; null where there is none. May be up to two seconds old. */
export class LicenseRegister extends Context.Service<LicenseRegister, {
  readonly license: (organizationId: OrganizationId) => Effect.Effect<License | null, StoreUnavailable>
}>()("@overa/domain/ports/LicenseRegister") {}
