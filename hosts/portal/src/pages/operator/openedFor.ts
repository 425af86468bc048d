import { type OrganizationEntry, PortalSessions, RecordActs } from "@overa/domain"
import { Effect } from "effect"
import { el } from "../../html/el.ts"
import { field, form } from "../../html/forms.ts"
import { localPath, page, redirect, type Reply } from "../../http/Reply.ts"
import { operatorRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { organizationOf } from "./actInput.ts"
import { isReason, operatorAct, reasonWanted } from "./reason.ts"

/** Whether the operator has given a reason in this session for reading the organization's data (Decisions §13). */
export const isOpened = (visit: PersonVisit, { id }: Pick<OrganizationEntry, "id">): boolean => visit.session.openedOrganizationId === id

/** The form that asks for the reason before an organization's data is shown. */
export const whyPage = (visit: PersonVisit, organization: OrganizationEntry, back: string, asked?: "wanted"): Reply => {
  const { say } = visit
  const fault = asked === undefined ? undefined : reasonWanted(say)
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

/** Notes the reason in the organization's activity log; in this session its data is shown from now on. */
export const noteOpened = Effect.fnUntraced(function*(visit: PersonVisit, { id }: OrganizationEntry, reason: string, back: string) {
  yield* (yield* RecordActs).record(operatorAct(visit, reason), { organizationId: id, act: "data opened by an operator", subject: id, after: JSON.stringify({ path: back }) })
  yield* (yield* PortalSessions).openFor(visit.session.session.digest, id)
})

const open = Effect.fnUntraced(function*(visit: PersonVisit) {
  const organization = yield* organizationOf(visit)
  const back = localPath(visit.form?.text("back") ?? "")
  const reason = visit.form?.text("reason") ?? ""
  if (!isReason(reason)) return whyPage(visit, organization, back, "wanted")
  // The reason is logged before the organization's data is shown.
  yield* noteOpened(visit, organization, reason, back)
  return redirect(back === "/" ? `/operator/organizations/${organization.id}` : back)
})

/** The form that asks for the reason to open an organization's data. */
export const openRoutes = [operatorRoute("POST", "/operator/organizations/:id/open", open)]
