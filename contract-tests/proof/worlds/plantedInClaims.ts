import type { ClaimedCheck } from "@overa/domain"

/** Bugs of the search for unknown outcomes that the checks must find. */
export type PlantedInClaims = "search-stops-once-found" | "seven-days-from-first"

/** A planted bug: the search for the other attempts stops once one is found. */
const withoutFound = (claims: ReadonlyArray<ClaimedCheck>): ReadonlyArray<ClaimedCheck> => claims.filter(({ operation }) => operation.status !== "FISCALIZED")

/** A planted bug: the seven days of a search are counted from the first attempt. */
const sinceFirst = (claims: ReadonlyArray<ClaimedCheck>): ReadonlyArray<ClaimedCheck> =>
  claims.map((claim) => {
    const [first] = claim.attempts
    return first === undefined ? claim : { ...claim, attempts: claim.attempts.map((attempt) => ({ ...attempt, startedAt: first.startedAt })) }
  })

/** What a worker has claimed, with one planted bug, or as it is. */
export const plantInClaims = (bug: string | null) => {
  if (bug === "search-stops-once-found") return withoutFound
  return bug === "seven-days-from-first" ? sinceFirst : (claims: ReadonlyArray<ClaimedCheck>) => claims
}
