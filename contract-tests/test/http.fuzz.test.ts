import { afterAll } from "vitest"
import { fuzzContract } from "../src/http/fuzz.contract.ts"
import { type MemoryApi, startMemoryApi } from "../src/support/memoryApi.ts"

const started: Promise<MemoryApi> = startMemoryApi()

afterAll(async () => {
  await (await started).running.stop()
})

// The long run: OVERA_FUZZ_CASES=10000 vitest run contract-tests/test/http.fuzz.test.ts
fuzzContract("memory", async () => (await started).target, Number(process.env["OVERA_FUZZ_CASES"] ?? 2_000))
