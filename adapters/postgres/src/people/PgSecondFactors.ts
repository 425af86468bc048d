import { type Act, mostPasskeys, type NewPasskey, type Passkey, PasskeyActRefused, SecondFactors } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { rightNow } from "../administration/activity.ts"
import { forgetDevices } from "./PgPersonDevices.ts"
import { constraints } from "../constraints.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { PgFailure } from "../PgFailure.ts"
import { utc } from "../rows/OperationRow.ts"
import { endIdleRecoveryCodes, endSessions, personRow } from "./personRows.ts"
import { type Mails, tellPerson } from "./PgPersonMails.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"

interface PasskeyRow {
  readonly passkey_id: string
  readonly public_key: Uint8Array
  readonly counter: string
  readonly transports: ReadonlyArray<string>
  readonly name: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const decode = (row: PasskeyRow): Passkey => ({
  id: row.passkey_id,
  publicKey: new Uint8Array(row.public_key),
  counter: Number(row.counter),
  transports: row.transports,
  name: row.name,
  createdAt: utc(row.created_at),
  lastUsedAt: row.last_used_at === null ? null : utc(row.last_used_at)
})

const passkeysStatement = `select passkey_id, public_key, counter::text as counter, transports, name, created_at, last_used_at
  from portal_passkeys where person_id = $1 order by created_at, passkey_id`

// The person's row is locked first: acts on one person's second factors come one after another, so two removals at once never remove the last two.
const lockPerson = Effect.fnUntraced(function*(tx: PgStatements, id: string) {
  const [person] = yield* tx.query<{ readonly operator: boolean; readonly has_authenticator: boolean }>(
    "select operator, totp_secrets is not null as has_authenticator from people where person_id = $1 for update",
    [id]
  )
  const rows = yield* tx.query<{ readonly passkey_id: string; readonly name: string }>("select passkey_id, name from portal_passkeys where person_id = $1", [id])
  return { operator: person?.operator === true, hasAuthenticator: person?.has_authenticator === true, passkeys: rows }
})

const insertPasskey = Effect.fnUntraced(function*(tx: PgStatements, personId: string, { counter, id, name, publicKey, transports }: NewPasskey) {
  yield* tx.query(
    `insert into portal_passkeys (passkey_id, person_id, name, public_key, counter, transports, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, personId, name, Buffer.from(publicKey), counter, transports, yield* rightNow]
  )
}, Effect.catchIf(
  (error) => error instanceof PgFailure && error.constraint === constraints.passkey,
  () => Effect.fail(new PasskeyActRefused({ reason: "ALREADY_ADDED" }))
))

const addPasskey = (database: PgDatabase["Service"], mails: Mails): SecondFactors["Service"]["addPasskey"] =>
  Effect.fn("SecondFactors.addPasskey")(function*(act, personId, passkey, keep) {
    yield* database.transaction((tx) =>
      Effect.gen(function*() {
        const { passkeys } = yield* lockPerson(tx, personId)
        if (passkeys.length >= mostPasskeys) return yield* new PasskeyActRefused({ reason: "TOO_MANY" })
        yield* recordAboutPerson(tx, act, personId, "passkey added", { name: passkey.name })
        yield* insertPasskey(tx, personId, passkey)
        yield* forgetDevices(tx, personId)
        yield* endSessions(tx, personId, keep)
        yield* tellPerson(tx, mails, personId, "PASSKEY_ADDED", passkey.name)
      })
    )
  })

const removePasskey = (database: PgDatabase["Service"], mails: Mails): SecondFactors["Service"]["removePasskey"] =>
  Effect.fn("SecondFactors.removePasskey")(function*(act, personId, passkeyId, keep) {
    yield* database.transaction((tx) =>
      Effect.gen(function*() {
        const { hasAuthenticator, operator, passkeys } = yield* lockPerson(tx, personId)
        const removed = passkeys.find((it) => it.passkey_id === passkeyId)
        if (removed === undefined) return yield* new PasskeyActRefused({ reason: "NOT_FOUND" })
        if (operator && !hasAuthenticator && passkeys.length === 1) return yield* new PasskeyActRefused({ reason: "LAST_SECOND_FACTOR" })
        yield* recordAboutPerson(tx, act, personId, "passkey removed", { name: removed.name })
        yield* tx.query("delete from portal_passkeys where person_id = $1 and passkey_id = $2", [personId, passkeyId])
        yield* endIdleRecoveryCodes(tx, personId)
        yield* forgetDevices(tx, personId)
        yield* endSessions(tx, personId, keep)
        yield* tellPerson(tx, mails, personId, "PASSKEY_REMOVED", removed.name)
      })
    )
  })

const writeAuthenticator = Effect.fnUntraced(function*(tx: PgStatements, id: string, sealed: string | null, keep: string | null) {
  yield* tx.query(
    "update people set totp_secrets = $2, totp_last_step = null, devices_since = $3, updated_at = $3 where person_id = $1",
    [id, sealed, yield* rightNow]
  )
  yield* endIdleRecoveryCodes(tx, id)
  yield* endSessions(tx, id, keep)
})

const setAuthenticator = (database: PgDatabase["Service"], mails: Mails): SecondFactors["Service"]["setAuthenticator"] =>
  Effect.fn("SecondFactors.setAuthenticator")(function*(act, id, totpSecret, keep) {
    yield* database.transaction((tx) =>
      Effect.gen(function*() {
        yield* recordAboutPerson(tx, act, id, totpSecret === null ? "second factor taken away" : "second factor set")
        yield* writeAuthenticator(tx, id, totpSecret === null ? null : mails.secrets.seal(personRow(id), totpSecret), keep)
        yield* tellPerson(tx, mails, id, totpSecret === null ? "SECOND_FACTOR_REMOVED" : "SECOND_FACTOR_SET")
      })
    )
  })

const removeAll = (database: PgDatabase["Service"], mails: Mails): SecondFactors["Service"]["removeAll"] =>
  Effect.fn("SecondFactors.removeAll")(function*(act: Act, id) {
    yield* database.transaction((tx) =>
      Effect.gen(function*() {
        yield* lockPerson(tx, id)
        yield* recordAboutPerson(tx, act, id, "second factor taken away")
        yield* tx.query("delete from portal_passkeys where person_id = $1", [id])
        yield* writeAuthenticator(tx, id, null, null)
        yield* tellPerson(tx, mails, id, "SECOND_FACTOR_REMOVED")
      })
    )
  })

/** The second factors of the portal's people; each change is one commit with its lines in the activity log. */
export const layerSecondFactors = (mails: Mails): Layer.Layer<SecondFactors, never, PgDatabase> =>
  Layer.effect(
    SecondFactors,
    Effect.map(PgDatabase, (database) =>
      SecondFactors.of({
        setAuthenticator: setAuthenticator(database, mails),
        passkeysOf: Effect.fn("SecondFactors.passkeysOf")(function*(personId: string) {
          return (yield* database.read<PasskeyRow>(passkeysStatement, [personId])).map(decode)
        }),
        addPasskey: addPasskey(database, mails),
        removePasskey: removePasskey(database, mails),
        usePasskey: Effect.fn("SecondFactors.usePasskey")(function*(personId: string, passkeyId: string, counter: number, at: DateTime.Utc) {
          const rows = yield* database.read(
            `update portal_passkeys set counter = $3, last_used_at = $4
             where person_id = $1 and passkey_id = $2 and (counter < $3 or (counter = 0 and $3 = 0)) returning passkey_id`,
            [personId, passkeyId, counter, new Date(DateTime.toEpochMillis(at))]
          )
          return rows.length > 0
        }),
        removeAll: removeAll(database, mails)
      }))
  )
