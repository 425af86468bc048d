import { type InvitationEntry, Invitations, type MemberEntry, People, TenancyOversight } from "@overa/domain"
import { Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { card, notice, refusalNotice, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { day, moment } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import { actOf } from "../personAct.ts"
import { inviteMember } from "./inviteMember.ts"
import { readRole, roleOptions, roleWords } from "./roleWords.ts"

const roleForm = (visit: MemberVisit, member: MemberEntry): Html =>
  el(
    "details",
    {},
    el("summary", {}, visit.say("Измени", "Change")),
    form(
      visit,
      { action: "/members/role", submit: visit.say("Сачувај", "Save"), label: member.person },
      el("input", { type: "hidden", name: "person", value: member.person }),
      choice({ name: "role", scope: member.person, label: visit.say("Улога", "Role"), value: member.role, options: roleOptions(visit.say) })
    ),
    form(
      visit,
      { action: "/members/remove", submit: visit.say("Уклони члана", "Remove the member"), kind: "danger", label: member.person },
      el("input", { type: "hidden", name: "person", value: member.person })
    )
  )

const memberTable = (visit: MemberVisit, members: ReadonlyArray<MemberEntry>): Html => {
  const { say } = visit
  const may = visit.may("members:write")
  return table(
    [say("Е-пошта", "E-mail"), say("Улога", "Role"), say("Од", "Since"), ...(may ? [say("Измене", "Changes")] : [])],
    members.map((member) => [member.person, member.effective ? roleWords(say, member.role) : say("чека потврду оператора", "waits for the operator"), day(member.addedAt), ...(may ? [roleForm(visit, member)] : [])]),
    { caption: say("Чланови", "Members"), empty: say("Нема чланова.", "There are no members.") }
  )
}

const invitationTable = (visit: MemberVisit, invitations: ReadonlyArray<InvitationEntry>): Html => {
  const { say } = visit
  return table(
    [say("Е-пошта", "E-mail"), say("Улога", "Role"), say("Важи до", "Valid until"), say("Измене", "Changes")],
    invitations.map((invitation) => [
      invitation.email,
      roleWords(say, invitation.role),
      moment(invitation.expiresAt),
      form(
        visit,
        { action: "/members/withdraw", submit: say("Повуци", "Withdraw"), kind: "danger", label: invitation.email },
        el("input", { type: "hidden", name: "invitation", value: invitation.id })
      )
    ]),
    { caption: say("Отворени позиви", "Open invitations"), empty: say("Нема отворених позива.", "There are no open invitations.") }
  )
}

const inviteForm = (visit: MemberVisit, faults: Faults): Html =>
  form(
    visit,
    { action: "/members/invite", submit: visit.say("Позови", "Invite") },
    field({
      name: "email",
      label: visit.say("Е-пошта", "E-mail"),
      type: "email",
      required: true,
      autocomplete: "off",
      value: Object.keys(faults).length === 0 ? "" : visit.form?.text("email") ?? "",
      fault: faults["email"]
    }),
    choice({ name: "role", label: visit.say("Улога", "Role"), value: visit.form?.text("role") || "ACCOUNTANT", options: roleOptions(visit.say), fault: faults["role"] })
  )

const linkNotice = (visit: MemberVisit, link: string): Html =>
  notice(
    "good",
    el("p", {}, visit.say("Позив је направљен. Пошаљите овај линк; приказује се само сада, важи једном и 72 сата:", "The invitation is made. Send this link; it is shown only now, works once and for 72 hours:")),
    el("p", {}, el("span", { class: "secret" }, link))
  )

const show = Effect.fnUntraced(function*(visit: MemberVisit, after: { readonly faults?: Faults; readonly link?: string } = {}) {
  const { say } = visit
  const faults = after.faults ?? {}
  const members = yield* (yield* TenancyOversight).members(visit.organizationId)
  const may = visit.may("members:write")
  const invitations = may ? yield* (yield* Invitations).ofOrganization(visit.organizationId) : []
  const title = say("Чланови", "Members")
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    after.link === undefined ? null : linkNotice(visit, after.link),
    refusalNotice(faults["member"]),
    faults["email"] === undefined ? null : faultSummary(visit, faults),
    memberTable(visit, members),
    may ? card(say("Позови новог члана", "Invite somebody"), inviteForm(visit, faults)) : null,
    may ? card(say("Отворени позиви", "Open invitations"), invitationTable(visit, invitations)) : null
  )
  return page(title, content, faultStatus(faults))
})

const invite = Effect.fnUntraced(function*(visit: MemberVisit) {
  const result = yield* inviteMember(visit)
  return yield* show(visit, result)
})

const refusals = (visit: MemberVisit): Readonly<Record<string, string>> => ({
  LAST_OWNER: visit.say("Организација мора имати бар једног власника. Прво именујте другог.", "An organization needs an Owner. Name another one first."),
  MEMBER_NOT_FOUND: visit.say("Тај члан је у међувремену уклоњен.", "This member was removed meanwhile."),
  INVITATION_NOT_USABLE: visit.say("Позив је у међувремену искоришћен или повучен.", "The invitation was used or withdrawn meanwhile.")
})

const changeRole = Effect.fnUntraced(function*(visit: MemberVisit) {
  const role = readRole(visit.form?.text("role") ?? "")
  if (role === null) return yield* new NotFound({})
  yield* (yield* People).changeRole(actOf(visit), visit.organizationId, visit.form?.text("person") ?? "", role)
  return redirect("/members?done=member-changed")
}, (effect, visit) => Effect.catchTag(effect, "PersonActRefused", ({ reason }) => show(visit, { faults: { member: refusals(visit)[reason] ?? "" } })))

const remove = Effect.fnUntraced(function*(visit: MemberVisit) {
  yield* (yield* People).changeRole(actOf(visit), visit.organizationId, visit.form?.text("person") ?? "", null)
  return redirect("/members?done=member-removed")
}, (effect, visit) => Effect.catchTag(effect, "PersonActRefused", ({ reason }) => show(visit, { faults: { member: refusals(visit)[reason] ?? "" } })))

const withdraw = Effect.fnUntraced(function*(visit: MemberVisit) {
  yield* (yield* Invitations).withdraw(actOf(visit), visit.organizationId, visit.form?.text("invitation") ?? "")
  return redirect("/members?done=invitation-withdrawn")
}, (effect, visit) => Effect.catchTag(effect, "PersonActRefused", ({ reason }) => show(visit, { faults: { member: refusals(visit)[reason] ?? "" } })))

/** Members and open invitations. */
export const memberRoutes = [
  memberRoute("GET", "/members", "setup:read", (visit) => show(visit)),
  memberRoute("POST", "/members/invite", "members:write", invite),
  memberRoute("POST", "/members/role", "members:write", changeRole),
  memberRoute("POST", "/members/remove", "members:write", remove),
  memberRoute("POST", "/members/withdraw", "members:write", withdraw)
]
