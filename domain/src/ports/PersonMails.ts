import { Context, type DateTime, type Effect } from "effect"
import type { MailOutcome } from "../delivery/ReceiptDelivery.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A message to a person of the portal: plain text. */
export interface PersonMail {
  readonly recipient: string
  readonly subject: string
  readonly text: string
}

/** A message for the queue. It is written in the commit of the act that it tells of. */
export interface QueuedPersonMail extends PersonMail {
  /** It is not sent any more from then on. */
  readonly expiresAt: DateTime.Utc
}

/** A message that a worker has claimed. */
export interface ClaimedPersonMail {
  readonly id: string
  readonly claim: string
  readonly attempts: number
  readonly mail: PersonMail
}

/**
 * The queue of messages to people as workers see it. Its rows hold links that open something, so their contents are encrypted, and a row is removed as soon as the
 * mail server has answered for good. A worker that dies in between leaves a claim that ends by itself; then the message is sent once more, under the same Message-ID.
 */
export class PersonMailOutbox extends Context.Service<PersonMailOutbox, {
  /** Claims what is due, longest waiting first; removes what has expired. */
  readonly claimDue: (limit: number, leaseMillis: number) => Effect.Effect<ReadonlyArray<ClaimedPersonMail>, StoreUnavailable>
  /** The message was taken or refused for good. */
  readonly remove: (claimed: ClaimedPersonMail) => Effect.Effect<void, StoreUnavailable>
  /** Returns the message to the queue. `error` has no address in it; null where the message was not tried. */
  readonly putBack: (claimed: ClaimedPersonMail, dueInMillis: number, error: string | null) => Effect.Effect<void, StoreUnavailable>
}>()("@overa/domain/ports/PersonMailOutbox") {}

/** Hands one message to the mail server; never fails, and always ends within a bounded time, like `ReceiptMailer`. */
export class PersonMailer extends Context.Service<PersonMailer, {
  /** `id` makes the Message-ID: each attempt has the same. */
  readonly send: (id: string, mail: PersonMail) => Effect.Effect<MailOutcome>
}>()("@overa/domain/ports/PersonMailer") {}
