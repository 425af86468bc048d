import { Effect } from "effect"
import { EventSequenceChanged } from "../events/errors.ts"
import type { EventQuery } from "../events/eventQuery.ts"
import { EventFeed } from "../ports/EventFeed.ts"
import type { Tenant } from "../tenancy/Caller.ts"

/**
 * The events behind the last one that the caller has. Refused where the database does not have that one: it was restored to an earlier point, and what
 * the caller has read since then is not what happened. Source: docs/adr/0176.
 */
export const readEvents = Effect.fn("readEvents")(function*(tenant: Tenant, { after, afterId, pageSize }: EventQuery) {
  const page = yield* (yield* EventFeed).page(tenant, { after, limit: pageSize })
  const isAnother = after > page.last || (afterId !== null && afterId !== page.afterId)
  return isAnother ? yield* new EventSequenceChanged({ after }) : page
})
