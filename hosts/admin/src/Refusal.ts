import { Schema } from "effect"

/** Bad input, or an act that contradicts the stored state: one sentence for the person, exit code 2, nothing changed. */
export class Refusal extends Schema.TaggedError<Refusal>()("Refusal", { sentence: Schema.String }) {
  override get message(): string {
    return this.sentence
  }
}

/** Settings, database or V-PFR do not work. Exit code 1. */
export class Trouble extends Schema.TaggedError<Trouble>()("Trouble", { sentence: Schema.String }) {
  override get message(): string {
    return this.sentence
  }
}
