import { type BigDecimal, Context, type DateTime, type Effect } from "effect"
import type { Tenant } from "../tenancy/Caller.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The refunds of one day. */
export interface DayOfRefunds {
  /** The Belgrade day of their PFR time, `2026-08-29`. */
  readonly day: string
  readonly receipts: number
  /** Given back, in dinars; positive. */
  readonly amount: BigDecimal.BigDecimal
}

/** How many receipts a tenant has issued. It informs and never blocks (Spec, Authentication 8; Decisions §2). */
export class DocumentCounts extends Context.Service<DocumentCounts, {
  /** FISCALIZED documents whose PFR time lies in the range; lower bound inclusive, upper exclusive. */
  readonly fiscalized: (
    tenant: Tenant,
    range: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
  ) => Effect.Effect<number, StoreUnavailable>
  /** FISCALIZED refunds of Normal and Advance receipts with their PFR time in the range, by day; days without any are left out. */
  readonly refunds: (
    tenant: Tenant,
    range: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
  ) => Effect.Effect<ReadonlyArray<DayOfRefunds>, StoreUnavailable>
}>()("@overa/domain/ports/DocumentCounts") {}
