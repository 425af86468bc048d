import { digitExpectedInGtin, type ImportChanges, type ProductChange, productColumns } from "@overa/domain"
import { all, el, type Html } from "../../html/el.ts"
import { card, notice, table } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { columnWords, shownCell } from "./columnWords.ts"

/** More rows are only counted, so that the page stays readable. */
const mostShown = 100

const changeCell = (visit: MemberVisit, { after, before, columns }: ProductChange): Html =>
  el("ul", { class: "plain" }, columns.map((column) =>
    el("li", {}, columnWords(visit.say, column), ": ", el("del", {}, shownCell(visit.say, before, column)), " → ", el("ins", {}, shownCell(visit.say, after, column)))))

const more = (visit: MemberVisit, count: number): Html =>
  count > mostShown ? el("p", {}, visit.say("И још: ", "And more: "), String(count - mostShown)) : null

/** Files may name barcodes whose last digit is another one: goods are marked so, and a file is imported whole. */
const wrongDigits = (visit: MemberVisit, { changed, created }: ImportChanges): Html => {
  const { say } = visit
  const entering = [...created, ...changed.filter(({ columns }) => columns.includes("gtin")).map(({ after }) => after)]
  const wrong = entering.flatMap(({ gtin, sku }) => {
    const expected = digitExpectedInGtin(gtin ?? "")
    return expected === undefined ? [] : [{ sku, gtin, expected }]
  })
  if (wrong.length === 0) return null
  return notice(
    "wait",
    el("p", {}, say("Баркодови чија последња цифра не одговара осталима: ", "Barcodes whose last digit does not fit the others: "), String(wrong.length), say(". Увозе се како су у датотеци; проверите их.", ". They are imported as the file has them; check them.")),
    el("ul", { class: "plain" }, wrong.slice(0, mostShown).map(({ expected, gtin, sku }) => el("li", {}, `${sku}: ${gtin ?? ""} → `, say("последња цифра би била ", "the last digit would be "), expected))),
    more(visit, wrong.length)
  )
}

/** What an import would do: the counts, then product by product. */
export const changesHtml = (visit: MemberVisit, changes: ImportChanges): Html => {
  const { changed, created, unchanged } = changes
  const { say } = visit
  return all(
    notice(
      "wait",
      el("p", {}, say("Још ништа није промењено. Нових: ", "Nothing is changed yet. New: "), String(created.length), say(", измењених: ", ", changed: "), String(changed.length), say(", без промене: ", ", without change: "), String(unchanged), ".")
    ),
    wrongDigits(visit, changes),
    changed.length === 0 ? null : card(
      say("Мењају се", "Changed"),
      table(
        [columnWords(say, "sku"), columnWords(say, "name"), say("Промена", "Change")],
        changed.slice(0, mostShown).map((change) => [change.after.sku, change.before.name, changeCell(visit, change)]),
        { caption: say("Мењају се", "Changed"), empty: "–" }
      ),
      more(visit, changed.length)
    ),
    created.length === 0 ? null : card(
      say("Нови", "New"),
      table(
        productColumns.map((column) => columnWords(say, column)),
        created.slice(0, mostShown).map((product) => productColumns.map((column) => shownCell(say, product, column))),
        { caption: say("Нови", "New"), empty: "–", numbers: [4] }
      ),
      more(visit, created.length)
    )
  )
}
