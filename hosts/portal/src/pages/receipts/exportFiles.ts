import { exportedLines, journalExportLimit, journalSheetHead, journalSheetRow, journalWorkbookRow, selectForExport } from "@overa/domain"
import { Effect, Stream } from "effect"
import { el } from "../../html/el.ts"
import { notice } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { csvStream, workbookReply } from "../sheetReply.ts"
import { askedReceipts, readSearch, searchAddress } from "./askedReceipts.ts"

const selected = Effect.fnUntraced(function*(visit: MemberVisit) {
  const read = readSearch(visit, askedReceipts(visit))
  return "faults" in read ? yield* new NotFound({}) : yield* selectForExport(visit.tenant, read.filter)
})

/** Nothing is cut off silently. */
const tooMany = (visit: MemberVisit) => {
  const { say } = visit
  const title = say("Превише рачуна за једну датотеку", "Too many receipts for one file")
  return page(title, [
    el("h1", {}, title),
    notice("wait", el("p", {}, say(`Једна датотека има највише ${journalExportLimit} рачуна. Сузите период, па преузмите више датотека.`, `One file has at most ${journalExportLimit} receipts. Narrow the days and save several files.`))),
    el("p", {}, el("a", { href: searchAddress("/receipts", askedReceipts(visit)) }, say("Назад на претрагу", "Back to the search")))
  ], 422)
}

const workbook = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { ids, labels } = yield* selected(visit)
  const rows = Stream.map(exportedLines(visit.tenant, ids), (lines) => lines.map(journalWorkbookRow(labels)))
  return yield* workbookReply("journal", { sheetName: visit.say("Рачуни", "Receipts"), titles: journalSheetHead(labels) }, rows)
}, (effect, visit) => Effect.catchTag(effect, "JournalExportResultLimitExceeded", () => Effect.succeed(tooMany(visit))))

const csv = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { ids, labels } = yield* selected(visit)
  const rows = Stream.map(exportedLines(visit.tenant, ids), (lines) => lines.map(journalSheetRow(labels)))
  return yield* csvStream("journal", journalSheetHead(labels), rows)
}, (effect, visit) => Effect.catchTag(effect, "JournalExportResultLimitExceeded", () => Effect.succeed(tooMany(visit))))

/** The result of a search as files. */
export const exportRoutes = [
  memberRoute("GET", "/receipts/export/xlsx", "reports:read", workbook),
  memberRoute("GET", "/receipts/export/csv", "reports:read", csv)
]
