import { type IssuerAccount, IssuerAccounts, IssuerAccountTaken } from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { rightNow } from "../administration/activity.ts"
import { constraints } from "../constraints.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { PgFailure } from "../PgFailure.ts"
import { decodePerson, personColumns, type PersonRow } from "./personRows.ts"
import { type Mails, tellPerson } from "./PgPersonMails.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"

const insertStatement = `insert into portal_issuer_accounts (issuer, subject, person_id, linked_at) values ($1, $2, $3, $4)
on conflict on constraint portal_issuer_accounts_pk do nothing returning person_id`

const hasAnother = (error: unknown): boolean => error instanceof PgFailure && error.constraint === constraints.issuerAccountOfPerson

const ensureOwner = Effect.fnUntraced(function*(tx: PgStatements, personId: string, { issuer, subject }: Pick<IssuerAccount, "issuer" | "subject">) {
  const [row] = yield* tx.query<{ readonly person_id: string }>("select person_id from portal_issuer_accounts where issuer = $1 and subject = $2", [issuer, subject])
  if (row?.person_id !== personId) return yield* new IssuerAccountTaken({})
})

/** Accounts at the sign-in issuer, by what the issuer calls them. */
export const layerIssuerAccounts = (mails: Mails): Layer.Layer<IssuerAccounts, never, PgDatabase> =>
  Layer.effect(
    IssuerAccounts,
    Effect.map(PgDatabase, (database) =>
      IssuerAccounts.of({
        find: Effect.fn("IssuerAccounts.find")(function*({ issuer, subject }) {
          const [row] = yield* database.read<PersonRow>(
            `select ${personColumns} from portal_issuer_accounts a join people p using (person_id) where a.issuer = $1 and a.subject = $2`,
            [issuer, subject]
          )
          return Option.map(Option.fromNullishOr(row), decodePerson)
        }),
        link: Effect.fn("IssuerAccounts.link")(function*(act, personId, { issuer, subject }) {
          yield* database.transaction(Effect.fnUntraced(function*(tx) {
            const linked = yield* tx.query(insertStatement, [issuer, subject, personId, yield* rightNow]).pipe(
              Effect.catchIf(hasAnother, () => Effect.fail(new IssuerAccountTaken({})))
            )
            // Linked in the same moment by another sign-in.
            if (linked.length === 0) return yield* ensureOwner(tx, personId, { issuer, subject })
            yield* recordAboutPerson(tx, act, personId, "account at the issuer linked", { issuer })
            yield* tellPerson(tx, mails, personId, "ISSUER_ACCOUNT_LINKED", issuer)
          }))
        })
      }))
  )
