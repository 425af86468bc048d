import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CrashSite } from "../../proof/crash/CrashSite.ts"
import { Till } from "../../proof/crash/Till.ts"
import { accessToken } from "../../src/support/accessToken.ts"
import { buildContext } from "../../src/support/buildContext.ts"
import { imageVariables, servedAddress } from "../../src/support/hostProcess.ts"
import { buildStages, stagesOf } from "./containerFile.ts"

const folder = mkdtempSync(join(tmpdir(), "overa-containers-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("a linter of container files finds nothing in either of them", () => {
  execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "dockerfile-utils@0.16.3"], { stdio: "ignore" })
  for (const file of ["Dockerfile", "hosts/vpfr-simulator/Dockerfile"]) {
    expect([file, execFileSync(join(folder, "node_modules/.bin/dockerfile-utils"), ["lint", file], { encoding: "utf8" })]).toEqual([file, ""])
  }
})

/** Copies into a folder what a container's build is given. */
const copyContext = (to: string): void => {
  for (const file of buildContext()) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(file, join(to, file))
  }
}

describe("The image's container file, without a container", () => {
  let site: CrashSite
  beforeAll(async () => {
    site = await CrashSite.open()
  })
  afterAll(() => site.close())

  it("installs and bundles by its own commands, and its command sells and draws without what bundled it", async () => {
    const context = join(folder, "context")
    copyContext(context)
    const text = readFileSync("Dockerfile", "utf8")
    // Only a build with a name and a digest of the base image passes the first command.
    const built = buildStages(text, context, join(folder, "image"), (command) => !command.includes("NODE_IMAGE"))
    expect(existsSync(join(built, "node_modules/rolldown"))).toBe(false)
    const [, ...command] = JSON.parse(stagesOf(text).at(-1)?.find(({ name }) => name === "CMD")?.value ?? "[]") as ReadonlyArray<string>
    const child = spawn(process.execPath, [...command], { cwd: built, env: { PATH: process.env["PATH"], ...imageVariables(), ...site.variables("image", 0) }, stdio: ["ignore", "pipe", "inherit"] })
    try {
      const url = await servedAddress(child)
      expect((await fetch(`${url}/verify`)).status).toBe(200)
      const till = new Till(url, site.seeded.sandbox, await site.anyLabel())
      const sold = JSON.parse((await till.send(till.newSale())) ?? "{}") as { readonly id: string }
      expect(sold).toMatchObject({ status: "FISCALIZED" })
      const token = await accessToken({ authUrl: `${url}/oauth/token` }, site.seeded.sandbox)
      const drawn = await fetch(`${url}/v1/fiscal-documents/${sold.id}/representations/pdf-a4`, { headers: { Authorization: `Bearer ${token}` } })
      expect((await drawn.text()).slice(0, 5)).toBe("%PDF-")
      child.kill("SIGTERM")
      expect(await once(child, "exit")).toEqual([0, null])
    } finally {
      child.kill("SIGKILL")
    }
  })
})

/** The places a container has to itself, as folders of this machine. */
const places = { "/tmp": join(folder, "tmp"), "/data": join(folder, "data"), "/overa": join(folder, "overa") }
const here = (text: string): string => text.replaceAll(/(?<=^|[\s=])\/(?:tmp|data|overa)\b/g, (path) => places[path as keyof typeof places])

describe("The simulator's container file, without a container", () => {
  const stages = stagesOf(readFileSync("hosts/vpfr-simulator/Dockerfile", "utf8"))
  const valuesOf = (stage: number, name: string): ReadonlyArray<string> => (stages[stage] ?? []).filter((one) => one.name === name).map(({ value }) => value)
  const env = { ...process.env, npm_config_prefix: join(folder, "global"), NODE_OPTIONS: "", NODE_ENV: "" }

  it("packs and installs the simulator by its own commands, and the command that it starts is ready and ends as asked", async () => {
    copyContext(places["/overa"])
    mkdirSync(places["/tmp"])
    expect(valuesOf(0, "COPY")).toEqual([". ."])
    for (const command of valuesOf(0, "RUN")) execFileSync("sh", ["-ec", here(command)], { cwd: places["/overa"], env, stdio: "ignore" })
    // The second stage has only what was packed.
    rmSync(places["/overa"], { recursive: true })
    const [install = ""] = valuesOf(1, "RUN")
    execFileSync("sh", ["-ec", here(install.replace(/ && chown node \S+$/, ""))], { cwd: folder, env, stdio: "ignore" })

    const [command = ""] = JSON.parse(valuesOf(1, "CMD")[0] ?? "[]") as ReadonlyArray<string>
    const settings = Object.fromEntries(valuesOf(1, "ENV").map((setting) => here(setting).split("=") as [string, string]))
    const ports = ["SANDBOX_PORT", "PRODUCTION_PORT", "SANDBOX_VERIFICATION_PORT", "PRODUCTION_VERIFICATION_PORT", "CONTROL_PORT"]
    const free = Object.fromEntries(ports.map((name) => [`OVERA_SIMULATOR_${name}`, "0"]))
    const child = spawn(join(folder, "global/bin", command), [], { cwd: folder, env: { ...env, ...settings, ...free }, stdio: ["ignore", "pipe", "inherit"] })
    const [line] = await once(createInterface(child.stdout), "line") as [string]
    const { controlUrl, ready } = JSON.parse(line) as { readonly ready: boolean; readonly controlUrl: string }
    expect(ready).toBe(true)
    expect((await fetch(`${controlUrl}/ca`)).status).toBe(200)
    expect(valuesOf(1, "STOPSIGNAL")).toEqual(["SIGTERM"])
    child.kill("SIGTERM")
    expect(await once(child, "exit")).toEqual([0, null])
  })
})
