import { DateTime, Effect } from "effect"
import type { Act } from "../../activity/Activity.ts"
import { isMonthMailDue, lastMonthToMail } from "../../books/monthMail.ts"
import { monthMailMessage } from "../../books/monthMailMessage.ts"
import { unresolvedStatuses } from "../../documents/DocumentStatus.ts"
import { noFilter } from "../../journal/JournalFilter.ts"
import { MailTransport } from "../../ports/DeliveryStore.ts"
import { JournalStore } from "../../ports/JournalStore.ts"
import { type DueMonthMail, MonthMailOutbox, type MonthMailOwner } from "../../ports/MonthMails.ts"
import { Installation } from "../../ports/TenancyDirectory.ts"
import { Environment } from "../../tenancy/Environment.ts"
import { monthRange } from "../../time/CalendarMonth.ts"

/** How many messages were queued, and behind whom to continue; null when everybody was looked at. */
export interface QueuedMonthMails {
  readonly queued: number
  readonly next: MonthMailOwner | null
}

/** For so long the mail server may be away before a message is given up. */
const daysWorthSending = 14

/** More are told as so many: the number only says whether to look again. */
const mostUndecided = 1_000

/** Before the month begins a document may be created that the V-PFR signs in it. */
const hoursBefore = 24

/** The documents that may turn out to be receipts of the month. */
const undecidedOf = Effect.fnUntraced(function*({ environment, month, organizationId, taxpayerId }: DueMonthMail) {
  const { from, to } = monthRange(month)
  const found = yield* (yield* JournalStore).select(
    { organizationId, environment },
    { ...noFilter, taxpayerId, status: unresolvedStatuses, created: { from: DateTime.subtract(from, { hours: hoursBefore }), to } },
    mostUndecided
  )
  return found.length
})

const queueOne = Effect.fnUntraced(function*(act: Act, due: DueMonthMail) {
  const now = yield* DateTime.now
  const undecided = yield* undecidedOf(due)
  if (!isMonthMailDue(due.month, undecided, now)) return false
  const message = monthMailMessage({ ...due, taxpayer: { ...due.taxpayer, id: due.taxpayerId }, undecided })
  return yield* (yield* MonthMailOutbox).queue(act, due, { ...message, recipient: due.recipient, expiresAt: DateTime.add(now, { days: daysWorthSending }) })
})

/** During a restore documents may be missing that were issued; afterwards the month has them. */
const isRestoring = Effect.gen(function*() {
  const installation = yield* Installation
  return (yield* Effect.forEach(Environment.literals, (environment) => installation.settings(environment))).some(({ restoring }) => restoring)
})

/**
 * Queues the messages about months that are complete, for at most `limit` people behind `after`, one month for each. Months that no worker looked at follow one after another, oldest first. Nothing
 * is queued while the mail server is out of reach, so that no message expires before it works again.
 */
export const queueMonthMails = Effect.fn("queueMonthMails")(function*(after: MonthMailOwner | null, limit: number) {
  if (!(yield* (yield* MailTransport).available) || (yield* isRestoring)) return { queued: 0, next: null } satisfies QueuedMonthMails
  const { hostId } = yield* Installation
  const act: Act = { actor: `worker:${hostId}`, reason: "switched on by the person" }
  const due = yield* (yield* MonthMailOutbox).due(lastMonthToMail(yield* DateTime.now), after, limit)
  const queued = yield* Effect.forEach(due, (one) => queueOne(act, one))
  return { queued: queued.filter((it) => it).length, next: due.length < limit ? null : due.at(-1) ?? null } satisfies QueuedMonthMails
})
