import { Context, type Effect } from "effect"
import type { MailOutcome } from "../delivery/MailOutcome.ts"
import type { ReceiptMail } from "../delivery/ReceiptMail.ts"

/**
 * Hands one message to the mail server, at most once. Never fails: the value says what happened. It always ends within a bounded time, and answers
 * `MayBeTaken` whenever the server may have taken the message.
 */
export class ReceiptMailer extends Context.Service<ReceiptMailer, {
  readonly send: (mail: ReceiptMail) => Effect.Effect<MailOutcome>
}>()("@overa/domain/ports/ReceiptMailer") {}
