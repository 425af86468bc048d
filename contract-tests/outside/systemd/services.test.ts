import { readFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { compareSettled } from "../../proof/crash/compareSettled.ts"
import { CrashSite } from "../../proof/crash/CrashSite.ts"
import { Till } from "../../proof/crash/Till.ts"
import { freePort } from "../../src/support/freePort.ts"
import { installRelease } from "./installRelease.ts"
import { blockOf, Machine } from "./Machine.ts"

const page = readFileSync("docs/operations/install.md", "utf8")
const services = ["overa@api", "overa@worker", "overa@portal"]

let site: CrashSite
let machine: Machine
let ports: Readonly<Record<"api" | "worker" | "portal", number>>
let till: Till

const ready = (port: number) => fetch(`http://127.0.0.1:${port}/health/ready`).then(({ status }) => status, () => 0)
const allReady = () => vi.waitFor(async () => expect(await Promise.all(Object.values(ports).map(ready))).toEqual([200, 200, 200]), { timeout: 60_000, interval: 200 })
const mainPid = async (unit: string): Promise<number> => Number(await machine.property(unit, "MainPID"))

/** Settings and secrets, each where the page says. The page's block begins with the account and the folder, and ends with starting the services. */
const writeSettings = (): void => {
  const { DATABASE_URL = "", OVERA_CREDENTIAL_KEY = "", OVERA_HOST_ID: _host, OVERA_SECRET_KEYS = "", OVERA_WORKER_ID: _worker, ...settings } = site.variables("systemd", ports.api)
  for (const environment of ["SANDBOX", "PRODUCTION"]) {
    const name = `OVERA_VPFR_${environment}_CA_FILE`
    const file = `/etc/overa/roots/${environment.toLowerCase()}.pem`
    machine.write(file, readFileSync(settings[name] ?? "", "utf8"))
    settings[name] = file
  }
  const lines = { ...settings, OVERA_PORTAL_PORT: String(ports.portal), OVERA_WORKER_PORT: String(ports.worker) }
  machine.write("/etc/overa/overa.env", Object.entries(lines).map(([name, value]) => `${name}=${value}\n`).join(""))
  for (const [name, secret] of Object.entries({ DATABASE_URL, OVERA_CREDENTIAL_KEY, OVERA_SECRET_KEYS })) machine.write(`/etc/overa/credentials/${name}`, `${secret}\n`, 0o600)
}

beforeAll(async () => {
  machine = new Machine()
  installRelease(machine)
  site = await CrashSite.open()
  ports = { api: await freePort(), worker: await freePort(), portal: await freePort() }
  till = new Till(`http://127.0.0.1:${ports.api}`, site.seeded.sandbox, await site.anyLabel())
  await machine.boot()
  const commands = blockOf(page, "As services of a Debian server").split("\n")
  const files = commands.findIndex((line) => line.startsWith("# One file each"))
  await machine.paste(commands.slice(0, files).join("\n"))
  writeSettings()
  await machine.paste(commands.slice(files).join("\n"))
  await allReady()
})
afterAll(async () => {
  await machine?.remove()
  await site?.close()
})

describe("the services of a Debian server, installed by the commands of the page", () => {
  it("run as a user without rights: no file of the machine can be written, no capability is left, secrets are in no setting", async () => {
    for (const unit of services) {
      const pid = await mainPid(unit)
      const status = machine.read(`/proc/${pid}/status`)
      expect([unit, /^CapEff:\s+0+$/m.test(status), /^NoNewPrivs:\s+1$/m.test(status), /^Seccomp:\s+2$/m.test(status)]).toEqual([unit, true, true, true])
      expect([unit, (await machine.do("ps", "-o", "user=", "-p", String(pid))).trim()]).toEqual([unit, "overa"])
      // Root itself, where the service sees the files.
      for (const file of ["/opt/overa/current/x", "/etc/x", "/var/lib/x"]) {
        expect([unit, (await machine.try("nsenter", "--target", String(pid), "--mount", "--", "touch", file)).err]).toEqual([unit, expect.stringContaining("Read-only file system")])
      }
    }
    expect(machine.read("/etc/overa/overa.env")).not.toMatch(/DATABASE_URL|SECRET_KEYS|CREDENTIAL_KEY/)
    expect((await machine.try("runuser", "-u", "overa", "--", "cat", "/etc/overa/credentials/DATABASE_URL")).code).not.toBe(0)
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(await machine.do("systemd-analyze", "security", "--no-pager", "overa@api"))?.[1]
    expect(Number(exposure)).toBeLessThanOrEqual(2)
  })

  it("killed and restarted under load, each comes back by itself, and no receipt is lost or made twice", async () => {
    const stop = new AbortController()
    const selling = Array.from({ length: 8 }, () => till.sellUntil(stop.signal))
    for (const unit of ["overa@api", "overa@worker", "overa@api"]) {
      await pause(2_000)
      const before = await mainPid(unit)
      await machine.do("systemctl", "kill", "--signal=SIGKILL", unit)
      await vi.waitFor(async () => expect([await machine.property(unit, "ActiveState"), [0, before].includes(await mainPid(unit))]).toEqual(["active", false]), { timeout: 20_000, interval: 100 })
      await allReady()
    }
    await pause(1_000)
    await machine.do("systemctl", "restart", ...services)
    await allReady()
    await pause(2_000)
    stop.abort()
    await Promise.all(selling)
    expect(till.sales.filter(({ status }) => status === "FISCALIZED").length).toBeGreaterThan(50)
    expect(await compareSettled(site, till.sales)).toEqual([])
  }, 180_000)

  it("asked to stop, a sale that waits for the V-PFR is answered first, well within the time that the unit gives", async () => {
    await site.fault({ fault: "delay", ms: 5_000, times: 1 })
    const sale = till.newSale()
    const before = await site.signedSoFar()
    const answered = till.send(sale)
    await pause(1_500)
    const from = performance.now()
    await machine.do("systemctl", "stop", "overa@api")
    const seconds = (performance.now() - from) / 1_000
    await answered
    expect([sale.status, await site.signedSoFar() - before]).toEqual(["FISCALIZED", 1])
    expect(seconds).toBeLessThan(50)
    expect([await machine.property("overa@api", "Result"), await machine.property("overa@api", "ExecMainStatus")]).toEqual(["success", "0"])
    await machine.do("systemctl", "start", "overa@api")
    await allReady()
  }, 120_000)

  it("come back after the machine was switched off and on", async () => {
    await machine.shutDown()
    expect(await ready(ports.api)).toBe(0)
    await machine.boot()
    await allReady()
    const sale = till.newSale()
    await till.send(sale)
    expect(sale.status).toBe("FISCALIZED")
    expect(await compareSettled(site, till.sales)).toEqual([])
  }, 180_000)
})
