import { Schema } from "effect"

/**
 * The caller has read events that the database no longer has, or that have other numbers now: it was restored to an earlier point. Source:
 * docs/adr/0176.
 */
export class EventSequenceChanged extends Schema.TaggedError<EventSequenceChanged>()("EventSequenceChanged", {
  /** The number that the caller named. */
  after: Schema.Int
}) {
  readonly code = "EVENT_SEQUENCE_CHANGED"
}
