import { once } from "node:events"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessToken } from "../../src/support/accessToken.ts"
import { bookSale } from "../../src/support/shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "../../src/support/wholeInstallation.ts"

const entry = fileURLToPath(new URL("../../../hosts/rest-api/src/main.ts", import.meta.url))

let installation: WholeInstallation
let token: string

interface Answered {
  readonly key: string
  /** Null where the connection was refused or broken: there was no answer. */
  readonly status: number | null
}

const issue = async (url: string, key: string): Promise<Answered> => {
  try {
    const answer = await fetch(`${url}/v1/fiscal-documents`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(bookSale(installation.shop, key))
    })
    await answer.text()
    return { key, status: answer.status }
  } catch {
    return { key, status: null }
  }
}

/** A host in a process of its own, as in production. */
const startHost = async (hostId = "api-under-load") => {
  const environment = { ...process.env, ...installation.settings, OVERA_HOST_ID: hostId, OTEL_SDK_DISABLED: "true" }
  const child = spawn(process.execPath, ["--conditions=@overa/source", entry], { env: environment, stdio: ["ignore", "pipe", "inherit"] })
  const lines: Array<string> = []
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the host ended before it served")))
    child.stdout.on("data", (chunk: Buffer) => {
      for (const line of chunk.toString().split("\n")) {
        lines.push(line)
        if (line.includes("\"event\":\"serving\"")) resolve((JSON.parse(line) as { readonly url: string }).url)
      }
    })
  })
  return { child, url }
}

beforeAll(async () => {
  installation = await wholeInstallation()
  token = await accessToken(installation.api, installation.shop)
})
afterAll(() => installation.close())

describe("a host that is told to stop under load", () => {
  it("answers what it took, takes nothing more, ends by itself, and loses nothing", async () => {
    const { child, url } = await startHost()
    await installation.desk.simulator.addFault({ fault: "delay", ms: 200 })
    const answers: Array<Answered> = []
    const till = async (number: number): Promise<void> => {
      for (let sale = 0; answers.every((it) => it.status !== null); sale += 1) {
        answers.push(await issue(url, `stop-under-load-${number}-${sale}`))
      }
    }
    const tills = Array.from({ length: 24 }, (_, number) => till(number))
    await expect.poll(() => answers.length, { timeout: 15_000 }).toBeGreaterThan(48)
    const toldAt = performance.now()
    child.kill("SIGTERM")
    const [code] = await once(child, "exit") as [number | null]
    await Promise.all(tills)
    expect(code).toBe(0)
    // A submission's deadline and five seconds; here the longest one takes 200 ms.
    expect(performance.now() - toldAt).toBeLessThan(45_000)
    expect(new Set(answers.map((it) => it.status))).toEqual(new Set([201, null]))

    const client = await installation.desk.database.client()
    const { rows } = await client.query<{ readonly key: string; readonly status: string }>("select key, status from operations where key like 'stop-under-load-%'")
    expect(rows.filter((row) => row.status !== "FISCALIZED")).toEqual([])
    const stored = new Set(rows.map((row) => row.key))
    expect(answers.filter((it) => it.status === 201 && !stored.has(it.key))).toEqual([])
    expect(installation.desk.simulator.receipts(null)).toHaveLength(rows.length)
    await installation.desk.simulator.clearFaults()

    // A caller without an answer repeats its key on another host: one receipt for each sale, whatever happened to the first host.
    const repeated = await Promise.all(answers.filter((it) => it.status === null).map((it) => issue(installation.api.url, it.key)))
    expect(repeated.filter((it) => it.status !== 200 && it.status !== 201)).toEqual([])
    expect(installation.desk.simulator.receipts(null)).toHaveLength(new Set(answers.map((it) => it.key)).size)
  }, 60_000)
})

describe("hosts that are replaced one after the other under load", () => {
  it("leave no request without its answer and issue nothing twice", async () => {
    const hosts = [await startHost("api-one"), await startHost("api-two")]
    const closing = new AbortController()
    const answers: Array<Answered> = []
    // What a load balancer does: after a host gave no answer, the other one is used with the same key.
    const anywhere = async (key: string, first: number): Promise<Answered> => {
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const answer = await issue(hosts[(first + attempt) % 2]?.url ?? "", key)
        if (answer.status !== null) return answer
      }
      return { key, status: null }
    }
    const till = async (number: number): Promise<void> => {
      for (let sale = 0; !closing.signal.aborted; sale += 1) answers.push(await anywhere(`rolling-restart-${number}-${sale}`, number + sale))
    }
    const before = installation.desk.simulator.receipts(null).length
    const tills = Array.from({ length: 12 }, (_, number) => till(number))
    for (const [index, hostId] of ["api-one", "api-two"].entries()) {
      const sold = answers.length
      await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThan(sold + 24)
      const old = hosts[index]
      old?.child.kill("SIGTERM")
      if (old !== undefined) await once(old.child, "exit")
      hosts[index] = await startHost(hostId)
    }
    const sold = answers.length
    await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThan(sold + 24)
    closing.abort()
    await Promise.all(tills)
    for (const { child } of hosts) child.kill("SIGTERM")
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
    expect(installation.desk.simulator.receipts(null)).toHaveLength(before + answers.length)
  }, 180_000)
})
