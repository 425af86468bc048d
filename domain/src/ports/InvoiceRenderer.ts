import { Context, type Effect } from "effect"
import type { Invoice } from "../billing/Invoice.ts"
import type { RenderingUnavailable } from "./ReceiptRenderer.ts"

/** In which language and script the words around an invoice's own texts are printed. */
export type InvoiceLanguage = "sr-Cyrl" | "sr-Latn" | "en"

/** Draws invoices. The same invoice gives the same bytes in the same language, whenever it is drawn. */
export class InvoiceRenderer extends Context.Service<InvoiceRenderer, {
  readonly pdf: (invoice: Invoice, language: InvoiceLanguage) => Effect.Effect<Uint8Array, RenderingUnavailable>
}>()("@overa/domain/ports/InvoiceRenderer") {}
