import { Context, type Effect } from "effect"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Whose searches: a person's, in one organization. */
export interface SearchOwner {
  readonly organizationId: OrganizationId
  readonly personId: string
}

/** A search of the journal that a person has saved. */
export interface SavedSearch {
  readonly id: string
  /** One for each of the owner's searches, whatever the letter case; 1 to `savedSearchLimits.name` characters. */
  readonly name: string
  /** The query of its address, without the question mark. */
  readonly query: string
}

export const savedSearchLimits = { name: 60, query: 2_000, each: 30 } as const

/** `NAME_TAKEN`: the owner has another search of this name. `TOO_MANY`: the owner has `savedSearchLimits.each` already. Then nothing is changed. */
export type SearchSaved = "SAVED" | "NAME_TAKEN" | "TOO_MANY" | "NOT_FOUND"

/** The searches that people have saved for themselves; nobody sees another person's. */
export class SavedSearches extends Context.Service<SavedSearches, {
  /** Sorted by name. */
  readonly list: (owner: SearchOwner) => Effect.Effect<ReadonlyArray<SavedSearch>, StoreUnavailable>
  readonly save: (owner: SearchOwner, search: SavedSearch) => Effect.Effect<SearchSaved, StoreUnavailable>
  readonly rename: (owner: SearchOwner, id: string, name: string) => Effect.Effect<SearchSaved, StoreUnavailable>
  /** False where the owner has no such search. */
  readonly remove: (owner: SearchOwner, id: string) => Effect.Effect<boolean, StoreUnavailable>
}>()("@overa/domain/ports/SavedSearches") {}
