import { Result } from "effect"
import { isInRange, type JournalFilter, readJournalFilter, type TimeRange } from "../journal/JournalFilter.ts"
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

/** A question for cases: the filter, and what follows from a case's documents. */
export interface AskedCases {
  readonly filter: AdvanceCaseFilter
  /** Cases with a document that matches, as a search of the journal; null where nothing of the documents is asked. */
  readonly documents: JournalFilter | null
  /** Null for every state. */
  readonly states: ReadonlyArray<AdvanceCaseState> | null
}

/** Longest reference, in characters (Decisions §1, Bounds). */
const longestReference = 200

/** What is asked of a case's documents; the other fields are asked of the case. */
const ofDocuments = ["pfrNumber", "buyerId", "cashierId", "text", "pfrFrom", "pfrTo"] as const

const readDocuments = (query: QueryTexts): Result.Result<JournalFilter, RequestFaults> =>
  readJournalFilter(Object.fromEntries(ofDocuments.flatMap((name) => query[name] === undefined ? [] : [[name, query[name]]])))

/** The question of a query, or everything wrong with it at once. */
export const readAskedCases = (query: QueryTexts): Result.Result<AskedCases, RequestFaults> => {
  const faults = [
    ...uuidFaults(query, "taxpayerId"),
    ...uuidFaults(query, "businessPremiseId"),
    ...valueFaults(query, "state", AdvanceCaseState.literals),
    ...lengthFaults(query, "clientReference", longestReference),
    ...rangeFaults(query, "createdFrom", "createdTo")
  ]
  const documents = readDocuments(query)
  if (Result.isFailure(documents)) return Result.fail(new RequestFaults({ faults: [...faults, ...documents.failure.faults] }))
  if (faults.length > 0) return Result.fail(new RequestFaults({ faults }))
  const states = query["state"] ?? []
  return Result.succeed({
    filter: {
      taxpayerId: onlyValue(query, "taxpayerId")?.toLowerCase() ?? null,
      businessPremiseId: onlyValue(query, "businessPremiseId")?.toLowerCase() ?? null,
      clientReference: onlyValue(query, "clientReference"),
      created: rangeOf(query, "createdFrom", "createdTo")
    },
    documents: ofDocuments.some((name) => onlyValue(query, name) !== null) ? documents.success : null,
    states: states.length === 0 ? null : AdvanceCaseState.literals.filter((state) => states.includes(state))
  })
}

const asks = (asked: string | null, found: string): boolean => asked === null || asked === found

/** Whether a case matches the filter. Every store's list must give the same result as this function. */
export const matchesCaseFilter = (filter: AdvanceCaseFilter, opened: OpenedAdvanceCase): boolean =>
  asks(filter.taxpayerId, opened.taxpayerId) && asks(filter.businessPremiseId, opened.businessPremiseId) &&
  asks(filter.clientReference, opened.clientReference) && isInRange(opened.createdAt, filter.created)
