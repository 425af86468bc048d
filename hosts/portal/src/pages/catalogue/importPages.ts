import { asProductSheet, columnFaults, type FixedCells, guessColumns, hasOwnHeader, importSeen, previewImport, settleShopExport, type Sheet, type TaxpayerId } from "@overa/domain"
import { sha256 } from "@overa/host-kit"
import { Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, faultSummary, field, form } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { changesHtml } from "./changesHtml.ts"
import { chosenColumns, chosenFixed, columnsPage } from "./columnsPage.ts"
import { fileFaults } from "./fileFaults.ts"
import { carriedSheet, carriedText, uploadedSheet } from "./importedFile.ts"
import { activeTaxpayers, chosenActive, taxpayerChoice } from "./ownTaxpayers.ts"
import { productFaultWords } from "./productFaultWords.ts"

const path = "/catalogue/import"

/** Room for a file of the API's own limit, and the form around it (Spec, Limits). */
const mostFormBytes = 5_300_000

const askPage = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}, found: Html = null) {
  const { say } = visit
  const title = say("Увоз каталога", "Import of the catalogue")
  const content = all(
    el("h1", {}, title),
    faultSummary(visit, faults),
    found,
    el("p", {}, say(
      "Excel (XLSX) или CSV, и са српским насловима колона и ценама као 2.399,99. Пре увоза ћете видети шта се мења. Што датотека не наводи, остаје како је.",
      "Excel (XLSX) or CSV, with Serbian headings and prices like 2.399,99 too. You will see what changes before anything does. What the file does not name stays as it is."
    )),
    form(
      visit,
      { action: path, submit: say("Погледај шта се мења", "See what changes"), files: true },
      taxpayerChoice(visit, yield* activeTaxpayers(visit), visit.form?.text("taxpayer") ?? ""),
      field({ name: "file", label: say("Excel или CSV датотека, највише 1000 производа", "Excel or CSV file, at most 1,000 products"), type: "file", accept: ".xlsx,.csv,text/csv", required: true, fault: faults["file"] })
    ),
    el("p", {}, el("a", { href: "/catalogue" }, say("Назад на каталог", "Back to the catalogue")))
  )
  return page(title, el("div", { class: "card" }, content), Object.keys(faults).length === 0 && found === null ? 200 : 422)
})

/** The preview carries the whole file to the next step, so that exactly what was shown is imported. */
const previewPage = Effect.fnUntraced(function*(visit: MemberVisit, taxpayerId: TaxpayerId, sheet: Sheet, isAgain = false) {
  const { say } = visit
  const { changes, seen } = yield* previewImport(visit.tenant, taxpayerId, sheet)
  const title = say("Шта увоз мења", "What the import changes")
  const changesNothing = changes.created.length + changes.changed.length === 0
  const content = all(
    el("h1", {}, title),
    isAgain ? notice("wait", el("p", {}, say("Каталог се у међувремену променио. Погледајте поново.", "The catalogue has changed meanwhile. Look at it again."))) : null,
    changesHtml(visit, changes),
    changesNothing ? null : form(
      visit,
      { action: `${path}/confirm`, submit: say("Увези све", "Import everything"), files: true },
      el("input", { type: "hidden", name: "taxpayer", value: taxpayerId }),
      el("input", { type: "hidden", name: "seen", value: sha256(seen) }),
      el("input", { type: "hidden", name: "csv", value: carriedText(sheet) })
    ),
    el("p", {}, el("a", { href: path }, say("Друга датотека", "Another file")))
  )
  return page(title, content, isAgain ? 409 : 200)
})

const refusedFile = (visit: MemberVisit, sheet: Sheet) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.catch(Effect.fnUntraced(function*(error: E) {
    const found = fileFaults(visit, sheet, error)
    if (found === null) return yield* Effect.fail(error)
    return yield* askPage(visit, { file: visit.say("Датотека није увезена; ништа није промењено.", "The file was not imported; nothing was changed.") }, found)
  })))

const preview = (visit: MemberVisit, taxpayerId: TaxpayerId, sheet: Sheet, columns: Parameters<typeof asProductSheet>[1], fixed: FixedCells = {}) => {
  const products = asProductSheet(settleShopExport(sheet), columns, fixed)
  return previewPage(visit, taxpayerId, products).pipe(refusedFile(visit, products))
}

/** Why a file with headings of its own cannot be read to its end: its columns are not known, so that the fault has no cell to stand in. */
const unreadRow = ({ say }: MemberVisit, { message, row }: NonNullable<Sheet["fault"]>): string => `${say("Ред", "Row")} ${row}: ${productFaultWords(say, message)}`

/** A file with the header of an export is read at once; of any other the person says which column is what. */
const look = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayerId = yield* chosenActive(visit, visit.form?.text("taxpayer") ?? "")
  const read = yield* uploadedSheet(visit)
  if ("fault" in read) return yield* askPage(visit, { file: read.fault })
  const { as, sheet } = read
  const heads = sheet.rows[0]?.cells ?? []
  const isOwn = hasOwnHeader(heads)
  if (sheet.fault !== null && !isOwn) return yield* askPage(visit, { file: unreadRow(visit, sheet.fault) })
  if (sheet.fault !== null || heads.length === 0) return yield* previewPage(visit, taxpayerId, sheet).pipe(refusedFile(visit, sheet))
  if (!isOwn) return columnsPage(visit, taxpayerId, sheet, as)
  return yield* preview(visit, taxpayerId, sheet, guessColumns(heads))
})

const choose = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayerId = yield* chosenActive(visit, visit.form?.text("taxpayer") ?? "")
  const sheet = yield* carriedSheet(visit.form?.exact("csv") ?? "")
  const columns = chosenColumns(visit, sheet.rows[0]?.cells ?? [])
  const fixed = chosenFixed(visit)
  const { missing, repeated } = columnFaults(columns, fixed)
  if (missing.length + repeated.length > 0) return columnsPage(visit, taxpayerId, sheet, visit.form?.text("readAs") ?? "", columns)
  return yield* preview(visit, taxpayerId, sheet, columns, fixed)
})

const confirm = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayerId = yield* chosenActive(visit, visit.form?.text("taxpayer") ?? "")
  const sheet = yield* carriedSheet(visit.form?.exact("csv") ?? "")
  const wanted = visit.form?.text("seen") ?? ""
  const carried = Effect.gen(function*() {
    if (!(yield* isFirstSending(visit))) return redirect("/catalogue?done=already")
    yield* importSeen(actOf(visit), visit.tenant, taxpayerId, { sheet, isSeen: (seen) => sha256(seen) === wanted })
    return redirect("/catalogue?done=imported")
  })
  return yield* carried.pipe(
    Effect.catchTag("ProductChanged", () => previewPage(visit, taxpayerId, sheet, true)),
    refusedFile(visit, sheet)
  )
})

/** Importing a file: choose, check the changes, confirm. */
export const importRoutes = [
  memberRoute("GET", path, "catalogue:write", (visit) => askPage(visit)),
  memberRoute("POST", path, "catalogue:write", look, { mostFormBytes }),
  memberRoute("POST", `${path}/columns`, "catalogue:write", choose, { mostFormBytes }),
  memberRoute("POST", `${path}/confirm`, "catalogue:write", confirm, { mostFormBytes })
]
