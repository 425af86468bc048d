import { Context, type Effect, Schema } from "effect"
import type { NewPasskey, Passkey, PasskeySite } from "../people/Passkey.ts"
import type { Person } from "../people/Person.ts"

/** The browser's answer cannot be read, is for another site or challenge, or has a signature that does not verify. */
export class PasskeyNotValid extends Schema.TaggedError<PasskeyNotValid>()("PasskeyNotValid", { cause: Schema.Defect() }) {}

/** A question to the browser. */
export interface PasskeyQuestion {
  /** JSON for the browser (PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON). */
  readonly options: string
  /** 256 random bits in base64url, to be used for one answer. */
  readonly challenge: string
}

/** The passkey that signed, with its new counter. */
export interface PasskeyUse {
  readonly id: string
  readonly counter: number
}

/**
 * Questions to authenticators and their answers (Web Authentication Level 3, §7.1 and §7.2). Stores nothing: the caller keeps the challenge, and
 * accepts one answer to it.
 *
 * @example
 * const { challenge, options } = yield* checks.askForUse(site, passkeys)
 * const use = yield* checks.readUse(site, challenge, answer, passkeys)
 */
export class PasskeyChecks extends Context.Service<PasskeyChecks, {
  /** Asks for a new passkey, on a device that has none of `known`. */
  readonly askForNew: (site: PasskeySite, person: Person, known: ReadonlyArray<Passkey>) => Effect.Effect<PasskeyQuestion>
  readonly readNew: (site: PasskeySite, challenge: string, answer: string) => Effect.Effect<Omit<NewPasskey, "name">, PasskeyNotValid>
  /** Asks for the use of one of `known`. */
  readonly askForUse: (site: PasskeySite, known: ReadonlyArray<Passkey>) => Effect.Effect<PasskeyQuestion>
  /** A counter that did not grow is not valid: somebody has a copy of the passkey. */
  readonly readUse: (site: PasskeySite, challenge: string, answer: string, known: ReadonlyArray<Passkey>) => Effect.Effect<PasskeyUse, PasskeyNotValid>
}>()("@overa/domain/ports/PasskeyChecks") {}
