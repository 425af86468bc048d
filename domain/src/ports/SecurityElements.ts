import { Context, type Effect, type Redacted, Schema } from "effect"
import type { Environment } from "../tenancy/Environment.ts"
import type { OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"

/** The element does not exist, cannot be decrypted, or has expired. */
export class SecurityElementUnavailable
  extends Schema.TaggedError<SecurityElementUnavailable>()("SecurityElementUnavailable", { detail: Schema.String })
{}

/** The credentials that open the connection to the V-PFR in the taxpayer's name. Never logged, never stored unencrypted. */
export interface ElementCredentials {
  readonly environment: Environment
  readonly jid: string
  readonly tin: string
  /** PKCS#8, PEM. */
  readonly privateKey: Redacted.Redacted<string>
  /** Leaf first, then intermediates, PEM. */
  readonly certificateChain: string
  readonly pac: Redacted.Redacted<string>
  readonly validTo: number
}

/** The vault of security elements. Replaced elements can be opened while anything they sent is unresolved. */
export class SecurityElements extends Context.Service<SecurityElements, {
  readonly open: (
    organizationId: OrganizationId,
    id: SecurityElementId
  ) => Effect.Effect<ElementCredentials, SecurityElementUnavailable>
}>()("@overa/domain/ports/SecurityElements") {}
