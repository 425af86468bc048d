import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundledHosts, bundleHost } from "../../../tools/bundleHosts.ts"
import { accessToken } from "../../src/support/accessToken.ts"
import { heapArguments, servedAddress } from "../../src/support/hostProcess.ts"
import { bookSale } from "../../src/support/shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "../../src/support/wholeInstallation.ts"

const folder = mkdtempSync(join(tmpdir(), "overa-bundles-"))
const bundles = new Map<string, string>()
let installation: WholeInstallation
const running: Array<ChildProcess> = []

beforeAll(async () => {
  installation = await wholeInstallation({ withWorker: false })
  for (const host of bundledHosts) bundles.set(host, (await bundleHost(host, folder)).file)
}, 120_000)
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL")
  await installation.close()
  rmSync(folder, { recursive: true, force: true })
})

const settings = () => ({ ...process.env, ...installation.settings, OVERA_HOST_ID: "bundled", OVERA_PORTAL_PORT: "0", OVERA_WORKER_PORT: "0", OTEL_SDK_DISABLED: "true" })

/** Starts a bundle as the image does: without the condition under which the sources are found. */
const startBundle = async (host: string) => {
  const child = spawn(process.execPath, [...heapArguments(), bundles.get(host) ?? ""], { env: settings(), stdio: ["ignore", "pipe", "inherit"] })
  running.push(child)
  const url = host === "worker" ? await once(child.stdout, "data").then(String) : await servedAddress(child)
  const stop = async (): Promise<unknown> => {
    const exit = once(child, "exit")
    child.kill("SIGTERM")
    return (await exit)[0]
  }
  return { url, stop }
}

const bytesOf = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(url, { headers })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe("the bundled hosts, as the image and a release run them (docs/adr/0411)", () => {
  it("name files and programs beside their modules' sources, and each is there", () => {
    const named = [...bundles.values()].flatMap((file) => {
      const text = readFileSync(file, "utf8")
      expect(/[^\0-\x7F]/.test(text)).toBe(false)
      const from = pathToFileURL(file)
      return [...text.matchAll(/new URL\(`([^`$]+)`,\s*new URL\(`([^`$]+)`,\s*import\.meta\.url\)\.href\)/g)].map(([, name = "", source = ""]) => new URL(name, new URL(source, from)))
    })
    expect(named.map(({ pathname }) => pathname.split("/").at(-1))).toEqual(expect.arrayContaining(["drawProcess.ts", "readPfxProcess.ts", "logoProcess.ts"]))
    // A checkout has neither compiled programs nor the page at /verify, which an installation gets with its bundles (containers.test.ts asks for it).
    const absent = named.map(({ pathname }) => pathname).filter((path) => !existsSync(path) && !path.endsWith(".js"))
    expect(absent.filter((path) => !path.endsWith("/verify/dist/verify.html"))).toEqual([])
  })

  it("sell, draw, and serve the same contract, pages and files as the sources", async () => {
    const { stop, url } = await startBundle("rest-api")
    const token = await accessToken(installation.api, installation.shop)
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": "sold-by-a-bundle-1" }
    const sell = (at: string) => fetch(`${at}/v1/fiscal-documents`, { method: "POST", headers, body: JSON.stringify(bookSale(installation.shop, "Наруџбина 1")) })
    const sold = await sell(url)
    const document = await sold.json() as { readonly id: string; readonly clientReference: string; readonly status: string }
    expect([sold.status, document.status, document.clientReference]).toEqual([201, "FISCALIZED", "Наруџбина 1"])
    const repeated = await sell(installation.api.url)
    expect([repeated.status, await repeated.json()]).toEqual([200, document])
    for (const format of ["official-text", "canonical-json", "qr-svg", "pdf-a4", "pdf-80mm", "preview-png"]) {
      const path = `/v1/fiscal-documents/${document.id}/representations/${format}`
      const [bundled, source] = [await bytesOf(url + path, headers), await bytesOf(installation.api.url + path, headers)]
      expect([format, bundled.status, bundled.bytes.equals(source.bytes)]).toEqual([format, 200, true])
    }
    for (const path of ["/docs", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/pages", "/docs/errors/UNAUTHENTICATED", "/docs/search?q=refund"]) {
      const [bundled, source] = [await bytesOf(url + path), await bytesOf(installation.api.url + path)]
      expect([path, bundled.status, bundled.bytes.equals(source.bytes)]).toEqual([path, 200, true])
    }
    const contractAt = async (at: string) => (await bytesOf(`${at}/openapi.yaml`)).bytes.toString().replaceAll(at, "")
    expect(await contractAt(url)).toBe(await contractAt(installation.api.url))
    expect(await stop()).toBe(0)
  }, 60_000)

  it("serve the portal, and run the worker and the operator's command", async () => {
    const portal = await startBundle("portal")
    const page = await fetch(`${portal.url}/sign-in`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Лозинка")])
    expect(await portal.stop()).toBe(0)
    const worker = await startBundle("worker")
    expect(worker.url).toContain("\"event\":\"running\"")
    expect(await worker.stop()).toBe(0)
    expect(execFileSync(process.execPath, [bundles.get("admin") ?? "", "schema", "status"], { env: settings(), encoding: "utf8" })).toMatch(/^The schema/)
  }, 60_000)
})
