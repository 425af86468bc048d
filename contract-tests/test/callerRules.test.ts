import { OveraClient } from "@overa/client"
import { operations } from "@overa/rest-api"
import { execFile } from "node:child_process"
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { codeSamples } from "../../hosts/rest-api/src/openapi/codeSamples.ts"
import { blocksOf } from "../outside/guides/guidePage.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { type FaultyHost, startFaultyHost } from "../src/samples/faultyHost.ts"
import { newKey } from "../src/support/ApiClient.ts"
import { memoryLicense } from "../src/support/memoryTenancy.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

const sales = "/v1/fiscal-documents"
const docs = join(import.meta.dirname, "../../docs")
const file = (name: string): string => readFileSync(join(docs, name), "utf8")

// What the contract advises callers (Spec, Client handling rules): the part of the service, and that our own client and files follow it.
describe("Client handling rules", () => {
  const { api, memory } = sharedMemoryApi()
  beforeEach(() => {
    memory.authority.mood = "sign"
    memory.surroundings.license = memoryLicense
  })
  afterEach(() => vi.restoreAllMocks())

  it("rule 4: after a 422 of the V-PFR the key stays bound to what was wrong; corrected, a new key issues", async () => {
    const key = newKey()
    memory.authority.mood = "reject"
    expect((await api.post(sales, sampleSale(api.target), { key })).json).toMatchObject({ status: "REJECTED", retryable: false })
    memory.authority.mood = "sign"
    const corrected = sampleSale(api.target, { clientReference: "corrected" })
    expect(await api.post(sales, corrected, { key })).toMatchObject({ status: 409, json: { code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST" } })
    expect((await api.post(sales, corrected)).status).toBe(201)
  })

  it("rule 5: where the answer is 403, nothing was issued and nothing is in the journal", async () => {
    const { production } = api.target
    memory.surroundings.license = null
    const [arrived, stored] = [memory.authority.arrived.length, memory.operations.byId.size]
    const answer = await api.post(sales, sampleSale(api.target, { of: production, environment: "production" }), { credential: production })
    expect([answer.status, answer.json.code]).toEqual([403, "LICENSE_REQUIRED"])
    expect([memory.authority.arrived.length, memory.operations.byId.size]).toEqual([arrived, stored])
  })

  it("rule 6: a 409 names the operation whose state the caller reads, and goes on with it", async () => {
    const key = newKey()
    await api.post(sales, sampleSale(api.target), { key })
    const refused = await api.post(sales, sampleSale(api.target, { clientReference: "other" }), { key })
    expect(refused.status).toBe(409)
    expect((await api.get(`/v1/operations/${refused.json.operationId}`)).json).toMatchObject({ status: "FISCALIZED", fiscalized: true })
  })

  it("rule 8: the client, both files and every sample of a fiscal call wait sixty seconds", async () => {
    const timeouts = vi.spyOn(AbortSignal, "timeout")
    await new OveraClient(memory.target).sale(sampleSale(memory.target) as never).send()
    expect([...new Set(timeouts.mock.calls.flat())]).toEqual([60_000])
    expect(file("examples/php/Overa.php").match(/CURLOPT_TIMEOUT => (\d+)/g)).toEqual(["CURLOPT_TIMEOUT => 60"])
    expect(file("examples/python/overa.py").match(/urlopen\(request, timeout=(\d+)\)/g)).toEqual(["urlopen(request, timeout=60)"])
    const waits = [/--max-time (\d+)/, /CURLOPT_TIMEOUT => (\d+)/, /timeout=(\d+)/]
    for (const operation of operations.filter(({ idempotent }) => idempotent)) {
      const [curl, , php, python] = codeSamples(operation).map(({ source }) => source)
      expect([curl, php, python].map((source, at) => waits[at]?.exec(source ?? "")?.[1])).toEqual(["60", "60", "60"])
    }
  })

  describe("rule 9: labels are not read for each receipt: a sale is one request beside the token's", () => {
    const folder = mkdtempSync(join(tmpdir(), "overa-rules-"))
    let host: FaultyHost
    beforeAll(async () => {
      host = await startFaultyHost({ url: memory.target.baseUrl, find: () => Promise.resolve(), expiredToken: () => Promise.reject(new Error("not here")) })
      for (const name of ["php/Overa.php", "python/overa.py"]) copyFileSync(join(docs, "examples", name), join(folder, name.replace(/.*\//, "")))
    })
    afterAll(async () => {
      await host.close()
      rmSync(folder, { recursive: true })
    })
    beforeEach(() => {
      host.tokens = 0
      host.keys.length = 0
    })
    const urls = () => ({ baseUrl: host.url, authUrl: host.url + new URL(memory.target.authUrl).pathname })

    it("by the client", async () => {
      const sale = new OveraClient({ ...memory.target, ...urls() }).sale(sampleSale(memory.target) as never)
      await sale.send()
      expect([host.keys, host.tokens]).toEqual([[sale.key], 1])
    })

    it.each([["php", "php"], ["python", "python3"]])("by the file for %s", async (language, command) => {
      const key = newKey()
      writeFileSync(join(folder, `sale.${language}`), blocksOf(file("guides/php-and-python.md")).find((block) => block.language === language)?.code ?? "")
      writeFileSync(join(folder, "order.json"), JSON.stringify({ key, sale: sampleSale(memory.target) }))
      const { authUrl, baseUrl } = urls()
      const { clientId, clientSecret } = memory.target
      const env = { ...process.env, OVERA_URL: baseUrl, OVERA_AUTH_URL: authUrl, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret, PYTHONDONTWRITEBYTECODE: "1" }
      await promisify(execFile)(command, [join(folder, `sale.${language}`), join(folder, "order.json")], { cwd: folder, env })
      expect([host.keys, host.tokens]).toEqual([[key], 1])
    })
  })
})
