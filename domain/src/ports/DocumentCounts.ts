import { Context, type DateTime, type Effect } from "effect"
import type { Tenant } from "../tenancy/Caller.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** How many receipts a tenant has issued: tells, never blocks (Spec, Authentication 8; Decisions §2). */
export class DocumentCounts extends Context.Service<DocumentCounts, {
  /** FISCALIZED documents whose PFR time lies in the range; lower bound inclusive, upper exclusive. */
  readonly fiscalized: (
    tenant: Tenant,
    range: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
  ) => Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/DocumentCounts") {}
