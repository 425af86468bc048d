import type { Act, MonthMailOwner } from "@overa/domain"
import { Effect } from "effect"
import { recordActivity } from "../administration/activity.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { unqueueMails } from "./PgPersonMails.ts"

interface Ended {
  readonly taxpayer_id: string
  readonly environment: string
  readonly last_mail_id: string | null
}

const unqueue = (tx: PgStatements, ended: ReadonlyArray<Ended>) => unqueueMails(tx, ended.flatMap(({ last_mail_id: id }) => id ?? []))

/** The key of a row of `month_mails`, in the order of its columns. */
export const monthMailKey = ({ environment, organizationId, personId, taxpayerId }: MonthMailOwner) => [organizationId, personId, environment, taxpayerId] as const

/** Ends the month by mail of one taxpayer for a person, in a transaction; answers whether it was on. */
export const endMonthMail = Effect.fnUntraced(function*(tx: PgStatements, owner: MonthMailOwner) {
  const ended = yield* tx.query<Ended>(
    "delete from month_mails where organization_id = $1 and person_id = $2 and environment = $3 and taxpayer_id = $4 returning taxpayer_id, environment, last_mail_id",
    monthMailKey(owner)
  )
  yield* unqueue(tx, ended)
  return ended.length > 0
})

/** Ends every month by mail of a person whose role in the organization ends or reads no reports any more, in the transaction of that act. */
export const endMonthMails = Effect.fnUntraced(function*(tx: PgStatements, act: Act, organizationId: string, personId: string) {
  const ended = yield* tx.query<Ended>(
    "delete from month_mails where organization_id = $1 and person_id = $2 returning taxpayer_id, environment, last_mail_id",
    [organizationId, personId]
  )
  yield* unqueue(tx, ended)
  for (const { environment, taxpayer_id: subject } of ended) {
    yield* recordActivity(tx, act, { organizationId, act: "month by mail ended", subject, before: null, after: { environment } })
  }
})
