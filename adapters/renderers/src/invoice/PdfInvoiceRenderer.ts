import { InvoiceRenderer, RenderingUnavailable } from "@overa/domain"
import { Effect, Layer } from "effect"
import { pdfInvoice } from "./pdfInvoice.ts"

/** Draws in this process: an invoice is a page of text, and few are requested. */
export const layer: Layer.Layer<InvoiceRenderer> = Layer.succeed(
  InvoiceRenderer,
  InvoiceRenderer.of({
    pdf: (invoice, language) =>
      Effect.tryPromise({ try: () => pdfInvoice(invoice, language), catch: (cause) => new RenderingUnavailable({ cause }) })
  })
)
