import { AccessActs, AccessOversight, CredentialActs, credentialLimits, GrantableScope, type LicenseModule, MemberRole, OrganizationActs, readEmail, Scope } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { el } from "../../../html/el.ts"
import { page, type Reply } from "../../../http/Reply.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { secretPage } from "../../credentials/secretPage.ts"
import { inviteMember } from "../../members/inviteMember.ts"
import { handedLink } from "../handedLink.ts"
import { dayField, oneOf, organizationOf, required } from "../actInput.ts"
import { ActInvalid, type OperatorAct } from "../OperatorAct.ts"

const modules: ReadonlyArray<LicenseModule> = ["advance", "email"]

export const addOrganization: OperatorAct = {
  path: "/operator/organizations/add",
  title: ["Додај организацију", "Add an organization"],
  fields: () => Effect.succeed([{ kind: "text", name: "name", words: ["Назив", "Name"], more: { required: true } }]),
  run: Effect.fnUntraced(function*(visit, act) {
    const organizationActs = yield* OrganizationActs
    return `/operator/organizations/${yield* organizationActs.createOrganization(act, yield* required(visit, "name", 200))}?done=saved`
  })
}

export const grantLicence: OperatorAct = {
  path: "/operator/organizations/:id/licence",
  title: ["Додели лиценцу", "Grant the licence"],
  fields: () =>
    Effect.succeed([
      { kind: "text", name: "from", words: ["Од (празно: одмах)", "From (empty: now)"], more: { type: "date" } },
      { kind: "text", name: "until", words: ["До, без тог дана (празно: без краја)", "Until, without that day (empty: without end)"], more: { type: "date" } },
      { kind: "ticks", name: "module", words: ["Модули", "Modules"], values: modules, checked: [] }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    const startsAt = (yield* dayField(visit, "from")) ?? (yield* DateTime.now)
    const expiresAt = yield* dayField(visit, "until")
    if (expiresAt !== null && DateTime.toEpochMillis(expiresAt) <= DateTime.toEpochMillis(startsAt)) {
      return yield* new ActInvalid({ field: "until", sentence: visit.say("Крај мора бити после почетка.", "The end must be after the beginning.") })
    }
    const chosen = modules.filter((it) => visit.form?.texts("module").includes(it))
    yield* (yield* AccessActs).grantLicense(act, id, { startsAt, expiresAt, modules: chosen })
    return `/operator/organizations/${id}?done=saved`
  })
}

const suspension = (suspended: boolean): OperatorAct => ({
  path: `/operator/organizations/:id/licence/${suspended ? "suspend" : "resume"}`,
  title: suspended ? ["Обустави лиценцу", "Suspend the licence"] : ["Врати лиценцу", "Resume the licence"],
  ...(suspended ? { warning: ["Организација неће издавати нове рачуне у продукцији.", "The organization will issue no new production documents."] as const } : {}),
  fields: () => Effect.succeed([]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    yield* (yield* AccessActs).suspendLicense(act, id, suspended)
    return `/operator/organizations/${id}?done=saved`
  })
})

export const issueCredential: OperatorAct = {
  path: "/operator/organizations/:id/credentials/issue",
  title: ["Издај акредитив", "Issue a credential"],
  fields: () =>
    Effect.succeed([
      { kind: "choice", name: "environment", words: ["Окружење", "Environment"], options: [["sandbox", "sandbox"], ["production", "production"], ["none", "–"]] },
      { kind: "text", name: "name", words: ["Назив", "Name"], more: { autocomplete: "off" } },
      { kind: "ticks", name: "scope", words: ["Дозволе", "Scopes"], values: GrantableScope.literals, checked: Scope.literals }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    const environment = yield* oneOf(visit, "environment", ["sandbox", "production", "none"])
    const name = [...visit.form?.text("name") ?? ""].slice(0, credentialLimits.nameLength).join("")
    const scopes = GrantableScope.literals.filter((it) => visit.form?.texts("scope").includes(it))
    if (scopes.length === 0) return yield* new ActInvalid({ field: "act", sentence: "A credential needs at least one scope." })
    const made = yield* (yield* CredentialActs).issueCredential(act, id, environment === "none" ? null : environment, scopes, name === "" ? {} : { name })
    return secretPage(visit, made, visit.say("Акредитив је издат", "The credential is issued"), `/operator/organizations/${id}`)
  })
}

/** Whether the organization's owners and programs issue and rotate credentials themselves. */
export const allowOwnCredentials: OperatorAct = {
  path: "/operator/organizations/:id/credentials/own",
  title: ["Сопствени акредитиви", "Own credentials"],
  fields: Effect.fnUntraced(function*(visit) {
    const { id } = yield* organizationOf(visit)
    const allowed = yield* (yield* AccessOversight).ownCredentials(id)
    const words = ["Организација сама издаје акредитиве и мења тајне", "The organization issues credentials and rotates secrets itself"] as const
    return [{ kind: "choice", name: "own", words, options: [["allow", visit.say("да", "yes")], ["forbid", visit.say("не", "no")]], value: allowed ? "allow" : "forbid" }]
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    yield* (yield* CredentialActs).allowOwnCredentials(act, id, (yield* oneOf(visit, "own", ["allow", "forbid"])) === "allow")
    return `/operator/organizations/${id}?done=saved`
  })
}

export const revokeCredential: OperatorAct = {
  path: "/operator/organizations/:id/credentials/:client/revoke",
  title: ["Опозови акредитив", "Revoke the credential"],
  warning: ["Токени које је већ добио престају за највише 300 секунди; опозив је коначан.", "Tokens it has end within 300 seconds; this is final."],
  fields: () => Effect.succeed([]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    yield* (yield* CredentialActs).revokeCredential(act, visit.params["client"] ?? "")
    return `/operator/organizations/${id}?done=credential-revoked`
  })
}

const shownLink = (visit: PersonVisit, email: string, link: string): Reply => {
  const title = visit.say("Позив", "Invitation")
  return page(title, el(
    "div",
    { class: "card narrow" },
    el("h1", {}, title),
    handedLink(visit, email, link)
  ))
}

export const inviteByOperator: OperatorAct = {
  path: "/operator/organizations/:id/members/invite",
  title: ["Позови члана", "Invite a member"],
  fields: () =>
    Effect.succeed([
      { kind: "text", name: "email", words: ["Е-пошта", "E-mail"], more: { type: "email", required: true, autocomplete: "off" } },
      { kind: "choice", name: "role", words: ["Улога", "Role"], options: MemberRole.literals.map((role) => [role, role] as const) }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id, name } = yield* organizationOf(visit)
    const email = readEmail(yield* required(visit, "email", 254))
    if (email === null) return yield* new ActInvalid({ field: "email", sentence: visit.say("Ово није адреса.", "This is no address.") })
    const link = yield* inviteMember(visit, act, { organizationId: id, organizationName: name, email, role: yield* oneOf(visit, "role", MemberRole.literals) })
    return link === null ? `/operator/organizations/${id}?done=saved` : shownLink(visit, email, link)
  })
}

export const removeMember: OperatorAct = {
  path: "/operator/organizations/:id/members/remove",
  title: ["Уклони члана", "Remove a member"],
  warning: ["Његове пријаве престају да важе у овој организацији.", "The member's sessions end in this organization."],
  fields: (visit) =>
    Effect.succeed([{ kind: "text", name: "email", words: ["Е-пошта", "E-mail"], more: { type: "email", required: true, autocomplete: "off", value: visit.query.get("person") ?? "" } }]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    yield* (yield* OrganizationActs).removeMember(act, id, yield* required(visit, "email", 254))
    return `/operator/organizations/${id}?done=member-removed`
  })
}

/** Organizations, licences, credentials, members. */
export const organizationActs: ReadonlyArray<OperatorAct> = [
  addOrganization,
  grantLicence,
  suspension(true),
  suspension(false),
  issueCredential,
  revokeCredential,
  allowOwnCredentials,
  inviteByOperator,
  removeMember
]
