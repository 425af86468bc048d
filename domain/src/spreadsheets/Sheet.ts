import type { BigDecimal } from "effect"

/** A row of a sheet. `number` is the row's number as a spreadsheet shows it, counted from 1, blank rows included. */
export interface SheetRow {
  readonly number: number
  readonly cells: ReadonlyArray<string>
}

/** A file read as rows of cells, up to the row where reading failed: `fault` names that row and the reason. Blank rows are left out but counted. */
export interface Sheet {
  readonly rows: ReadonlyArray<SheetRow>
  readonly fault: { readonly row: number; readonly message: string } | null
}

/** A cell to be written: a text, a count, an amount, or nothing. An amount is a decimal, so that no text can pass for one. */
export type SheetCell = string | number | BigDecimal.BigDecimal | null
