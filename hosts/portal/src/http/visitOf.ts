import { Environment, Installation, isAlive, mayDo, type MemberRole, type OpenSession, type Permission, PortalSessions, type Tenant } from "@overa/domain"
import { digestOf, guessingNetworkOf } from "@overa/host-kit"
import { DateTime, Effect, Option, Schema } from "effect"
import type { ParameterizedContext } from "koa"
import { isLanguage, preferredLanguage, speaker } from "../language/Language.ts"
import { readCookie } from "./cookies.ts"
import { Form } from "./Form.ts"
import { authorMark } from "./KeptForm.ts"
import { type Place, placePrefix, splitPlace } from "./Place.ts"
import type { SetCookie } from "./Reply.ts"
import type { Access } from "./Route.ts"
import type { PortalContext } from "./PortalContext.ts"
import type { SealedDrafts } from "./SealedDrafts.ts"
import type { Arrival, MemberVisit, PersonVisit, Visit } from "./Visit.ts"
import { queryOf } from "./withoutNul.ts"

/** No person is signed in, or the second factor is missing; `to` is the page to show instead. */
export class SignInFirst extends Schema.TaggedError<SignInFirst>()("SignInFirst", { to: Schema.String }) {}

/** Signed in, but without the permission. */
export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", {}) {}

/** The page does not exist for this reader. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}

/** How often the last-seen time of a session in use is stored. */
const seenEveryMillis = 60_000

/** The session of the cookie, if it is still valid. */
const sessionOf = Effect.fnUntraced(function*(token: string) {
  if (token === "") return null
  const sessions = yield* PortalSessions
  const found = Option.getOrNull(yield* sessions.find(digestOf(token)))
  const now = yield* DateTime.now
  if (found === null || !isAlive(found.session, now)) return null
  const since = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(found.session.seenAt)
  if (since > seenEveryMillis) yield* sessions.seen(found.session.digest, now)
  return found
})

/** Whether a restore is open in any environment. */
const isRestoring = Effect.gen(function*() {
  const installation = yield* Installation
  const settings = yield* Effect.forEach(Environment.literals, (environment) => installation.settings(environment))
  return settings.some(({ restoring }) => restoring)
})

/** Drafts of one session: those of another session do not open. */
const draftsOf = (drafts: SealedDrafts, session: string): Visit["draft"] => ({
  seal: (use, text) => drafts.seal(`${session} ${use}`, text),
  open: (use, sealed) => drafts.open(`${session} ${use}`, sealed)
})

type Given = Pick<PortalContext, "address" | "drafts" | "signer">

/** What a page has of the session. */
const ofSession = ({ drafts, signer }: Given, session: OpenSession | null) => ({
  session,
  author: session === null ? "" : authorMark(drafts, session.person.id),
  proof: signer.proof(session?.session.digest ?? ""),
  draft: draftsOf(drafts, session?.session.digest ?? "")
})

/** What every request has, whoever sent it. */
export const readVisit = Effect.fnUntraced(function*(context: ParameterizedContext, given: Given) {
  const header = context.get("Cookie")
  const session = yield* sessionOf(readCookie(given.address, header, "session"))
  const chosen = readCookie(given.address, header, "language")
  const language = isLanguage(chosen) ? chosen : preferredLanguage(context.get("Accept-Language"))
  const device = readCookie(given.address, header, "device")
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  const inside = splitPlace(context.path)
  const visit = {
    language,
    say: speaker(language),
    origin: given.address.origin,
    path: inside?.path ?? context.path,
    search: context.search,
    place: inside?.place ?? null,
    isPlaced: inside !== null,
    query: queryOf(context.querystring),
    params: (context as { readonly params?: Readonly<Record<string, string>> }).params ?? {},
    kept: null,
    ...ofSession(given, session),
    restoring: session !== null && (yield* isRestoring),
    address: context.ip,
    device: context.get("User-Agent").slice(0, 200),
    tryFrom: (email: string) => ({ address: guessingNetworkOf(context.ip), knownDevice: given.signer.knownDevice(email, device, now) }),
    deviceMark: (email: string, nowMillis: number) => given.signer.device(email, nowMillis, device),
    cookie: (name: SetCookie["name"]) => readCookie(given.address, header, name)
  }
  const read: Arrival | Visit = context.method === "POST" ? { ...visit, form: "unread" } : { ...visit, form: null }
  return read
})

/** The visit of a form that is here whole. Its session, the person and the roles are read now. */
export const visitOfForm = Effect.fnUntraced(function*(arrival: Arrival, form: Form, given: Given) {
  const session = yield* sessionOf(arrival.cookie("session"))
  const visit: Visit = { ...arrival, ...ofSession(given, session), restoring: session !== null && arrival.restoring, form }
  return visit
})

/** The query as an address after signing in may have it. */
const plainQuery = ({ query }: Pick<Visit, "query">): string => query.size === 0 ? "" : `?${query.toString().replaceAll("+", "%20").replaceAll("*", "%2A")}`

/** The address of a page in the place and with the query of the visit. */
export const addressOfPage = (visit: Arrival | Visit, path = visit.path): string => placePrefix(visit.place) + path + plainQuery(visit)

const signInAddress = (visit: Visit): string =>
  visit.form === null && visit.path !== "/" ? `/sign-in?next=${encodeURIComponent(addressOfPage(visit))}` : "/sign-in"

const personVisit = (visit: Visit, session: OpenSession): PersonVisit => ({
  ...visit,
  session,
  person: session.person,
  actor: `portal:${session.person.email}`
})

/** Where the person was last; the first organization where that one is no longer available. */
const lastPlace = ({ person, session: { environment, organizationId } }: PersonVisit): Place | null => {
  const membership = person.memberships.find((it) => it.organizationId === organizationId) ?? person.memberships[0]
  return membership === undefined ? null : { organizationId: membership.organizationId, environment: environment ?? "sandbox" }
}

/** The visit in the place of its address, or where the person was last; null without a role there. */
const memberVisit = (visit: PersonVisit): MemberVisit | null => {
  const place = visit.place ?? lastPlace(visit)
  const membership = visit.person.memberships.find((it) => it.organizationId === place?.organizationId)
  if (membership === undefined || place === null) return null
  const tenant: Tenant = place
  const role: MemberRole = membership.role
  return {
    ...visit,
    ...tenant,
    place,
    tenant,
    organizationName: membership.organizationName,
    role,
    may: (permission: Permission) => mayDo(role, permission)
  }
}

/** The page of the step that signing in still lacks, before which a session shows nothing of an organization; null for none. */
const missingStep = ({ person, session }: OpenSession): string | null => {
  if (session.stage !== "COMPLETE") return "/sign-in/code"
  // First the person's own password, then the rest: the operator who made this one has seen it.
  if (person.passwordGiven) return "/account/password"
  // Operators must have a second factor (Decisions §13).
  return person.operator && !person.hasSecondFactor ? "/account/second-factor" : null
}

/** The visit with what the area requires, or the reason why it is refused. */
export const admit = (visit: Visit, access: Access): Effect.Effect<Visit, SignInFirst | NotAllowed | NotFound> => {
  const { session } = visit
  if (session === null) return access.area === "open" ? Effect.succeed(visit) : new SignInFirst({ to: signInAddress(visit) })
  const person = personVisit(visit, session)
  const missing = missingStep(session)
  if (access.area === "open") return Effect.succeed(missing === null ? memberVisit(person) ?? person : person)
  if (access.area === "half") return Effect.succeed(person)
  if (missing !== null) return access.area === "person" && visit.path.startsWith(missing) ? Effect.succeed(person) : new SignInFirst({ to: missing })
  if (access.area === "operator") return session.person.operator ? Effect.succeed(person) : new NotAllowed({})
  const member = memberVisit(person)
  // Whether somebody else's organization exists is nobody's business.
  if (member === null && visit.isPlaced) return new NotFound({})
  if (access.area === "person") return Effect.succeed(member ?? person)
  return member !== null && member.may(access.permission) ? Effect.succeed(member) : new NotAllowed({})
}

/** Whether the body of a form may come: nobody sends a file to a page without the right to use it. The act's own check follows when the body is here. */
export const mayArrive = (arrival: Arrival, access: Access): Effect.Effect<void, SignInFirst | NotAllowed | NotFound> => Effect.asVoid(admit({ ...arrival, form: Form.of([]) }, access))
