import { afterAll } from "vitest"
import { noDeliverySettings } from "@overa/domain"
import { advancesContract } from "../src/http/advances.contract.ts"
import { keysContract } from "../src/http/keys.contract.ts"
import { proformaTrainingContract } from "../src/http/proformaTraining.contract.ts"
import { startMemoryApi } from "../src/support/memoryApi.ts"

const api = await startMemoryApi()
afterAll(() => api.running.stop())

const target = () => Promise.resolve(api.target)

advancesContract("memory", target)
proformaTrainingContract("memory", target)

for (const shop of Object.values(api.shops)) api.deliveries.settings.set(shop.place.taxpayer.id, { ...noDeliverySettings, enabled: true })
keysContract("memory", target)
