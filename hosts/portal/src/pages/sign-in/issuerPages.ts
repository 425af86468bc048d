import { type IssuerAccount, IssuerAccounts, type IssuerRefused, People, type Person, SignInIssuer } from "@overa/domain"
import { DateTime, Effect, Option, Schema } from "effect"
import { localPath, redirect, type SetCookie } from "../../http/Reply.ts"
import { openRoute } from "../../http/Route.ts"
import type { Visit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { afterFirstFactor } from "./afterFirstFactor.ts"
import { signInPage } from "./signInPages.ts"

/** How long a person may take at the issuer. */
const longestSeconds = 600
const backPath = "/sign-in/issuer/back"
const use = "sign-in at the issuer"

/** The content of the cookie while the person is at the issuer; encrypted, so that no page and no other program of the browser can read it. */
const Waiting = Schema.fromJsonString(Schema.Struct({ kept: Schema.String, next: Schema.String, until: Schema.Finite }))
const textOfWaiting = Schema.encodeSync(Waiting)

const forgotten: SetCookie = { name: "issuer", value: null }

const configuredIssuer = Effect.gen(function*() {
  const issuer = yield* SignInIssuer
  return issuer.name === null ? yield* new NotFound({}) : issuer
})

const begin = Effect.fnUntraced(function*(visit: Visit) {
  const issuer = yield* configuredIssuer
  const { address, kept } = yield* issuer.begin(visit.origin + backPath)
  const until = DateTime.toEpochMillis(yield* DateTime.now) + longestSeconds * 1_000
  const waiting = textOfWaiting({ kept, next: localPath(visit.query.get("next") ?? "/"), until })
  return redirect(address, [{ name: "issuer", value: visit.draft.seal(use, waiting), maxAgeSeconds: longestSeconds }])
}, (effect, visit) => Effect.catchTag(effect, ["IssuerUnavailable", "IssuerRefused"], () => signInPage(visit, unreachable(visit), 503)))

const unreachable = (visit: Visit): string =>
  visit.say("Та пријава тренутно не ради. Пријавите се е-поштом и лозинком, или покушајте за минут.", "That way of signing in does not work at the moment. Use e-mail and password, or try again in a minute.")

const refusals = ({ say }: Visit): Readonly<Record<IssuerRefused["reason"], string>> => ({
  DECLINED: say("Пријава је прекинута. Покушајте поново.", "The sign-in was cancelled. Try again."),
  NOT_VALID: say("Ова пријава више не важи. Почните поново одавде.", "This sign-in is no longer valid. Start again from here.")
})

const notVerified = (visit: Visit): string =>
  visit.say("Та пријава не потврђује вашу е-пошту. Пријавите се лозинком.", "That account does not confirm your e-mail address. Sign in with your password.")

const otherAccount = (visit: Visit): string =>
  visit.say(
    "Налог са овом адресом припада другој пријави код издаваоца. Пријавите се лозинком, или се обратите оператеру.",
    "The account with this address belongs to another sign-in at the issuer. Sign in with your password, or contact the operator."
  )

const noAccount = (visit: Visit): string =>
  visit.say("За ту адресу нема налога. Затражите позив од власника организације.", "There is no account for that address. Ask an Owner for an invitation.")

/** The issuer has confirmed the address. What somebody else may have set in an account with this address ends before the person is let in. */
const provenPerson = Effect.fnUntraced(function*(person: Person) {
  if (person.addressProven) return person
  const people = yield* People
  yield* people.proveAddress({ actor: `portal:${person.email}`, reason: "signed in at the issuer" }, person.id, null)
  return Option.getOrElse(yield* people.find(person.id), () => person)
})

/** The person of an account at the issuer. Its first sign-in finds the person by the verified address; from then on the address does not matter. */
const personOf = Effect.fnUntraced(function*(account: IssuerAccount) {
  const accounts = yield* IssuerAccounts
  const known = Option.getOrNull(yield* accounts.find(account))
  if (known !== null || account.email === null) return known
  const found = Option.getOrNull(yield* (yield* People).findByEmail(account.email))
  if (found === null) return null
  const person = yield* provenPerson(found.person)
  yield* accounts.link({ actor: `portal:${person.email}`, reason: "signed in at the issuer" }, person.id, account)
  return person
})

const back = Effect.fnUntraced(function*(visit: Visit) {
  const issuer = yield* configuredIssuer
  const sealed = visit.draft.open(use, visit.cookie("issuer"))
  const waiting = Option.getOrNull(Schema.decodeUnknownOption(Waiting)(sealed))
  if (waiting === null || waiting.until < DateTime.toEpochMillis(yield* DateTime.now)) return yield* signInPage(visit, refusals(visit).NOT_VALID)
  const account = yield* issuer.finish(`${visit.origin}${backPath}?${visit.query.toString()}`, waiting.kept)
  const person = yield* personOf(account)
  if (person === null) return yield* signInPage(visit, account.email === null ? notVerified(visit) : noAccount(visit))
  return yield* afterFirstFactor(visit, person, waiting.next)
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("IssuerAccountTaken", () => signInPage(visit, otherAccount(visit))),
    Effect.catchTag("IssuerRefused", ({ reason }) => signInPage(visit, refusals(visit)[reason])),
    Effect.catchTag("IssuerUnavailable", () => signInPage(visit, unreachable(visit), 503)),
    // The cookie is used once, whatever the outcome is.
    Effect.map((reply) => ({ ...reply, cookies: [...reply.cookies ?? [], forgotten] }))
  ))

/** Signing in at the OpenID Connect issuer, if one is configured (Decisions §13). */
export const issuerRoutes = [openRoute("GET", "/sign-in/issuer", begin), openRoute("GET", backPath, back)]
