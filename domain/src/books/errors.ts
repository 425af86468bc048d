import { Schema } from "effect"

/** A month has more documents than one book can hold. */
export class MonthTooLarge extends Schema.TaggedError<MonthTooLarge>()("MonthTooLarge", { limit: Schema.Int }) {}
