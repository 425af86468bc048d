import { execFile, spawn } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { panelsOf } from "../../src/support/dashboardFiles.ts"
import { freePort } from "../../src/support/freePort.ts"
import { bookSale, shopCaller } from "../../src/support/shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "../../src/support/wholeInstallation.ts"

const run = promisify(execFile)
const files = fileURLToPath(new URL("../../../deploy/monitoring/prometheus/", import.meta.url))
/** What promtool says; rejects where it ends with another code than 0. */
const promtool = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { stderr, stdout } = await run("promtool", args, { cwd: files })
  return stdout + stderr
}
const workerEntry = fileURLToPath(new URL("../../../hosts/worker/src/main.ts", import.meta.url))

describe("the rules, by Prometheus' own tool", () => {
  it("are rules, and the example is a configuration", async () => {
    expect(await promtool("check", "rules", "slo.rules.yaml", "alerts.rules.yaml")).toContain("SUCCESS: 32 rules found")
    expect(await promtool("check", "config", "prometheus.yaml")).toContain("is valid prometheus config file syntax")
  })

  it("fire in each case that they are for, and in no other", async () => {
    const told = await promtool("test", "rules", "rules.test.yaml", "long.test.yaml")
    expect(told).toContain("SUCCESS")
    expect(told).not.toContain("FAILED")
  })
})

/** Panels about what this installation does not have while the test runs. */
const withoutData: ReadonlySet<string> = new Set(["Faults of the service", "Pages of the portal, p99"])

describe("the dashboards, on the metrics of running hosts", () => {
  let installation: WholeInstallation
  const folder = mkdtempSync(join(tmpdir(), "overa-prometheus-"))
  let address: string
  const ends: Array<() => Promise<unknown>> = []

  const end = (child: ReturnType<typeof spawn>) => () => new Promise((resolve) => {
    child.once("exit", resolve)
    child.kill("SIGTERM")
  })

  const startWorker = async (settings: Readonly<Record<string, string>>): Promise<string> => {
    const port = await freePort()
    const environment = { ...process.env, ...settings, OVERA_WORKER_PORT: String(port) }
    ends.push(end(spawn(process.execPath, ["--conditions=@overa/source", workerEntry], { env: environment, stdio: ["ignore", "ignore", "inherit"] })))
    return `127.0.0.1:${port}`
  }

  beforeAll(async () => {
    installation = await wholeInstallation({ withWorker: false })
    const worker = await startWorker(installation.settings)
    cpSync(files, folder, { recursive: true })
    const targets = [["overa-api", new URL(installation.api.url).host], ["overa-worker", worker]]
    const jobs = targets.map(([job, host]) => `  - {job_name: ${job}, static_configs: [{targets: ["${host}"]}]}`)
    writeFileSync(join(folder, "prometheus.yaml"), `global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [slo.rules.yaml, alerts.rules.yaml]\nscrape_configs:\n${jobs.join("\n")}\n`)
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const prometheus = spawn("prometheus", [`--config.file=${folder}/prometheus.yaml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`], { stdio: "ignore" })
    ends.push(end(prometheus))
  })
  afterAll(async () => {
    for (const stop of ends.toReversed()) await stop()
    await installation.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const answered = async (expression: string): Promise<number> => {
    const answer = await fetch(`${address}/api/v1/query?${new URLSearchParams({ query: expression.replaceAll("$__rate_interval", "30s") })}`)
    const { data, error } = await answer.json() as { readonly data?: { readonly result: ReadonlyArray<unknown> }; readonly error?: string }
    if (data === undefined) throw new Error(error)
    return data.result.length
  }

  it("every panel has something to draw", async () => {
    const call = await shopCaller(installation)
    for (let at = 0; at < 30; at++) {
      expect((await call("POST", "/v1/fiscal-documents", { "Idempotency-Key": `prometheus-${at}-0123456789` }, bookSale(installation.shop, `order-${at}`))).status).toBe(201)
      await setTimeout(200)
    }
    const empty = async () => {
      const found: Array<string> = []
      for (const { queries, title } of panelsOf("prometheus").filter((it) => !withoutData.has(it.title))) {
        for (const query of queries) if ((await answered(query).catch(() => 0)) === 0) found.push(`${title}: ${query}`)
      }
      return found
    }
    await expect.poll(empty, { timeout: 60_000, interval: 2_000 }).toEqual([])
  })
})
