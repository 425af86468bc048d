import type { InvoiceLanguage, MonthPaper } from "@overa/domain"
import { documentTags, printedMonth, speaker } from "../invoice/invoiceWords.ts"
import { closePdf, openPdf } from "../pdf/openPdf.ts"
import { paginate } from "../pdf/paginate.ts"
import { paintPages } from "../pdf/paintPages.ts"
import { a4At } from "../pdf/papers.ts"
import { openCanvas } from "../pdf/PdfCanvas.ts"
import { monthBookGroups } from "./monthBookGroups.ts"

/** The first instant after the month, in UTC: the file's dates, so that every drawing of a month gives the same bytes. */
const endOf = (month: string): number => {
  const [year = 0, number = 0] = month.split("-").map(Number)
  return Date.UTC(year, number, 1)
}

/** The overview of a month on A4 pages, with the line for the signature at the end. */
export const pdfMonthBook = (paper: MonthPaper, language: InvoiceLanguage): Promise<Uint8Array> => {
  const say = speaker(language)
  const a4 = a4At(1)
  const pages = paginate(monthBookGroups(a4, say, paper), { top: a4.margin.top, bottom: a4.height - a4.margin.bottom })
  const title = `${say("Преглед промета за", "Turnover of")} ${printedMonth(paper.month)}`
  const document = openPdf({ title, author: paper.taxpayer.name, signedAt: endOf(paper.month) }, documentTags[language])
  const canvas = openCanvas({ document, qr: null, verificationUrl: "", printerDot: a4.printerDot })
  paintPages(canvas, pages, () => void document.addPage({ size: [a4.width, a4.height], margin: 0 }))
  return closePdf(document)
}
