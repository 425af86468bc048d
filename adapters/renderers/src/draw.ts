import type { ReceiptLayout } from "./layout/ReceiptLayout.ts"
import { pdfA4 } from "./pdf/pdfA4.ts"
import { pdfRoll } from "./pdf/pdfRoll.ts"
import { roll58, roll80 } from "./pdf/papers.ts"
import { previewPng } from "./png/previewPng.ts"
import type { Rendered, RenderJob } from "./RenderJob.ts"

/** The resolution of a thermal printer; on A4 the one at which the QR code can be read from the screen. */
const previewDots = 203

const pdf = (layout: ReceiptLayout, paper: RenderJob["paper"]) =>
  paper === "a4" ? pdfA4(layout) : pdfRoll(layout, paper === "80mm" ? roll80 : roll58)

/** Draws one receipt. Its logo is the bitmap that `prepareLogo` made; uploaded files are never drawn. */
export const draw = async (job: RenderJob): Promise<Rendered> => {
  const { bytes, missing } = await pdf(job.layout, job.paper)
  return { bytes: job.output === "pdf" ? bytes : await previewPng(bytes, previewDots), missing }
}
