import { Context, type Effect } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { ElementFacts } from "../tenancy/ElementFacts.ts"
import type { BusinessPremiseId, OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The stored security elements and the pool for the sandbox. Every act is one commit together with its line in the activity log: who, what, before, after, why. */
export class ElementActs extends Context.Service<ElementActs, {
  /** Goes to the oldest sandbox premise that waits for an element; into the pool when none waits. */
  readonly addToPool: (act: Act, element: ElementFacts) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /**
   * Stored as UPLOADED. In production the element's tax identifier must be the taxpayer's. A JID belongs to one premise, and a certificate is stored
   * once.
   */
  readonly upload: (
    act: Act,
    organizationId: OrganizationId,
    premiseId: BusinessPremiseId,
    element: ElementFacts
  ) => Effect.Effect<SecurityElementId, ActRefused | StoreUnavailable>
  /** UPLOADED → ACTIVE; the premise's former element becomes REPLACED and can still be opened. */
  readonly activate: (
    act: Act,
    organizationId: OrganizationId,
    elementId: SecurityElementId
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/ElementActs") {}
