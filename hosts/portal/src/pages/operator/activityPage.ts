import { InstallationOversight, OrganizationId } from "@overa/domain"
import { Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { field } from "../../html/forms.ts"
import { table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { dayEnd, dayStart } from "../../language/belgradeDays.ts"
import { moment } from "../../language/formats.ts"
import { actWords, reasonWords } from "../actWords.ts"
import { actorHtml, subjectHtml } from "../activityNames.ts"
import { askedActivity } from "../askedActivity.ts"

/** The lines that the address asks for; a value that is not a day is ignored. */
const askedLines = ({ query }: PersonVisit) => {
  const { filter, ...texts } = askedActivity(query)
  const [from, to] = [(query.get("from") ?? "").trim(), (query.get("to") ?? "").trim()]
  const [begin, end] = [dayStart(from), dayEnd(to)]
  return { ...texts, from, to, filter: { ...filter, ...(begin === null ? {} : { from: begin }), ...(end === null ? {} : { to: end }) } }
}

const activityTable = Effect.fnUntraced(function*(visit: PersonVisit, organizationId: OrganizationId | null) {
  const { say } = visit
  const asked = askedLines(visit)
  const lines = yield* (yield* InstallationOversight).searchActivity({ organizationId, limit: 200, ...asked.filter })
  const title = say("Дневник", "Activity log")
  return page(title, all(
    el("h1", {}, title),
    el(
      "form",
      { method: "get", action: "/operator/activity", class: "filter", role: "search" },
      organizationId === null ? null : el("input", { type: "hidden", name: "organization", value: organizationId }),
      field({ name: "text", label: say("Садржи", "Contains"), type: "search", value: asked.text }),
      field({ name: "actor", label: say("Ко", "Who"), value: asked.actor, autocomplete: "off" }),
      field({ name: "from", label: say("Од дана", "From the day"), type: "date", value: asked.from }),
      field({ name: "to", label: say("До дана, укључујући га", "To the day, included"), type: "date", value: asked.to }),
      el("button", { type: "submit", class: "main" }, say("Прикажи", "Show"))
    ),
    table(
      [say("Време", "Time"), say("Ко", "Who"), say("Шта", "What"), say("Над чим", "On what"), say("Разлог", "Reason")],
      lines.map((line) => [moment(line.at), actorHtml(line), actWords(say, line.act), subjectHtml(line), reasonWords(say, line.reason)]),
      { caption: title, empty: say("Нема таквих радњи.", "There are no such lines."), whole: [0] }
    )
  ))
})

/** The activity log of the installation; that of an organization is shown only after a reason was given. */
export const activity = Effect.fnUntraced(function*(visit: PersonVisit) {
  const wanted = visit.query.get("organization")
  if (wanted === null) return yield* activityTable(visit, null)
  return yield* activityTable(visit, OrganizationId.make(wanted))
})
