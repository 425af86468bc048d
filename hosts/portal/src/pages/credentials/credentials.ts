import { CredentialActs, AccessOversight, type CredentialEntry } from "@overa/domain"
import { Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { form } from "../../html/forms.ts"
import { badge, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { moment } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import type { PageFolder } from "../PageFolder.ts"
import { actOf } from "../personAct.ts"

/** Behind a click of its own: a shop whose credential is revoked issues nothing until it has another one. */
const revokeForm = (visit: MemberVisit, clientId: string): Html =>
  el(
    "details",
    {},
    el("summary", {}, visit.say("Опозови…", "Revoke…")),
    el("p", {}, visit.say("Ко ради са њим, више неће моћи да издаје рачуне. Не може се вратити.", "Whoever works with it can issue no more receipts. It cannot be undone.")),
    form(
      visit,
      { action: "/credentials/revoke", submit: visit.say("Опозови", "Revoke"), kind: "danger", label: clientId },
      el("input", { type: "hidden", name: "client", value: clientId })
    )
  )

const state = (visit: MemberVisit, { clientId, revokedAt }: CredentialEntry): Html => {
  if (revokedAt !== null) return [badge("plain", visit.say("Опозван", "Revoked")), " ", moment(revokedAt)]
  if (!visit.may("setup:write")) return badge("good", visit.say("Важи", "In force"))
  return revokeForm(visit, clientId)
}

const environmentWords = (visit: MemberVisit, { environment }: CredentialEntry): string =>
  environment === null ? visit.say("ниједно", "none") : environment === "production" ? visit.say("Продукција", "Production") : visit.say("Тест", "Sandbox")

const lastUse = ({ say }: MemberVisit, { lastUsedAt }: CredentialEntry): string => lastUsedAt === null ? say("никад", "never") : moment(lastUsedAt)

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const entries = yield* (yield* AccessOversight).credentials(visit.organizationId)
  const title = say("Акредитиви", "Credentials")
  const heads = [say("Клијент", "Client"), say("Окружење", "Environment"), say("Дозволе", "Scopes"), say("Издат", "Issued"), say("Последња употреба", "Last use"), say("Стање", "State")]
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    el("p", {}, say(
      "Овим се ваша продавница представља АПИ-ју. Нови издаје оператер; тајна се приказује само једном, при издавању.",
      "With these your shop signs in to the API. The operator issues new ones; a secret is shown once, when it is issued."
    )),
    el("p", { class: "hint" }, say(
      "Последња употреба: када је последњи пут затражио токен, бележи се на сат времена. Акредитив који нико не користи опозовите.",
      "Last use: when it last asked for a token, noted once an hour. Revoke a credential that nobody uses."
    )),
    table(
      heads,
      entries.map((entry) => [el("span", { class: "secret" }, entry.clientId), environmentWords(visit, entry), entry.scopes.join(", "), moment(entry.createdAt), lastUse(visit, entry), state(visit, entry)]),
      { caption: title, empty: say("Још нема акредитива. Затражите га од оператера.", "There are no credentials yet. Ask the operator for one.") }
    )
  )
  return page(title, content)
})

const revoke = Effect.fnUntraced(function*(visit: MemberVisit) {
  const clientId = visit.form?.text("client") ?? ""
  const own = yield* (yield* AccessOversight).credentials(visit.organizationId)
  if (!own.some((entry) => entry.clientId === clientId)) return yield* new NotFound({})
  yield* (yield* CredentialActs).revokeCredential(actOf(visit), clientId)
  return redirect("/credentials?done=credential-revoked")
})

/** The organization's credentials for the API. */
export const credentials: PageFolder = {
  navigation: [{ path: "/credentials", words: ["Акредитиви", "Credentials"], shownTo: "setup:read" }],
  routes: [memberRoute("GET", "/credentials", "setup:read", show), memberRoute("POST", "/credentials/revoke", "setup:write", revoke)]
}
