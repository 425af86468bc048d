import { type Admitted, callerGone, networkOf, traced, withErrorListener } from "@overa/host-kit"
import { Cause, DateTime, Effect, Exit, Option, Schema } from "effect"
import type { Middleware, ParameterizedContext } from "koa"
import type { Readable } from "node:stream"
import { toText } from "../html/el.ts"
import { addressIn, htmlInPlace } from "../html/inPlace.ts"
import { layout } from "../html/layout.ts"
import { withKept } from "../html/filledForm.ts"
import { faultPage } from "../pages/faults/faultPages.ts"
import { type Address, writeCookie } from "./cookies.ts"
import { Form, FormRefused } from "./Form.ts"
import { authorOf, keptCookie, keptNoMore, keptSeconds, openKept } from "./KeptForm.ts"
import type { TokenSigner } from "./TokenSigner.ts"
import { comesFromUs } from "./originProof.ts"
import { contentSecurityPolicy } from "./pageHeaders.ts"
import { noteDownload } from "./noteDownload.ts"
import { pageOfForm } from "./pageOfForm.ts"
import type { PortalContext } from "./PortalContext.ts"
import { redirect, type Reply, withCookie } from "./Reply.ts"
import type { Route } from "./Route.ts"
import { serveInPlace } from "./serveInPlace.ts"
import { addressOfPage, admit, mayArrive, readVisit, visitOfForm } from "./visitOf.ts"
import type { Arrival, Visit } from "./Visit.ts"

/** The forms of a page without a session are checked by their origin alone. */
const isProven = (signer: TokenSigner, { session }: Arrival, form: Form): boolean => session === null || signer.isProof(session.session.digest, form.exact("proof"))

const bodyOf = (bytes: Uint8Array | string | Readable): Buffer | string | Readable => {
  if (typeof bytes === "string") return bytes
  return bytes instanceof Uint8Array ? Buffer.from(bytes) : withErrorListener(bytes)
}

const write = (context: ParameterizedContext, address: Address, visit: Arrival | Visit, reply: Reply): void => {
  if (reply.cookies !== undefined && reply.cookies.length > 0) context.set("Set-Cookie", reply.cookies.map((cookie) => writeCookie(address, cookie)))
  if (reply._tag === "Redirect") {
    context.status = 303
    context.set("Location", addressIn(visit.place, reply.to))
    context.body = null
    context.status = 303
    return
  }
  if (reply._tag === "File") {
    context.status = 200
    context.type = reply.mediaType
    context.set("Content-Disposition", `${reply.inline ? "inline" : "attachment"}; filename="${reply.fileName.replaceAll(/[^\w.-]/g, "_")}"`)
    if (reply.cacheControl !== undefined) context.set("Cache-Control", reply.cacheControl)
    context.body = bodyOf(reply.bytes)
    return
  }
  context.status = reply.status
  if (reply.retryAfterSeconds !== undefined) context.set("Retry-After", String(reply.retryAfterSeconds))
  context.type = "text/html; charset=utf-8"
  if (reply.scripts.length > 0) context.set("Content-Security-Policy", contentSecurityPolicy(true))
  context.body = toText(htmlInPlace(layout(visit, reply.title, reply.content, reply.scripts), visit.place))
}

/** The form does not carry the proof of its session. */
class NotProven extends Schema.TaggedError<NotProven>()("NotProven", {}) {}

/** The limit of forms before signing in: a few short fields, no file. */
const shortFormBytes = 16_384
/** The usual limit of a form: a logo or an element's archive, and some fields. */
const usualFormBytes = 1_048_576

const isForStrangers = ({ access }: Route): boolean => access.area === "open" || access.area === "half"

const mostBytesOf = (route: Route): number => isForStrangers(route) ? shortFormBytes : route.mostFormBytes ?? usualFormBytes

const readForm = (mostBytes: number, context: ParameterizedContext, admitted: Admitted) =>
  Effect.tryPromise({ try: () => Form.read(context.req, mostBytes, admitted.body), catch: (error) => error as FormRefused }).pipe(
    // The rest of the body is not read, so the connection cannot be used again.
    Effect.tapError(() => Effect.sync(() => context.set("Connection", "close")))
  )

/** Forms before signing in run in round robin over networks. The form is read first, so that a slow sender does not hold a place. */
const inTurn = <A, E, R>({ strangers }: PortalContext, route: Route, context: ParameterizedContext, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | FormRefused, R> => {
  if (!isForStrangers(route)) return work
  const entered = Effect.tryPromise({
    try: () => strangers.enter(networkOf(context.ip), callerGone(context.res)) ?? Promise.reject(new FormRefused("Busy", "Too many forms wait.")),
    catch: (error) => error instanceof FormRefused ? error : new FormRefused("UnreadableForm", "The sender left before its turn.")
  })
  return Effect.flatMap(entered, (leave) => Effect.ensuring(work, Effect.sync(leave)))
}

/** What a stranger may send to have it kept: any usual form without a file. */
const keptFormBytes = 65_536

/** A page that takes files is none: what strangers send to it is not read at all. */
const isKeepable = (route: Route, context: ParameterizedContext): boolean => {
  const isShort = (context.request.length ?? Number.POSITIVE_INFINITY) <= keptFormBytes
  return !isForStrangers(route) && route.mostFormBytes === undefined && isShort && context.is("application/x-www-form-urlencoded") !== false
}

/** Keeps in the browser what was typed into the form of an ended session; nothing of it is done. Null for a form that is not kept. */
const keepForm = Effect.fnUntraced(function*({ drafts }: PortalContext, visit: Arrival | Visit, form: Form) {
  const author = authorOf(drafts, form)
  if (author === null || (visit.session !== null && visit.session.person.id !== author)) return null
  const untilMillis = DateTime.toEpochMillis(yield* DateTime.now) + keptSeconds * 1_000
  const page = addressOfPage(visit, pageOfForm(visit.path))
  const cookie = keptCookie(drafts, { author, action: visit.path, page, form, untilMillis })
  const to = visit.session === null ? `/sign-in?ended=${cookie === null ? "lost" : "kept"}&next=${encodeURIComponent(page)}` : page
  return cookie === null && visit.session !== null ? null : { visit, reply: redirect(to, cookie === null ? [] : [cookie]) }
})

/** A form without a session: what was typed is kept, and the person signs in. */
const formOfStranger = Effect.fnUntraced(function*<E, R>(portal: PortalContext, route: Route, context: ParameterizedContext, visit: Arrival | Visit, read: Effect.Effect<Form, E, R>) {
  const kept = isKeepable(route, context) ? yield* keepForm(portal, visit, yield* read) : null
  return kept ?? { visit, reply: redirect(isForStrangers(route) ? "/sign-in" : `/sign-in?next=${encodeURIComponent(addressOfPage(visit, pageOfForm(visit.path)))}`) }
})

/** The page, with what its reader had typed when a session had ended; another person never sees it. */
const pageWithKept = Effect.fnUntraced(function*({ drafts }: PortalContext, route: Route, visit: Visit) {
  const cookie = isForStrangers(route) ? "" : visit.cookie("kept")
  if (cookie === "") return yield* serveInPlace(visit, route)
  const kept = openKept(drafts, cookie, DateTime.toEpochMillis(yield* DateTime.now))
  if (kept === null || kept.author !== visit.session?.person.id) return withCookie(yield* serveInPlace(visit, route), keptNoMore)
  if (kept.page !== addressOfPage(visit)) return yield* serveInPlace(visit, route)
  return withCookie(withKept(visit, yield* serveInPlace({ ...visit, kept: kept.form }, route), kept), keptNoMore)
})

const mustSignIn = (route: Route, { session }: Arrival | Visit): boolean => session === null && route.access.area !== "open"

/** Acts with the session and the role of now: what the headers came with may have ended while the body was on its way or waited for its turn. */
const act = Effect.fnUntraced(function*(portal: PortalContext, route: Route, context: ParameterizedContext, arrival: Arrival, form: Form) {
  const visit = yield* visitOfForm(arrival, form, portal)
  if (mustSignIn(route, visit)) return yield* formOfStranger(portal, route, context, visit, Effect.succeed(form))
  const allowed = yield* admit(visit, route.access)
  return { visit: allowed, reply: yield* serveInPlace(allowed, route) }
})

/** Checks access before it reads the form, so that nobody can send a file to a page without the right to use it; and once more with the act. */
const answerForm = Effect.fnUntraced(function*(portal: PortalContext, route: Route, context: ParameterizedContext, arrival: Arrival, admitted: Admitted) {
  if (mustSignIn(route, arrival)) return yield* formOfStranger(portal, route, context, arrival, readForm(keptFormBytes, context, admitted))
  yield* mayArrive(arrival, route.access)
  const form = yield* readForm(mostBytesOf(route), context, admitted)
  if (!isProven(portal.signer, arrival, form)) return (isKeepable(route, context) ? yield* keepForm(portal, arrival, form) : null) ?? (yield* new NotProven({}))
  return yield* inTurn(portal, route, context, act(portal, route, context, arrival, form))
})

const answerTo = Effect.fnUntraced(function*(portal: PortalContext, route: Route, context: ParameterizedContext, visit: Arrival | Visit, admitted: Admitted) {
  if (visit.form === "unread") return yield* answerForm(portal, route, context, visit, admitted)
  const allowed = yield* admit(visit, route.access)
  return { visit: allowed, reply: yield* noteDownload(allowed, yield* pageWithKept(portal, route, allowed)) }
})

const serveAdmitted = async (portal: PortalContext, route: Route, context: ParameterizedContext, admitted: Admitted): Promise<void> => {
  const { address } = portal
  const read = await portal.run(readVisit(context, portal))
  if (Exit.isFailure(read)) return unavailable(portal, context, read.cause)
  const visit = read.value
  // Nothing of a foreign form is read, so its connection cannot be used again.
  if (visit.form === "unread" && !comesFromUs(context.req.headers, address.origin)) {
    context.set("Connection", "close")
    return write(context, address, visit, faultPage(visit, "ForeignOrigin"))
  }
  const name = `portal ${route.method} ${route.path}`
  const exit = await portal.run(traced(answerTo(portal, route, context, visit, admitted), { name, kind: "server" }))
  if (Exit.isSuccess(exit)) return write(context, address, exit.value.visit, exit.value.reply)
  write(context, address, visit, replyToFailure(portal, visit, exit.cause))
}

const busy = (context: ParameterizedContext): void => {
  context.status = 429
  context.set("Retry-After", "1")
  context.set("Connection", "close")
  context.body = "Previše zahteva odjednom; ništa nije promenjeno. Sačekajte trenutak.\nToo many requests at once; nothing was changed. Wait a moment."
}

/** Serves one route: origin, admission, session, access, form, then the page. After any failure the reader gets a page with an explanation. */
export const serveRoute = (portal: PortalContext, route: Route): Middleware => async (context) => {
  const admitted = portal.admission.enter(networkOf(context.ip))
  if (admitted === null) return busy(context)
  try {
    await serveAdmitted(portal, route, context, admitted)
  } finally {
    if (context.res.closed) admitted.leave()
    else context.res.once("close", admitted.leave)
  }
}

const replyToFailure = (portal: PortalContext, visit: Arrival | Visit, cause: Cause.Cause<unknown>): Reply => {
  const error = Option.getOrNull(Cause.findErrorOption(cause)) as { readonly _tag?: string; readonly to?: string } | null
  if (error?._tag === "SignInFirst") return { _tag: "Redirect", to: error.to ?? "/sign-in" }
  const reply = error?._tag === undefined ? null : faultPage(visit, error._tag)
  if (reply !== null && reply._tag === "Page" && reply.status !== 500) return reply
  portal.log("fault", { path: visit.path, cause: Cause.pretty(cause) })
  return faultPage(visit, "Fault")
}

const unavailable = (portal: PortalContext, context: ParameterizedContext, cause: Cause.Cause<unknown>): void => {
  portal.log("fault", { path: context.path, cause: Cause.pretty(cause) })
  context.status = 503
  context.set("Retry-After", "10")
  context.body = "Baza podataka trenutno ne odgovara; ništa nije promenjeno. Pokušajte ponovo za minut.\nThe database does not answer now; nothing was changed. Try again in a minute."
}
