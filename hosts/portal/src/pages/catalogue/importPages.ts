import { decodeCsvText, readCsv, writeCsv } from "@overa/adapter-spreadsheets"
import { importSeen, mostImportRows, previewImport, type Sheet, type TaxpayerId } from "@overa/domain"
import { sha256 } from "@overa/rest-api"
import { Effect, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, faultSummary, field, form } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { changesHtml } from "./changesHtml.ts"
import { fileFaults } from "./fileFaults.ts"
import { chosenTaxpayer, ownTaxpayers, taxpayerChoice } from "./ownTaxpayers.ts"

const path = "/catalogue/import"

/** Room for a file of the API's own limit, and the form around it (Spec, Limits). */
const mostFormBytes = 5_300_000

/** The uploaded file, or the one that the preview carries. */
const textOf = (visit: MemberVisit): { readonly text: string } | { readonly fault: string } => {
  const file = visit.form?.file("file") ?? null
  if (file === null) return { fault: visit.say("Изаберите датотеку.", "Choose a file.") }
  const decoded = decodeCsvText(file.bytes)
  return Result.isSuccess(decoded) ? { text: decoded.success } : {
    fault: visit.say("Датотека није CSV у UTF-8. У Excel-у је сачувајте као „CSV UTF-8“, у LibreOffice-у изаберите UTF-8.", `The file ${decoded.failure}.`)
  }
}

const sheetOf = (text: string): Effect.Effect<Sheet> => Effect.promise(() => readCsv(text, mostImportRows + 2))

const askPage = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}, found: Html = null) {
  const { say } = visit
  const title = say("Увоз каталога", "Import of the catalogue")
  const content = all(
    el("h1", {}, title),
    faultSummary(visit, faults),
    found,
    el("p", {}, say(
      "Датотека има исте колоне као извоз: извезите каталог, измените га и увезите назад. Пре увоза ћете видети шта се мења. Што датотека не наводи, остаје како је.",
      "The file has the columns of an export: export the catalogue, change it and import it again. You will see what changes before anything does. What the file does not name stays as it is."
    )),
    form(
      visit,
      { action: path, submit: say("Погледај шта се мења", "See what changes"), files: true },
      taxpayerChoice(visit, yield* ownTaxpayers(visit), visit.form?.text("taxpayer") ?? ""),
      field({ name: "file", label: say("CSV датотека, највише 1000 производа", "CSV file, at most 1,000 products"), type: "file", accept: ".csv,text/csv", required: true, fault: faults["file"] })
    ),
    el("p", {}, el("a", { href: "/catalogue" }, say("Назад на каталог", "Back to the catalogue")))
  )
  return page(title, el("div", { class: "card" }, content), Object.keys(faults).length === 0 && found === null ? 200 : 422)
})

/** The preview carries the whole file to the next step, so that exactly what was shown is imported. */
const previewPage = Effect.fnUntraced(function*(visit: MemberVisit, taxpayerId: TaxpayerId, text: string, isAgain = false) {
  const { say } = visit
  const { changes, seen } = yield* previewImport(visit.tenant, taxpayerId, yield* sheetOf(text))
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
      el("input", { type: "hidden", name: "csv", value: text })
    ),
    el("p", {}, el("a", { href: path }, say("Друга датотека", "Another file")))
  )
  return page(title, content, isAgain ? 409 : 200)
})

/** The file again as CSV of one dialect, which a hidden form field keeps unchanged whatever line ends the file had. */
const normalized = Effect.fnUntraced(function*(text: string) {
  const { fault, rows } = yield* sheetOf(text)
  // A file that cannot be read to its end is passed on unchanged, so that its faults name the right rows.
  if (fault !== null || rows.some(({ number }, at) => number !== at + 1)) return text
  return writeCsv(rows.map(({ cells }) => cells), { delimiter: ",", newline: "\n" })
})

const refusedFile = (visit: MemberVisit, text: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.catch(Effect.fnUntraced(function*(error: E) {
    const found = fileFaults(visit, yield* sheetOf(text), error)
    if (found === null) return yield* Effect.fail(error)
    return yield* askPage(visit, { file: visit.say("Датотека није увезена; ништа није промењено.", "The file was not imported; nothing was changed.") }, found)
  })))

const look = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayerId = yield* chosenTaxpayer(visit, visit.form?.text("taxpayer") ?? "")
  const read = textOf(visit)
  if ("fault" in read) return yield* askPage(visit, { file: read.fault })
  const text = yield* normalized(read.text)
  return yield* previewPage(visit, taxpayerId, text).pipe(refusedFile(visit, text))
})

const confirm = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayerId = yield* chosenTaxpayer(visit, visit.form?.text("taxpayer") ?? "")
  const text = visit.form?.exact("csv") ?? ""
  const wanted = visit.form?.text("seen") ?? ""
  const carried = Effect.gen(function*() {
    if (!(yield* isFirstSending(visit))) return redirect("/catalogue?done=already")
    yield* importSeen(actOf(visit), visit.tenant, taxpayerId, { sheet: yield* sheetOf(text), isSeen: (seen) => sha256(seen) === wanted })
    return redirect("/catalogue?done=imported")
  })
  return yield* carried.pipe(
    Effect.catchTag("ProductChanged", () => previewPage(visit, taxpayerId, text, true)),
    refusedFile(visit, text)
  )
})

/** Importing a file: choose, check the changes, confirm. */
export const importRoutes = [
  memberRoute("GET", path, "catalogue:write", (visit) => askPage(visit)),
  memberRoute("POST", path, "catalogue:write", look, { mostFormBytes }),
  memberRoute("POST", `${path}/confirm`, "catalogue:write", confirm, { mostFormBytes })
]
