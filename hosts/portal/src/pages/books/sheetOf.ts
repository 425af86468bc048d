import type { BookSheet } from "@overa/domain"
import type { Say } from "../../language/Language.ts"

/** What a sheet needs besides its figures. */
export interface SheetWords {
  readonly say: Say
  readonly premiseName: (id: string) => string
}

/** A sheet whose rows are made when it is written: of a large month each takes a part of a second, in which nobody else is served. */
export const sheetOf = (name: string, titles: ReadonlyArray<string>, rowsOf: () => BookSheet["rows"]): BookSheet => ({
  name,
  titles,
  get rows() {
    return rowsOf()
  }
})
