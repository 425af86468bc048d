import { noDeliverySettings } from "@overa/domain"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, describe, expect, it } from "vitest"
import { toldPrograms } from "../../../tools/guidePrograms/section.ts"
import { stories } from "../../../tools/guidePrograms/stories/index.ts"
import { GuideFolder, guideLanguages } from "../../src/guides/GuideFolder.ts"
import { guideProgramsContract } from "../../src/guides/guidePrograms.contract.ts"
import { sampleSale } from "../../src/http/sampleSale.ts"
import { ApiClient } from "../../src/support/ApiClient.ts"
import { type MemoryApi, startMemoryApi } from "../../src/support/memoryApi.ts"

/** An API in memory with deliveries enabled, and one event. */
const start = async (): Promise<MemoryApi> => {
  const memory = await startMemoryApi()
  for (const shop of Object.values(memory.shops)) memory.deliveries.settings.set(shop.place.taxpayer.id, { ...noDeliverySettings, enabled: true, locale: "en" })
  const api = await ApiClient.of(memory.target)
  await api.post("/v1/fiscal-documents", sampleSale(memory.target))
  while ((await api.get("/v1/events?after=0")).json.items.length === 0) await wait(20)
  return memory
}
const started = start()
afterAll(async () => {
  await (await started).running.stop()
})

describe("The guides' programs", () => {
  it.each(guideLanguages)("in %s issue nothing more when they are run again for the same order", { timeout: 120_000 }, async (language) => {
    const { authority, target } = await started
    const folder = new GuideFolder(language)
    const own = toldPrograms(stories).filter(({ guide }) => ["advances", "deliveries", "journal", "proforma-and-training"].includes(guide))
    const runAll = async (): Promise<number> => {
      await Promise.all(own.map((story) => folder.run(story, target, `${language}-${story.guide}`)))
      return authority.arrived.length
    }
    const before = authority.arrived.length
    const first = await runAll()
    expect(first - before).toBeGreaterThan(8)
    expect(await runAll()).toBe(first)
    folder.remove()
  })
})

guideProgramsContract("memory", async () => (await started).target, toldPrograms(stories))
