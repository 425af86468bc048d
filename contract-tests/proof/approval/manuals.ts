/**
 * What the folder needs besides the trial: the user manual with the portal's pictures, and the questionnaire's answers, in Serbian, as HTML and PDF.
 *
 *   npm run pictures -- --widths 1280 --themes light --languages sr
 *   npm run approval:manuals -- --pictures pictures --into docs/approval
 *
 * Needs Chromium for the PDFs. Rejects where a picture is missing.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { manual, manualHtml } from "./manual.ts"
import { writePdf } from "./pdf.ts"
import { questionnaireHtml } from "./questionnaire.ts"
import { style } from "./report.ts"

const { values } = parseArgs({ options: { into: { type: "string", default: "approval" }, pictures: { type: "string", default: "pictures" } } })
const folder = resolve(values.into)

mkdirSync(join(folder, "manual"), { recursive: true })
for (const { picture } of manual) copyFileSync(join(values.pictures, `${picture}-sr-1280-light.png`), join(folder, "manual", `${picture}.png`))
for (const [name, html] of [["manual", manualHtml(style)], ["questionnaire", questionnaireHtml(style)]] as const) {
  writeFileSync(join(folder, `${name}.html`), html)
  await writePdf(folder, name)
}
