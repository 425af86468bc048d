import { afterAll, beforeAll } from "vitest"
import { ApiClient } from "./ApiClient.ts"
import { type MemoryApi, startMemoryApi } from "./memoryApi.ts"

/** An API in memory, and its client, that the tests of a `describe` share. Their members are usable from its first hook or test on. */
export interface SharedMemoryApi {
  readonly memory: MemoryApi
  readonly api: ApiClient
}

/** Starts an API in memory before the tests of a `describe`, and stops it after them. */
export const sharedMemoryApi = (): SharedMemoryApi => {
  const memory = {} as MemoryApi
  const api = Object.create(ApiClient.prototype) as ApiClient
  beforeAll(async () => {
    Object.assign(memory, await startMemoryApi())
    Object.assign(api, await ApiClient.of(memory.target))
  })
  afterAll(() => memory.running.stop())
  return { memory, api }
}
