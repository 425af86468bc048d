import { Schema } from "effect"

/**
 * The store did not do what was asked, or did not say whether it did. `committed` is "unknown" when the connection was lost after
 * the commit was sent: the caller re-reads before it goes on (Decisions §4, Store trouble).
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  committed: Schema.Literals(["no", "unknown"]),
  cause: Schema.Defect()
}) {}
