import { Result } from "effect"
import type { TimeRange } from "../journal/JournalFilter.ts"
import { isInRange } from "../journal/JournalFilter.ts"
import { lengthFaults, onlyValue, type QueryTexts, rangeFaults, rangeOf, uuidFaults, valueFaults } from "../journal/queryFields.ts"
import { RequestFaults } from "../requests/Fault.ts"
import { AdvanceCaseState, type OpenedAdvanceCase } from "./AdvanceCase.ts"

/** The filter of a list of cases by what never changes of them. A null field filters nothing; a case must match all other fields. */
export interface AdvanceCaseFilter {
  readonly taxpayerId: string | null
  readonly businessPremiseId: string | null
  /** Compared whole, as it is written. */
  readonly clientReference: string | null
  /** On `createdAt`. */
  readonly created: TimeRange
}

/** A question for cases: the filter, and the states, which follow from a case's documents; null for every state. */
export interface AskedCases {
  readonly filter: AdvanceCaseFilter
  readonly states: ReadonlyArray<AdvanceCaseState> | null
}

/** Longest reference, in characters (Decisions §1, Bounds). */
const longestReference = 200

/** The question of a query, or everything wrong with it at once. */
export const readAskedCases = (query: QueryTexts): Result.Result<AskedCases, RequestFaults> => {
  const faults = [
    ...uuidFaults(query, "taxpayerId"),
    ...uuidFaults(query, "businessPremiseId"),
    ...valueFaults(query, "state", AdvanceCaseState.literals),
    ...lengthFaults(query, "clientReference", longestReference),
    ...rangeFaults(query, "createdFrom", "createdTo")
  ]
  if (faults.length > 0) return Result.fail(new RequestFaults({ faults }))
  const states = query["state"] ?? []
  return Result.succeed({
    filter: {
      taxpayerId: onlyValue(query, "taxpayerId")?.toLowerCase() ?? null,
      businessPremiseId: onlyValue(query, "businessPremiseId")?.toLowerCase() ?? null,
      clientReference: onlyValue(query, "clientReference"),
      created: rangeOf(query, "createdFrom", "createdTo")
    },
    states: states.length === 0 ? null : AdvanceCaseState.literals.filter((state) => states.includes(state))
  })
}

const asks = (asked: string | null, found: string): boolean => asked === null || asked === found

/** Whether a case matches the filter. Every store's list must give the same result as this function. */
export const matchesCaseFilter = (filter: AdvanceCaseFilter, opened: OpenedAdvanceCase): boolean =>
  asks(filter.taxpayerId, opened.taxpayerId) && asks(filter.businessPremiseId, opened.businessPremiseId) &&
  asks(filter.clientReference, opened.clientReference) && isInRange(opened.createdAt, filter.created)
