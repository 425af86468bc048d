import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readConfig } from "../src/Config.ts"

const main = new URL("../src/main.ts", import.meta.url).pathname
const anyPort = Object.fromEntries(
  ["CONTROL", "SANDBOX", "SANDBOX_VERIFICATION", "PRODUCTION", "PRODUCTION_VERIFICATION"].map((name) => [`OVERA_SIMULATOR_${name}_PORT`, "0"])
)

let directory: string
let child: ChildProcess | undefined

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "vpfr-simulator-process-"))
})
afterEach(() => {
  if (child?.exitCode === null) child.kill("SIGKILL")
  rmSync(directory, { recursive: true, force: true })
})

const start = (variables: Record<string, string> = {}): ChildProcessWithoutNullStreams => {
  const started = spawn(process.execPath, [main], { env: { ...process.env, ...anyPort, OVERA_SIMULATOR_DATA: directory, ...variables } })
  child = started
  return started
}

const ready = async (output: Readable) => {
  const [line] = await once(createInterface(output), "line")
  return JSON.parse(String(line))
}

const isServing = (controlUrl: string): Promise<boolean> => fetch(controlUrl).then((response) => response.ok, () => false)

const untilGone = (controlUrl: string) => expect.poll(() => isServing(controlUrl), { interval: 50, timeout: 5000 }).toBe(false)

describe("The process", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("says in one line where it is, and ends on %s", async (signal) => {
    const started = start()
    const line = await ready(started.stdout)
    expect(line).toEqual({
      ready: true,
      sandbox: { url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/), verificationUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v\/\?vl=$/) },
      production: expect.anything(),
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)
    })
    expect(await isServing(line.controlUrl)).toBe(true)
    started.kill(signal)
    expect((await once(started, "exit"))[0]).toBe(0)
  })

  it("ends when its parent closes its standard input, where told so", async () => {
    const started = start({ OVERA_SIMULATOR_STOP_WITH_PARENT: "1" })
    await ready(started.stdout)
    started.stdin.end()
    expect((await once(started, "exit"))[0]).toBe(0)
  })

  it("ends when its parent is killed, whatever its standard input is", async () => {
    const launcher = `
      const { spawn } = require("node:child_process")
      spawn(process.execPath, [${JSON.stringify(main)}], { stdio: ["ignore", "inherit", "inherit"] })`
    const launched = spawn(process.execPath, ["-e", launcher], {
      env: { ...process.env, ...anyPort, OVERA_SIMULATOR_DATA: directory, OVERA_SIMULATOR_STOP_WITH_PARENT: "1" },
      stdio: ["ignore", "pipe", "inherit"]
    })
    child = launched
    const { controlUrl } = await ready(launched.stdout)
    expect(await isServing(controlUrl)).toBe(true)
    launched.kill("SIGKILL")
    await untilGone(controlUrl)
  })

  it("names a taken port and ends", async () => {
    const first = start()
    const { controlUrl } = await ready(first.stdout)
    const second = start({ OVERA_SIMULATOR_DATA: join(directory, "second"), OVERA_SIMULATOR_CONTROL_PORT: new URL(controlUrl).port })
    const said: Array<Buffer> = []
    second.stderr.on("data", (chunk: Buffer) => said.push(chunk))
    expect((await once(second, "close"))[0]).toBe(1)
    expect(Buffer.concat(said).toString()).toBe(`The port ${new URL(controlUrl).port} is taken; choose another one by its OVERA_SIMULATOR_ variable.\n`)
    first.kill("SIGTERM")
    await once(first, "exit")
  })
})

describe("Its settings", () => {
  it("have defaults", () => {
    expect(readConfig({})).toMatchObject({ dataDirectory: ".overa/simulator", host: "127.0.0.1", controlPort: 7490, signers: 3, clientCertificate: "handshake" })
  })

  it.each([
    [{ OVERA_SIMULATOR_CONTROL_PORT: "x" }, "OVERA_SIMULATOR_CONTROL_PORT must be a whole number from 0 to 65535, not \"x\"."],
    [{ OVERA_SIMULATOR_SIGNERS: "0" }, "OVERA_SIMULATOR_SIGNERS must be a whole number from 1 to 20, not \"0\"."],
    [{ OVERA_SIMULATOR_CLIENT_CERTIFICATE: "never" }, "OVERA_SIMULATOR_CLIENT_CERTIFICATE must be one of handshake, renegotiation, not \"never\"."],
    [{ OVERA_SIMULATOR_NOT_FOUND: "500" }, "OVERA_SIMULATOR_NOT_FOUND must be one of 200-null, 200-empty, 204, 404, not \"500\"."],
    [{ OVERA_SIMULATOR_SANDBOX_VERIFICATION_ROOT: "http://x/" }, "OVERA_SIMULATOR_SANDBOX_VERIFICATION_ROOT must be an address that ends in /v/?vl=, not \"http://x/\"."]
  ])("refuse %j", (variables, message) => {
    expect(() => readConfig(variables)).toThrow(message)
  })
})
