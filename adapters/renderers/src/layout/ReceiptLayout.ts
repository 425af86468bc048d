import type { Branding } from "@overa/domain"

/** A stretch of the fiscal part, in the order of the paper (Decisions §6). */
export type FiscalBlock =
  /** Lines of the V-PFR's journal, character for character. */
  | { readonly kind: "journal"; readonly lines: ReadonlyArray<string> }
  /** The journal's notice that this is no fiscal receipt, set at double size. */
  | { readonly kind: "notice"; readonly text: string }
  /** Added by the service, and visibly so: what the company register says of the buyer. */
  | { readonly kind: "buyerDetails"; readonly lines: ReadonlyArray<string> }
  | { readonly kind: "qr" }
  /** Where the buyer signs the copy of a cash refund. */
  | { readonly kind: "signature"; readonly text: string }

/** One column of a table below the closing line; widths are shares of the whole. */
export interface Column {
  readonly title: string
  readonly align: "left" | "right"
  readonly share: number
}

/** A part below the closing line; all of it is added by the service. */
export type BelowBlock =
  | {
    readonly kind: "table"
    readonly title: string
    readonly columns: ReadonlyArray<Column>
    readonly rows: ReadonlyArray<ReadonlyArray<string>>
  }
  | { readonly kind: "amounts"; readonly title: string; readonly rows: ReadonlyArray<readonly [string, string]> }
  /** The caller's own text: under a title that names its author, every line beside a bar, so that it cannot pass for lines of the receipt. */
  | { readonly kind: "message"; readonly title: string; readonly text: string }
  | { readonly kind: "thanks"; readonly text: string }

/** The content of a receipt in order, before any paper is chosen: plain data, so that it can be sent to a drawing process. Amounts are already text. */
export interface ReceiptLayout {
  /** The document's name for people and for the PDF's title, e.g. `Фискални рачун ABCD1234-ABCD1234-15`. */
  readonly title: string
  readonly author: string
  readonly number: string
  /** Milliseconds since 1970: the PDF's dates, which must not depend on when it is drawn. */
  readonly signedAt: number
  readonly branding: Branding | null
  readonly fiscalPart: ReadonlyArray<FiscalBlock>
  readonly verificationUrl: string
  readonly below: ReadonlyArray<BelowBlock>
}
