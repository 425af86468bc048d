import { type ClaimedPersonMail, Identifiers, type PersonMail, PersonMailOutbox, type QueuedPersonMail, type SecurityEvent, securityMail } from "@overa/domain"
import { DateTime, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { rightNow } from "../administration/activity.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import type { Secrets } from "../Secrets.ts"

const Contents = Schema.fromJsonString(Schema.Struct({ subject: Schema.String, text: Schema.String }))
const textOfContents = Schema.encodeSync(Contents)

/** The row that a message's encrypted contents are bound to. */
const mailRow = (id: string): string => `portal_mail ${id}`

/** Puts a message into the queue, in the transaction of the act that it tells of. */
export const queueMail = Effect.fnUntraced(function*(tx: PgStatements, secrets: Secrets, id: string, { expiresAt, recipient, subject, text }: QueuedPersonMail) {
  const now = yield* rightNow
  yield* tx.query("insert into portal_mail (mail_id, recipient, contents, created_at, expires_at, due_at, attempts) values ($1, $2, $3, $4, $5, $4, 0)", [
    id,
    recipient,
    secrets.seal(mailRow(id), Redacted.make(textOfContents({ subject, text }))),
    now,
    new Date(DateTime.toEpochMillis(expiresAt))
  ])
})

/** Takes messages that have not gone yet out of the queue, in the transaction of the act that ends what they tell of. */
export const unqueueMails = (tx: PgStatements, ids: ReadonlyArray<string>) => tx.query("delete from portal_mail where mail_id = any ($1::uuid[])", [ids])

/** What is needed to write a message: nothing is written where no mail server is configured. */
export interface Mails {
  readonly secrets: Secrets
  readonly uuid: Effect.Effect<string>
  readonly isConfigured: boolean
}

/** How long a message about an event is worth sending. */
const eventHours = 72

const tell = Effect.fnUntraced(function*(tx: PgStatements, { isConfigured, secrets, uuid }: Mails, rows: ReadonlyArray<{ readonly email: string }>, event: SecurityEvent, about: string) {
  if (!isConfigured) return
  const at = yield* DateTime.now
  for (const { email } of rows) {
    yield* queueMail(tx, secrets, yield* uuid, { ...securityMail(email, event, at, about), expiresAt: DateTime.add(at, { hours: eventHours }) })
  }
})

/** Tells a person of an event, in its transaction. */
export const tellPerson = Effect.fnUntraced(function*(tx: PgStatements, mails: Mails, personId: string, event: SecurityEvent, about = "") {
  yield* tell(tx, mails, yield* tx.query<{ readonly email: string }>("select email from people where person_id = $1", [personId]), event, about)
})

const ownersOf = (tx: PgStatements, organizationId: string) =>
  tx.query<{ readonly email: string }>(
    "select p.email from members m join people p using (person_id) where m.organization_id = $1 and m.role = 'OWNER' order by p.email",
    [organizationId]
  )

/** Tells the owners of an organization of an event, in its transaction. */
export const tellOwners = Effect.fnUntraced(function*(tx: PgStatements, mails: Mails, organizationId: string, event: SecurityEvent, about: string) {
  yield* tell(tx, mails, yield* ownersOf(tx, organizationId), event, about)
})

/** Writes a message to the owners of an organization, in the transaction of what it tells of. */
export const writeOwners = Effect.fnUntraced(function*(tx: PgStatements, { isConfigured, secrets, uuid }: Mails, organizationId: string, mail: Pick<PersonMail, "subject" | "text">) {
  if (!isConfigured) return
  const expiresAt = DateTime.add(yield* DateTime.now, { hours: eventHours })
  for (const { email } of yield* ownersOf(tx, organizationId)) yield* queueMail(tx, secrets, yield* uuid, { ...mail, recipient: email, expiresAt })
})

interface MailRow {
  readonly mail_id: string
  readonly recipient: string
  readonly contents: string
  readonly attempts: number
}

/** Null where the contents cannot be opened: its key is gone, and the row expires. */
const opened = (secrets: Secrets, { contents, mail_id, recipient }: MailRow): PersonMail | null => {
  const text = secrets.open(mailRow(mail_id), contents)
  const read = Result.isSuccess(text) ? Option.getOrNull(Schema.decodeUnknownOption(Contents)(Redacted.value(text.success))) : null
  return read === null ? null : { recipient, ...read }
}

// Rows that another worker is claiming are passed over.
export const claimPersonMails = `update portal_mail set claim = $1, claimed_until = now() + $2::float8 * interval '1 millisecond'
where mail_id = any (array(select mail_id from portal_mail where due_at <= now() and (claimed_until is null or claimed_until <= now())
  order by due_at, mail_id limit $3 for update skip locked))
returning mail_id, recipient, contents, attempts`

const putBackStatement = `update portal_mail set due_at = now() + $3::float8 * interval '1 millisecond', attempts = attempts + $4, last_error = coalesce($5, last_error),
  claim = null, claimed_until = null where mail_id = $1 and claim = $2`

/** The queue of messages to people. One clock for all: the database's. */
export const layerPersonMailOutbox = (secrets: Secrets): Layer.Layer<PersonMailOutbox, never, PgDatabase | Identifiers> =>
  Layer.effect(
    PersonMailOutbox,
    Effect.gen(function*() {
      const database = yield* PgDatabase
      const { uuid } = yield* Identifiers
      return PersonMailOutbox.of({
        claimDue: Effect.fn("PersonMailOutbox.claimDue")(function*(limit: number, leaseMillis: number) {
          yield* database.read("delete from portal_mail where expires_at <= now()")
          const claim = yield* uuid
          const rows = yield* database.read<MailRow>(claimPersonMails, [claim, leaseMillis, limit])
          return rows.flatMap((row): ReadonlyArray<ClaimedPersonMail> => {
            const mail = opened(secrets, row)
            return mail === null ? [] : [{ id: row.mail_id, claim, attempts: row.attempts, mail }]
          })
        }),
        remove: Effect.fn("PersonMailOutbox.remove")(function*({ claim, id }: ClaimedPersonMail) {
          yield* database.read("delete from portal_mail where mail_id = $1 and claim = $2", [id, claim])
        }),
        putBack: Effect.fn("PersonMailOutbox.putBack")(function*({ claim, id }: ClaimedPersonMail, dueInMillis: number, error: string | null) {
          yield* database.read(putBackStatement, [id, claim, dueInMillis, error === null ? 0 : 1, error])
        })
      })
    })
  )
