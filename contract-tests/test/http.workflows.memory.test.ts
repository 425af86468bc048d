import { afterAll, describe, expect, it } from "vitest"
import { noDeliverySettings } from "@overa/domain"
import { advancesContract } from "../src/http/advances.contract.ts"
import { credentialsContract } from "../src/http/credentials.contract.ts"
import { keysContract } from "../src/http/keys.contract.ts"
import { proformaTrainingContract } from "../src/http/proformaTraining.contract.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { ApiClient, newKey } from "../src/support/ApiClient.ts"
import { startMemoryApi } from "../src/support/memoryApi.ts"

const api = await startMemoryApi()
afterAll(() => api.running.stop())

const target = () => Promise.resolve(api.target)

advancesContract("memory", target)
proformaTrainingContract("memory", target)

for (const shop of Object.values(api.shops)) api.deliveries.settings.set(shop.place.taxpayer.id, { ...noDeliverySettings, enabled: true })
keysContract("memory", target)
credentialsContract("memory", target)

describe("one key's refund of a proforma, asked for many times at once", () => {
  it.each(["unavailable", "elementUnavailable", "sign"] as const)("is one workflow and never refused for itself: the V-PFR is told to %s", async (mood) => {
    const client = await ApiClient.of(api.target)
    const path = "/v1/proforma-training-workflows"
    const offer = { ...sampleSale(api.target), invoiceType: "PROFORMA" }
    const { json: { document } } = await client.post(path, offer)
    const reference = { source: "SVC", fiscalDocumentId: document.id }
    const refund = { ...offer, transactionType: "REFUND", buyer: { id: "20:123456789" }, reference }
    const key = newKey()
    api.authority.mood = mood
    const answers = await Promise.all(Array.from({ length: 40 }, () => client.post(path, refund, { key })))
    api.authority.mood = "sign"
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(mood === "sign" ? [201, 200] : [503]))
    const again = await client.post(path, refund, { key })
    expect(again.json).toMatchObject({ id: answers[0]?.json.id, status: "COMPLETED" })
  })
})
