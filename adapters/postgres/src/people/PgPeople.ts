import { type Act, type MemberRole, type NewPerson, type OrganizationId, People, PersonActRefused, StoreUnavailable } from "@overa/domain"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { installationItself, recordActivity, rightNow } from "../administration/activity.ts"
import { constraints } from "../constraints.ts"
import { giveRole } from "./memberRole.ts"
import { type Mails, tellPerson } from "./PgPersonMails.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"
import { beginAnew, decodePerson, personColumns, type PersonRow, personRow, setPassword } from "./personRows.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { PgFailure } from "../PgFailure.ts"

/** The tools of a layer over people. */
interface Tools extends Mails {
  readonly database: PgDatabase["Service"]
}

interface SecretsRow extends PersonRow {
  readonly password_hash: string
  readonly totp_secrets: string | null
}

/** Adds a person in a transaction; an address that is taken is refused. */
export const insertPerson = Effect.fnUntraced(function*(tx: PgStatements, uuid: Effect.Effect<string>, person: NewPerson, addressProven: boolean) {
  const [id, now] = [yield* uuid, yield* rightNow]
  yield* tx.query(
    `insert into people (person_id, email, name, operator, password_hash, created_at, updated_at, email_proven_at, password_given) values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
    [id, person.email, person.name, person.operator, Redacted.value(person.passwordHash), now, addressProven ? now : null, person.passwordGiven === true]
  )
  return id
}, Effect.catchIf(
  (error) => error instanceof PgFailure && error.constraint === constraints.email,
  () => Effect.fail(new PersonActRefused({ reason: "PERSON_ALREADY_EXISTS" }))
))

const find = ({ database }: Tools): People["Service"]["find"] =>
  Effect.fn("People.find")(function*(id) {
    const [row] = yield* database.read<PersonRow>(`select ${personColumns} from people p where p.person_id::text = $1`, [id])
    return Option.map(Option.fromNullishOr(row), decodePerson)
  })

const findByEmail = ({ database, secrets }: Tools): People["Service"]["findByEmail"] =>
  Effect.fn("People.findByEmail")(function*(email) {
    const [row] = yield* database.read<SecretsRow>(
      `select ${personColumns}, p.password_hash, p.totp_secrets from people p where p.email = $1`,
      [email]
    )
    if (row === undefined) return Option.none()
    const totp = row.totp_secrets === null ? Result.succeed(null) : secrets.open(personRow(row.person_id), row.totp_secrets)
    if (Result.isFailure(totp)) return yield* new StoreUnavailable({ committed: "no", cause: totp.failure })
    return Option.some({
      person: decodePerson(row),
      secrets: { passwordHash: Redacted.make(row.password_hash), totpSecret: totp.success }
    })
  })

const changePassword = ({ database, ...mails }: Tools): People["Service"]["changePassword"] =>
  Effect.fn("People.changePassword")(function*(act, id, passwordHash, keep, passwordGiven) {
    yield* database.transaction((tx) =>
      Effect.gen(function*() {
        yield* recordAboutPerson(tx, act, id, "password changed")
        yield* setPassword(tx, id, Redacted.value(passwordHash), keep, yield* rightNow, passwordGiven)
        yield* tellPerson(tx, mails, id, "PASSWORD_CHANGED")
      })
    )
  })

const proveAddress = ({ database, ...mails }: Tools): People["Service"]["proveAddress"] =>
  Effect.fn("People.proveAddress")(function*(act, id, passwordHash, passwordGiven) {
    yield* database.transaction((tx) =>
      Effect.gen(function*() {
        const [account] = yield* tx.query<{ readonly proven: boolean }>(
          "select email_proven_at is not null as proven from people where person_id::text = $1 for update",
          [id]
        )
        if (account?.proven === true && passwordHash === null) return
        yield* recordAboutPerson(tx, act, id, "address proven")
        yield* beginAnew(tx, id, passwordHash === null ? "" : Redacted.value(passwordHash), yield* rightNow, passwordGiven)
        yield* tellPerson(tx, mails, id, "ACCOUNT_BEGUN_ANEW")
      })
    )
  })

const changeRole = ({ database }: Tools): People["Service"]["changeRole"] =>
  Effect.fn("People.changeRole")(function*(act: Act, organizationId: OrganizationId, person: string, role: MemberRole | null) {
    yield* database.transaction((tx) => giveRole(tx, act, { organizationId, person, role }))
  })

/** The people of the portal; each change is one commit with its lines in the activity log. */
export const layerPeople = (mails: Mails): Layer.Layer<People, never, PgDatabase> =>
  Layer.effect(
    People,
    Effect.gen(function*() {
      const database = yield* PgDatabase
      const { uuid } = mails
      const tools = { database, ...mails }
      return People.of({
        find: find(tools),
        findByEmail: findByEmail(tools),
        add: Effect.fn("People.add")(function*(act: Act, person: NewPerson) {
          return yield* database.transaction((tx) =>
            Effect.gen(function*() {
              const id = yield* insertPerson(tx, uuid, person, true)
              const after = { name: person.name, operator: person.operator }
              yield* recordActivity(tx, act, { organizationId: installationItself, act: "person added", subject: person.email, before: null, after })
              return id
            })
          )
        }),
        changePassword: changePassword(tools),
        proveAddress: proveAddress(tools),
        changeRole: changeRole(tools)
      })
    })
  )
