import { DateTime, Effect, Option, type Redacted } from "effect"
import { PasswordResets, People, SignInAttempts } from "../ports/People.ts"
import type { PersonMail } from "../ports/PersonMails.ts"
import { acceptPassword, passwordOwner } from "./ownAccount.ts"
import { beginTry } from "./signIn.ts"

/** How long a link for a new password works. */
export const resetMinutes = 60

/** Slows down who asks for many links from one network, whatever the addresses: the answer says nothing about an account. */
export const mayAskForReset = (network: string) => beginTry([{ throttle: "origin", key: `reset anybody from ${network}` }])

/**
 * Sends a link for a new password to the address, where it has an account; not more often than a mailbox bears. It never fails for an unknown address and answers
 * nothing: its caller does not wait for it, so that neither the answer nor its time tells whether there is an account.
 */
export const sendReset = Effect.fn("sendReset")(function*(command: { readonly tokenDigest: string; readonly mail: PersonMail }) {
  const { mail, tokenDigest } = command
  const found = Option.getOrNull(yield* (yield* People).findByEmail(mail.recipient))
  if (found === null) return
  const at = yield* DateTime.now
  const { pauseMillis } = yield* (yield* SignInAttempts).beginGuess([{ throttle: "mail", key: `reset ${mail.recipient} anywhere` }], at)
  if (pauseMillis > 0) return
  const act = { actor: "portal", reason: "forgotten password" }
  yield* (yield* PasswordResets).begin(act, { personId: found.person.id, tokenDigest, expiresAt: DateTime.add(at, { minutes: resetMinutes }) }, mail)
})

/** Sets the new password by a link; null where the link cannot be used (any more). */
export const setByReset = Effect.fn("setByReset")(function*(command: { readonly tokenDigest: string; readonly password: Redacted.Redacted<string> }) {
  const { password, tokenDigest } = command
  const resets = yield* PasswordResets
  const at = yield* DateTime.now
  const person = Option.getOrNull(yield* resets.find(tokenDigest, at))
  if (person === null) return null
  yield* resets.finish(tokenDigest, yield* acceptPassword(password, passwordOwner(person)), at)
  return person
}, Effect.catchTag("PersonActRefused", () => Effect.succeed(null)))
