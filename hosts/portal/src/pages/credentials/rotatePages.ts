import { AccessOversight, type CredentialEntry, CredentialActs, managementScope } from "@overa/domain"
import { Effect } from "effect"
import { el } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary } from "../../html/forms.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { confirmed, confirmedForm } from "../confirmPerson.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { secretPage } from "./secretPage.ts"

/** For how long both secrets are accepted, in hours. */
const keepHours = ["1", "24", "168", "720", "0"] as const

const keepWords = ({ say }: MemberVisit): Readonly<Record<(typeof keepHours)[number], string>> => ({
  1: say("један сат", "one hour"),
  24: say("један дан", "one day"),
  168: say("седам дана", "seven days"),
  720: say("тридесет дана", "thirty days"),
  0: say("не важи више", "it ends at once")
})

/** One that the organization may rotate: its own, valid, and not one that an operator alone manages. */
const rotatable = ({ revokedAt, scopes }: CredentialEntry): boolean => revokedAt === null && !scopes.includes(managementScope)

const namedCredential = Effect.fnUntraced(function*(visit: MemberVisit) {
  const oversight = yield* AccessOversight
  const found = (yield* oversight.credentials(visit.organizationId)).find(({ clientId }) => clientId === visit.params["client"])
  if (found === undefined || !rotatable(found) || !(yield* oversight.ownCredentials(visit.organizationId))) return yield* new NotFound({})
  return found
})

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { say } = visit
  const { clientId, name } = yield* namedCredential(visit)
  const title = say("Нова тајна", "New secret")
  const words = keepWords(visit)
  const { html, scripts } = yield* confirmedForm(
    visit,
    { action: visit.path, submit: say("Направи нову тајну", "Make a new secret") },
    faults,
    choice({
      name: "keep",
      label: say("Садашња тајна важи још", "The present secret is accepted for"),
      value: visit.form?.text("keep") || "24",
      options: keepHours.map((it) => [it, words[it]] as const),
      hint: say("Док обе важе, унесите нову у сваки програм. Ако већ важе две, старија престаје одмах.", "While both are accepted, give every program the new one. Where two are accepted already, the older ends at once."),
      fault: faults["keep"]
    })
  )
  const content = el("div", { class: "card narrow" }, el("h1", {}, title), faultSummary(visit, faults), el("p", {}, name ?? "", " ", el("span", { class: "secret" }, clientId)), html)
  return page(title, content, faultStatus(faults), scripts)
})

const rotateNow = Effect.fnUntraced(function*(visit: MemberVisit, clientId: string, hours: number) {
  if (!(yield* isFirstSending(visit))) return redirect("/credentials?done=already")
  const own = { by: "OWNER", organizationId: visit.organizationId, environment: null } as const
  const rotated = yield* (yield* CredentialActs).rotateCredential(actOf(visit), clientId, hours * 3_600, own)
  return secretPage(visit, rotated, visit.say("Нова тајна је направљена", "The new secret is made"), "/credentials")
}, Effect.catchTag("ActRefused", () => new NotFound({})))

const rotate = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { clientId } = yield* namedCredential(visit)
  const keep = keepHours.find((it) => it === visit.form?.text("keep"))
  if (keep === undefined) return yield* show(visit, { keep: visit.say("Изаберите колико ће још важити.", "Choose for how long it stays.") })
  return yield* confirmed(visit, rotateNow(visit, clientId, Number(keep)), (faults) => show(visit, faults))
})

/** An owner replaces a secret: asks for password or passkey, and shows the new one once. */
export const rotateRoutes = [
  memberRoute("GET", "/credentials/rotate/:client", "credentials:write", (visit) => show(visit)),
  memberRoute("POST", "/credentials/rotate/:client", "credentials:write", rotate)
]
