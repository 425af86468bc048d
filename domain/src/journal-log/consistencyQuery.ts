import { Result } from "effect"
import { onlyValue, queryFault, type QueryTexts } from "../journal/queryFields.ts"
import { RequestFaults } from "../requests/Fault.ts"

/** The two sizes that a proof of consistency is asked for. */
export interface ConsistencyQuery {
  readonly from: number
  readonly to: number
}

const sizeOf = (query: QueryTexts, name: string): number => {
  const text = onlyValue(query, name)
  return text !== null && /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN
}

/** Reads `from` and `to`, which a log of `size` leaves can prove: from ≤ to ≤ size. Source: Decisions §14. */
export const readConsistencyQuery = (query: QueryTexts, size: number): Result.Result<ConsistencyQuery, RequestFaults> => {
  const [from, to] = [sizeOf(query, "from"), sizeOf(query, "to")]
  const faults = [
    ...(Number.isNaN(from) ? [queryFault("from", "must be a size: a whole number from 0")] : []),
    ...(Number.isNaN(to) ? [queryFault("to", "must be a size: a whole number from 0")] : []),
    ...(from > to ? [queryFault("from", "must not be more than to")] : []),
    ...(to > size ? [queryFault("to", `must not be more than ${size}, the size of the last checkpoint`)] : [])
  ]
  return faults.length > 0 ? Result.fail(new RequestFaults({ faults })) : Result.succeed({ from, to })
}
