import { type BegunGuess, guessingPause, type GuessKey, remembered, SignInAttempts, signInThrottles } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { installationItself, rightNow } from "../administration/activity.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { type Mails, tellPerson } from "./PgPersonMails.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"

interface GuessRow {
  readonly failures: number
  readonly last_at: Date
}

const dateOf = (at: DateTime.Utc): Date => new Date(DateTime.toEpochMillis(at))

/** Deletes counts that no throttle remembers; those of whole accounts are remembered longest. */
export const forgetOldGuesses = Effect.fnUntraced(function*(tx: PgStatements, at: Date) {
  const before = (millis: number): Date => new Date(at.getTime() - millis)
  yield* tx.query("delete from portal_guesses where last_at < $1 and (last_at < $2 or guess_key not like '% anywhere')", [
    before(signInThrottles.origin.forgottenAfterMillis),
    before(signInThrottles.account.forgottenAfterMillis)
  ])
})

// The row is locked from the read to the count: parallel guesses are counted one after the other.
const lockCount = Effect.fnUntraced(function*(tx: PgStatements, { throttle, key }: GuessKey, at: DateTime.Utc) {
  const now = DateTime.toEpochMillis(at)
  yield* tx.query("insert into portal_guesses (guess_key, failures, last_at) values ($1, 0, $2) on conflict do nothing", [key, dateOf(at)])
  const [row] = yield* tx.query<GuessRow>("select failures, last_at from portal_guesses where guess_key = $1 for update", [key])
  const known = { count: row?.failures ?? 0, lastAtMillis: row?.last_at.getTime() ?? now }
  const rule = signInThrottles[throttle]
  return { key, throttle, count: remembered(known, now, rule), pauseMillis: guessingPause(known, now, rule) }
})

const beginGuess = Effect.fnUntraced(function*(tx: PgStatements, keys: ReadonlyArray<GuessKey>, at: DateTime.Utc) {
  // In one order, so that two attempts never wait for each other.
  const ordered = keys.toSorted((one, other) => one.key < other.key ? -1 : 1)
  const counts = yield* Effect.forEach(ordered, (key) => lockCount(tx, key, at))
  const longest = counts.reduce<BegunGuess>((most, it) => it.pauseMillis > most.pauseMillis ? it : most, { pauseMillis: 0, throttle: null })
  if (longest.pauseMillis > 0) return { pauseMillis: longest.pauseMillis, throttle: longest.throttle }
  for (const { count, key } of counts) {
    yield* tx.query("update portal_guesses set failures = $2, last_at = $3 where guess_key = $1", [key, count + 1, dateOf(at)])
  }
  return longest
})

const guessed = "Many wrong codes of one person's second factor within a day, from devices that have never signed in. Whoever tries has the password. The activity log says where the tries came from (second factor refused). A new password ends them: tell the person."

// The account's row is locked, and the index allows one open item: tries at once raise one.
const raiseGuessed = Effect.fnUntraced(function*(tx: PgStatements, mails: Mails, personId: string, { throttle, key }: GuessKey) {
  const [row] = yield* tx.query<{ readonly failures: number }>("select failures from portal_guesses where guess_key = $1 for update", [key])
  if (row === undefined || row.failures < signInThrottles[throttle].free) return
  const raised = yield* tx.query(
    `insert into attention (organization_id, person_id, kind, detail, raised_at) values ($1, $2, 'SECOND_FACTOR_GUESSED', $3, $4)
     on conflict (organization_id, person_id, kind) where person_id is not null and acknowledged_at is null do nothing returning attention_id`,
    [installationItself, personId, guessed, yield* rightNow]
  )
  if (raised.length > 0) yield* tellPerson(tx, mails, personId, "SECOND_FACTOR_GUESSED")
})

/** The count of wrong guesses, and what is told of them. */
export const layerSignInAttempts = (mails: Mails): Layer.Layer<SignInAttempts, never, PgDatabase> => Layer.effect(
  SignInAttempts,
  Effect.map(PgDatabase, (database) =>
    SignInAttempts.of({
      beginGuess: Effect.fn("SignInAttempts.beginGuess")(function*(keys: ReadonlyArray<GuessKey>, at: DateTime.Utc) {
        return yield* database.transaction((tx) => beginGuess(tx, keys, at))
      }),
      forgetGuesses: Effect.fn("SignInAttempts.forgetGuesses")(function*(key: string) {
        yield* database.read("delete from portal_guesses where guess_key = $1", [key])
      }),
      takeBackGuess: Effect.fn("SignInAttempts.takeBackGuess")(function*(key: string) {
        yield* database.read("update portal_guesses set failures = failures - 1 where guess_key = $1 and failures > 0", [key])
      }),
      noteWrongCode: Effect.fn("SignInAttempts.noteWrongCode")(function*(id, from, account) {
        yield* database.transaction((tx) =>
          Effect.gen(function*() {
            yield* recordAboutPerson(tx, { actor: "portal", reason: "wrong code" }, id, "second factor refused", { from })
            yield* raiseGuessed(tx, mails, id, account)
          })
        )
      }),
      useTimeStep: Effect.fn("SignInAttempts.useTimeStep")(function*(id: string, step: number) {
        const rows = yield* database.read(
          `update people set totp_last_step = $2 where person_id = $1 and (totp_last_step is null or totp_last_step < $2)
           returning person_id`,
          [id, step]
        )
        return rows.length > 0
      })
    }))
)
