import { checkCode, checkPassword, PortalSessions, readEmail } from "@overa/domain"
import { digestOf, newToken } from "@overa/host-kit"
import { Command } from "commander"
import { hostname } from "node:os"
import { DateTime, Effect, Redacted } from "effect"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { sessionVariable } from "../input/operator.ts"
import { Refusal } from "../Refusal.ts"
import { withExamples } from "./describe.ts"

const factorMissing = "Set a second factor in the portal first; operators act with both."
const authenticatorMissing = "This command cannot ask for a passkey. Set up an authenticator app in the portal as well; then sign in with its code."
const notKnown = new Refusal({ sentence: "E-mail address, password or code is wrong, or this is no operator." })

const changedMeanwhile = new Refusal({ sentence: "The password or the second factor was changed meanwhile. Nobody was signed in; sign in again." })

/** Asked at a terminal; without one, the next line of standard input. */
const answerTo = ({ surroundings: { ask, nextLine } }: Input, question: string): Effect.Effect<string> =>
  Effect.promise(async () => (ask === null ? await nextLine() : await ask(question, { hidden: true })) ?? "")

const bothFactors = Effect.fnUntraced(function*(input: Input, email: string) {
  const from = { address: `the operator's command on ${hostname()}`, knownDevice: null }
  const password = Redacted.make(yield* answerTo(input, "Password: "))
  const person = yield* checkPassword({ email, password, from })
  if (!person.operator) return yield* notKnown
  if (person.passwordGiven) return yield* new Refusal({ sentence: "This password was made for you. Set your own in the portal first." })
  if (!person.hasAuthenticator) return yield* new Refusal({ sentence: person.hasPasskey ? authenticatorMissing : factorMissing })
  yield* checkCode({ person, code: (yield* answerTo(input, "Code: ")).trim(), from, session: null })
  return person
}, (checked) =>
  checked.pipe(
    Effect.catchTag("SignInRefused", () => Effect.fail(notKnown)),
    Effect.catchTag("SignInPaused", ({ seconds }) => Effect.fail(new Refusal({ sentence: `Too many wrong tries; wait ${seconds} seconds.` })))
  ))

/** `sign-in`: an operator's session for this command, the same as in the portal and listed there. */
export const signIn = (desk: Desk): Command =>
  withExamples(
    new Command("sign-in").description("asks for password and second factor, and shows a session for the acts that follow: 30 minutes without one, 12 hours at most")
      .argument("<email>").action(desk.does((input) =>
        Effect.gen(function*() {
          const email = readEmail(input.argument(0))
          if (email === null) return yield* notKnown
          const person = yield* bothFactors(input, email)
          const token = newToken()
          yield* (yield* PortalSessions).open({
            digest: digestOf(token),
            personId: person.id,
            stage: "COMPLETE",
            at: yield* DateTime.now,
            address: hostname(),
            device: "the operator's command",
            basis: { checked: person.devicesSince, replaces: null }
          }).pipe(Effect.catchTag("SessionRefused", () => Effect.fail(changedMeanwhile)))
          return { text: `export ${sessionVariable}=${token}`, json: { email, session: token } }
        })
      )),
    [`sign-in ana@example.rs`]
  )

/** `sign-out`: ends the current session. */
export const signOut = (desk: Desk): Command =>
  withExamples(new Command("sign-out").description(`ends the session in ${sessionVariable}`).action(desk.does((input) =>
    Effect.gen(function*() {
      const token = input.surroundings.environment[sessionVariable] ?? ""
      if (token !== "") yield* (yield* PortalSessions).end(digestOf(token))
      return { text: "Signed out.", json: { signedOut: token !== "" } }
    })
  )), [`sign-out`])
