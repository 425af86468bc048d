import { type Invoice, type InvoiceLanguage, printedNumber } from "@overa/domain"
import { DateTime } from "effect"
import { closePdf, openPdf } from "../pdf/openPdf.ts"
import { paginate } from "../pdf/paginate.ts"
import { paintPages } from "../pdf/paintPages.ts"
import { a4At } from "../pdf/papers.ts"
import { openCanvas } from "../pdf/PdfCanvas.ts"
import { invoiceGroups } from "./invoiceGroups.ts"
import { documentTags, speaker } from "./invoiceWords.ts"

/** An invoice on A4 pages. All its content, also the dates in the file, was fixed at its issue, so every drawing gives the same bytes. */
export const pdfInvoice = (invoice: Invoice, language: InvoiceLanguage): Promise<Uint8Array> => {
  const say = speaker(language)
  const a4 = a4At(1)
  const pages = paginate(invoiceGroups(a4, say, invoice), { top: a4.margin.top, bottom: a4.height - a4.margin.bottom })
  const title = `${say("Фактура", "Invoice")} ${printedNumber(invoice.id)}`
  const document = openPdf({ title, author: invoice.content.issuer.name, signedAt: DateTime.toEpochMillis(invoice.issuedAt) }, documentTags[language])
  const canvas = openCanvas({ document, qr: null, verificationUrl: "", printerDot: a4.printerDot })
  paintPages(canvas, pages, () => void document.addPage({ size: [a4.width, a4.height], margin: 0 }))
  return closePdf(document)
}
