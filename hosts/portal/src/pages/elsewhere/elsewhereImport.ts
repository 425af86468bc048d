import { type ElsewhereFile, type ElsewhereImport, type ElsewhereImportRefused, type GatheredPiece, gatherText, importElsewhere } from "@overa/domain"
import { Effect, Stream } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { faultSummary, type Faults, field, form } from "../../html/forms.ts"
import { notice, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { chosenTaxpayer, ownTaxpayers, taxpayerChoice } from "../catalogue/ownTaxpayers.ts"
import { actOf } from "../personAct.ts"
import { faultWords } from "./faultWords.ts"

const path = "/elsewhere/import"

/** Some two thousand receipts; more are for the operator's command. */
const mostFormBytes = 5_300_000

const askPage = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}, found: Html = null) {
  const { say } = visit
  const title = say("Увоз рачуна другог ЕСИР-а", "Import of another ESIR's receipts")
  return page(title, el("div", { class: "card" }, all(
    el("h1", {}, title),
    faultSummary(visit, faults),
    found,
    el("p", {}, say(
      "Датотека претходног ЕСИР-а: текстови рачуна, верификациони линкови, CSV или JSON. Све или ништа: при једној грешци ништа није увезено, а све грешке су наведене. Исто још једном не мења ништа. PDF, слике и више од 5 MB увози оператер.",
      "A file of the former ESIR: receipts' texts, verification links, CSV or JSON. All or nothing: with one fault nothing is imported, and every fault is listed. The same once more changes nothing. PDFs, pictures and more than 5 MB are imported by the operator."
    )),
    form(
      visit,
      { action: path, submit: say("Увези", "Import"), files: true },
      taxpayerChoice(visit, yield* ownTaxpayers(visit), visit.form?.text("taxpayer") ?? ""),
      field({ name: "file", label: say("Датотека", "File"), type: "file", accept: ".txt,.csv,.json,.jsonl,.links,text/plain,text/csv", fault: faults["file"] }),
      field({ name: "text", label: say("Или залепите линкове или текстове рачуна", "Or paste links or receipts' texts"), rows: 6 })
    ),
    el("p", {}, el("a", { href: "/elsewhere" }, say("Рачуни другог ЕСИР-а", "Receipts of another ESIR")))
  )), Object.keys(faults).length === 0 && found === null ? 200 : 422)
})

const textOf = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return null // TextDecoder has no other way to say so
  }
}

const gathered = (name: string, text: string | null): ReadonlyArray<GatheredPiece> => {
  if (text === null) return [{ _tag: "Unreadable", line: 0, reason: "" }]
  const pieces = gatherText(text, /\.(?:csv|jsonl|links)$/i.test(name))
  return pieces.length === 0 ? [{ _tag: "Nothing", line: 0 }] : pieces
}

const given = ({ form: sent, say }: MemberVisit): ElsewhereFile | null => {
  const file = sent?.file("file") ?? null
  if (file !== null) return { name: file.name, pieces: Stream.fromIterable(gathered(file.name, textOf(file.bytes))) }
  const text = sent?.text("text") ?? ""
  return text === "" ? null : { name: say("Налепљено", "Pasted"), pieces: Stream.fromIterable(gathered("", text)) }
}

const donePage = ({ say }: MemberVisit, { added, completed, known }: ElsewhereImport) => {
  const title = say("Увезено", "Imported")
  return page(title, all(
    el("h1", {}, title),
    notice("good", el("p", {}, say(`Нових рачуна: ${added}; допуњених: ${completed}; већ познатих: ${known}.`, `New receipts: ${added}; completed: ${completed}; known already: ${known}.`))),
    el("p", { class: "actions" }, el("a", { class: "button main", href: "/elsewhere" }, say("Погледај рачуне", "Look at the receipts")))
  ))
}

const refusedPage = (visit: MemberVisit, { count, faults }: ElsewhereImportRefused) => {
  const { say } = visit
  const shown = faults.slice(0, 100)
  const sentence = say(`Ништа није увезено. Грешака: ${count}.`, `Nothing was imported. Faults: ${count}.`)
  return askPage(visit, { file: sentence }, all(
    table([say("Ред", "Line"), say("Грешка", "Fault")], shown.map((it) => [it.line === 0 ? "–" : String(it.line), faultWords(say, it)]), {
      caption: say("Грешке у датотеци", "Faults in the file"),
      empty: "–",
      numbers: [0]
    }),
    count > shown.length ? el("p", { class: "hint" }, say(`Приказано је првих ${shown.length}.`, `The first ${shown.length} are shown.`)) : null
  ))
}

const bring = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayerId = yield* chosenTaxpayer(visit, visit.form?.text("taxpayer") ?? "")
  const file = given(visit)
  if (file === null) return yield* askPage(visit, { file: visit.say("Изаберите датотеку, или налепите текст.", "Choose a file, or paste a text.") })
  return yield* importElsewhere(actOf(visit), visit.tenant, taxpayerId, Stream.succeed(file)).pipe(
    Effect.map((result) => donePage(visit, result)),
    Effect.catchTag("ElsewhereImportRefused", (refused) => refusedPage(visit, refused))
  )
})

export const elsewhereImportRoutes = [
  memberRoute("GET", path, "receipts:issue", (visit) => askPage(visit)),
  memberRoute("POST", path, "receipts:issue", bring, { mostFormBytes })
]
