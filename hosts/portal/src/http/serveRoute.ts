import { Cause, Effect, Exit, Option } from "effect"
import type { Middleware, ParameterizedContext } from "koa"
import { toText } from "../html/el.ts"
import { layout } from "../html/layout.ts"
import { faultPage } from "../pages/faults/faultPages.ts"
import { type Address, writeCookie } from "./cookies.ts"
import { Form } from "./Form.ts"
import type { Marks } from "./Marks.ts"
import { comesFromUs } from "./originProof.ts"
import type { PortalContext } from "./PortalContext.ts"
import type { Reply } from "./Reply.ts"
import type { Route } from "./Route.ts"
import { admit, readVisit } from "./visitOf.ts"
import type { Visit } from "./Visit.ts"

/** The forms of a page without a session are checked by their origin alone. */
const isProven = (marks: Marks, visit: Visit): boolean =>
  visit.session === null || marks.isProof(visit.session.session.digest, visit.form?.exact("proof") ?? "")

const write = (context: ParameterizedContext, address: Address, visit: Visit, reply: Reply): void => {
  if (reply.cookies !== undefined && reply.cookies.length > 0) context.set("Set-Cookie", reply.cookies.map((cookie) => writeCookie(address, cookie)))
  if (reply._tag === "Redirect") {
    context.status = 303
    context.set("Location", reply.to)
    context.body = null
    context.status = 303
    return
  }
  if (reply._tag === "File") {
    context.status = 200
    context.type = reply.mediaType
    context.set("Content-Disposition", `${reply.inline ? "inline" : "attachment"}; filename="${reply.fileName.replaceAll(/[^\w.-]/g, "_")}"`)
    if (reply.cacheControl !== undefined) context.set("Cache-Control", reply.cacheControl)
    context.body = reply.bytes instanceof Uint8Array ? Buffer.from(reply.bytes) : reply.bytes
    return
  }
  context.status = reply.status
  context.type = "text/html; charset=utf-8"
  context.body = toText(layout(visit, reply.title, reply.content))
}

const answerTo = Effect.fnUntraced(function*(route: Route, visit: Visit) {
  const admitted = yield* admit(visit, route.access)
  return { visit: admitted, reply: yield* route.serve(admitted) }
})

const goneSignal = (context: ParameterizedContext): AbortSignal => {
  const controller = new AbortController()
  context.res.once("close", () => context.res.writableFinished || controller.abort())
  return controller.signal
}

/** Serves one route: form, session, origin, access, then the page. Whatever fails, the reader gets a page with an explanation. */
export const serveRoute = (portal: PortalContext, route: Route): Middleware => async (context) => {
  const { address, drafts, marks } = portal
  const unsafe = route.method === "POST"
  if (unsafe && !comesFromUs(context.req.headers, address.origin)) {
    context.status = 403
    context.body = "This form was not sent from a page of this portal. Open the page again and send it from there."
    return
  }
  const form = unsafe ? await Form.read(context.req, route.mostFormBytes).catch(() => null) : null
  const read = await portal.run(readVisit(context, { address, marks, drafts, form, gone: goneSignal(context) }))
  if (Exit.isFailure(read)) return unavailable(portal, context, read.cause)
  const visit = read.value
  if (unsafe && (form === null || !isProven(marks, visit))) {
    return write(context, address, visit, faultPage(visit, form === null ? "UnreadableForm" : "NotProven"))
  }
  const exit = await portal.run(answerTo(route, visit))
  if (Exit.isSuccess(exit)) return write(context, address, exit.value.visit, exit.value.reply)
  write(context, address, visit, replyToFailure(portal, visit, exit.cause))
}

const replyToFailure = (portal: PortalContext, visit: Visit, cause: Cause.Cause<unknown>): Reply => {
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
