import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const npm = (cwd: string, ...args: ReadonlyArray<string>) =>
  execFileSync("npm", [...args, "--offline", "--no-audit", "--no-fund"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

describe("the simulator as a package", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "overa-simulator-"))
    npm(resolve("hosts/vpfr-simulator"), "pack", "--pack-destination", folder)
    // Its libraries come from this checkout, so that the test needs no network.
    const library = (name: string) => [name, `file:${resolve("node_modules", name)}`] as const
    const dependencies = Object.fromEntries([
      ["@overa/vpfr-simulator", "file:./overa-vpfr-simulator-0.1.0.tgz"], library("node-forge"), library("qrcode"),
      library("@types/node-forge"), library("@types/qrcode")
    ])
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "esir", private: true, dependencies }))
    npm(folder, "install", "--install-links=false")
  }, 120_000)
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
    rmSync("hosts/vpfr-simulator/dist", { recursive: true, force: true })
  })

  it("is started by its command in an empty folder and issues an element", async () => {
    const ports = ["SANDBOX_PORT", "PRODUCTION_PORT", "SANDBOX_VERIFICATION_PORT", "PRODUCTION_VERIFICATION_PORT", "CONTROL_PORT"]
    const env = { ...process.env, ...Object.fromEntries(ports.map((name) => [`OVERA_SIMULATOR_${name}`, "0"])), OVERA_SIMULATOR_DATA: join(folder, "data") }
    const child = spawn(process.execPath, [join(folder, "node_modules/.bin/overa-vpfr-simulator")], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] })
    const [line] = await once(createInterface(child.stdout), "line") as [string]
    const { controlUrl } = JSON.parse(line) as { readonly controlUrl: string }
    const order = {
      environment: "sandbox", businessName: "Пекара Зора", tin: "111911206", locationName: "1108934-Пекара Зора",
      address: "Булевар ослобођења 1", city: "Нови Сад"
    }
    const answer = await fetch(`${controlUrl}/elements`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order) })
    expect(await answer.json()).toMatchObject({ jid: expect.stringMatching(/^[A-Z0-9]{8}$/) as string })
    child.kill("SIGTERM")
    expect(await once(child, "exit")).toEqual([0, null])
  })
})
