import { Context, type Effect } from "effect"
import type { MailOutcome } from "../delivery/MailOutcome.ts"
import type { ReceiptMail } from "../delivery/ReceiptMail.ts"

/**
 * Hands one message to the mail server, at most once, and never fails: what happened is its value. It always ends within a bounded time,
 * and says `MayBeTaken` of everything that could have been taken.
 */
export class ReceiptMailer extends Context.Service<ReceiptMailer, {
  readonly send: (mail: ReceiptMail) => Effect.Effect<MailOutcome>
}>()("@overa/domain/ports/ReceiptMailer") {}
