import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { hostVariables, openBackends, type SeededSandbox, type SharedSettings, writeRoots } from "@overa/sandbox"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { compareSettled } from "../../proof/crash/compareSettled.ts"
import { Till } from "../../proof/crash/Till.ts"
import { freePort } from "../../src/support/freePort.ts"
import { installRelease } from "./installRelease.ts"
import { blockOf, Machine } from "./Machine.ts"
import { Network } from "./Network.ts"

const page = readFileSync("docs/operations/three-servers.md", "utf8")
const ports = { api: 8080, worker: 8091 }
const home = mkdtempSync(join(tmpdir(), "overa-three-"))
const scope = Scope.makeUnsafe()

let network: Network
let one: Machine
let two: Machine
let proxy: ChildProcess
let settings: SharedSettings
let controlUrl: string
let seeded: SeededSandbox
let till: Till

const isReady = (number: number): Promise<boolean> =>
  fetch(`http://${network.addressOf(number)}:${ports.api}/health/ready`, { signal: AbortSignal.timeout(1_000) }).then(({ ok }) => ok, () => false)
const untilReady = (...numbers: ReadonlyArray<number>) =>
  vi.waitFor(async () => expect(await Promise.all(numbers.map(isReady))).toEqual(numbers.map(() => true)), { timeout: 90_000, interval: 300 })

/** A database of a server, over its socket: who has it is its superuser. */
const socketUrl = (machine: Machine, database: string): string => `postgres://postgres@localhost/${database}?host=${machine.path("/run/postgresql")}`
const both = (machine: Machine) => ({ settings: { databaseUrl: socketUrl(machine, "overa") }, controlUrl })

const sql = async (machine: Machine, text: string): Promise<string> => (await machine.do("runuser", "-u", "postgres", "--", "psql", "-Atc", text)).trim()
const untilSynchronous = (machine: Machine) =>
  vi.waitFor(async () => expect(await sql(machine, "select sync_state from pg_stat_replication")).toBe("sync"), { timeout: 60_000, interval: 500 })

/** The names of a block's first line, given anew. */
const named = (commands: string, names: string): string => commands.replace(/^me=.*$/m, names)
const standby = blockOf(page, "Set it up", "pg_basebackup")

const settingsOf = (machine: Machine, name: string): void => {
  const { DATABASE_URL: _url, OVERA_CREDENTIAL_KEY = "", OVERA_SECRET_KEYS = "", ...variables } = hostVariables(home, settings)
  for (const environment of ["SANDBOX", "PRODUCTION"]) {
    const variable = `OVERA_VPFR_${environment}_CA_FILE`
    machine.write(`/etc/overa/roots/${environment}.pem`, readFileSync(variables[variable] ?? "", "utf8"))
    variables[variable] = `/etc/overa/roots/${environment}.pem`
  }
  const [, databaseUrl = "", authority = ""] = /^DATABASE_URL=(.*)\nOVERA_DATABASE_CA_FILE=(.*)$/m.exec(page) ?? []
  const lines = {
    ...variables, OVERA_DATABASE_CA_FILE: authority, OVERA_HOST_ID: name, OVERA_WORKER_ID: `${name} worker`, OVERA_LISTEN_HOST: "0.0.0.0",
    PORT: String(ports.api), OVERA_WORKER_PORT: String(ports.worker), OVERA_RATE_LIMIT_PER_SECOND: "1000000", OVERA_RATE_LIMIT_BURST: "1000000"
  }
  machine.write("/etc/overa/overa.env", Object.entries(lines).map(([key, value]) => `${key}=${value}\n`).join(""))
  for (const [key, secret] of Object.entries({ DATABASE_URL: databaseUrl, OVERA_CREDENTIAL_KEY, OVERA_SECRET_KEYS })) machine.write(`/etc/overa/credentials/${key}`, `${secret}\n`, 0o600)
}

/** The simulator's ports, at the machine's own address as at this computer's. */
const reachSimulator = async (machine: Machine, port: number): Promise<void> => {
  machine.write(`/etc/systemd/system/vpfr-${port}.socket`, `[Socket]\nListenStream=127.0.0.1:${port}\n[Install]\nWantedBy=sockets.target\n`)
  machine.write(`/etc/systemd/system/vpfr-${port}.service`, `[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd ${network.gateway}:${port}\n`)
  await machine.do("systemctl", "enable", "--now", `vpfr-${port}.socket`)
}

const prepare = async (machine: Machine, number: number): Promise<void> => {
  for (const [name, at] of [["db1", 1], ["db2", 2]] as const) await machine.do("sh", "-c", `echo "${network.addressOf(at)} ${name}" >>/etc/hosts`)
  await machine.do("useradd", "--system", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", "overa")
  await machine.do("install", "-m", "0644", "/opt/overa/current/deploy/systemd/overa@.service", "/etc/systemd/system/")
  for (const { url } of [settings.simulator.sandbox, settings.simulator.production]) await reachSimulator(machine, Number(new URL(url).port))
  settingsOf(machine, `server ${number}`)
}

const startProxy = async (): Promise<number> => {
  const port = await freePort()
  const text = /^```haproxy\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ""
  writeFileSync(join(home, "haproxy.cfg"), text.replace(/bind .*/, `bind 127.0.0.1:${port}`))
  execFileSync("haproxy", ["-c", "-q", "-f", join(home, "haproxy.cfg")])
  proxy = spawn("haproxy", ["-db", "-f", join(home, "haproxy.cfg")], { stdio: "ignore" })
  return port
}

beforeAll(async () => {
  if (spawnSync("which", ["haproxy"]).status !== 0) throw new Error("haproxy is not installed: apt-get install haproxy")
  network = new Network()
  one = new Machine(network.add(1))
  two = new Machine(network.add(2))
  installRelease(one)
  execFileSync("cp", ["-a", join(one.root, "opt/overa"), join(two.root, "opt/overa")])
  const opened = await Effect.runPromise(openBackends(home, Effect.promise(() => import("@overa/sandbox"))).pipe(Effect.provideService(Scope.Scope, scope)))
  settings = opened.settings
  controlUrl = opened.simulator.controlUrl
  writeRoots(home, settings)
  for (const { url } of [settings.simulator.sandbox, settings.simulator.production]) await network.forward(Number(new URL(url).port))
  await one.boot()
  await two.boot()

  await one.paste(blockOf(page, "Set it up"))
  for (const name of ["ca.pem", "db2.key", "db2.pem"]) two.write(`/etc/overa/tls/${name}`, one.read(`/etc/overa/tls/${name}`))
  await prepare(one, 1)
  await prepare(two, 2)
  await one.paste(named(blockOf(page, "Set it up", "start.conf"), "me=db1 network=10.77.0.0/24"))
  await two.paste(named(blockOf(page, "Set it up", "start.conf"), "me=db2 network=10.77.0.0/24"))
  // The test reads both databases over their sockets; on the machines themselves only postgres may.
  for (const machine of [one, two]) await machine.do("sh", "-c", "sed -i 's/^local all all peer$//; 1i local all all trust' /etc/postgresql/*/main/pg_hba.conf")
  await one.paste(blockOf(page, "Set it up", "create role"))
  const content = opened.loaded.sandboxContent({ home, controlUrl, settings: { ...settings, databaseUrl: socketUrl(one, "overa") }, urlOf: (name) => socketUrl(one, name) })
  seeded = await Effect.runPromise(content.pipe(Effect.provideService(Scope.Scope, scope)))
  await one.do("env", "DATABASE_URL=postgres://postgres@localhost/overa?host=/run/postgresql", `OVERA_SECRET_KEYS=${settings.secrets.secretKeys}`, `OVERA_CREDENTIAL_KEY=${settings.secrets.credentialKey}`,
    "/opt/overa/node/bin/node", "/opt/overa/current/deploy/overa.mjs", "admin", "schema", "grant", "--hosts", "overa_hosts", "--reading", "overa_reading")
  await two.paste(named(standby, "me=db2 other=db1"))
  await one.paste(blockOf(page, "Set it up", "synchronous_standby_names"))
  await untilSynchronous(one)
  for (const machine of [one, two]) await machine.do("systemctl", "enable", "--now", "overa@api", "overa@worker")
  const rates = await (await fetch(`${controlUrl}/tax-rates`)).json() as { readonly sandbox: ReadonlyArray<{ readonly validFrom: string; readonly taxCategories: ReadonlyArray<{ readonly name: string; readonly taxRates: ReadonlyArray<{ readonly label: string }> }> }> }
  const label = rates.sandbox.filter(({ validFrom }) => Date.parse(validFrom) <= Date.now()).at(-1)?.taxCategories.find(({ name }) => name === "VAT")?.taxRates[0]?.label ?? ""
  till = new Till(`http://127.0.0.1:${await startProxy()}`, seeded.sandbox, label)
  await untilReady(1, 2)
}, 600_000)
afterAll(async () => {
  proxy?.kill("SIGKILL")
  await one?.remove()
  await two?.remove()
  network?.remove()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(home, { recursive: true, force: true })
}, 120_000)

/** Sells until `meanwhile` is done, and then until sales are fiscalized again; answers how many seconds that took. */
const selling = async (meanwhile: () => Promise<unknown>): Promise<number> => {
  const stop = new AbortController()
  const tills = Array.from({ length: 4 }, () => till.sellUntil(stop.signal))
  try {
    await pause(2_000)
    await meanwhile()
    const from = performance.now()
    const before = till.sales.length
    await vi.waitFor(() => expect(till.sales.slice(before).filter(({ status }) => status === "FISCALIZED").length).toBeGreaterThan(5), { timeout: 60_000, interval: 100 })
    return (performance.now() - from) / 1_000
  } finally {
    stop.abort()
    await Promise.all(tills)
  }
}

describe("three servers, set up by the commands of the page", () => {
  it("an API is killed: the proxy sends sales to the other one", async () => {
    await selling(async () => one.do("systemctl", "kill", "--signal=SIGKILL", "overa@api"))
    await untilReady(1, 2)
    expect(await compareSettled(both(one), till.sales)).toEqual([])
  }, 120_000)

  it("the standby's machine loses its power: nothing is acknowledged, until the commands of the page", async () => {
    await two.cutPower()
    const waiting = till.newSale()
    const answer = JSON.parse((await till.send(waiting)) ?? "{}") as { readonly code?: string }
    expect([answer.code, waiting.status]).toEqual(["STORE_UNAVAILABLE", null])
    await selling(async () => one.paste(blockOf(page, "The standby is lost")))
    expect(await compareSettled(both(one), till.sales)).toEqual([])
    await two.boot()
    await two.paste(named(standby, "me=db2 other=db1"))
    await one.paste(blockOf(page, "Set it up", "synchronous_standby_names"))
    await untilSynchronous(one)
    await untilReady(1, 2)
  }, 300_000)

  it("the primary's machine loses its power: the standby is promoted, no acknowledged receipt is missing, and sales continue", async () => {
    const seconds = await selling(async () => {
      await one.cutPower()
      await two.paste(blockOf(page, "The primary is lost"))
    })
    process.stdout.write(`sales continue ${seconds.toFixed(1)} s after the promotion\n`)
    expect(await compareSettled(both(two), till.sales)).toEqual([])
  }, 180_000)

  it("the lost server comes back: its database stays off, its programs follow the new primary, and it becomes the standby", async () => {
    await one.boot()
    expect((await one.try("pg_lsclusters", "-h")).out).toMatch(/ down /)
    await untilReady(1, 2)
    await one.paste(named(standby, "me=db1 other=db2"))
    await two.paste(blockOf(page, "Set it up", "synchronous_standby_names").replace("'db2'", "'db1'"))
    await untilSynchronous(two)
    await selling(async () => undefined)
    expect(await compareSettled(both(two), till.sales)).toEqual([])
    expect(till.sales.filter(({ status }) => status === "FISCALIZED").length).toBeGreaterThan(50)
  }, 300_000)
})
