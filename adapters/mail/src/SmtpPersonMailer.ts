import { type MailOutcome, type PersonMail, PersonMailer } from "@overa/domain"
import { Effect, Layer } from "effect"
import MailComposer from "nodemailer/lib/mail-composer"
import { type MailConnection, MailConnectionInvalid } from "./MailConnection.ts"
import { type ComposedMessage, messageIdFor } from "./message/receiptMessage.ts"
import { headerName } from "./message/shownText.ts"
import { handTo, poolOf } from "./SmtpReceiptMailer.ts"

/** The whole message: plain text, marked as automatic (RFC 3834). */
export const personMessage = async (id: string, { recipient, subject, text }: PersonMail, sender: string): Promise<ComposedMessage> => {
  const node = new MailComposer({
    messageId: messageIdFor(id, sender),
    from: { name: "Overa", address: sender },
    to: { name: "", address: recipient },
    subject: headerName(subject),
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    text,
    disableFileAccess: true,
    disableUrlAccess: true
  }).compile()
  return { bytes: await node.build(), envelope: { from: sender, to: node.getEnvelope().to } }
}

/** Messages to people of the portal by SMTP, over one connection of their own: receipts never wait for them. */
export const SmtpPersonMailer = {
  layer: (connection: MailConnection): Layer.Layer<PersonMailer, MailConnectionInvalid> =>
    Layer.effect(
      PersonMailer,
      Effect.gen(function*() {
        const pool = yield* Effect.acquireRelease(
          Effect.try({
            try: () => poolOf({ ...connection, connections: 1 }),
            catch: (cause) => cause instanceof MailConnectionInvalid ? cause : new MailConnectionInvalid({ detail: String(cause) })
          }),
          (opened) => Effect.sync(() => opened.close())
        )
        pool.on("error", () => undefined)
        return PersonMailer.of({
          send: Effect.fn("PersonMailer.send")(function*(id: string, mail: PersonMail) {
            const composed = yield* Effect.promise(() => personMessage(id, mail, connection.sender))
            return yield* handTo(pool, messageIdFor(id, connection.sender), composed, connection)
          }, Effect.uninterruptible)
        })
      })
    ),
  /** An installation without e-mail: nothing is queued there. */
  layerNone: Layer.succeed(
    PersonMailer,
    PersonMailer.of({ send: () => Effect.succeed<MailOutcome>({ _tag: "Unreachable", reason: "no mail server is configured" }) })
  )
}
