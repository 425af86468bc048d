import { acceptPassword, type InvitationEntry, Invitations, People } from "@overa/domain"
import { digestOf } from "@overa/host-kit"
import { DateTime, Effect, Option, Redacted } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { page, redirect, type Reply } from "../../http/Reply.ts"
import { openRoute } from "../../http/Route.ts"
import type { Visit } from "../../http/Visit.ts"
import { newPasswordField, passwordSentence } from "../account/passwordPage.ts"
import { justChecked, openSession } from "../sign-in/openSession.ts"
import { tokenField, tokenOf, tokenPage } from "../tokenPage.ts"
import { roleWords } from "./roleWords.ts"

const path = "/invitation"

/** Links of earlier releases, which may still be open, have the token in the path. */
const oldLink = (visit: Visit): Reply => redirect(`${path}#${visit.params["token"] ?? ""}`)

const overPage = (visit: Visit): Reply => {
  const title = visit.say("Позив не важи", "The invitation is over")
  return page(
    title,
    el("div", { class: "card narrow" }, el("h1", {}, title), el("p", {}, visit.say(
      "Позив је искоришћен, повучен или старији од 72 сата. Затражите нови од власника.",
      "It was used, withdrawn, or is older than 72 hours. Ask the Owner for a new one."
    ))),
    404
  )
}

/** Where an account exists, its owner signs in first: a link never sets the password of an existing account. */
const forKnownPerson = (visit: Visit, invitation: InvitationEntry): Html =>
  visit.session?.person.email === invitation.email && visit.session.session.stage === "COMPLETE"
    ? form(visit, { action: `${path}/accept`, submit: visit.say("Прихвати", "Accept") }, tokenField(visit))
    : el("p", {}, visit.say("За ову адресу постоји налог. ", "There is an account for this address. "), el("a", { class: "button", href: "/sign-in" }, visit.say("Пријавите се овом адресом", "Sign in with this address")), visit.say(" па поново отворите линк из поруке.", " and then open the link in the message again."))

const forNewcomer = (visit: Visit, faults: Faults): Html =>
  all(
    faultSummary(visit, faults),
    form(
      visit,
      { action: `${path}/accept`, submit: visit.say("Прихвати", "Accept") },
      tokenField(visit),
      field({ name: "name", label: visit.say("Име и презиме", "Your name"), required: true, autocomplete: "name", value: visit.form?.text("name") ?? "", fault: faults["name"] }),
      newPasswordField(visit, "next", faults["next"])
    )
  )

/** Not where nobody has proven the account's address and this invitation does: the account then begins anew, with what its owner sets here. */
const mustSignIn = Effect.fnUntraced(function*({ email, provesAddress }: InvitationEntry) {
  const found = Option.getOrNull(yield* (yield* People).findByEmail(email))
  return found !== null && (found.person.addressProven || !provesAddress)
})

const show = Effect.fnUntraced(function*(visit: Visit, faults: Faults = {}) {
  const invitation = Option.getOrNull(yield* (yield* Invitations).find(digestOf(tokenOf(visit)), yield* DateTime.now))
  if (invitation === null) return overPage(visit)
  const known = yield* mustSignIn(invitation)
  const title = visit.say("Позив", "Invitation")
  const content = all(
    el("h1", {}, title),
    el("p", {}, el("strong", {}, invitation.organizationName)),
    el("p", {}, invitation.email, " – ", roleWords(visit.say, invitation.role)),
    known ? forKnownPerson(visit, invitation) : forNewcomer(visit, faults)
  )
  return page(title, el("div", { class: "card narrow" }, content), faultStatus(faults))
})

const newcomerOf = Effect.fnUntraced(function*(visit: Visit, { email, organizationName }: InvitationEntry) {
  const name = visit.form?.text("name") ?? ""
  return { name, passwordHash: yield* acceptPassword(Redacted.make(visit.form?.exact("next") ?? ""), { email, organizations: [organizationName] }) }
})

const accept = Effect.fnUntraced(function*(visit: Visit) {
  const invitations = yield* Invitations
  const people = yield* People
  const digest = digestOf(tokenOf(visit))
  const at = yield* DateTime.now
  const invitation = Option.getOrNull(yield* invitations.find(digest, at))
  if (invitation === null) return overPage(visit)
  const isKnown = yield* mustSignIn(invitation)
  const isSignedIn = visit.session?.person.email === invitation.email && visit.session.session.stage === "COMPLETE"
  if (isKnown && !isSignedIn) return yield* show(visit)
  const name = visit.form?.text("name") ?? ""
  if (!isKnown && (name === "" || name.length > 100)) return yield* show(visit, { name: visit.say("Унесите име, највише 100 знакова.", "Enter your name, at most 100 characters.") })
  const newcomer = isKnown ? null : yield* newcomerOf(visit, invitation)
  const act = { actor: `portal:${invitation.email}`, reason: "accepted the invitation" }
  const id = yield* invitations.accept(act, digest, newcomer, at)
  const person = Option.getOrNull(yield* people.find(id))
  if (isKnown || person === null) return redirect("/organization")
  return redirect("/", [yield* openSession(visit, person, { stage: "COMPLETE", basis: justChecked(visit, person) })])
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("PasswordRefused", ({ fault }) => show(visit, { next: passwordSentence(visit, fault) })),
    Effect.catchTag("PersonActRefused", () => Effect.succeed(overPage(visit)))
  ))

/** The pages of an invitation's link. */
export const invitationRoutes = [
  openRoute("GET", path, (visit) => Effect.succeed(tokenPage(visit, visit.say("Позив", "Invitation"), path))),
  openRoute("POST", path, (visit) => show(visit)),
  openRoute("POST", `${path}/accept`, accept),
  openRoute("GET", `${path}/:token`, (visit) => Effect.succeed(oldLink(visit)))
]
