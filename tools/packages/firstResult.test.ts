import { execFile, execFileSync } from "node:child_process"
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type MemoryApi, startMemoryApi } from "../../contract-tests/src/support/memoryApi.ts"
import { EmptyFolder } from "../EmptyFolder.ts"
import { samplesOf } from "./samples.ts"

interface Way {
  readonly name: string
  /** Of ours, from their tarballs; of others, from the registry. */
  readonly installs: ReadonlyArray<string>
  readonly files: Readonly<Record<string, string>>
  readonly run: ReadonlyArray<string>
  readonly says: RegExp
}

const exampleFile = (path: string): string => readFileSync(join("docs/examples", path), "utf8")
/** The version that an example's manifest names. */
const versionIn = (example: string, name: string): string => {
  const { dependencies, devDependencies } = JSON.parse(exampleFile(`${example}/package.json`)) as Readonly<Record<"dependencies" | "devDependencies", Readonly<Record<string, string>> | undefined>>
  return `${name}@${{ ...dependencies, ...devDependencies }[name] ?? "none"}`
}

const ways: ReadonlyArray<Way> = [
  { name: "a host of your own", installs: ["domain", "adapter-memory", versionIn("host", "effect")], files: { "host.ts": samplesOf("domain/README.md")[1]?.code ?? "" }, run: [process.execPath, "host.ts"], says: /^FISCALIZED TESTTEST-TESTTEST-1\n/ },
  { name: "a checkout with the client", installs: ["client"], files: { "checkout.ts": exampleFile("checkout/checkout.ts") }, run: [process.execPath, "checkout.ts", "ORDER-1"], says: /^\S{8}-\S{8}-\d+ https:/ },
  {
    name: "a page that verifies", installs: ["verify", versionIn("verify-page", "esbuild")], files: { "page.ts": exampleFile("verify-page/page.ts") },
    run: ["node_modules/.bin/esbuild", "page.ts", "--bundle", "--minify", "--format=iife"], says: /Signed by the holder of the key you gave/
  }
]

describe("from npm init to a first result, with the packages of others from the registry", () => {
  let packed: EmptyFolder
  let memory: MemoryApi
  const folders: Array<string> = []
  beforeAll(async () => {
    packed = EmptyFolder.with(["domain", "adapters/memory", "client", "verify"])
    memory = await startMemoryApi()
  }, 600_000)
  afterAll(async () => {
    await memory.running.stop()
    packed.remove()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  it.each(ways)("$name", async ({ files, installs, name, run: [command = "", ...args], says }) => {
    const folder = mkdtempSync(join(tmpdir(), "overa-first-"))
    folders.push(folder)
    const tarballs = readdirSync(packed.path).filter((file) => file.endsWith(".tgz"))
    for (const file of tarballs) copyFileSync(join(packed.path, file), join(folder, file))
    const asked = installs.map((one) => one.includes("@") ? one : `./${tarballs.find((file) => file.startsWith(`overa-${one}-`)) ?? one}`)
    const from = performance.now()
    execFileSync("npm", ["init", "--yes", "--init-type", "module"], { cwd: folder, stdio: "ignore" })
    execFileSync("npm", ["install", ...asked, "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
    for (const [file, code] of Object.entries(files)) writeFileSync(join(folder, file), code)
    const { authUrl, baseUrl, businessPremiseId, clientId, clientSecret, taxpayerId } = memory.target
    const shop = { OVERA_URL: baseUrl, OVERA_AUTH_URL: authUrl, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret, TAXPAYER: taxpayerId, PREMISE: businessPremiseId }
    const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env: { PATH: process.env["PATH"], ...shop }, maxBuffer: 16 * 1_024 * 1_024 })
    process.stdout.write(`  ${name}: ${((performance.now() - from) / 1_000).toFixed(1)} s from npm init to its first result\n`)
    expect(stdout).toMatch(says)
  }, 600_000)
})
