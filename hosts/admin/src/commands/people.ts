import { acceptPassword, type Act, ErasureActs, type PasswordFault, type PasswordRefused, People, type Person, passwordOwner, readEmail, SecondFactors, SignInChecks } from "@overa/domain"
import { Command } from "commander"
import { randomBytes } from "node:crypto"
import { Effect, Option, Redacted } from "effect"
import type { Desk, Handle } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, asFinalAct, withExamples } from "./describe.ts"

const faults: Readonly<Record<PasswordFault, string>> = {
  TOO_SHORT: "A password needs at least 12 characters.",
  TOO_LONG: "A password may have at most 200 characters.",
  LIKE_EMAIL: "The password must not contain the e-mail address.",
  SAME_AS_BEFORE: "This is the password that is set already.",
  LIKE_ORGANIZATION: "The password must not contain the name of the person's organization, nor a word of it.",
  TOO_COMMON: "This is one of the most common passwords, digits and signs around it left out.",
  TOO_SIMPLE: "This password is too easy to guess."
}

const emailOf = (input: Input) => {
  const email = readEmail(input.argument(0))
  return email === null ? new Refusal({ sentence: `"${input.argument(0)}" is no e-mail address.` }) : Effect.succeed(email)
}

/** The password of OVERA_PORTAL_PASSWORD, or a new one that is shown once. */
const newPassword = Effect.fnUntraced(function*(input: Input, owner: ReturnType<typeof passwordOwner>) {
  const given = input.surroundings.environment["OVERA_PORTAL_PASSWORD"]
  if (given) return { passwordHash: yield* acceptPassword(Redacted.make(given), owner), shown: null }
  const shown = randomBytes(12).toString("base64url")
  return { passwordHash: yield* (yield* SignInChecks).hashPassword(Redacted.make(shown)), shown }
}, Effect.catchTag("PasswordRefused", ({ fault }: PasswordRefused) => Effect.fail(new Refusal({ sentence: faults[fault] }))))

const passwordLine = (shown: string | null): ReadonlyArray<string> =>
  shown === null ? [] : [`Password (shown once; the portal demands another one at the first sign-in): ${shown}`]

const add = (desk: Desk) =>
  asAct(
    new Command("add").description("adds a person who signs in to the portal; the password is OVERA_PORTAL_PASSWORD's, or made and shown once")
      .argument("<email>").requiredOption("--name <name>", "as the portal shows it").option("--installation", "an operator: works for the installation, not for an organization")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const act = yield* input.act
      const email = yield* emailOf(input)
      const { passwordHash, shown } = yield* newPassword(input, { email, organizations: [] })
      const name = (input.text("name") ?? "").trim()
      const operator = input.flag("installation") === true
      const id = yield* (yield* People).add(act, { email, name, operator, passwordHash, passwordGiven: shown !== null })
      return { text: [`${email} can sign in.`, ...passwordLine(shown)].join("\n"), json: { id, email, operator, password: shown } }
    })
  ))

const personOf = Effect.fnUntraced(function*(input: Input) {
  const email = yield* emailOf(input)
  const found = yield* (yield* People).findByEmail(email)
  return Option.isSome(found) ? found.value.person : yield* new Refusal({ sentence: `There is no person ${email}.` })
})

/** An act that cannot be undone, on the person whose address is the argument. */
const finalActOn = (
  desk: Desk,
  command: Command,
  consequence: (person: Person) => string,
  perform: (person: Person, act: Act, input: Input) => ReturnType<Handle>
) =>
  asFinalAct(command.argument("<email>")).action(desk.does((input) =>
    Effect.gen(function*() {
      const act = yield* input.act
      const person = yield* personOf(input)
      yield* input.confirm(consequence(person))
      return yield* perform(person, act, input)
    })
  ))

const resetPassword = (desk: Desk) =>
  finalActOn(
    desk,
    new Command("reset-password").description("gives a person a new password; all the person's sessions end, and second factors of an account whose address was not proven"),
    ({ email }) => `${email} is signed out everywhere.`,
    (person, act, input) =>
      Effect.gen(function*() {
        const { addressProven, email, id } = person
        const { passwordHash, shown } = yield* newPassword(input, passwordOwner(person))
        const people = yield* People
        // The operator hands the password to the person: from here on the account is that person's.
        yield* addressProven ? people.changePassword(act, id, passwordHash, null, shown !== null) : people.proveAddress(act, id, passwordHash, shown !== null)
        return { text: [`${email} has a new password.`, ...passwordLine(shown)].join("\n"), json: { id, password: shown } }
      })
  )

const resetSecondFactor = (desk: Desk) =>
  finalActOn(
    desk,
    new Command("reset-second-factor").description("removes a lost second factor, passkeys included; all the person's sessions end"),
    ({ email }) => `${email} signs in with the password alone until a new second factor is set.`,
    ({ email, id }, act) =>
      Effect.gen(function*() {
        yield* (yield* SecondFactors).removeAll(act, id)
        return { text: `${email} has no second factor any more.`, json: { id } }
      })
  )

const erase = (desk: Desk) =>
  finalActOn(
    desk,
    new Command("erase").description("erases a person who has no role any more: address, name, password, second factor, sessions, invitations"),
    ({ email }) => `${email} cannot be brought back. The activity log keeps the address where the person acted.`,
    ({ email, id }, act) =>
      Effect.gen(function*() {
        yield* (yield* ErasureActs).erasePerson(act, email)
        return { text: "Erased.", json: { id } }
      })
  )

/** `people`: who signs in to the portal. Into organizations they are invited with `organizations add-member`. */
export const people = (desk: Desk): Command =>
  withExamples(
    new Command("people").description("people who sign in to the portal").addCommand(add(desk)).addCommand(resetPassword(desk)).addCommand(resetSecondFactor(desk))
      .addCommand(erase(desk)),
    [
      `people add ana@example.rs --name "Ana Jović" --installation --reason "joins the support team"`,
      `people reset-password ana@example.rs --reason "forgot it, called back on the known number"`,
      `people erase ana@example.rs --reason "asked for, ticket 12"`
    ]
  )
