import type { BigDecimal } from "effect"

/** A row of a sheet. `number` is the row's number as a spreadsheet shows it, counted from 1, blank rows included. */
export interface SheetRow {
  readonly number: number
  readonly cells: ReadonlyArray<string>
}

/**
 * A file read as rows of cells, their numbers ascending, up to the row where reading failed: `fault` names that row and the reason. Blank rows are left
 * out but counted.
 */
export interface Sheet {
  readonly rows: ReadonlyArray<SheetRow>
  readonly fault: { readonly row: number; readonly message: string } | null
}

/** A cell to be written: a text, a count, an amount, or nothing. An amount is a decimal, so that no text can pass for one. */
export type SheetCell = string | number | BigDecimal.BigDecimal | null

/** A day, `2026-11-25`, or a local time, `2026-11-25T03:42:45`, that a workbook has as a date and not as a text. */
export interface SheetDate {
  readonly date: string
}

/** A table of a workbook. */
export interface BookSheet {
  /** At most 31 characters, none of `[]:*?/\\`. */
  readonly name: string
  readonly titles: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<SheetCell | SheetDate>>
}

// What a spreadsheet may read as a formula: where it opens the file with the right separator, at the begin of a cell; where it takes another character for the
// separator, also after a semicolon, a tab or a line break inside a cell. Also after white space, in full width, and after any apostrophes that are
// already there.
const dangerous = /^(?='*[\t\r\n])|(?<=^|[;\t\r\n])(?='*[^\S\t\r\n]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu
const guarded = /^'(?='*[\t\r\n])|(?<=^|[;\t\r\n])'(?='*[^\S\t\r\n]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu

/**
 * A text as a cell of an exported file. Where a formula could begin it gets an apostrophe, so that no spreadsheet runs it. Different
 * texts give different cells, and `unguardText` restores the text. Source: Decisions §11.
 *
 * @example guardText("=1+1") // "'=1+1"
 * @example guardText("tea;=1+1") // "tea;'=1+1"
 */
export const guardText = (text: string): string => text.replaceAll(dangerous, "'")

/** The text of a cell, without the apostrophes that an export put into it. */
export const unguardText = (cell: string): string => cell.replaceAll(guarded, "")
