import { Context, type Effect } from "effect"
import type { BookLine } from "../books/BookLine.ts"
import type { OpenAdvance } from "../books/monthBook.ts"
import type { Taxpayer } from "../tenancy/Taxpayer.ts"
import type { InvoiceLanguage } from "./Billing.ts"
import type { RenderingUnavailable } from "./ReceiptRenderer.ts"

/** A taxpayer's month, as it is put on paper. */
export interface MonthPaper {
  readonly taxpayer: Pick<Taxpayer, "name" | "taxIdentifier">
  /** `2026-11`. */
  readonly month: string
  readonly book: { readonly lines: ReadonlyArray<BookLine>; readonly openAdvances: ReadonlyArray<OpenAdvance> }
  /** The name of a premise; its id where it has none. */
  readonly premiseName: (id: string) => string
}

/** Draws the overview of a month that a person signs, on A4. The same month in the same language always gives the same bytes. */
export class MonthBookRenderer extends Context.Service<MonthBookRenderer, {
  readonly pdf: (paper: MonthPaper, language: InvoiceLanguage) => Effect.Effect<Uint8Array, RenderingUnavailable>
}>()("@overa/domain/ports/MonthBookRenderer") {}
