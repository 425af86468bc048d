import { DateTime, Effect } from "effect"
import type { PasskeySite } from "../people/Passkey.ts"
import type { Person } from "../people/Person.ts"
import { PasskeyChecks } from "../ports/PasskeyChecks.ts"
import { SecondFactors } from "../ports/SecondFactors.ts"
import { ownAct } from "./signIn.ts"
import { SignInRefused } from "./signIn.ts"

/** The browser's answer to a question with this challenge. The caller sees to it that a challenge is answered once. */
export interface PasskeyAnswer {
  readonly site: PasskeySite
  readonly challenge: string
  /** JSON from the browser (RegistrationResponseJSON, AuthenticationResponseJSON). */
  readonly answer: string
}

/** Adds one's own passkey. The caller has compared the password before it asked the browser. */
export const addPasskey = Effect.fn("addPasskey")(function*(command: PasskeyAnswer & { readonly person: Person; readonly name: string; readonly keep: string }) {
  const { answer, challenge, keep, name, person, site } = command
  const made = yield* (yield* PasskeyChecks).readNew(site, challenge, answer)
  yield* (yield* SecondFactors).addPasskey(ownAct(person), person.id, { ...made, name }, keep)
})

/** A passkey as the second factor: one of this person, for this site and challenge, with a counter that grew. */
export const checkPasskey = Effect.fn("checkPasskey")(function*(command: PasskeyAnswer & { readonly person: Person }) {
  const { answer, challenge, person, site } = command
  const factors = yield* SecondFactors
  const use = yield* (yield* PasskeyChecks).readUse(site, challenge, answer, yield* factors.passkeysOf(person.id))
  const isNew = yield* factors.usePasskey(person.id, use.id, use.counter, yield* DateTime.now)
  if (!isNew) return yield* new SignInRefused({})
}, Effect.catchTag("PasskeyNotValid", () => new SignInRefused({})))
