import { DateTime } from "effect"

/** One file of what an organization takes along. Each fits into memory, however much there is. */
export interface LeavingFile {
  readonly path: string
  readonly content: string | Uint8Array
}

/** How much was written. */
export interface LeavingCounts {
  readonly taxpayers: ReadonlyArray<{ readonly folder: string; readonly tin: string; readonly documents: number; readonly receipts: number; readonly elsewhere: number }>
  readonly organization: { readonly people: number; readonly activity: number; readonly deliveries: number }
}

/** A value as JSON text: instants in ISO form. On one line where nothing is indented. */
export const jsonText = (value: unknown, indentation = 0): string =>
  JSON.stringify(value, (_, part: unknown) => DateTime.isDateTime(part) ? DateTime.formatIso(part) : part, indentation)

/** Values as JSON lines. */
export const jsonLines = (values: ReadonlyArray<unknown>): string => values.map((value) => `${jsonText(value)}\n`).join("")

/** The number of a part in its name, so that names sort as the parts do. */
export const partNumber = (index: number): string => String(index + 1).padStart(4, "0")
