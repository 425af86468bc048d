import { noDeliverySettings } from "@overa/domain"
import { execFile } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { programIn, withPrograms } from "../../tools/guidePrograms/section.ts"
import { stories } from "../../tools/guidePrograms/stories/index.ts"
import type { Story } from "../../tools/guidePrograms/Story.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

const root = join(import.meta.dirname, "../..")
const guides = join(root, "docs/guides")
const pageOf = (guide: string): string => readFileSync(join(guides, `${guide}.md`), "utf8")

const languages = {
  ts: { command: [process.execPath, "--conditions=@overa/source"], ending: "ts" },
  php: { command: ["php"], ending: "php" },
  python: { command: ["python3"], ending: "py" }
} as const
type Language = keyof typeof languages

describe("The guides' programs", () => {
  it("are what the stories say (npm run generate)", () => {
    for (const story of stories) expect(withPrograms(pageOf(story.guide), story)).toBe(pageOf(story.guide))
  })

  it("are there in every guide that shows a request", () => {
    const withRequests = readdirSync(guides).filter((name) => name.endsWith(".md") && /curl -sS/.test(readFileSync(join(guides, name), "utf8"))).map((name) => name.replace(".md", ""))
    expect(withRequests.filter((guide) => !stories.some((story) => story.guide === guide))).toEqual([])
  })
})

describe.each(Object.keys(languages) as ReadonlyArray<Language>)("The guides' programs in %s", (language) => {
  const { api, memory } = sharedMemoryApi()
  const folder = mkdtempSync(join(tmpdir(), "overa-guides-"))
  const { command: [command, ...options], ending } = languages[language]

  beforeAll(async () => {
    for (const shop of Object.values(memory.shops)) memory.deliveries.settings.set(shop.place.taxpayer.id, { ...noDeliverySettings, enabled: true, locale: "en" })
    for (const name of ["php/Overa.php", "python/overa.py"]) copyFileSync(join(root, "docs/examples", name), join(folder, name.replace(/.*\//, "")))
    copyFileSync(join(guides, "products.csv"), join(folder, "products.csv"))
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    mkdirSync(join(folder, "node_modules"))
    symlinkSync(join(root, "node_modules/@overa"), join(folder, "node_modules/@overa"))
    await api.post("/v1/fiscal-documents", sampleSale(memory.target, { clientReference: "ORDER-7" }))
    while ((await api.get("/v1/events?after=0")).json.items.length === 0) await wait(20)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const run = async (story: Story): Promise<string> => {
    const { authUrl, baseUrl, businessPremiseId, management, taxpayerId } = memory.target
    const { clientId, clientSecret } = story.credential === "management" && management !== undefined ? management : memory.target
    const file = join(folder, `${story.guide}.${ending}`)
    writeFileSync(file, `${programIn(pageOf(story.guide), language)}\n`)
    const env = {
      ...process.env, OVERA_URL: baseUrl, OVERA_AUTH_URL: authUrl, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret,
      TAXPAYER_ID: taxpayerId, BUSINESS_PREMISE_ID: businessPremiseId, PYTHONDONTWRITEBYTECODE: "1"
    }
    const { stderr, stdout } = await promisify(execFile)(command, [...options, file, `order-${story.guide}`], { cwd: folder, env })
    expect(stderr).toBe("")
    return stdout.trimEnd()
  }

  it.each(stories.map((story) => [story.guide, story] as const))("%s prints what the page shows", async (_guide, story) => {
    const printed = await run(story)
    if (story.prints.endsWith("\n…")) expect(printed.startsWith(story.prints.slice(0, -1))).toBe(true)
    else expect(printed).toBe(story.prints)
  })

  it("issue nothing more when they are run again for the same order", async () => {
    const before = memory.authority.arrived.length
    expect(before).toBeGreaterThan(10)
    for (const story of stories.filter(({ guide }) => ["advances", "deliveries", "journal", "proforma-and-training"].includes(guide))) await run(story)
    expect(memory.authority.arrived.length).toBe(before)
  })
})
