import { afterAll } from "vitest"
import { advancesContract } from "../src/http/advances.contract.ts"
import { proformaTrainingContract } from "../src/http/proformaTraining.contract.ts"
import { startMemoryApi } from "../src/support/memoryApi.ts"

const api = await startMemoryApi()
afterAll(() => api.running.stop())

const target = () => Promise.resolve(api.target)

advancesContract("memory", target)
proformaTrainingContract("memory", target)
