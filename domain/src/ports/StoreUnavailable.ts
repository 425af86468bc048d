import { Schema } from "effect"

/**
 * The store did not carry out the request, or did not answer whether it did. `committed` is "unknown" when the connection was lost after the commit
 * was sent: the caller reads again before it continues (Decisions §4, Store trouble).
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  committed: Schema.Literals(["no", "unknown"]),
  cause: Schema.Defect()
}) {}
