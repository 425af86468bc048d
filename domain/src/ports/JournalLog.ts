import { Context, type Effect } from "effect"
import type { LogPlace } from "../journal-log/LogPlace.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * The transparency log of a tenant's journal. Source: Decisions §14.
 *
 * @example
 * const place = yield* (yield* JournalLog).entriesOf(tenant, documentId)
 */
export class JournalLog extends Context.Service<JournalLog, {
  /**
   * The sealed transitions of a document under the log's latest checkpoint. Null while none of them is sealed, and where the tenant has no
   * such document.
   */
  readonly entriesOf: (tenant: Tenant, id: FiscalDocumentId) => Effect.Effect<LogPlace | null, StoreUnavailable>
}>()("@overa/domain/ports/JournalLog") {}
