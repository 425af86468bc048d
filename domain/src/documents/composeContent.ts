import type { DocumentContent } from "./DocumentContent.ts"

/** Content that comes from the request, or from the document it refers to. */
export type SaidContent = Pick<
  DocumentContent,
  "clientReference" | "cashier" | "buyer" | "items" | "payments" | "commercialFooter" | "metadata"
>

/** Content that only some kinds have; null where absent. */
export type KindContent =
  & Pick<DocumentContent, "invoiceType" | "transactionType">
  & Partial<Pick<DocumentContent, "reference" | "dateAndTimeOfIssue" | "advanceClosing">>

/** What the premise adds and a reprint needs, captured at issuance (Decisions §6). */
export interface PlaceOfIssue {
  readonly settings: Pick<DocumentContent, "esirNumber">
  readonly found: Pick<DocumentContent, "preferredPaperFormat" | "brandingId">
}

/** The content of a document of any kind: the one place that puts a `DocumentContent` together. */
export const composeContent = (kind: KindContent, said: SaidContent, place: PlaceOfIssue): DocumentContent => ({
  invoiceType: kind.invoiceType,
  transactionType: kind.transactionType,
  clientReference: said.clientReference,
  cashier: said.cashier,
  buyer: said.buyer,
  items: said.items,
  payments: said.payments,
  commercialFooter: said.commercialFooter,
  metadata: said.metadata,
  reference: kind.reference ?? null,
  dateAndTimeOfIssue: kind.dateAndTimeOfIssue ?? null,
  advanceClosing: kind.advanceClosing ?? null,
  esirNumber: place.settings.esirNumber,
  preferredPaperFormat: place.found.preferredPaperFormat,
  brandingId: place.found.brandingId
})
