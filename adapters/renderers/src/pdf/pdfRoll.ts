import type { ReceiptLayout } from "../layout/ReceiptLayout.ts"
import { qrMatrix } from "../qr/qrMatrix.ts"
import { belowGroups } from "./belowGroups.ts"
import { fiscalGroups } from "./fiscalGroups.ts"
import { space } from "./flow.ts"
import { rollHeader } from "./headerGroups.ts"
import { closePdf, openPdf } from "./openPdf.ts"
import { paginate } from "./paginate.ts"
import { paintPages } from "./paintPages.ts"
import type { PaintedPdf } from "./PaintedPdf.ts"
import type { Paper } from "./Paper.ts"
import { openCanvas } from "./PdfCanvas.ts"

/** The longest page a PDF may have (ISO 32000, Annex C). A longer receipt continues on another page of the same roll. */
const longestPage = 14_400

/** The receipt on a roll: one continuous page as wide as the printer prints, exactly as long as the receipt. */
export const pdfRoll = async (layout: ReceiptLayout, paper: Paper): Promise<PaintedPdf> => {
  const qr = qrMatrix(layout.verificationUrl)
  const groups = [
    ...rollHeader(paper, layout.branding),
    ...fiscalGroups(paper, layout.fiscalPart, qr.size),
    ...belowGroups(paper, layout.below)
  ]
  const margin = paper.gap
  const pages = paginate([...groups, space(margin)], { top: margin, bottom: longestPage })
  const document = openPdf(layout)
  const canvas = openCanvas({ document, qr, verificationUrl: layout.verificationUrl, printerDot: paper.printerDot })
  paintPages(canvas, pages, (index) => {
    const rows = pages[index]?.flatMap(({ rows }) => rows) ?? []
    const end = rows.reduce((lowest, { row, top }) => Math.max(lowest, top + row.height), margin)
    const height = Math.ceil(end / paper.printerDot - 1e-6) * paper.printerDot
    document.addPage({ size: [paper.width, height], margin: 0 })
  })
  return { bytes: await closePdf(document), missing: [...canvas.missing] }
}
