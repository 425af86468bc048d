import { PasswordResets, PersonActRefused } from "@overa/domain"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { PgDatabase } from "../PgDatabase.ts"
import { beginAnew, decodePerson, endReset, personColumns, type PersonRow, setPassword } from "./personRows.ts"
import { type Mails, queueMail, tellPerson } from "./PgPersonMails.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"

interface ResetRow {
  readonly person_id: string
  readonly email: string
  readonly proven: boolean
}

const dateOf = (at: DateTime.Utc): Date => new Date(DateTime.toEpochMillis(at))

const useStatement = `delete from portal_resets r using people p where r.token_digest = $1 and r.expires_at > $2 and p.person_id = r.person_id
returning p.person_id, p.email, p.email_proven_at is not null as proven`

/** Links for forgotten passwords. */
export const layerPasswordResets = (mails: Mails): Layer.Layer<PasswordResets, never, PgDatabase> =>
  Layer.effect(
    PasswordResets,
    Effect.gen(function*() {
      const database = yield* PgDatabase
      const { secrets, uuid } = mails
      return PasswordResets.of({
        begin: Effect.fn("PasswordResets.begin")(function*(act, { expiresAt, personId, tokenDigest }, mail) {
          yield* database.transaction((tx) =>
            Effect.gen(function*() {
              // The person's row is locked: two requests at once come one after the other, and the second replaces the first.
              yield* tx.query("select 1 from people where person_id = $1 for update", [personId])
              yield* recordAboutPerson(tx, act, personId, "new password asked for")
              yield* endReset(tx, personId)
              const id = yield* uuid
              yield* tx.query("insert into portal_resets (person_id, reset_id, token_digest, expires_at) values ($1, $2, $3, $4)", [personId, id, tokenDigest, dateOf(expiresAt)])
              yield* queueMail(tx, secrets, id, { ...mail, expiresAt })
            })
          )
        }),
        find: Effect.fn("PasswordResets.find")(function*(tokenDigest: string, at: DateTime.Utc) {
          const [row] = yield* database.read<PersonRow>(
            `select ${personColumns} from portal_resets r join people p using (person_id) where r.token_digest = $1 and r.expires_at > $2`,
            [tokenDigest, dateOf(at)]
          )
          return Option.map(Option.fromNullishOr(row), decodePerson)
        }),
        finish: Effect.fn("PasswordResets.finish")(function*(tokenDigest, passwordHash, at) {
          yield* database.transaction((tx) =>
            Effect.gen(function*() {
              const [row] = yield* tx.query<ResetRow>(useStatement, [tokenDigest, dateOf(at)])
              if (row === undefined) return yield* new PersonActRefused({ reason: "RESET_NOT_USABLE" })
              const act = { actor: `portal:${row.email}`, reason: "forgotten password" }
              yield* recordAboutPerson(tx, act, row.person_id, row.proven ? "password changed" : "address proven")
              const hash = Redacted.value(passwordHash)
              yield* row.proven ? setPassword(tx, row.person_id, hash, null, dateOf(at)) : beginAnew(tx, row.person_id, hash, dateOf(at))
              yield* tellPerson(tx, mails, row.person_id, row.proven ? "PASSWORD_CHANGED" : "ACCOUNT_BEGUN_ANEW")
            })
          )
        })
      })
    })
  )
