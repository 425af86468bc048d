import { Environment, type FiscalDocumentId, OperationStore, type Person } from "@overa/domain"
import { Effect, Option } from "effect"
import type { Place } from "../../http/Place.ts"
import { documentId } from "./documentId.ts"

/** How many places are looked through: an accountant has many shops. */
const mostPlaces = 200

const isIn = Effect.fnUntraced(function*(place: Place, id: FiscalDocumentId) {
  return Option.isSome(yield* (yield* OperationStore).get(place, id))
})

/** The document that a path names; null for the path of another page. */
const namedIn = (path: string): FiscalDocumentId | null => path.startsWith("/receipts/") ? documentId(path.split("/")[2]) : null

/** Where the document that a path names is, among the places of the person; null for another page, and where nobody may show it to the person. */
export const placeOfDocument = Effect.fnUntraced(function*({ memberships }: Person, path: string) {
  const id = namedIn(path)
  if (id === null) return null
  const places = memberships.flatMap(({ organizationId }) => Environment.literals.map((environment): Place => ({ organizationId, environment }))).slice(0, mostPlaces)
  const found = yield* Effect.forEach(places, (place) => isIn(place, id), { concurrency: 8 })
  return places.find((_, at) => found[at] === true) ?? null
})
