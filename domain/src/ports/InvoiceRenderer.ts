import { Context, type Effect } from "effect"
import type { Invoice } from "../billing/Invoice.ts"
import type { RenderingUnavailable } from "./ReceiptRenderer.ts"

/** The language and script of the words around an invoice's own texts. */
export type InvoiceLanguage = "sr-Cyrl" | "sr-Latn" | "en"

/** Draws invoices. The same invoice in the same language always gives the same bytes. */
export class InvoiceRenderer extends Context.Service<InvoiceRenderer, {
  readonly pdf: (invoice: Invoice, language: InvoiceLanguage) => Effect.Effect<Uint8Array, RenderingUnavailable>
}>()("@overa/domain/ports/InvoiceRenderer") {}
