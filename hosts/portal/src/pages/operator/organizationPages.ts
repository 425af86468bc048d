import { AccessOversight, type CredentialEntry, daysUntil, type ElementEntry, ElementOversight, type License, type MemberEntry, type OrganizationEntry, type TaxpayerEntry, TenancyOversight, type WaitingRole } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { badge, card, facts, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { operatorRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { day, moment } from "../../language/formats.ts"
import { environmentWords } from "../../language/environmentWords.ts"
import { licenceFacts } from "../billing/licenceFacts.ts"
import { doneNotice } from "../doneNotice.ts"
import { roleWords } from "../members/roleWords.ts"
import { organizationOf } from "./actInput.ts"
import { elementStateWords, paymentModeWords, stateWords, vatWords } from "./stateWords.ts"

const link = (href: string, text: string): Html => el("a", { href }, text)
const button = (href: string, text: string): Html => el("a", { class: "button", href }, text)

/** Roles that open nothing, so that the operator invites the persons whom they were meant for. */
const waiting = ({ say }: PersonVisit, found: ReadonlyArray<WaitingRole>): Html =>
  card(
    say("Улоге које чекају", "Roles that wait"),
    el("p", {}, say(
      "Раније издање је ове улоге доделило адреси, а нико није показао чија је. Не отварају ништа. Адресе су међу члановима организације. Позовите особу; кад прихвати позив, улога важи.",
      "An earlier release gave these roles to an address, and nobody has shown whose it is. They open nothing. The addresses are among the organization's members. Invite the person; the role holds once the invitation is accepted."
    )),
    table(
      [say("Организација", "Organization"), say("Улога", "Role"), say("Од", "Since")],
      found.map((it) => [link(`/operator/organizations/${it.organizationId}`, it.organization), roleWords(say, it.role), day(it.addedAt)]),
      { caption: say("Улоге које чекају", "Roles that wait"), empty: "–" }
    )
  )

const list = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { say } = visit
  const oversight = yield* TenancyOversight
  const organizations = yield* oversight.organizations
  const waitingRoles = yield* oversight.waitingRoles
  const title = say("Организације", "Organizations")
  const content = all(
    el("h1", {}, title),
    table(
      [say("Назив", "Name"), say("Од", "Since"), "ID"],
      organizations.map((it) => [link(`/operator/organizations/${it.id}`, it.name), day(it.createdAt), el("span", { class: "secret" }, it.id)]),
      { caption: title, empty: say("Нема организација.", "There are no organizations.") }
    ),
    el(
      "div",
      { class: "actions" },
      el("a", { class: "button main", href: "/operator/organizations/onboard" }, say("Нова радња", "New shop")),
      button("/operator/organizations/add", say("Само организација", "An organization alone"))
    ),
    waitingRoles.length === 0 ? null : waiting(visit, waitingRoles)
  )
  return page(title, content)
})

const members = (visit: PersonVisit, base: string, found: ReadonlyArray<MemberEntry>): Html => {
  const { say } = visit
  return card(
    say("Чланови", "Members"),
    table(
      [say("Особа", "Person"), say("Улога", "Role"), say("Од", "Since"), say("Измене", "Changes")],
      found.map((it) => [it.person, it.effective ? roleWords(say, it.role) : say("чека: позовите особу", "waits: invite the person"), day(it.addedAt), link(`${base}/members/remove?person=${encodeURIComponent(it.person)}`, say("Уклони", "Remove"))]),
      { caption: say("Чланови", "Members"), empty: say("Нема чланова.", "There are no members.") }
    ),
    el("p", {}, button(`${base}/members/invite`, say("Позови члана", "Invite a member")))
  )
}

const licence = (visit: PersonVisit, base: string, found: License | null): Html => {
  const { say } = visit
  return card(
    say("Лиценца", "Licence"),
    found === null ? el("p", {}, badge("bad", say("Нема је", "None"))) : facts([
      ...licenceFacts(say, found),
      [say("Стање", "State"), found.suspended ? badge("bad", say("Обустављена", "Suspended")) : badge("good", say("Важи", "In force"))]
    ]),
    el(
      "div",
      { class: "actions" },
      button(`${base}/licence`, say("Додели", "Grant")),
      found === null ? null : found.suspended ? button(`${base}/licence/resume`, say("Врати", "Resume")) : button(`${base}/licence/suspend`, say("Обустави", "Suspend"))
    )
  )
}

const elementsOf = (visit: PersonVisit, base: string, premiseId: string, elements: ReadonlyArray<ElementEntry>, now: DateTime.Utc): Html =>
  el("ul", { class: "plain" }, elements.filter(({ element }) => element.businessPremiseId === premiseId).map(({ element }) =>
    el(
      "li",
      {},
      badge(element.status === "ACTIVE" ? "good" : element.status === "UPLOADED" ? "wait" : "plain", visit.say(...elementStateWords[element.status])),
      ` ${element.jid} · ${day(element.validTo)} · ${visit.say("дана", "days")}: ${daysUntil(element.validTo, now)} `,
      element.status === "UPLOADED" ? link(`${base}/elements/${element.id}/activate`, visit.say("Активирај", "Activate")) : null
    )))

const taxpayer = (visit: PersonVisit, base: string, { premises, taxpayer: found }: TaxpayerEntry, elements: ReadonlyArray<ElementEntry>, now: DateTime.Utc): Html => {
  const { say } = visit
  return card(
    `${found.name} · ${environmentWords(say, found.environment)}`,
    facts([
      [say("ПИБ", "Tax id"), found.taxIdentifier],
      [say("ПДВ", "VAT"), say(...vatWords[found.vatStatus])],
      [say("Стање", "State"), say(...stateWords[found.status])]
    ]),
    table(
      ["ПУ / PU", say("Назив", "Name"), say("Стање", "State"), say("Плаћања", "Payments"), say("Елементи", "Elements"), say("Измене", "Changes")],
      premises.map((it) => [
        it.puIdentifier,
        it.name,
        say(...stateWords[it.status]),
        say(...paymentModeWords[it.paymentMode]),
        elementsOf(visit, base, it.id, elements, now),
        el("ul", { class: "plain" }, el("li", {}, link(`${base}/premises/${it.id}`, say("Измени", "Change"))), el("li", {}, link(`${base}/premises/${it.id}/element`, say("Учитај елемент", "Upload an element"))), el("li", {}, link(`${base}/premises/${it.id}/rehearsal`, say("Проба", "Rehearse"))))
      ]),
      { caption: say("Пословни простори", "Premises"), empty: "–" }
    ),
    el(
      "div",
      { class: "actions" },
      button(`${base}/taxpayers/${found.id}`, say("Измени", "Change")),
      button(`${base}/taxpayers/${found.id}/premises/add`, say("Додај простор", "Add a premise")),
      button(`${base}/taxpayers/${found.id}/delivery`, say("Е-пошта", "E-mail")),
      button(`${base}/taxpayers/${found.id}/branding`, say("Изглед рачуна", "Look of receipts")),
      button(`${base}/taxpayers/${found.id}/confirm`, say("Потврди ПИБ", "Confirm the tax id")),
      button(`${base}/taxpayers/${found.id}/release`, say("Ослободи ПИБ", "Release the tax id"))
    )
  )
}

const credentials = (visit: PersonVisit, base: string, found: ReadonlyArray<CredentialEntry>): Html => {
  const { say } = visit
  return card(
    say("Акредитиви", "Credentials"),
    table(
      [say("Клијент", "Client"), say("Окружење", "Environment"), say("Издат", "Issued"), say("Последња употреба", "Last use"), say("Стање", "State")],
      found.map((it) => [
        it.clientId,
        it.environment ?? "–",
        moment(it.createdAt),
        it.lastUsedAt === null ? say("никад", "never") : moment(it.lastUsedAt),
        it.revokedAt === null ? link(`${base}/credentials/${it.clientId}/revoke`, say("Опозови", "Revoke")) : badge("plain", say("Опозван", "Revoked"))
      ]),
      { caption: say("Акредитиви", "Credentials"), empty: say("Нема акредитива.", "There are no credentials.") }
    ),
    el("p", {}, button(`${base}/credentials/issue`, say("Издај акредитив", "Issue a credential")), " ", link(`${base}/credentials/own`, say("Сопствени акредитиви", "Own credentials")))
  )
}

const details = Effect.fnUntraced(function*(visit: PersonVisit, organization: OrganizationEntry) {
  const elementOversight = yield* ElementOversight
  const tenancyOversight = yield* TenancyOversight
  const accessOversight = yield* AccessOversight
  const base = `/operator/organizations/${organization.id}`
  const now = yield* DateTime.now
  const elements = yield* elementOversight.elements(organization.id)
  const taxpayers = yield* tenancyOversight.taxpayers(organization.id)
  const content = all(
    el("h1", {}, organization.name),
    doneNotice(visit),
    el("p", {}, el("span", { class: "secret" }, organization.id)),
    licence(visit, base, yield* accessOversight.license(organization.id)),
    taxpayers.map((entry) => taxpayer(visit, base, entry, elements, now)),
    el("p", {}, button(`${base}/taxpayers/add`, visit.say("Додај обвезника", "Add a taxpayer"))),
    credentials(visit, base, yield* accessOversight.credentials(organization.id)),
    members(visit, base, yield* tenancyOversight.members(organization.id)),
    card(
      visit.say("Лични подаци", "Personal data"),
      el(
        "div",
        { class: "actions" },
        button(`${base}/buyers/erase`, visit.say("Обриши податке о купцу", "Erase a buyer's details")),
        button(`${base}/metadata/erase`, visit.say("Обриши метаподатке из захтева", "Erase metadata from requests")),
        button(`${base}/deliveries/erase`, visit.say("Обриши адресу из слања", "Erase an address from deliveries"))
      )
    ),
    el("p", {}, button(`${base}/everything`, visit.say("Преузми све податке", "Download everything"))),
    el("p", {}, link(`/operator/activity?organization=${organization.id}`, visit.say("Дневник организације", "The organization's activity log")))
  )
  return page(organization.name, content)
})

const show = Effect.fnUntraced(function*(visit: PersonVisit) {
  const organization = yield* organizationOf(visit)
  return yield* details(visit, organization)
})

/** Organizations, each with everything about it. */
export const organizationRoutes = [operatorRoute("GET", "/operator/organizations", list), operatorRoute("GET", "/operator/organizations/:id", show)]
