import { type Activity, guardText, InstallationOversight } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { field } from "../../html/forms.ts"
import { table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"
import { actWords, reasonWords } from "../actWords.ts"
import { actorHtml, subjectHtml } from "../activityNames.ts"
import { askedActivity } from "../askedActivity.ts"
import type { PageFolder } from "../PageFolder.ts"
import { csvFile } from "../sheetReply.ts"

const onPage = 100
const inFile = 10_000

const found = Effect.fnUntraced(function*({ organizationId, query }: MemberVisit, limit: number) {
  return yield* (yield* InstallationOversight).searchActivity({ organizationId, limit, ...askedActivity(query).filter })
})

const changes = ({ say }: MemberVisit, { after, before }: Activity): Html => before === null && after === null ? "–" : el("details", {}, el("summary", {}, say("Прикажи", "Show")), el("pre", {}, `${before ?? ""}\n→ ${after ?? ""}`))

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const lines = yield* found(visit, onPage)
  const title = say("Дневник радњи", "Activity log")
  const content = all(
    el("h1", {}, title),
    el(
      "form",
      { method: "get", action: "/activity", class: "filter", role: "search" },
      field({ name: "text", label: say("Садржи", "Contains"), type: "search", value: visit.query.get("text") ?? "" }),
      field({ name: "actor", label: say("Ко (тачно)", "Who (exactly)"), type: "search", value: visit.query.get("actor") ?? "" }),
      el("button", { type: "submit", class: "main" }, say("Прикажи", "Show"))
    ),
    table(
      [say("Време", "Time"), say("Ко", "Who"), say("Шта", "What"), say("Над чим", "On what"), say("Разлог", "Reason"), say("Пре и после", "Before and after")],
      lines.map((line) => [moment(line.at), actorHtml(line), actWords(say, line.act), subjectHtml(line), reasonWords(say, line.reason), changes(visit, line)]),
      { caption: title, empty: say("Нема таквих радњи.", "There are no such lines."), whole: [0] }
    ),
    el("p", {}, el("a", { href: `/activity/csv?${visit.query.toString()}` }, say("Преузми као CSV", "Download as CSV")))
  )
  return page(title, content)
})

const csv = Effect.fnUntraced(function*(visit: MemberVisit) {
  const lines = yield* found(visit, inFile)
  const heads = ["at", "actor", "actorName", "act", "subject", "subjectName", "reason", "before", "after"]
  const rows = lines.map((line) =>
    [DateTime.formatIso(line.at), line.actor, line.actorName ?? "", line.act, line.subject, line.subjectName ?? "", line.reason, line.before ?? "", line.after ?? ""].map(guardText))
  return csvFile("activity", [heads, ...rows])
})

/** Who did what, and why. */
export const activity: PageFolder = {
  navigation: [{ path: "/activity", words: ["Дневник", "Activity"], shownTo: "activity:read" }],
  routes: [memberRoute("GET", "/activity", "activity:read", show), memberRoute("GET", "/activity/csv", "activity:read", csv)]
}
