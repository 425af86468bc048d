import { type OrganizationEntry, PortalSessions, RecordActs } from "@overa/domain"
import { Effect } from "effect"
import { el } from "../../html/el.ts"
import { field, form } from "../../html/forms.ts"
import { localPath, page, redirect, type Reply } from "../../http/Reply.ts"
import { operatorRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { organizationOf } from "./actInput.ts"

/** Whether the operator has given a reason in this session for reading the organization's data (Decisions §13). */
export const isOpened = (visit: PersonVisit, { id }: Pick<OrganizationEntry, "id">): boolean => visit.session.organizationId === id

const whyPage = (visit: PersonVisit, organization: OrganizationEntry, back: string, fault?: string): Reply => {
  const { say } = visit
  return page(
    organization.name,
    el(
      "div",
      { class: "card narrow" },
      el("h1", {}, organization.name),
      el("p", {}, say("Подаци организације се читају само са разлогом; разлог остаје у њеном дневнику.", "An organization's data is read for a reason only; the reason stays in its activity log.")),
      form(
        visit,
        { action: `/operator/organizations/${organization.id}/open`, submit: say("Отвори", "Open") },
        el("input", { type: "hidden", name: "back", value: back }),
        field({ name: "reason", label: say("Разлог", "Reason"), required: true, fault, value: visit.form?.text("reason") ?? "" })
      )
    ),
    fault === undefined ? 200 : 422
  )
}

/** The page, if the reason was given in this session; else the form that asks for it. */
export const openedFor = <E, R>(visit: PersonVisit, organization: OrganizationEntry, show: Effect.Effect<Reply, E, R>): Effect.Effect<Reply, E, R> =>
  isOpened(visit, organization) ? show : Effect.succeed(whyPage(visit, organization, visit.path))

const open = Effect.fnUntraced(function*(visit: PersonVisit) {
  const organization = yield* organizationOf(visit)
  const back = localPath(visit.form?.text("back") ?? "")
  const reason = visit.form?.text("reason") ?? ""
  if (reason === "" || reason.length > 500) return whyPage(visit, organization, back, visit.say("Напишите разлог, највише 500 знакова.", "Write the reason, at most 500 characters."))
  // The reason is logged before the organization's data is shown.
  const act = { actor: `operator:${visit.person.email}`, reason }
  yield* (yield* RecordActs).record(act, { organizationId: organization.id, act: "data opened by an operator", subject: organization.id, after: JSON.stringify({ path: back }) })
  yield* (yield* PortalSessions).lookAt(visit.session.session.digest, organization.id, visit.session.environment ?? "production")
  return redirect(back === "/" ? `/operator/organizations/${organization.id}` : back)
})

/** The form that asks for the reason to open an organization's data. */
export const openRoutes = [operatorRoute("POST", "/operator/organizations/:id/open", open)]
