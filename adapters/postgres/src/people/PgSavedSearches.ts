import { type SavedSearch, savedSearchLimits, SavedSearches, type SearchOwner, type SearchSaved } from "@overa/domain"
import { Effect, Layer } from "effect"
import { rightNow } from "../administration/activity.ts"
import { constraints } from "../constraints.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { PgFailure } from "../PgFailure.ts"

const listStatement = "select search_id::text as id, name, query from saved_searches where organization_id = $1 and person_id = $2 order by lower(name), search_id"

// Two saves at once may both count before either is stored: one more than the limit harms nobody.
const saveStatement = `insert into saved_searches (organization_id, person_id, search_id, name, query, created_at)
  select $1, $2, $3, $4, $5, $6 where (select count(*) from saved_searches where organization_id = $1 and person_id = $2) < $7 returning search_id`

const renameStatement = "update saved_searches set name = $4 where organization_id = $1 and person_id = $2 and search_id::text = $3 returning search_id"

const removeStatement = "delete from saved_searches where organization_id = $1 and person_id = $2 and search_id::text = $3 returning search_id"

/** Ends the transaction: after a violation nothing more can be done in it. */
const byName = <E, R>(work: Effect.Effect<SearchSaved, E, R>) =>
  Effect.mapError(work, (error) => error instanceof PgFailure && error.constraint === constraints.savedSearchName ? "NAME_TAKEN" as const : error)

const changed = (rows: ReadonlyArray<unknown>, otherwise: SearchSaved): SearchSaved => rows.length > 0 ? "SAVED" : otherwise

/** The searches that people have saved. */
export const layerSavedSearches: Layer.Layer<SavedSearches, never, PgDatabase> = Layer.effect(
  SavedSearches,
  Effect.map(PgDatabase, (database) => {
    const change = (statement: string, values: ReadonlyArray<unknown>, otherwise: SearchSaved) =>
      database.transaction((tx: PgStatements) => Effect.map(tx.query(statement, values), (rows) => changed(rows, otherwise)).pipe(byName)).pipe(
        Effect.catchIf((error) => error === "NAME_TAKEN", () => Effect.succeed<SearchSaved>("NAME_TAKEN"))
      )
    return SavedSearches.of({
      list: Effect.fn("SavedSearches.list")(function*({ organizationId, personId }: SearchOwner) {
        return yield* database.read<SavedSearch>(listStatement, [organizationId, personId])
      }),
      save: Effect.fn("SavedSearches.save")(function*({ organizationId, personId }: SearchOwner, { id, name, query }: SavedSearch) {
        return yield* change(saveStatement, [organizationId, personId, id, name, query, yield* rightNow, savedSearchLimits.each], "TOO_MANY")
      }),
      rename: Effect.fn("SavedSearches.rename")(function*({ organizationId, personId }: SearchOwner, id: string, name: string) {
        return yield* change(renameStatement, [organizationId, personId, id, name], "NOT_FOUND")
      }),
      remove: Effect.fn("SavedSearches.remove")(function*({ organizationId, personId }: SearchOwner, id: string) {
        return (yield* database.read(removeStatement, [organizationId, personId, id])).length > 0
      })
    })
  })
)
