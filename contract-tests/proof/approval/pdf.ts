import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { chromium } from "playwright-core"
import { browserPath } from "../../src/portal/browser.ts"

/** Prints a page of the folder by Chromium; says so where there is none. */
export const writePdf = async (folder: string, name: string): Promise<void> => {
  if (browserPath === null) return void process.stdout.write(`No Chromium: no ${name}.pdf.\n`)
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] })
  const page = await browser.newPage()
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href)
  await page.pdf({ path: join(folder, `${name}.pdf`), format: "A4", printBackground: true, preferCSSPageSize: true })
  await browser.close()
}
