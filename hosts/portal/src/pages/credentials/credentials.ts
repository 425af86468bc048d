import { AccessOversight, CredentialActs, type CredentialEntry, managementScope, Scope, TenancyOversight } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { destructive } from "../../html/destructive.ts"
import { all, el, type Html } from "../../html/el.ts"
import { badge, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { moment } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import type { PageFolder } from "../PageFolder.ts"
import { actOf } from "../personAct.ts"
import { issueRoutes } from "./issuePages.ts"
import { rotateRoutes } from "./rotatePages.ts"

/** Behind a click of its own: a shop whose credential is revoked issues nothing until it has another one. */
const revokeForm = (visit: MemberVisit, clientId: string): Html =>
  destructive(
    visit,
    {
      action: "/credentials/revoke",
      opens: visit.say("Опозови…", "Revoke…"),
      consequence: visit.say("Ко ради са њим, више неће моћи да издаје рачуне. Не може се вратити.", "Whoever works with it can issue no more receipts. It cannot be undone."),
      submit: visit.say("Опозови", "Revoke"),
      label: clientId
    },
    el("input", { type: "hidden", name: "client", value: clientId })
  )

/** One that manages others is rotated by operators alone. */
const state = (visit: MemberVisit, { clientId, revokedAt, scopes }: CredentialEntry, allowed: boolean): Html => {
  if (revokedAt !== null) return [badge("plain", visit.say("Опозван", "Revoked")), " ", moment(revokedAt)]
  if (!visit.may("setup:write")) return badge("good", visit.say("Важи", "In force"))
  const rotate = el("p", {}, el("a", { href: `/credentials/rotate/${clientId}` }, visit.say("Нова тајна", "New secret"), el("span", { class: "unseen" }, ` ${clientId}`)))
  return [allowed && visit.may("credentials:write") && !scopes.includes(managementScope) ? rotate : null, revokeForm(visit, clientId)]
}

const scopeWords = ({ say }: MemberVisit, { scopes }: CredentialEntry): string =>
  Scope.literals.every((scope) => scopes.includes(scope))
    ? [say("све", "all"), ...scopes.filter((scope) => !(Scope.literals as ReadonlyArray<string>).includes(scope))].join(", ")
    : scopes.join(", ")

const premiseWords = ({ say }: MemberVisit, { premises }: CredentialEntry, names: ReadonlyMap<string, string>): string =>
  premises === null ? say("сви", "all") : premises.map((id) => names.get(id) ?? id).join(", ")

/** Two secrets are accepted until then. */
const twoSecrets = ({ say }: MemberVisit, { formerSecretUntil }: CredentialEntry, now: DateTime.Utc): Html =>
  formerSecretUntil === null || DateTime.isLessThanOrEqualTo(formerSecretUntil, now)
    ? null
    : el("p", { class: "hint" }, say("Стара тајна важи до ", "The former secret is accepted until "), moment(formerSecretUntil))

const nameCell = (visit: MemberVisit, entry: CredentialEntry, now: DateTime.Utc): Html =>
  [entry.name === null ? null : el("strong", {}, entry.name, " "), el("span", { class: "secret" }, entry.clientId), twoSecrets(visit, entry, now)]

/** The premises of every environment, by id. */
const allPremises = Effect.fnUntraced(function*(visit: MemberVisit) {
  const entries = yield* (yield* TenancyOversight).taxpayers(visit.organizationId)
  return new Map<string, string>(entries.flatMap(({ premises }) => premises.map((premise) => [premise.id, premise.name] as const)))
})

const aboutIssuing = ({ may, say }: MemberVisit, allowed: boolean): string => {
  if (!allowed) return say("Нови издаје само оператер; тајна се приказује једном, при издавању.", "The operator alone issues new ones; a secret is shown once, when it is issued.")
  return may("credentials:write")
    ? say("Тајна се приказује само једном, при издавању; затражићемо вашу лозинку или приступни кључ.", "A secret is shown once, when it is issued; you will be asked for your password or passkey.")
    : say("Нови издаје власник организације.", "An Owner of the organization issues new ones.")
}

const environmentWords = (visit: MemberVisit, { environment }: CredentialEntry): string =>
  environment === null ? visit.say("ниједно", "none") : environment === "production" ? visit.say("Продукција", "Production") : visit.say("Тест", "Sandbox")

const lastUse = ({ say }: MemberVisit, { lastUsedAt }: CredentialEntry): string => lastUsedAt === null ? say("никад", "never") : moment(lastUsedAt)

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const oversight = yield* AccessOversight
  const entries = yield* oversight.credentials(visit.organizationId)
  const allowed = yield* oversight.ownCredentials(visit.organizationId)
  const names = yield* allPremises(visit)
  const now = yield* DateTime.now
  const title = say("Акредитиви", "Credentials")
  const heads = [say("Клијент", "Client"), say("Окружење", "Environment"), say("Дозволе", "Scopes"), say("Простори", "Premises"), say("Издат", "Issued"), say("Последња употреба", "Last use"), say("Стање", "State")]
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    el("p", {}, say("Овим се ваша продавница представља АПИ-ју. ", "With these your shop signs in to the API. "), aboutIssuing(visit, allowed)),
    allowed && visit.may("credentials:write") ? el("p", {}, el("a", { class: "button", href: "/credentials/new" }, say("Нови акредитив", "New credential"))) : null,
    el("p", { class: "hint" }, say(
      "Последња употреба: када је последњи пут затражио токен, бележи се на сат времена. Акредитив који нико не користи опозовите.",
      "Last use: when it last asked for a token, noted once an hour. Revoke a credential that nobody uses."
    )),
    table(
      heads,
      entries.map((entry) => [nameCell(visit, entry, now), environmentWords(visit, entry), scopeWords(visit, entry), premiseWords(visit, entry, names), moment(entry.createdAt), lastUse(visit, entry), state(visit, entry, allowed)]),
      { caption: title, empty: say("Још нема акредитива.", "There are no credentials yet.") }
    )
  )
  return page(title, content)
})

const revoke = Effect.fnUntraced(function*(visit: MemberVisit) {
  const clientId = visit.form?.text("client") ?? ""
  const own = yield* (yield* AccessOversight).credentials(visit.organizationId)
  if (!own.some((entry) => entry.clientId === clientId)) return yield* new NotFound({})
  yield* (yield* CredentialActs).revokeCredential(actOf(visit), clientId, { by: "OWNER", organizationId: visit.organizationId, environment: null }).pipe(
    Effect.catchTag("ActRefused", () => new NotFound({}))
  )
  return redirect("/credentials?done=credential-revoked")
})

/** The organization's credentials for the API. */
export const credentials: PageFolder = {
  navigation: [{ path: "/credentials", words: ["Акредитиви", "Credentials"], shownTo: "setup:read" }],
  routes: [memberRoute("GET", "/credentials", "setup:read", show), memberRoute("POST", "/credentials/revoke", "setup:write", revoke), ...issueRoutes, ...rotateRoutes]
}
