import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

const settings = {
  PATH: process.env["PATH"] ?? "",
  PORT: "0",
  // A port where nothing listens.
  DATABASE_URL: "postgres://overa@127.0.0.1:1/overa",
  OVERA_SECRET_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  OVERA_CREDENTIAL_KEY: randomBytes(32).toString("base64")
}

/** Starts a host that must fail to start, and answers its output and exit code. */
const start = async (environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ["--conditions=@overa/source", main], { env: environment, stdio: ["ignore", "pipe", "pipe"] })
  const said: Array<string> = []
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()))
  const [code] = await once(child, "close") as [number]
  return { code, said: said.join("") }
}

describe("a host that cannot start leaves with 1 and one line that names the setting", () => {
  it("when one is missing", async () => {
    const { DATABASE_URL: _, ...others } = settings
    expect(await start(others)).toEqual({ code: 1, said: "overa-api: DATABASE_URL is missing\n" })
  })

  it("when the encryption keys are malformed, without showing them", async () => {
    const { code, said } = await start({ ...settings, OVERA_SECRET_KEYS: "hunter2" })
    expect(code).toBe(1)
    expect(said).toMatch(/^overa-api: OVERA_SECRET_KEYS: .+\n$/)
    expect(said).not.toContain("hunter2")
  })

  it("when the database does not answer", async () => {
    const { code, said } = await start(settings)
    expect(code).toBe(1)
    expect(said).toMatch(/^overa-api: DATABASE_URL: the database does not answer: .+\n$/)
  })
})
