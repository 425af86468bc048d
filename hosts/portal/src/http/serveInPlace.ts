import { PortalSessions } from "@overa/domain"
import { Effect } from "effect"
import { isInPlace } from "../html/inPlace.ts"
import { documentOfAnotherPlace, formOfAnotherPlace } from "../pages/faults/wrongPlacePage.ts"
import { placeOfDocument } from "../pages/receipts/placeOfDocument.ts"
import { isSamePlace, placePrefix, splitPlace } from "./Place.ts"
import { redirect, type Reply } from "./Reply.ts"
import type { Route } from "./Route.ts"
import type { MemberVisit, Visit } from "./Visit.ts"

const isMember = (visit: Visit): visit is MemberVisit => "may" in visit

/** An address of an earlier release, or one that was typed, leads to the same page in its place: a document's own, else where the person was last. */
const toPlace = Effect.fnUntraced(function*(visit: MemberVisit) {
  const place = (yield* placeOfDocument(visit.person, visit.path)) ?? visit.place
  return redirect(placePrefix(place) + visit.path + visit.search)
})

/** The next address without a place leads to where the person was last. */
const remember = Effect.fnUntraced(function*({ place, session }: MemberVisit) {
  const { environment, organizationId } = session
  if (environment !== null && organizationId !== null && isSamePlace(place, { environment, organizationId })) return
  yield* (yield* PortalSessions).lookAt(session.session.digest, place.organizationId, place.environment)
})

/** Why a form is not for the place of its address; null where it is. Acts on one's own account are the same in every place. */
const refusedForm = (visit: MemberVisit, route: Route): Reply | null => {
  if (route.access.area !== "organization") return null
  const named = visit.form?.has("place") === true ? splitPlace(visit.form.text("place"))?.place ?? null : visit.isPlaced ? visit.place : null
  return named !== null && visit.isPlaced && isSamePlace(named, visit.place) ? null : formOfAnotherPlace(visit, named)
}

const notHere = ["NotFound", "FiscalDocumentNotFound", "OperationNotFound"]

const tagOf = (error: unknown): string => (error as { readonly _tag?: string } | null)?._tag ?? ""

/** A document that is not here may be in another place of the person. */
const orElsewhere = (visit: MemberVisit, served: ReturnType<Route["serve"]>): ReturnType<Route["serve"]> =>
  Effect.catchIf(served, (error) => notHere.includes(tagOf(error)), Effect.fnUntraced(function*(error) {
    const found = yield* placeOfDocument(visit.person, visit.path)
    return found === null || isSamePlace(found, visit.place) ? yield* Effect.fail(error) : documentOfAnotherPlace(visit, found)
  }))

/** Serves a page or an act in the place that its address names. */
export const serveInPlace = (visit: Visit, route: Route): ReturnType<Route["serve"]> => {
  if (!isInPlace(route) || !isMember(visit)) return route.serve(visit)
  if (visit.form !== null) {
    const refused = refusedForm(visit, route)
    return refused === null ? orElsewhere(visit, route.serve(visit)) : Effect.succeed(refused)
  }
  return visit.isPlaced ? Effect.andThen(remember(visit), orElsewhere(visit, route.serve(visit))) : toPlace(visit)
}
