import type { ReceiptLayout } from "./layout/ReceiptLayout.ts"
import { pdfA4 } from "./pdf/pdfA4.ts"
import { pdfRoll } from "./pdf/pdfRoll.ts"
import { roll58, roll80 } from "./pdf/papers.ts"
import { usableLogo } from "./pdf/usableLogo.ts"
import { previewPng } from "./png/previewPng.ts"
import type { Rendered, RenderJob } from "./RenderJob.ts"

/** A thermal printer's own dots; on A4 what it takes for the QR code to be read from the screen. */
const previewDots = 203

const withUsableLogo = (layout: ReceiptLayout): ReceiptLayout => {
  const { branding } = layout
  if (branding === null || branding.logo === null) return layout
  return { ...layout, branding: { ...branding, logo: usableLogo(branding.logo) } }
}

const pdf = (layout: ReceiptLayout, paper: RenderJob["paper"]) =>
  paper === "a4" ? pdfA4(layout) : pdfRoll(layout, paper === "80mm" ? roll80 : roll58)

/** Draws one receipt. */
export const draw = async (job: RenderJob): Promise<Rendered> => {
  const layout = withUsableLogo(job.layout)
  const { bytes, missing } = await pdf(layout, job.paper)
  const logoLeftOut = (job.layout.branding?.logo ?? null) !== null && (layout.branding?.logo ?? null) === null
  return { bytes: job.output === "pdf" ? bytes : await previewPng(bytes, previewDots), missing, logoLeftOut }
}
