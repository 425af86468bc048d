import type { ReceiptLayout } from "../layout/ReceiptLayout.ts"
import { qrMatrix } from "../qr/qrMatrix.ts"
import { belowGroups } from "./belowGroups.ts"
import { fiscalGroups } from "./fiscalGroups.ts"
import type { Group, Run } from "./flow.ts"
import { pageHeader } from "./headerGroups.ts"
import { closePdf, openPdf } from "./openPdf.ts"
import { leastHeight, type PageRoom, paginate } from "./paginate.ts"
import type { Paper } from "./Paper.ts"
import type { PaintedPdf } from "./PaintedPdf.ts"
import { paintPages } from "./paintPages.ts"
import { type A4, a4At } from "./papers.ts"
import { openCanvas, paintRuns, type PdfCanvas } from "./PdfCanvas.ts"
import { receiptFont } from "./receiptFonts.ts"

/** Smaller sizes of type, in relation to the usual one; the smallest is still larger than on 58 mm. */
const smallestScale = 0.62
const smallerScales = [0.9, 0.8, 0.7, smallestScale]
const wantedPages = 2

const groupsAt = (a4: A4, layout: ReceiptLayout, qrModules: number): ReadonlyArray<Group> => [
  ...pageHeader(a4, layout.branding),
  ...fiscalGroups(a4, layout.fiscalPart, qrModules),
  ...belowGroups(a4, layout.below)
]

const roomOf = (a4: A4): PageRoom => ({ top: a4.margin.top, bottom: a4.height - a4.margin.bottom })

const pagesAt = (scale: number, layout: ReceiptLayout, qrModules: number) => {
  const a4 = a4At(scale)
  return { a4, pages: paginate(groupsAt(a4, layout, qrModules), roomOf(a4)) }
}

/** Whether even the smallest type needs more room than two pages have: then no larger one has to be tried. */
const isTooLong = (layout: ReceiptLayout, qrModules: number): boolean => {
  const a4 = a4At(smallestScale)
  const { bottom, top } = roomOf(a4)
  return leastHeight(groupsAt(a4, layout, qrModules)) > wantedPages * (bottom - top)
}

/** With the largest type at which the receipt fits on two pages; with the usual one where none does. */
const fittingPages = (layout: ReceiptLayout, qrModules: number) => {
  const usual = pagesAt(1, layout, qrModules)
  if (usual.pages.length <= wantedPages || isTooLong(layout, qrModules)) return usual
  for (const scale of smallerScales) {
    const smaller = pagesAt(scale, layout, qrModules)
    if (smaller.pages.length <= wantedPages) return smaller
  }
  return usual
}

/** From the second page on, the foot names this receipt and page; it is not part of the text read aloud. */
const paintFoot = (canvas: PdfCanvas, a4: Pick<Paper, "own"> & { readonly height: number }, title: string, page: number, pages: number): void => {
  const font = receiptFont("sans")
  const base = { font: "sans", size: 8, dy: 0, grey: 0.35 } as const
  const count = `страна ${page} од ${pages}`
  const right = a4.own.x + a4.own.width - font.width(count, base.size)
  const runs: ReadonlyArray<Run> = [{ ...base, x: a4.own.x, text: title }, { ...base, x: right, text: count }]
  canvas.document.markContent("Artifact", { type: "Pagination" })
  paintRuns(canvas, runs.map((run) => ({ run, top: a4.height - 30 })))
  canvas.document.endMarkedContent()
}

/** The receipt on A4 pages: branding header, the journal as a centred column, the service's own parts in tables below it. */
export const pdfA4 = async (layout: ReceiptLayout): Promise<PaintedPdf> => {
  const qr = qrMatrix(layout.verificationUrl)
  const { a4, pages } = fittingPages(layout, qr.size)
  const document = openPdf(layout)
  const canvas = openCanvas({ document, qr, verificationUrl: layout.verificationUrl, printerDot: a4.printerDot })
  paintPages(canvas, pages, (index) => {
    document.addPage({ size: [a4.width, a4.height], margin: 0 })
    if (index > 0) paintFoot(canvas, a4, layout.title, index + 1, pages.length)
  })
  return { bytes: await closePdf(document), missing: [...canvas.missing] }
}
