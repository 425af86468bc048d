import { cosignedAt, openCheckpoint, readVerifierKey, witnessKey } from "@overa/domain"
import { worker, workerConfig } from "@overa/worker"
import { ConfigProvider, Effect, ManagedRuntime } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessToken } from "../src/support/accessToken.ts"
import { bookSale, shopCaller } from "../src/support/shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "../src/support/wholeInstallation.ts"
import { startWitness } from "../src/support/witnessStage.ts"

let installation: WholeInstallation
const folder = mkdtempSync(join(tmpdir(), "overa-cosigned-"))
const ends: Array<() => Promise<unknown>> = []

beforeAll(async () => {
  installation = await wholeInstallation({ withWorker: false })
}, 180_000)
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  await installation.close()
  rmSync(folder, { recursive: true, force: true })
})

describe("an installation with two witnesses in its settings", () => {
  it("answers the newest checkpoint that both have cosigned, and the last one as before", async () => {
    const { api, settings, shop } = installation
    const keys = (await (await fetch(`${api.url}/.well-known/overa-journal-key`)).text()).trim().split("\n")
    const witnesses = await Promise.all(["a", "b"].map((name) => startWitness(`witness.example/${name}`, join(folder, name), keys)))
    ends.push(...witnesses.map(({ stop }) => stop))
    const call = await shopCaller(installation)
    expect((await call("POST", "/v1/fiscal-documents", { "Idempotency-Key": "cosigned-0123456789" }, bookSale(shop, "order-1"))).status).toBe(201)

    const pairs = witnesses.map(({ place }) => `${witnessKey(place.key)} ${place.url}`).join(" ")
    const config = await Effect.runPromise(workerConfig.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ ...settings, OVERA_WITNESSES: pairs })))))
    const running = ManagedRuntime.make(worker(config))
    await running.context()
    ends.push(() => running.dispose())

    const token = await accessToken(api, shop)
    const read = async (query = "") => {
      const answer = await fetch(`${api.url}/v1/journal/checkpoint${query}`, { headers: { Authorization: `Bearer ${token}` } })
      return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() }
    }
    await expect.poll(async () => (await read("?cosigned=true")).status, { timeout: 60_000, interval: 250 }).toBe(200)
    const { text, type } = await read("?cosigned=true")
    expect(type).toBe("text/plain; charset=utf-8")
    const logKeys = keys.map((key) => readVerifierKey(key)).filter((key) => key !== null)
    const origin = text.split("\n")[0] ?? ""
    expect(openCheckpoint(text, logKeys, origin)?.size).toBe(4)
    for (const { place } of witnesses) expect(cosignedAt(text, place.key)).toBeGreaterThan(1_700_000_000)
    const last = await read()
    expect(text.startsWith(last.text)).toBe(true)
    expect(last.text).not.toContain("witness.example")
  }, 180_000)
})
