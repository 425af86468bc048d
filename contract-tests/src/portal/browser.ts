import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type BrowserContext, chromium, type Page } from "playwright-core"

const places = [process.env["OVERA_CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** The browser for the tests; null where the machine has none, and in continuous integration. */
export const browserPath: string | null = process.env["CI"] === "true" ? null : places.find((path) => path !== "" && existsSync(path)) ?? null

// Flags that keep the browser from using the network by itself.
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** A browser of one person, which records everything that must not happen. */
export interface Reader {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors on the console and requests to other servers; must be empty. */
  readonly complaints: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

export interface ReaderOptions {
  readonly origin: string
  /** Other addresses that the pages may lead to: an issuer where people sign in. */
  readonly leadsTo?: string
  readonly width?: number
  readonly scripts?: boolean
  readonly locale?: string
}

/** Opens a browser with a profile of its own. */
export const openReader = async ({ leadsTo, locale = "sr-RS", origin, scripts = true, width = 1_280 }: ReaderOptions): Promise<Reader> => {
  const profile = mkdtempSync(join(tmpdir(), "overa-browser-"))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath ?? "",
    headless: true,
    args: flags,
    javaScriptEnabled: scripts,
    locale,
    acceptDownloads: true,
    viewport: { width, height: 900 }
  })
  const complaints: Array<string> = []
  context.on("request", (request) => {
    if (leadsTo !== undefined && request.url().startsWith(leadsTo)) return
    if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url())) complaints.push(`asked ${request.url()}`)
  })
  context.on("console", (message) => {
    // The browser itself reports every answer of 400 and above on the console; a refused form is one.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) complaints.push(`console: ${message.text()}`)
  })
  context.on("weberror", (error) => complaints.push(`error: ${error.error().message}`))
  const page = context.pages()[0] ?? (await context.newPage())
  return {
    page,
    context,
    complaints,
    close: async () => {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    }
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface AxeResults {
  readonly violations: ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string }> }>
}

/** Violations of WCAG 2.2 A and AA on the page as it is now. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Runs outside the page's own policy, which allows no script.
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send("Page.getFrameTree")
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: "axe" })
  await session.send("Runtime.evaluate", { expression: axeSource, contextId: executionContextId })
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run({ runOnly: ${JSON.stringify(tags)} }).then((r) => JSON.stringify(r))`,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true
  })
  await session.detach()
  const { violations: found } = JSON.parse(String(result.value)) as AxeResults
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)
}

/** True when nothing is wider than the window. */
export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth") as Promise<boolean>
