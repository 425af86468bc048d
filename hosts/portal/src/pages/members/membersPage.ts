import { type InvitationEntry, Invitations, type MemberEntry, People, readEmail, TenancyOversight } from "@overa/domain"
import { Effect } from "effect"
import { destructive } from "../../html/destructive.ts"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { card, notice, refusalNotice, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { day, moment } from "../../language/formats.ts"
import { PortalSettings } from "../../layers.ts"
import { doneNotice } from "../doneNotice.ts"
import { actOf } from "../personAct.ts"
import { inviteMember } from "./inviteMember.ts"
import { readRole, roleOptions, roleWords } from "./roleWords.ts"

const roleForm = (visit: MemberVisit, member: MemberEntry): Html => [
  el(
    "details",
    {},
    el("summary", {}, visit.say("Измени", "Change")),
    form(
      visit,
      { action: "/members/role", submit: visit.say("Сачувај", "Save"), label: member.person },
      el("input", { type: "hidden", name: "person", value: member.person }),
      choice({ name: "role", scope: member.person, label: visit.say("Улога", "Role"), value: member.role, options: roleOptions(visit.say) })
    )
  ),
  destructive(
    visit,
    {
      action: "/members/remove",
      opens: visit.say("Уклони…", "Remove…"),
      consequence: visit.say("Одмах губи приступ овој организацији, а његове пријаве у њој престају.", "The member loses access to this organization at once, and the sessions in it end."),
      submit: visit.say("Уклони члана", "Remove the member"),
      label: member.person
    },
    el("input", { type: "hidden", name: "person", value: member.person })
  )
]

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
      destructive(
        visit,
        {
          action: "/members/withdraw",
          opens: say("Повуци…", "Withdraw…"),
          consequence: say("Линк из поруке одмах престаје да важи. Особу можете позвати поново.", "The link in the message ends at once. You may invite the person again."),
          submit: say("Повуци позив", "Withdraw the invitation"),
          label: invitation.email
        },
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

const invitedNotice = ({ say }: MemberVisit, email: string): Html =>
  notice(
    "good",
    el("p", {}, say("Позив се шаље е-поштом и важи једном, 72 сата: ", "The invitation is being sent by e-mail; it works once, for 72 hours: "), el("strong", {}, email)),
    el("p", {}, say("Линк добија само та особа. Ако порука не стигне, проверите адресу и позовите поново.", "Only that person gets the link. If no message arrives, check the address and invite again."))
  )

/** Where there is no mail server nobody can be sent a link, and an inviter who sees it could open it in the other person's name. */
const noMail = ({ say }: MemberVisit): Html =>
  el("p", {}, say(
    "Ова инсталација не шаље е-пошту. Позив може да направи само њен оператер, који линк предаје особи коју познаје: ко отвори линк, постаје члан. Обратите се оператеру.",
    "This installation sends no e-mail. Only its operator can make an invitation and hands the link over to a person whom the operator knows: whoever opens it becomes the member. Contact the operator."
  ))

const show = Effect.fnUntraced(function*(visit: MemberVisit, after: { readonly faults?: Faults; readonly invited?: string } = {}) {
  const { say } = visit
  const faults = after.faults ?? {}
  const members = yield* (yield* TenancyOversight).members(visit.organizationId)
  const may = visit.may("members:write")
  const { mailConfigured } = yield* PortalSettings
  const invitations = may ? yield* (yield* Invitations).ofOrganization(visit.organizationId) : []
  const title = say("Чланови", "Members")
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    after.invited === undefined ? null : invitedNotice(visit, after.invited),
    refusalNotice(faults["member"]),
    faults["email"] === undefined ? null : faultSummary(visit, faults),
    memberTable(visit, members),
    may ? card(say("Позови новог члана", "Invite somebody"), mailConfigured ? inviteForm(visit, faults) : noMail(visit)) : null,
    may ? card(say("Отворени позиви", "Open invitations"), invitationTable(visit, invitations)) : null,
    visit.may("everything:take") ? el("p", {}, el("a", { href: "/leaving" }, say("Преузми све податке организације", "Download everything of the organization"))) : null
  )
  return page(title, content, faultStatus(faults))
})

const invite = Effect.fnUntraced(function*(visit: MemberVisit) {
  // Without a mail server the page has no form.
  if (!(yield* PortalSettings).mailConfigured) return yield* show(visit)
  const email = readEmail(visit.form?.text("email") ?? "")
  const role = readRole(visit.form?.text("role") ?? "")
  if (email === null || role === null) return yield* show(visit, { faults: { email: visit.say("Унесите исправну адресу, нпр. ana@primer.rs.", "Enter an address, ana@primer.rs for example.") } })
  yield* inviteMember(visit, actOf(visit), { organizationId: visit.organizationId, organizationName: visit.organizationName, email, role })
  return yield* show(visit, { invited: email })
}, (effect, visit) =>
  Effect.catchTag(effect, "PersonActRefused", () =>
    show(visit, { faults: { email: visit.say("Ова особа већ има улогу; измените је у списку.", "This person has a role already; change it in the list.") } })))

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
