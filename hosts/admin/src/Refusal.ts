import { Schema } from "effect"

/** Bad input, or an act that does not fit: one sentence for the person, exit code 2, nothing changed. */
export class Refusal extends Schema.TaggedError<Refusal>()("Refusal", { sentence: Schema.String }) {
  override get message(): string {
    return this.sentence
  }
}

/** The surroundings do not work: settings, database, V-PFR. Exit code 1. */
export class Trouble extends Schema.TaggedError<Trouble>()("Trouble", { sentence: Schema.String }) {
  override get message(): string {
    return this.sentence
  }
}
