import { Result } from "effect"
import { pageSizes } from "../journal/JournalCursor.ts"
import { onlyValue, queryFault, type QueryTexts } from "../journal/queryFields.ts"
import { RequestFaults } from "../requests/Fault.ts"

/** Which events are asked for. */
export interface EventQuery {
  /** The number of the last event that the caller has; 0 for none. */
  readonly after: number
  /** That event's id, where the caller gives it; null elsewhere. */
  readonly afterId: string | null
  readonly pageSize: number
}

const eventId = /^evt_[0-9a-f]{32}$/

/** Reads `after`, `afterId` and `pageSize`, or says everything that is wrong with them. */
export const readEventQuery = (query: QueryTexts): Result.Result<EventQuery, RequestFaults> => {
  const [after, afterId] = [onlyValue(query, "after") ?? "0", onlyValue(query, "afterId")]
  const size = onlyValue(query, "pageSize") ?? String(pageSizes.usual)
  const pageSize = /^\d{1,3}$/.test(size) ? Number(size) : 0
  const faults = [
    ...(/^(?:0|[1-9]\d{0,14})$/.test(after) ? [] : [queryFault("after", "must be the sequence of an event, or 0")]),
    ...(afterId === null || (eventId.test(afterId) && after !== "0") ? [] : [queryFault("afterId", "must be the id of the event that after names")]),
    ...(pageSize < pageSizes.least || pageSize > pageSizes.most
      ? [queryFault("pageSize", `must be a whole number from ${pageSizes.least} to ${pageSizes.most}`)]
      : [])
  ]
  return faults.length > 0 ? Result.fail(new RequestFaults({ faults })) : Result.succeed({ after: Number(after), afterId, pageSize })
}
