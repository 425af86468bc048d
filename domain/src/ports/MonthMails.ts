import { Context, type Effect, type Option } from "effect"
import type { MonthMailChoice } from "../books/monthMail.ts"
import type { Act } from "../activity/Activity.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import type { CalendarMonth } from "../time/CalendarMonth.ts"
import type { QueuedPersonMail } from "./PersonMails.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Whom a taxpayer's month is sent to: a member, at the address of the member's account and no other. */
export interface MonthMailOwner extends Tenant {
  readonly personId: string
  readonly taxpayerId: TaxpayerId
}

/** What a person has switched on. */
export interface MonthMail extends MonthMailChoice {
  /** The next month to be sent. */
  readonly nextMonth: CalendarMonth
  /** The month whose message was queued last; null before the first. */
  readonly lastMonth: CalendarMonth | null
  /** Whether that message still waits for the mail server. */
  readonly isWaiting: boolean
}

/** The month by mail as the person sees it. */
export class MonthMails extends Context.Service<MonthMails, {
  readonly find: (owner: MonthMailOwner) => Effect.Effect<Option.Option<MonthMail>, StoreUnavailable>
  /**
   * Switches it on, or changes what is on already, which keeps its months; one commit with its line in the activity log, where something changes. False where the person has no role in the organization that reads
   * reports. `portal` is the address that the message's links begin with.
   */
  readonly switchOn: (act: Act, owner: MonthMailOwner, choice: MonthMailChoice & { readonly portal: string; readonly firstMonth: CalendarMonth }) => Effect.Effect<boolean, StoreUnavailable>
  /** A message that has not gone yet does not go any more. One commit with its line in the activity log; false where it was off. */
  readonly switchOff: (act: Act, owner: MonthMailOwner) => Effect.Effect<boolean, StoreUnavailable>
}>()("@overa/domain/ports/MonthMails") {}

/** A month that is due for a person. */
export interface DueMonthMail extends MonthMailOwner, MonthMailChoice {
  readonly month: CalendarMonth
  readonly portal: string
  /** The address of the person's account. */
  readonly recipient: string
  readonly taxpayer: { readonly name: string; readonly taxIdentifier: string }
}

/**
 * The month by mail as workers see it. What is due is no claim: `queue` compares and sets the month in the commit that puts the message into the queue of messages to people, so however
 * many workers run, each month of a person is queued once. The queue has the lease and the attempts.
 */
export class MonthMailOutbox extends Context.Service<MonthMailOutbox, {
  /** What people with a role that reads reports have on and whose next month is `latest` or an earlier one; in one order, behind `after`, at most `limit`. */
  readonly due: (latest: CalendarMonth, after: MonthMailOwner | null, limit: number) => Effect.Effect<ReadonlyArray<DueMonthMail>, StoreUnavailable>
  /**
   * Queues the month's message and goes on to the next month, in one commit with its line in the activity log. False where the month was queued meanwhile, or the person has switched it off or
   * lost the role. The message's id is computed from whom and what it tells of: after a restore it is the same.
   */
  readonly queue: (act: Act, due: DueMonthMail, mail: QueuedPersonMail) => Effect.Effect<boolean, StoreUnavailable>
}>()("@overa/domain/ports/MonthMailOutbox") {}
