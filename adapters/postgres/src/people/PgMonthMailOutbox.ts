import { createHash } from "node:crypto"
import { type CalendarMonth, type DueMonthMail, MonthMailOutbox, type MonthMailOwner, monthsLater, type QueuedPersonMail } from "@overa/domain"
import { Effect, Layer } from "effect"
import { recordActivity, rightNow } from "../administration/activity.ts"
import { PgDatabase } from "../PgDatabase.ts"
import type { Secrets } from "../Secrets.ts"
import { monthMailKey } from "./endMonthMails.ts"
import { readingRoles } from "./PgMonthMails.ts"
import { queueMail } from "./PgPersonMails.ts"

interface DueRow extends Omit<DueMonthMail, "taxpayer"> {
  readonly name: string
  readonly taxIdentifier: string
}

const dueStatement = `select mm.organization_id as "organizationId", mm.person_id as "personId", mm.environment, mm.taxpayer_id as "taxpayerId", mm.formats, mm.language, mm.portal,
    mm.next_month as month, p.email as recipient, t.name, t.tax_identifier as "taxIdentifier"
  from month_mails mm
    join members m on m.organization_id = mm.organization_id and m.person_id = mm.person_id
    join taxpayers t on t.organization_id = mm.organization_id and t.taxpayer_id = mm.taxpayer_id
    join people p on p.person_id = mm.person_id
  where mm.next_month <= $1 and m.role = any ($2::text[])
    and (mm.organization_id, mm.person_id, mm.environment, mm.taxpayer_id) > ($3::uuid, $4::uuid, $5::text, $6::uuid)
  order by mm.organization_id, mm.person_id, mm.environment, mm.taxpayer_id limit $7`

const advanceStatement = `update month_mails mm set next_month = $6, last_month = $5, last_mail_id = $7, updated_at = $8
  where mm.organization_id = $1 and mm.person_id = $2 and mm.environment = $3 and mm.taxpayer_id = $4 and mm.next_month = $5
    and exists (select 1 from members m where m.organization_id = $1 and m.person_id = $2 and m.role = any ($9::text[]))
  returning taxpayer_id`

const nobody = "00000000-0000-0000-0000-000000000000"
const firstPlace = [nobody, nobody, "", nobody] as const

/** A UUID of version 8 (RFC 9562) that is always the same for this month of this person. */
const mailIdOf = (owner: MonthMailOwner, month: CalendarMonth): string => {
  const hex = createHash("sha256").update(["month mail", ...monthMailKey(owner), month].join(" ")).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-")
}

/** The months that are due, and the commit that puts one of them into the queue of messages to people. */
export const layerMonthMailOutbox = (secrets: Secrets): Layer.Layer<MonthMailOutbox, never, PgDatabase> =>
  Layer.effect(
    MonthMailOutbox,
    Effect.map(PgDatabase, (database) =>
      MonthMailOutbox.of({
        due: Effect.fn("MonthMailOutbox.due")(function*(latest: CalendarMonth, after: MonthMailOwner | null, limit: number) {
          const rows = yield* database.read<DueRow>(dueStatement, [latest, readingRoles, ...(after === null ? firstPlace : monthMailKey(after)), limit])
          return rows.map(({ name, taxIdentifier, ...row }): DueMonthMail => ({ ...row, taxpayer: { name, taxIdentifier } }))
        }),
        queue: Effect.fn("MonthMailOutbox.queue")(function*(act, due: DueMonthMail, mail: QueuedPersonMail) {
          const { environment, formats, language, month, organizationId, recipient, taxpayerId: subject } = due
          const id = mailIdOf(due, month)
          return yield* database.transaction((tx) =>
            Effect.gen(function*() {
              const advanced = yield* tx.query(advanceStatement, [...monthMailKey(due), month, monthsLater(month, 1), id, yield* rightNow, readingRoles])
              if (advanced.length === 0) return false
              yield* queueMail(tx, secrets, id, mail)
              yield* recordActivity(tx, act, { organizationId, act: "month by mail queued", subject, before: null, after: { environment, month, recipient, formats, language } })
              return true
            })
          )
        })
      }))
  )
