import { type CalendarMonth, mayDo, MemberRole, type MonthMail, type MonthMailChoice, type MonthMailOwner, MonthMails } from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { recordActivity, rightNow } from "../administration/activity.ts"
import { PgDatabase } from "../PgDatabase.ts"
import { endMonthMail, monthMailKey } from "./endMonthMails.ts"

/** The roles that may have a month by mail: those that may open its files. */
export const readingRoles: ReadonlyArray<MemberRole> = MemberRole.literals.filter((role) => mayDo(role, "reports:read"))

interface MonthMailRow extends MonthMailChoice {
  readonly nextMonth: CalendarMonth
  readonly lastMonth: CalendarMonth | null
  readonly isWaiting: boolean
}

const choiceStatement = "select formats, language from month_mails where organization_id = $1 and person_id = $2 and environment = $3 and taxpayer_id = $4 for update"

const findStatement = `select mm.formats, mm.language, mm.next_month as "nextMonth", mm.last_month as "lastMonth", pm.mail_id is not null as "isWaiting"
  from month_mails mm left join portal_mail pm on pm.mail_id = mm.last_mail_id
  where mm.organization_id = $1 and mm.person_id = $2 and mm.environment = $3 and mm.taxpayer_id = $4`

// Until the end of the transaction nobody takes the role away.
const roleStatement = "select role from members where organization_id = $1 and person_id = $2 for share"

// What is on already keeps its months: the same month is never sent twice because somebody changed the language.
const switchOnStatement = `insert into month_mails (organization_id, person_id, environment, taxpayer_id, formats, language, portal, next_month, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
  on conflict on constraint month_mails_pk do update set formats = excluded.formats, language = excluded.language, portal = excluded.portal, updated_at = excluded.updated_at`

const isSame = (one: MonthMailChoice, other: MonthMailChoice): boolean => one.language === other.language && one.formats.join() === other.formats.join()

/** What members have switched on; each change is one commit with its line in the activity log. */
export const layerMonthMails: Layer.Layer<MonthMails, never, PgDatabase> = Layer.effect(
  MonthMails,
  Effect.map(PgDatabase, (database) =>
    MonthMails.of({
      find: Effect.fn("MonthMails.find")(function*(owner: MonthMailOwner) {
        const [row] = yield* database.read<MonthMailRow>(findStatement, monthMailKey(owner))
        return Option.fromNullishOr<MonthMail | undefined>(row)
      }),
      switchOn: Effect.fn("MonthMails.switchOn")(function*(act, owner: MonthMailOwner, { firstMonth, formats, language, portal }) {
        return yield* database.transaction((tx) =>
          Effect.gen(function*() {
            const [member] = yield* tx.query<{ readonly role: MemberRole }>(roleStatement, [owner.organizationId, owner.personId])
            if (member === undefined || !readingRoles.includes(member.role)) return false
            const [before = null] = yield* tx.query<MonthMailChoice>(choiceStatement, monthMailKey(owner))
            yield* tx.query(switchOnStatement, [...monthMailKey(owner), formats, language, portal, firstMonth, yield* rightNow])
            // A form that is sent twice changes nothing, and leaves one line.
            if (before !== null && isSame(before, { formats, language })) return true
            const { environment, organizationId, taxpayerId: subject } = owner
            yield* recordActivity(tx, act, { organizationId, act: before === null ? "month by mail switched on" : "month by mail changed", subject, before, after: { environment, formats, language } })
            return true
          })
        )
      }),
      switchOff: Effect.fn("MonthMails.switchOff")(function*(act, owner: MonthMailOwner) {
        return yield* database.transaction((tx) =>
          Effect.gen(function*() {
            if (!(yield* endMonthMail(tx, owner))) return false
            const { environment, organizationId, taxpayerId: subject } = owner
            yield* recordActivity(tx, act, { organizationId, act: "month by mail switched off", subject, before: null, after: { environment } })
            return true
          })
        )
      })
    }))
)
