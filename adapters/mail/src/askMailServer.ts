import { Effect } from "effect"
import type { MailConnection } from "./MailConnection.ts"
import { poolOf } from "./SmtpReceiptMailer.ts"

/** Longer than a server needs that works; whoever asks is a person who waits. */
const longestMillis = 20_000

/**
 * Whether the mail server can be reached, encrypts, and accepts the sign-in; null, or what it says. No message is handed over.
 *
 * @example const fault = yield* askMailServer(connection) // "Invalid login: 535 …"
 */
export const askMailServer = (connection: MailConnection): Effect.Effect<string | null> =>
  Effect.acquireUseRelease(
    Effect.sync(() => poolOf(connection)),
    (pool) => Effect.promise(() => pool.verify().then(() => null, (error: unknown) => (error instanceof Error ? error.message : String(error)))),
    (pool) => Effect.sync(() => pool.close())
  ).pipe(Effect.timeoutOrElse({ duration: longestMillis, orElse: () => Effect.succeed("it does not answer") }))
