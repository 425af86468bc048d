import { Context, type DateTime, type Effect, type Redacted, Schema } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { NewPasskey, Passkey } from "../people/Passkey.ts"
import type { PersonActRefused } from "./People.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** An act on passkeys that contradicts the stored state; nothing was changed. */
export class PasskeyActRefused extends Schema.TaggedError<PasskeyActRefused>()("PasskeyActRefused", {
  /**
   * - `ALREADY_ADDED`: somebody has added this passkey before.
   * - `TOO_MANY`: the person has `mostPasskeys` of them.
   * - `NOT_FOUND`: the person has no such passkey.
   * - `LAST_SECOND_FACTOR`: operators must keep one (Decisions §13).
   */
  reason: Schema.Literals(["ALREADY_ADDED", "TOO_MANY", "NOT_FOUND", "LAST_SECOND_FACTOR"])
}) {}

type PasskeyAct = Effect.Effect<void, PasskeyActRefused | PersonActRefused | StoreUnavailable>

/**
 * Recovery codes: each opens once what a second factor opens, for a person who has lost it. Only their digests are stored. They end with the last second factor.
 *
 * @example
 * const isUsed = yield* recovery.use(act, person.id, digest)
 */
export class RecoveryCodes extends Context.Service<RecoveryCodes, {
  /** Replaces all codes of the person by those with these digests; one commit with its line in the activity log and a message. */
  readonly replace: (act: Act, personId: string, digests: ReadonlyArray<string>) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
  /** How many are left. */
  readonly left: (personId: string) => Effect.Effect<number, StoreUnavailable>
  /** Uses up a code; false where the person has none with this digest. One commit with its line in the activity log and a message. */
  readonly use: (act: Act, personId: string, digest: string) => Effect.Effect<boolean, PersonActRefused | StoreUnavailable>
}>()("@overa/domain/ports/RecoveryCodes") {}

/**
 * The second factors of the people of the portal: an authenticator app's secret, and passkeys. Every change is one commit with its line in the
 * activity log, and ends the person's sessions but `keep`.
 *
 * @example
 * const passkeys = yield* secondFactors.passkeysOf(person.id)
 */
export class SecondFactors extends Context.Service<SecondFactors, {
  /** Null removes the authenticator app; passkeys stay. */
  readonly setAuthenticator: (
    act: Act,
    personId: string,
    totpSecret: Redacted.Redacted<string> | null,
    keep: string | null
  ) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
  /** Oldest first. */
  readonly passkeysOf: (personId: string) => Effect.Effect<ReadonlyArray<Passkey>, StoreUnavailable>
  readonly addPasskey: (act: Act, personId: string, passkey: NewPasskey, keep: string | null) => PasskeyAct
  readonly removePasskey: (act: Act, personId: string, passkeyId: string, keep: string | null) => PasskeyAct
  /** Notes a use; false where the stored counter is not below the new one, unless both are 0. */
  readonly usePasskey: (personId: string, passkeyId: string, counter: number, at: DateTime.Utc) => Effect.Effect<boolean, StoreUnavailable>
  /** Removes all of them, for a person who has lost one; ends every session of the person. */
  readonly removeAll: (act: Act, personId: string) => Effect.Effect<void, PersonActRefused | StoreUnavailable>
}>()("@overa/domain/ports/SecondFactors") {}
