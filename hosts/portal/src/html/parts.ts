import { el, type Html } from "./el.ts"

/** By which column a table is sorted, and the address that sorts it by another. */
export interface TableOrder {
  readonly column: number
  readonly descending: boolean
  /** Null for a column that rows are not sorted by. */
  readonly addressOf: (column: number, descending: boolean) => string | null
}

export interface TableOptions {
  readonly caption: string
  readonly empty: string
  readonly numbers?: ReadonlyArray<number>
  /** Columns whose values are read in one piece, as a receipt's number: never broken into lines where the columns stand beside each other. */
  readonly whole?: ReadonlyArray<number>
  readonly order?: TableOrder
  /** The sums of the columns; stays in sight under the rows. */
  readonly total?: ReadonlyArray<Html>
}

const headCell = (head: string, column: number, { numbers, order }: TableOptions): Html => {
  const isSorted = order?.column === column
  // Figures are looked at from the largest, texts from the first.
  const address = order?.addressOf(column, isSorted ? !order.descending : numbers?.includes(column) === true) ?? null
  return el(
    "th",
    { scope: "col", class: numbers?.includes(column) === true ? "number" : "", ...(isSorted ? { "aria-sort": order.descending ? "descending" as const : "ascending" as const } : {}) },
    address === null ? head : el("a", { href: address }, head)
  )
}

/** A table that becomes a list of cards on a telephone: every cell carries its column's name. */
export const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Html>>, options: TableOptions): Html => {
  if (rows.length === 0) return el("p", { class: "empty" }, options.empty)
  const kindOf = (column: number): string => {
    if (options.numbers?.includes(column) === true) return "number"
    return options.whole?.includes(column) === true ? "whole" : ""
  }
  const rowOf = (row: ReadonlyArray<Html>, kind: string): Html =>
    el("tr", { class: kind }, row.map((cell, column) =>
      el("td", { class: kindOf(column), "data-head": heads[column] ?? "" } as object, el("span", {}, cell))))
  const drawn = el(
    "table",
    {},
    el("caption", { class: "unseen" }, options.caption),
    el("thead", {}, el("tr", {}, heads.map((head, column) => headCell(head, column, options)))),
    el("tbody", {}, rows.map((row) => rowOf(row, "")), options.total === undefined ? null : rowOf(options.total, "total"))
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
