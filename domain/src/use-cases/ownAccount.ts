import { DateTime, Effect, Redacted, Schema } from "effect"
import { passwordFault } from "../people/passwordFault.ts"
import type { Person } from "../people/Person.ts"
import { People, SignInAttempts } from "../ports/People.ts"
import { RecoveryCodes, SecondFactors } from "../ports/SecondFactors.ts"
import { RecoverySecrets, SignInChecks } from "../ports/SignInChecks.ts"
import { beginTry, checkPassword, originKey, ownAct, type TryFrom } from "./signIn.ts"

/** The new password is not accepted; nothing was changed. */
export class PasswordRefused extends Schema.TaggedError<PasswordRefused>()("PasswordRefused", {
  fault: Schema.Literals(["TOO_SHORT", "TOO_LONG", "LIKE_EMAIL", "LIKE_ORGANIZATION", "TOO_SIMPLE", "TOO_COMMON", "SAME_AS_BEFORE"])
}) {}

/** Who sets a password: the address, and the organizations in which the person has a role. */
export const passwordOwner = ({ email, memberships }: Pick<Person, "email" | "memberships">) => ({ email, organizations: memberships.map(({ organizationName }) => organizationName) })

/** The digest of a password that a person chose, or why it is refused. */
export const acceptPassword = Effect.fnUntraced(function*(password: Redacted.Redacted<string>, owner: ReturnType<typeof passwordOwner>) {
  const checks = yield* SignInChecks
  const fault = passwordFault(Redacted.value(password), { ...owner, isCommon: checks.isCommonPassword })
  if (fault !== null) return yield* new PasswordRefused({ fault })
  return yield* checks.hashPassword(password)
})

/** Changes one's own password, which requires the current one; every other session ends (Decisions §13). */
export const changeOwnPassword = Effect.fn("changeOwnPassword")(function*(command: {
  readonly person: Person
  readonly current: Redacted.Redacted<string>
  readonly next: Redacted.Redacted<string>
  readonly from: TryFrom
  readonly keep: string
}) {
  const { current, from, keep, next, person } = command
  yield* checkPassword({ email: person.email, password: current, from })
  if (Redacted.value(current) === Redacted.value(next)) return yield* new PasswordRefused({ fault: "SAME_AS_BEFORE" })
  yield* (yield* People).changePassword(ownAct(person), person.id, yield* acceptPassword(next, passwordOwner(person)), keep)
})

/** Sets up an authenticator app once a code proves that the authenticator has the secret; false when the code is wrong. */
export const confirmAuthenticator = Effect.fn("confirmAuthenticator")(function*(command: {
  readonly person: Person
  readonly secret: Redacted.Redacted<string>
  readonly code: string
  readonly from: TryFrom
  readonly keep: string
}) {
  const { code, from, keep, person, secret } = command
  // The secret that the page sent must have the form of our own secrets: 160 bits in Base32.
  if (!/^[A-Z2-7]{32}$/.test(Redacted.value(secret))) return false
  const tried = originKey("set-up", person.id, from)
  yield* beginTry([tried])
  const step = (yield* SignInChecks).matchingStep(secret, code, DateTime.toEpochMillis(yield* DateTime.now))
  if (step === null) return false
  yield* (yield* SecondFactors).setAuthenticator(ownAct(person), person.id, secret, keep)
  const attempts = yield* SignInAttempts
  yield* attempts.useTimeStep(person.id, step)
  yield* attempts.forgetGuesses(tried.key)
  return true
})

/** New recovery codes, which end the earlier ones. Answers the codes: nobody can read them again. */
export const makeRecoveryCodes = Effect.fn("makeRecoveryCodes")(function*(person: Person) {
  const { digestOf, newCodes } = yield* RecoverySecrets
  const codes = yield* newCodes
  yield* (yield* RecoveryCodes).replace(ownAct(person), person.id, codes.map(digestOf))
  return codes
})
