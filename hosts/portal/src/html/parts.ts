import { el, type Html } from "./el.ts"

/** A table that becomes a list of cards on a telephone: every cell carries its column's name. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Html>>,
  options: { readonly caption: string; readonly empty: string; readonly numbers?: ReadonlyArray<number> }
): Html => {
  if (rows.length === 0) return el("p", { class: "empty" }, options.empty)
  const isNumber = (column: number) => options.numbers?.includes(column) === true
  const drawn = el(
    "table",
    {},
    el("caption", { class: "unseen" }, options.caption),
    el("thead", {}, el("tr", {}, heads.map((head, column) => el("th", { scope: "col", class: isNumber(column) ? "number" : "" }, head)))),
    el(
      "tbody",
      {},
      rows.map((row) =>
        el("tr", {}, row.map((cell, column) =>
          el("td", { class: isNumber(column) ? "number" : "", "data-head": heads[column] ?? "" } as object, el("span", {}, cell))))
      )
    )
  )
  // Where the columns need more than the window, the table moves under the hand or the arrow keys, and the page does not.
  return el("div", { class: "wide", tabIndex: 0, role: "region", "aria-label": options.caption }, drawn)
}

/** Names and values under each other. */
export const facts = (entries: ReadonlyArray<readonly [name: string, value: Html]>): Html =>
  el("dl", { class: "facts" }, entries.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))))

/** A part of a page with its own heading. */
export const card = (title: string, ...content: ReadonlyArray<Html>): Html =>
  el("section", { class: "card" }, el("h2", {}, title), ...content)

/** A status in one word. */
export const badge = (kind: "good" | "bad" | "wait" | "plain", text: string): Html => el("span", { class: `badge ${kind}` }, text)

/** A message that the reader must see. */
export const notice = (kind: "good" | "bad" | "wait", ...content: ReadonlyArray<Html>): Html =>
  el("div", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "status" }, ...content)

/** Why what was asked for was not done; nothing where it was. */
export const refusalNotice = (sentence: string | null | undefined): Html => sentence === null || sentence === undefined ? null : notice("bad", el("p", {}, sentence))
