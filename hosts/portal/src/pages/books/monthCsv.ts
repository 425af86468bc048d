import { type BookSheet, formatDecimal, guardText, type SheetCell, type SheetDate } from "@overa/domain"

const dayOf = (date: string): string => date.slice(0, 10).split("-").toReversed().join(".")

const textOf = (cell: SheetCell | SheetDate): string => {
  if (cell === null) return ""
  if (typeof cell === "number") return String(cell)
  if (typeof cell === "string") return guardText(cell)
  return "date" in cell ? [`${dayOf(cell.date)}.`, cell.date.slice(11)].filter((part) => part !== "").join(" ") : formatDecimal(cell, 2).replace(".", ",")
}

/** A sheet as Excel in Serbia reads it without being asked: decimal commas, days with points. Amounts have all their decimals, so that they sum to the month. */
export const serbianCsv = ({ rows, titles }: BookSheet): ReadonlyArray<ReadonlyArray<string>> => [titles.map((title) => guardText(title)), ...rows.map((cells) => cells.map(textOf))]
