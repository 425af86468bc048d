import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CrashSite } from "../../proof/crash/CrashSite.ts"
import { Till } from "../../proof/crash/Till.ts"
import { freePort } from "../../src/support/freePort.ts"

const folder = mkdtempSync(join(tmpdir(), "overa-release-test-"))
const installed = join(folder, "overa-0.1.0")
const launcher = join(installed, "deploy/overa.mjs")
let site: CrashSite
const running: Array<ChildProcess> = []

/** The command of the page on installing, as it stands there. */
const installCommand = (): string => /^ *(npm ci --omit=dev.*)$/m.exec(readFileSync("docs/operations/install.md", "utf8"))?.[1] ?? "no command"

beforeAll(async () => {
  site = await CrashSite.open()
  execFileSync(process.execPath, ["--conditions=@overa/source", "tools/release.ts"], { stdio: "ignore" })
  execFileSync("tar", ["-xzf", "release/overa-0.1.0.tar.gz", "-C", folder])
  execFileSync("sh", ["-ec", installCommand()], { cwd: installed, stdio: "ignore" })
})
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL")
  await site?.close()
  rmSync(folder, { recursive: true, force: true })
})

const eventOf = (line: string): string => (JSON.parse(line) as { readonly event: string }).event

/** Starts a program of the release and waits until it serves. */
const start = async (name: string, env: Readonly<Record<string, string>>): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [launcher, name], { cwd: "/", env: { PATH: process.env["PATH"] ?? "", ...env }, stdio: ["ignore", "pipe", "inherit"] })
  running.push(child)
  for await (const line of createInterface(child.stdout)) if (["serving", "running"].includes(eventOf(line))) break
  child.stdout.resume()
  return child
}

describe("the release, installed by the command of its page", () => {
  it("has its checksums, the licence and the built page, and nothing of the tests", () => {
    execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: "release", stdio: "ignore" })
    for (const file of ["LICENCE", "verify/dist/verify.html", "deploy/systemd/overa@.service", "docs/operations/install.md", "hosts/dist/rest-api.js", "hosts/dist/THIRD-PARTY-NOTICES.txt"]) {
      expect([file, existsSync(join(installed, file))]).toEqual([file, true])
    }
    for (const file of ["contract-tests/src", "hosts/vpfr-simulator/src", "bench"]) expect([file, existsSync(join(installed, file))]).toEqual([file, false])
  })

  it("of the same commit has the same bytes", () => {
    const before = readFileSync("release/overa-0.1.0.tar.gz")
    execFileSync(process.execPath, ["--conditions=@overa/source", "tools/release.ts"], { stdio: "ignore" })
    expect(readFileSync("release/overa-0.1.0.tar.gz").equals(before)).toBe(true)
  })

  it("runs API, worker, portal and command; a sale is signed, the page that checks receipts is there; each ends when it is asked to", async () => {
    const [api, portal, worker] = [await freePort(), await freePort(), await freePort()]
    // Secrets as files, as a service manager hands them over.
    const { DATABASE_URL = "", OVERA_CREDENTIAL_KEY = "", OVERA_SECRET_KEYS = "", ...settings } = site.variables("release", api)
    const credentials = join(folder, "credentials")
    mkdirSync(credentials)
    for (const [name, value] of Object.entries({ DATABASE_URL, OVERA_CREDENTIAL_KEY, OVERA_SECRET_KEYS })) writeFileSync(join(credentials, name), `${value}\n`)
    const env = { ...settings, CREDENTIALS_DIRECTORY: credentials, OVERA_PORTAL_PORT: String(portal), OVERA_WORKER_PORT: String(worker) }
    const children = [await start("api", env), await start("worker", env), await start("portal", env)]
    const status = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    expect([await status(api, "/health/ready"), await status(worker, "/health/ready"), await status(portal, "/health/ready")]).toEqual([200, 200, 200])
    expect([await status(api, "/verify"), await status(portal, "/sign-in")]).toEqual([200, 200])
    for (const { pid } of children) expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toMatch(/\0[^\0]+hosts\/dist\/[\w-]+\.js\0$/)
    const till = new Till(`http://127.0.0.1:${api}`, site.seeded.sandbox, await site.anyLabel())
    expect(JSON.parse((await till.send(till.newSale())) ?? "{}")).toMatchObject({ status: "FISCALIZED" })
    const admin = spawnSync(process.execPath, [launcher, "admin", "schema", "status"], { cwd: "/", env: { PATH: process.env["PATH"] ?? "", ...env }, encoding: "utf8" })
    expect([admin.status, admin.stderr]).toEqual([0, ""])
    for (const child of children) child.kill("SIGTERM")
    expect(await Promise.all(children.map(async (child) => (await once(child, "exit")) as unknown))).toEqual([[0, null], [0, null], [0, null]])
  })

  it("says what is missing in one line: a program, its packages, Node", () => {
    const said = (args: ReadonlyArray<string>, program = process.execPath, script = launcher) => spawnSync(program, [script, ...args], { encoding: "utf8" })
    expect(said(["shop"])).toMatchObject({ status: 1, stderr: "overa: \"shop\" is none of api, worker, portal, admin.\n" })
    execFileSync("cp", ["-r", join(installed, "deploy"), join(folder, "bare")])
    expect(said(["api"], process.execPath, join(folder, "bare/overa.mjs")).stderr).toMatch(/^overa: the packages are not installed/)
    const older = spawnSync(process.execPath, ["-e", "Object.defineProperty(process.versions,'node',{value:'20.1.0'});process.argv.splice(1,0,'x');import(process.env.LAUNCHER)"],
      { env: { ...process.env, LAUNCHER: launcher }, encoding: "utf8" })
    expect(older).toMatchObject({ status: 1, stderr: expect.stringMatching(/^overa: Node\.js 24 is needed, this is 20\.1\.0/) })
  })
})
