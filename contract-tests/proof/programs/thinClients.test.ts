import { layerOperationStore, MemoryOperations } from "@overa/adapter-memory"
import { OperationStore } from "@overa/domain"
import { Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { blocksOf } from "../../outside/guides/guidePage.ts"
import { sampleRefund } from "../../src/http/sampleRefund.ts"
import { sampleSale } from "../../src/http/sampleSale.ts"
import { type Fault, type FaultyHost, startFaultyHost } from "../../src/samples/faultyHost.ts"
import { newKey } from "../../src/support/ApiClient.ts"
import { sampleAnswer, signed } from "../../src/support/sampleOperations.ts"
import { sharedMemoryApi } from "../../src/support/sharedMemoryApi.ts"

const examples = join(import.meta.dirname, "../../../docs/examples")

/** A program around each layer that prints what its caller got and how long it would have slept. */
const drivers = {
  php: {
    command: "php", file: "driver.php",
    source: `<?php
require '${examples}/php/Overa.php';
[, $url, $auth, $id, $secret, $path, $key, $retryBudget] = $argv;
$slept = [];
$overa = new Overa($url, $auth, $id, $secret, (int) $retryBudget, function (int $seconds) use (&$slept) { $slept[] = $seconds; });
try {
    $answer = $overa->call('POST', $path, json_decode(file_get_contents('php://stdin'), true), $key);
    $got = ['status' => $answer['status'], 'id' => $answer['id']];
} catch (OveraError $error) {
    $got = ['error' => substr(get_class($error), 5), 'code' => $error->errorCode, 'newKey' => $error->newKey];
}
echo json_encode($got + ['slept' => $slept]);
`
  },
  python: {
    command: "python3", file: "driver.py",
    source: `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "${examples}/python")
from overa import Overa, OveraError
url, auth, id, secret, path, key, retryBudget = sys.argv[1:]
slept = []
overa = Overa(url, auth, id, secret, int(retryBudget), slept.append)
try:
    answer = overa.call("POST", path, json.load(sys.stdin), key)
    got = {"status": answer["status"], "id": answer["id"]}
except OveraError as error:
    got = {"error": type(error).__name__, "code": error.code, "newKey": error.new_key}
print(json.dumps({**got, "slept": slept}))
`
  }
} as const

interface Got {
  readonly status?: string
  readonly id?: string
  readonly slept: ReadonlyArray<number>
}

describe.each(["php", "python"] as const)("The %s layer around the API", (language) => {
  const { api, memory } = sharedMemoryApi()
  const folder = mkdtempSync(join(tmpdir(), "overa-thin-"))
  const { command, file, source } = drivers[language]
  let host: FaultyHost
  let found = 0

  /** Every unknown document is found signed, as the worker's search would find it. */
  const find = () => Effect.runPromise(Effect.gen(function*() {
    const store = yield* OperationStore
    memory.authority.mood = "sign"
    for (const { operation } of memory.operations.byId.values()) {
      if (operation.status !== "OUTCOME_UNKNOWN") continue
      yield* store.conclude({ ...signed(operation, { answer: sampleAnswer(`FOUND001-FOUND001-${++found}`) }), workflow: operation.workflow })
    }
  }).pipe(Effect.provide(Layer.provide(layerOperationStore, Layer.succeed(MemoryOperations, memory.operations)))))

  beforeAll(async () => {
    writeFileSync(join(folder, file), source)
    const { mint } = memory.target
    if (mint === undefined) throw new Error("The API in memory mints its tokens")
    host = await startFaultyHost({ url: memory.target.baseUrl, find, expiredToken: () => mint({ clientId: memory.target.clientId, expiresInSeconds: -60 }) })
  })
  afterAll(async () => {
    await host.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => {
    memory.authority.mood = "sign"
    Object.assign(host, { tokens: 0 })
    host.keys.length = 0
  })

  const run = async (body: unknown, options: { readonly key?: string; readonly path?: string; readonly retryBudget?: number; readonly secret?: string } = {}): Promise<Got> => {
    const { clientId, clientSecret } = memory.target
    const { key = newKey(), path = "/v1/fiscal-documents", retryBudget = 900, secret = clientSecret } = options
    const ran = promisify(execFile)(command, [join(folder, file), host.url, host.url + new URL(memory.target.authUrl).pathname, clientId, secret, path, key, String(retryBudget)])
    ran.child.stdin?.end(JSON.stringify(body))
    return JSON.parse((await ran).stdout) as Got
  }
  const sell = (faults: ReadonlyArray<Fault>, options: Parameters<typeof run>[1] = {}) => {
    host.faults.splice(0, host.faults.length, ...faults)
    return run(sampleSale(memory.target), options)
  }
  const arrivedOf = async (what: () => Promise<unknown>): Promise<number> => {
    const before = memory.authority.arrived.length
    await what()
    return memory.authority.arrived.length - before
  }

  it.each<readonly [string, ReadonlyArray<Fault>, ReadonlyArray<number>]>([
    ["nothing fails", [], []],
    ["the answer is lost", ["loseAnswer"], [2]],
    ["the answer ends in its middle", ["cutAnswer"], [2]],
    ["the service cannot be reached, then a proxy answers, then the answer is lost", ["unreachable", "badGateway", "loseAnswer"], [2, 5, 15]],
    ["there are too many requests: the service's pause, where it is longer", ["tooMany"], [7]],
    ["the token has ended: another one, the same key, no pause", ["expiredToken"], []]
  ])("issues one receipt where %s", async (_name, faults, slept) => {
    let got: Got = { slept: [] }
    expect(await arrivedOf(async () => void (got = await sell(faults)))).toBe(1)
    expect(got).toEqual({ status: "FISCALIZED", id: expect.any(String), slept })
    expect(new Set(host.keys).size).toBe(1)
    expect(host.tokens).toBe(faults.includes("expiredToken") ? 2 : 1)
  })

  it("waits for an unknown outcome, asking by the same key, and sends nothing more", async () => {
    memory.authority.mood = "silent"
    let got: Got = { slept: [] }
    expect(await arrivedOf(async () => void (got = await sell(["pass", "pass", "loseAnswer", "foundBefore"])))).toBe(1)
    expect(got).toEqual({ status: "FISCALIZED", id: expect.any(String), slept: [30, 30, 2] })
    expect(new Set(host.keys).size).toBe(1)
  })

  it("says that it may exist where the retry budget ends, where no answer came, and where a lost answer is followed by a refusal", async () => {
    memory.authority.mood = "silent"
    expect(await sell([], { retryBudget: 59 })).toEqual({ error: "Unknown", code: "OUTCOME_UNKNOWN", newKey: false, slept: [30] })
    memory.authority.mood = "sign"
    expect(await sell(["unreachable", "unreachable", "unreachable", "loseAnswer"])).toEqual({ error: "Unknown", code: null, newKey: false, slept: [2, 5, 15] })
    expect(await sell(["loseAnswer", "tooMany", "tooMany", "tooMany"])).toMatchObject({ error: "Unknown", code: "RATE_LIMITED", slept: [2, 7, 15] })
  })

  it("repeats what was certainly not sent, and says so when it gives up", async () => {
    memory.authority.mood = "unavailable"
    expect(await sell([])).toEqual({ error: "NotIssued", code: "PFR_UNAVAILABLE", newKey: false, slept: [2, 5, 15] })
  })

  it("asks for a new key after a rejection only, and repeats no refusal", async () => {
    memory.authority.mood = "reject"
    expect(await sell([])).toEqual({ error: "Refused", code: "PFR_VALIDATION_REJECTED", newKey: true, slept: [] })
    memory.authority.mood = "sign"
    expect(await run({ ...sampleSale(memory.target), taxpayerId: memory.target.other.taxpayerId })).toMatchObject({ error: "Refused", newKey: false, slept: [] })
    expect(await sell([], { secret: "wrong" })).toEqual({ error: "Refused", code: "invalid_client", newKey: false, slept: [] })
  })

  it("refunds: a lost answer is repeated, an unknown refund awaited, a rejected one needs a new key", async () => {
    const refund = async (mood: typeof memory.authority.mood, faults: ReadonlyArray<Fault>) => {
      memory.authority.mood = "sign"
      const sold = await api.post("/v1/fiscal-documents", sampleSale(memory.target))
      memory.authority.mood = mood
      host.faults.splice(0, host.faults.length, ...faults)
      return run(sampleRefund(memory.target, sold.json.id), { path: "/v1/refund-workflows", retryBudget: 59 })
    }
    expect(await refund("sign", ["loseAnswer"])).toEqual({ status: "COMPLETED", id: expect.any(String), slept: [2] })
    expect(await refund("silent", [])).toMatchObject({ error: "Unknown", slept: [30] })
    expect(await refund("silent", ["pass", "foundBefore"])).toEqual({ status: "COMPLETED", id: expect.any(String), slept: [30] })
    expect(await refund("reject", [])).toMatchObject({ error: "Refused", newKey: true, slept: [] })
  })

  it("the guide's program issues an order's receipt, and the same one when it is run again", async () => {
    const page = readFileSync(join(examples, "../guides/php-and-python.md"), "utf8")
    const program = join(folder, language === "php" ? "sale.php" : "sale.py")
    writeFileSync(program, blocksOf(page).find((block) => block.language === language)?.code ?? "")
    for (const name of ["php/Overa.php", "python/overa.py"]) copyFileSync(join(examples, name), join(folder, name.replace(/.*\//, "")))
    writeFileSync(join(folder, "order.json"), JSON.stringify({ key: newKey(), sale: sampleSale(memory.target) }))
    const { clientId, clientSecret } = memory.target
    const env = { ...process.env, OVERA_URL: memory.target.baseUrl, OVERA_AUTH_URL: memory.target.authUrl, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret }
    const sell = async () => (await promisify(execFile)(command, [program, join(folder, "order.json")], { env, cwd: folder })).stdout
    const first = await sell()
    expect(first).toMatch(/^\w{8}-\w{8}-\d+\nhttps:/)
    expect(await sell()).toBe(first)
  })
})
