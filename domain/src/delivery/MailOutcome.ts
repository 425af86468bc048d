import { Schema } from "effect"

/**
 * How handing one message to the mail server ended.
 *
 * - `Taken`: the server said that it has the message.
 * - `Deferred`: certainly not taken, and another attempt may succeed (a 4xx answer, a connection lost before the message's last dot).
 * - `Refused`: certainly not taken and never will be (a 5xx answer).
 * - `MayBeTaken`: the connection was lost after the last dot, before the server's answer.
 * - `Unreachable`: the transport itself failed before any recipient was named: no name, connection, TLS or sign-in.
 */
export const MailOutcome = Schema.TaggedUnion({
  Taken: {},
  Deferred: { reason: Schema.String, recipientNamed: Schema.Boolean },
  Refused: { reason: Schema.String, recipientNamed: Schema.Boolean },
  MayBeTaken: { reason: Schema.String },
  Unreachable: { reason: Schema.String }
})
export type MailOutcome = typeof MailOutcome.Type
