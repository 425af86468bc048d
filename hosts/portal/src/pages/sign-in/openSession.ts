import { AccessOversight, type Environment, type NewSession, type OrganizationId, type Person, PortalSessions, type SessionBasis, stillKnown } from "@overa/domain"
import { digestOf, newToken } from "@overa/host-kit"
import { DateTime, Effect } from "effect"
import type { SetCookie } from "../../http/Reply.ts"
import { deviceOfMark } from "../../http/TokenSigner.ts"
import type { PersonVisit, Visit } from "../../http/Visit.ts"
import { SignInFirst } from "../../http/visitOf.ts"
import { deviceCookie } from "./deviceCookie.ts"

/** Production once its credential is active: then sandbox data is shown only on request. */
export const firstEnvironment = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const credentials = yield* (yield* AccessOversight).credentials(organizationId)
  const isLive = credentials.some((it) => it.environment === "production" && it.revokedAt === null)
  const environment: Environment = isLive ? "production" : "sandbox"
  return environment
})

/** A person who was signed in stays where the page of the form was, or was last; after signing in, the first organization. */
const placeOf = Effect.fnUntraced(function*({ place, session }: Visit, person: Person) {
  if (place !== null) return place
  if (session?.person.id === person.id && session.organizationId !== null && session.environment !== null) return { organizationId: session.organizationId, environment: session.environment }
  const [membership] = person.memberships
  return membership === undefined ? null : { organizationId: membership.organizationId, environment: yield* firstEnvironment(membership.organizationId) }
})

/** The person has just given the first factor, or has begun the account. */
export const justChecked = ({ session }: Visit, { devicesSince }: Person): SessionBasis => ({ checked: devicesSince, replaces: session?.session.digest ?? null })

type Opened = Pick<NewSession, "basis" | "deviceId" | "isNewDevice" | "stage">

/**
 * Opens a session under a new token, which replaces the previous one: nobody can fix a session beforehand, and each step of signing in has a cookie
 * of its own. Where the basis of the session is over meanwhile, the person signs in again.
 */
export const openSession = Effect.fnUntraced(function*(visit: Visit, person: Person, opened: Opened) {
  const sessions = yield* PortalSessions
  const token = newToken()
  const digest = digestOf(token)
  yield* sessions.open({
    digest,
    personId: person.id,
    at: yield* DateTime.now,
    address: visit.address,
    device: visit.device,
    ...opened
  }).pipe(Effect.catchTag("SessionRefused", () => new SignInFirst({ to: "/sign-in?ended=changed" })))
  const place = yield* placeOf(visit, person)
  if (opened.stage === "COMPLETE" && place !== null) yield* sessions.lookAt(digest, place.organizationId, place.environment)
  const cookie: SetCookie = { name: "session", value: token }
  return cookie
})

/** Opens a complete session and marks the browser. */
export const openCompleteSession = Effect.fnUntraced(function*(visit: Visit, person: Person, basis: SessionBasis) {
  const isNewDevice = (yield* stillKnown(visit.tryFrom(person.email), person)).knownDevice === null
  const mark = visit.deviceMark(person.email, DateTime.toEpochMillis(yield* DateTime.now))
  const cookie = yield* openSession(visit, person, { stage: "COMPLETE", basis, deviceId: deviceOfMark(mark), isNewDevice })
  yield* Effect.logInfo("signed in", { personId: person.id, address: visit.address, isNewDevice, secondFactor: person.hasSecondFactor })
  return [cookie, deviceCookie(mark)]
})

/** A complete session in the place of the visit's own: after the second factor, and after a change of password or factor, which ends every earlier mark. */
export const continueSession = (visit: PersonVisit) => openCompleteSession(visit, visit.person, { continues: visit.session.session.digest })
