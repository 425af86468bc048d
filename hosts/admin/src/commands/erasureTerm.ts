import { Effect } from "effect"
import type { Input } from "../input/Input.ts"
import { Refusal } from "../Refusal.ts"

/** A hundred years, in days. */
export const longestTerm = 36_500

/** The days after which data may be erased; nothing is erased without a term. */
export const requiredTerm = Effect.fnUntraced(function*(input: Input) {
  if (input.text("olderThan") === null) return yield* new Refusal({ sentence: "Say with --older-than how many days ago the documents must have last moved." })
  return yield* input.wholeNumber("olderThan", 0, longestTerm)
})
