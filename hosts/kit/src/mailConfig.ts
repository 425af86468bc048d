export { type MailConnection } from "@overa/adapter-mail"
import { type MailConnection, smtpServerOf } from "@overa/adapter-mail"
import { recipientFault } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { ConfigProblem, optional, optionalCertificates, problem, required } from "./settings.ts"

/** The mail server of the installation (`OVERA_SMTP_URL`, `OVERA_MAIL_SENDER`, `OVERA_SMTP_CA_FILE`); null where none is configured. */
export const mailConfig = Effect.gen(function*() {
  const url = yield* optional("OVERA_SMTP_URL")
  if (url === null) return null
  const sender = yield* required("OVERA_MAIL_SENDER")
  const fault = recipientFault(sender)
  if (fault !== undefined) return yield* problem(`OVERA_MAIL_SENDER ${fault}`)
  const trustAnchors = yield* optionalCertificates("OVERA_SMTP_CA_FILE")
  const connection: MailConnection = { url: Redacted.make(url), sender, trustAnchors }
  yield* Effect.try({
    try: () => smtpServerOf(connection.url),
    catch: (cause) => new ConfigProblem({ line: `OVERA_SMTP_URL: ${(cause as Error).message}` })
  })
  return connection
})
