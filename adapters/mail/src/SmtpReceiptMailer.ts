import { Effect, Exit, Layer } from "effect"
import { longestHandOverMillis, type MailOutcome, type ReceiptMail, ReceiptMailer } from "@overa/domain"
import SMTPPool from "nodemailer/lib/smtp-pool"
import { HandOver } from "./handOver.ts"
import { type MailConnection, MailConnectionInvalid, smtpServerOf } from "./MailConnection.ts"
import { type ComposedMessage, messageIdOf, receiptMessage } from "./message/receiptMessage.ts"

/** How long a server may be silent. RFC 5321 (4.5.3.2) requires minutes, so that a slow server does not get a second copy. */
const silenceMillis = 180_000
const connectMillis = 15_000

/** A few connections to the mail server that are kept open. */
export const poolOf = (connection: MailConnection) => {
  const { auth, ...server } = smtpServerOf(connection.url)
  return new SMTPPool({
    ...server,
    ...(auth === null ? {} : { auth }),
    pool: true,
    maxConnections: connection.connections ?? 4,
    maxMessages: 100,
    // The pool may retry once when the server had closed the connection, while nothing of the message was read.
    maxRequeues: 1,
    connectionTimeout: connectMillis,
    greetingTimeout: connectMillis,
    socketTimeout: silenceMillis,
    logger: false,
    tls: { minVersion: "TLSv1.2", rejectUnauthorized: true, ...(connection.trustAnchors === null ? {} : { ca: connection.trustAnchors }) }
  })
}

/** A message that is on its way when the worker stops has so long to end: what manages it kills it after 50 seconds (deploy/systemd). */
const stopMillis = 20_000

/** Hands the composed message to the pool and turns its result into the outcome. */
const handOverTo = (pool: SMTPPool, messageId: string, { bytes, envelope }: ComposedMessage, stopping: AbortSignal): Promise<MailOutcome> => {
  const handOver = new HandOver(bytes)
  const message = {
    getEnvelope: () => ({ ...envelope, size: bytes.length }),
    messageId: () => messageId,
    getHeader: (name: string) => (name.toLowerCase() === "message-id" ? messageId : ""),
    createReadStream: () => handOver.stream()
  }
  const signal = AbortSignal.any([AbortSignal.timeout(longestHandOverMillis), stopping])
  return new Promise((resolve) => {
    pool.send({ data: { signal }, message } as unknown as Parameters<SMTPPool["send"]>[0], (error) => {
      resolve(error === null || error === undefined ? { _tag: "Taken" } : handOver.outcomeOf(error))
    })
  })
}

/**
 * Hands the composed message over. An interruption does not discard the outcome, because the server may have the message: it shortens the wait for the
 * server, so that the outcome is stored before the process is killed.
 */
export const handTo = (pool: SMTPPool, messageId: string, message: ComposedMessage, connection: Pick<MailConnection, "stopMillis">): Effect.Effect<MailOutcome> =>
  Effect.uninterruptible(Effect.gen(function*() {
    const stopping = new AbortController()
    const handingOver = handOverTo(pool, messageId, message, stopping.signal)
    const waited = yield* Effect.exit(Effect.interruptible(Effect.promise(() => handingOver)))
    if (Exit.isSuccess(waited)) return waited.value
    AbortSignal.timeout(connection.stopMillis ?? stopMillis).addEventListener("abort", () => stopping.abort(), { once: true })
    return yield* Effect.promise(() => handingOver)
  }))

/** Receipts by SMTP, over a few connections kept open (Decisions §12). Fails to start with settings that cannot be used. */
export const SmtpReceiptMailer = {
  layer: (connection: MailConnection): Layer.Layer<ReceiptMailer, MailConnectionInvalid> =>
    Layer.effect(
      ReceiptMailer,
      Effect.gen(function*() {
        const pool = yield* Effect.acquireRelease(
          Effect.try({
            try: () => poolOf(connection),
            catch: (cause) => cause instanceof MailConnectionInvalid ? cause : new MailConnectionInvalid({ detail: String(cause) })
          }),
          (opened) => Effect.sync(() => opened.close())
        )
        // The end of an idle connection affects no message.
        pool.on("error", () => undefined)
        const send = Effect.fn("ReceiptMailer.send")(function*(mail: ReceiptMail) {
          const composed = yield* Effect.promise(() => receiptMessage(mail, connection.sender))
          return yield* handTo(pool, messageIdOf(mail, connection.sender), composed, connection)
        }, Effect.uninterruptible)
        return ReceiptMailer.of({ send })
      })
    ),
  /** An installation without e-mail: nothing is queued there, so nothing is ever sent. */
  layerNone: Layer.succeed(
    ReceiptMailer,
    ReceiptMailer.of({ send: () => Effect.succeed<MailOutcome>({ _tag: "Unreachable", reason: "no mail server is configured" }) })
  )
}
