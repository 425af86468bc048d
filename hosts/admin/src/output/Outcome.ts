import { DateTime } from "effect"

/** The output of a command: text for people, a value for `--json`. */
export interface Outcome {
  readonly text: string
  readonly json: unknown
  /** Not 0 where the answer reports a problem. */
  readonly exitCode?: number
}

/** A table with its heads; an empty one says that it is empty. */
export const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>, empty = "None."): string => {
  if (rows.length === 0) return empty
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? "")].length)))
  const line = (row: ReadonlyArray<string>) =>
    row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - [...cell].length)).join("  ").trimEnd()
  return all.map(line).join("\n")
}

/** Names and values, one to a line. */
export const facts = (pairs: ReadonlyArray<readonly [name: string, value: string | number | boolean | null]>): string => {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value ?? "-"}`).join("\n")
}

/** An instant for a table: UTC, to the second. */
export const shownTime = (instant: DateTime.Utc | null): string =>
  instant === null ? "-" : `${DateTime.formatIso(instant).slice(0, 19).replace("T", " ")}Z`

/** An instant in JSON; null stays null. */
export const isoOrNull = (instant: DateTime.Utc | null): string | null => instant === null ? null : DateTime.formatIso(instant)

/** A value as JSON text: instants in ISO form, decimals and everything else as they print themselves. On one line where nothing is indented. */
export const asJson = (value: unknown, indentation = 2): string =>
  JSON.stringify(value, (_, part: unknown) => DateTime.isDateTime(part) ? DateTime.formatIso(part) : part, indentation)
