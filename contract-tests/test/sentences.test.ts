import { afterAll } from "vitest"
import { sentencesContract } from "../src/sentences/sentences.contract.ts"
import { type MemoryApi, startMemoryApi } from "../src/support/memoryApi.ts"

const started: Promise<MemoryApi> = startMemoryApi()

afterAll(async () => {
  await (await started).running.stop()
})

sentencesContract("memory", async () => (await started).target)
