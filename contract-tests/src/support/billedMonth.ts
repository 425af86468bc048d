import { type CalendarMonth, monthRange, monthOf, monthsLater } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { ThrowawayDatabase } from "./throwawayDatabase.ts"

/** The month before the last one: it may be closed on every day of the running month. */
export const monthToClose = (): CalendarMonth => monthsLater(monthOf(Effect.runSync(DateTime.now)), -2)

/**
 * Prepares everything that a past month needs to be billed, as if it had been decided in its time: prices from that month on, and a licence with the
 * module email from its first moment on.
 */
export const arrangeMonth = async (database: ThrowawayDatabase, organizationId: string, month: CalendarMonth): Promise<void> => {
  const client = await database.client()
  await client.query("insert into price_lists values (1, $1, 1990, 500, 300.10, 2.5, 20, now()) on conflict do nothing", [month])
  const from = DateTime.toDateUtc(monthRange(month).from)
  await client.query("insert into licence_changes values ($1, $2, $2, null, false, '{email}')", [organizationId, from])
}
