import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import type { GuessKey } from "../people/guessingPause.ts"
import type { Person } from "../people/Person.ts"
import { readRecoveryCode } from "../people/recoveryCodes.ts"
import { People, PersonDevices, SignInAttempts } from "../ports/People.ts"
import { RecoveryCodes } from "../ports/SecondFactors.ts"
import { RecoverySecrets, SignInChecks } from "../ports/SignInChecks.ts"

/** Address, password or code is wrong; the answer does not say which. */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {}) {}

/** Too many failed attempts: this one was not checked. */
export class SignInPaused extends Schema.TaggedError<SignInPaused>()("SignInPaused", {
  seconds: Schema.Int,
  /** The half-finished sign-in has had all its codes: it must begin again with the password. */
  mustBeginAgain: Schema.Boolean
}) {}

/** A person's act on the own account, for the activity log. */
export const ownAct = (person: Person) => ({ actor: `portal:${person.email}`, reason: "in the portal" })

/** A device on which somebody has signed in completely to this account. */
export interface KnownDevice {
  readonly id: string
  /** Its last complete sign-in. */
  readonly markedAtMillis: number
}

/** So long after its last sign-in a device is known. */
export const deviceMarkMillis = 180 * 24 * 60 * 60_000

/** The origin of an attempt: a device that has signed in to this account before, or a network. */
export interface TryFrom {
  readonly address: string
  /** Null for a device that is not known for this account. */
  readonly knownDevice: KnownDevice | null
}

/**
 * The attempt, without a device that signed in before the password or the second factor was changed, because somebody else may have signed in on it, and without one that the
 * person has forgotten.
 */
export const stillKnown = Effect.fnUntraced(function*(from: TryFrom, person: Person | undefined) {
  if (from.knownDevice === null || person === undefined) return from
  const isKnown = from.knownDevice.markedAtMillis >= DateTime.toEpochMillis(person.devicesSince) && !(yield* (yield* PersonDevices).isForgotten(person.id, from.knownDevice))
  return isKnown ? from : { ...from, knownDevice: null }
})

/** Where an attempt came from, as the logs say it. */
const shownOrigin = ({ address, knownDevice }: TryFrom): string => knownDevice === null ? address : "a device that has signed in before"

/** An attempt with a code. */
interface CodeTry {
  readonly person: Person
  readonly from: TryFrom
  /** The half-finished sign-in; null where the person is signed in already. */
  readonly session: string | null
}

/** The attempts at one thing from one origin. */
export const originKey = (kind: "password" | "code" | "set-up", account: string, from: TryFrom): GuessKey => ({
  throttle: "origin",
  key: from.knownDevice === null ? `${kind} ${account} from ${from.address}` : `${kind} ${account} on ${from.knownDevice.id}`
})

const accountKey = ({ id }: Person): GuessKey => ({ throttle: "account", key: `code ${id} anywhere` })

const codeKeys = ({ from, person, session }: CodeTry): ReadonlyArray<GuessKey> => [
  ...(from.knownDevice === null ? [accountKey(person)] : []),
  originKey("code", person.id, from),
  ...(session === null ? [] : [{ throttle: "signIn", key: `code ${person.id} in ${session}` } as const])
]

/** Counts an attempt before it is checked, or refuses it. */
export const beginTry = Effect.fnUntraced(function*(keys: ReadonlyArray<GuessKey>) {
  const { throttle, pauseMillis } = yield* (yield* SignInAttempts).beginGuess(keys, yield* DateTime.now)
  if (pauseMillis > 0) return yield* new SignInPaused({ seconds: Math.ceil(pauseMillis / 1_000), mustBeginAgain: throttle === "signIn" })
})

/** The first factor. Answers the person; opening a session is the caller's next step. */
export const checkPassword = Effect.fn("checkPassword")(function*(command: {
  readonly email: string
  readonly password: Redacted.Redacted<string>
  readonly from: TryFrom
}) {
  const found = Option.getOrNull(yield* (yield* People).findByEmail(command.email))
  const from = yield* stillKnown(command.from, found?.person)
  const key = originKey("password", command.email, from)
  yield* beginTry([key])
  const matches = yield* (yield* SignInChecks).passwordMatches(found?.secrets.passwordHash ?? null, command.password)
  if (found === null || !matches) {
    yield* Effect.logInfo("password refused", { personId: found?.person.id ?? null, from: shownOrigin(from) })
    return yield* new SignInRefused({})
  }
  yield* (yield* SignInAttempts).forgetGuesses(key.key)
  return found.person
})

/** A wrong code stands in the activity log; the operator is told where the account's codes are guessed from many networks. */
const refuseCode = Effect.fnUntraced(function*({ from, person }: CodeTry) {
  yield* (yield* SignInAttempts).noteWrongCode(person.id, shownOrigin(from), accountKey(person))
  return yield* new SignInRefused({})
})

/** A code of the authenticator app: right, and not used before. */
export const checkCode = Effect.fn("checkCode")(function*(command: CodeTry & { readonly code: string }) {
  const { code, person } = command
  const tried = { ...command, from: yield* stillKnown(command.from, person) }
  const keys = codeKeys(tried)
  yield* beginTry(keys)
  const attempts = yield* SignInAttempts
  const found = Option.getOrNull(yield* (yield* People).findByEmail(person.email))
  const secret = found?.secrets.totpSecret ?? null
  if (secret === null) return yield* new SignInRefused({})
  const step = (yield* SignInChecks).matchingStep(secret, code, DateTime.toEpochMillis(yield* DateTime.now))
  if (step === null || !(yield* attempts.useTimeStep(person.id, step))) return yield* refuseCode(tried)
  yield* forgetTries(keys)
})

/** Failures elsewhere stay: whoever signs in must not give an attacker a new count. */
const forgetTries = Effect.fnUntraced(function*(keys: ReadonlyArray<GuessKey>) {
  const attempts = yield* SignInAttempts
  for (const { throttle, key } of keys) yield* throttle === "account" ? attempts.takeBackGuess(key) : attempts.forgetGuesses(key)
})

/** A recovery code instead of the second factor, used up by this. Wrong ones are counted with wrong codes of the authenticator app. */
export const checkRecoveryCode = Effect.fn("checkRecoveryCode")(function*(command: CodeTry & { readonly code: string }) {
  const { person } = command
  const tried = { ...command, from: yield* stillKnown(command.from, person) }
  const keys = codeKeys(tried)
  yield* beginTry(keys)
  const code = readRecoveryCode(command.code)
  if (code === null) return yield* refuseCode(tried)
  const digest = (yield* RecoverySecrets).digestOf(Redacted.make(code))
  if (!(yield* (yield* RecoveryCodes).use(ownAct(person), person.id, digest))) return yield* refuseCode(tried)
  yield* forgetTries(keys)
})
