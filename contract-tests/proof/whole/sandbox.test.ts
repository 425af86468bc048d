import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { ClientCredential } from "../../src/http/ApiTarget.ts"
import { SandboxProcess } from "./SandboxProcess.ts"
import { accessToken } from "../../src/support/accessToken.ts"

const lines = (text: string): ReadonlyArray<string> => text.trim().split("\n")

const listenSomewhere = (): Promise<{ readonly server: Server; readonly port: number }> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve({ server, port: typeof address === "object" && address !== null ? address.port : 0 })
    })
  })

const fault = (controlUrl: string, order: object) => fetch(`${controlUrl}/faults`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(order) })

describe("npm start", () => {
  let home: string
  let sandbox: SandboxProcess

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "overa-start-"))
    sandbox = new SandboxProcess(home)
    await sandbox.ready()
  }, 60_000)

  afterAll(async () => {
    await sandbox.stop()
    rmSync(home, { recursive: true, force: true })
  }, 60_000)

  it("prints a command that, pasted, issues a receipt", async () => {
    const document = await sandbox.paste()
    expect(document).toMatchObject({ status: "FISCALIZED", fiscalized: true, invoiceType: "NORMAL", transactionType: "SALE" })
    expect(document["pfr"]).toMatchObject({
      invoiceNumber: expect.stringMatching(/^[A-Z0-9]{8}-[A-Za-z0-9]{8}-\d+$/),
      journal: expect.stringContaining("СИМУЛАТОР"),
      verificationUrl: expect.stringContaining("/v/?vl=")
    })
  })

  it("prints where it answers and who asks: everything a first request needs", () => {
    const { authUrl, baseUrl, businessPremiseId, clientId, clientSecret, organizationId, taxpayerId } = sandbox.facts()
    for (const fact of [authUrl, baseUrl, businessPremiseId, clientId, clientSecret, organizationId, taxpayerId]) {
      expect(sandbox.printed).toContain(fact)
    }
  })

  it("issue, deliver, look: a receipt's message ends in the mail catcher, with its PDF", async () => {
    const { baseUrl, smtp } = sandbox.facts()
    expect(sandbox.printed).toContain(smtp.webUrl)
    const token = await accessToken(sandbox.facts(), sandbox.facts())
    const { id } = await sandbox.paste()
    const queued = await fetch(`${baseUrl}/v1/receipt-deliveries`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": "sandbox-delivery-1" },
      body: JSON.stringify({ fiscalDocumentId: id, recipient: "kupac@example.rs" })
    })
    expect(queued.status).toBe(201)
    const { id: delivery } = await queued.json() as { readonly id: string }
    const read = async () => (await fetch(`${baseUrl}/v1/receipt-deliveries/${delivery}`, { headers: { Authorization: `Bearer ${token}` } })).json()
    await expect.poll(read, { timeout: 20_000, interval: 200 }).toMatchObject({ status: "SENT", attempts: 1 })
    const { items } = await (await fetch(`${smtp.webUrl}/messages`)).json() as { readonly items: ReadonlyArray<Record<string, unknown>> }
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      recipients: ["kupac@example.rs"],
      messageId: expect.stringContaining(delivery),
      attachments: [{ contentType: "application/pdf", contentDisposition: "attachment" }]
    })
    expect(await (await fetch(smtp.webUrl)).text()).toContain("kupac@example.rs")
    expect(readFileSync(join(home, "overa.log"), "utf8")).not.toContain("kupac@example.rs")
  }, 40_000)

  it("keeps secrets to the owner, and shows no others than the sandbox's own", () => {
    for (const name of ["sandbox.json", "admin.json", "secrets.json", "seed.json", "overa.log"]) {
      expect(statSync(join(home, name)).mode & 0o077, name).toBe(0)
    }
    const { credentialKey, postgresPassword, secretKeys } = JSON.parse(readFileSync(join(home, "secrets.json"), "utf8")) as Record<string, string>
    const shown = sandbox.printed + readFileSync(join(home, "overa.log"), "utf8") + readFileSync(sandbox.file, "utf8")
    for (const secret of [credentialKey, postgresPassword, secretKeys]) expect(shown).not.toContain(secret)
  })

  it("gives ready credentials for both environments, another organization, and none", async () => {
    const { baseUrl, noEnvironment, organizationId, other, production } = sandbox.facts()
    const token = (client: ClientCredential) => accessToken(sandbox.facts(), client)
    const claims = (text: string) => JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>
    expect(claims(await token(sandbox.facts()))).toMatchObject({ org_id: organizationId, svc_env: "sandbox" })
    expect(claims(await token(production))).toMatchObject({ org_id: organizationId, svc_env: "production" })
    expect(claims(await token(other))["org_id"]).not.toBe(organizationId)
    expect(claims(await token(noEnvironment))).not.toHaveProperty("svc_env")
    const licence = await fetch(`${baseUrl}/v1/license`, { headers: { Authorization: `Bearer ${await token(production)}` } })
    expect(await licence.json()).toMatchObject({ productionFiscalizationAllowed: true, modules: ["advance", "email"] })
  })

  it("refuses a second start in the same home with one line", async () => {
    const second = new SandboxProcess(home)
    expect(await second.ended).toBe(1)
    expect(lines(second.printed)).toEqual([expect.stringContaining(`already runs in ${home}`)])
    expect(sandbox.isAnnounced).toBe(true)
  })

  it("names a taken PORT in one line, and a malformed one", async () => {
    const { port, server } = await listenSomewhere()
    const elsewhere = mkdtempSync(join(tmpdir(), "overa-start-"))
    const taken = new SandboxProcess(elsewhere, String(port))
    expect(await taken.ended).toBe(1)
    expect(lines(taken.printed)).toEqual([expect.stringContaining(`PORT ${port} is taken`)])
    const malformed = new SandboxProcess(elsewhere, "eighty")
    expect(await malformed.ended).toBe(1)
    expect(lines(malformed.printed)).toEqual([expect.stringContaining("PORT must be a whole number")])
    server.close()
    rmSync(elsewhere, { recursive: true, force: true })
  })

  it("stopped while a receipt is in flight, it first answers it", async () => {
    const { vpfr } = sandbox.facts()
    await fault(vpfr.controlUrl, { fault: "delay", ms: 1_500, times: 1 })
    const pasted = sandbox.paste()
    // The fault has been applied: the V-PFR has the request and waits to sign it.
    await vi.waitUntil(async () => (await (await fetch(`${vpfr.controlUrl}/faults`)).text()).includes('"struck":1'), { timeout: 10_000, interval: 20 })
    expect(await sandbox.stop()).toBe(0)
    expect(await pasted).toMatchObject({ status: "FISCALIZED" })
    expect(sandbox.printed).toContain("Stopped.")
    expect(sandbox.isAnnounced).toBe(false)
  })

  it("killed, it starts again, stops what was left running, says so in one line, and finds its data", async () => {
    sandbox = new SandboxProcess(home)
    const before = await sandbox.ready()
    sandbox.signal("SIGKILL")
    await sandbox.ended
    sandbox = new SandboxProcess(home)
    const after = await sandbox.ready()
    expect(after).toMatchObject({ organizationId: before.organizationId, clientSecret: before.clientSecret, other: before.other })
    expect(lines(sandbox.printed)[0]).toMatch(/^The last start was killed and left .*PostgreSQL.* running; .* nothing is lost\.$/)
    expect(await sandbox.paste()).toMatchObject({ status: "FISCALIZED" })
  }, 60_000)

  it("takes no stranger's process for its own", async () => {
    expect(await sandbox.stop()).toBe(0)
    // Process ids are used again: these files name a running process that is not ours, this test itself.
    writeFileSync(join(home, "postgres/data/postmaster.pid"), `${process.pid}\n`)
    const memory = join(home, "simulator.json")
    writeFileSync(memory, JSON.stringify({ ...JSON.parse(readFileSync(memory, "utf8")) as object, pid: process.pid }))
    sandbox = new SandboxProcess(home)
    await sandbox.ready()
    expect(sandbox.printed).not.toContain("was killed")
  }, 60_000)
})
