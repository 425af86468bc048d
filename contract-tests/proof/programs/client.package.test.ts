import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type MemoryApi, startMemoryApi } from "../../src/support/memoryApi.ts"

const root = process.cwd()
const npm = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("npm", [...args, "--offline", "--no-audit", "--no-fund"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

const snippets = [...readFileSync("client/README.md", "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code)

/** The memory in the README's table, over a file; `dies` names the step after which the process is killed. */
const driver = `
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fiscalize } from "./checkout.ts"
const [label, dies] = process.argv.slice(2)
const file = "order.json"
const read = () => existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null
const write = (progress) => writeFileSync(file, JSON.stringify(progress))
const step = (name) => { if (name === dies) process.exit(9) }
const memory = {
  begin: async (key) => { if (read() === null) write({ key, documentId: null }); step("begin"); return read() },
  watch: async (key, documentId) => { if (read()?.key === key) write({ key, documentId }); step("watch") },
  forget: async (key) => { if (read()?.key === key) write(null); step("forget") }
}
const { TAXPAYER: taxpayerId, PREMISE: premiseId } = process.env
const pairs = Number(process.env.PAIRS)
const order = { number: "ORDER-1", taxpayerId, premiseId, lines: [{ name: "Чарапе", unit: "пар", quantity: pairs, price: 1200, label }], total: pairs * 1200 }
const answer = await fiscalize(order, memory)
console.log(JSON.stringify(typeof answer === "string" ? answer : { id: answer.id, number: answer.pfr.invoiceNumber, pdf: answer.receipt.pdfA4Url }))
`

describe("@overa/client as a package", () => {
  let folder: string
  let memory: MemoryApi

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "overa-client-"))
    npm(join(root, "client"), "pack", "--pack-destination", folder)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "shop", private: true, type: "module" }))
    npm(folder, "install", "./overa-client-0.1.0.tgz")
    writeFileSync(join(folder, "checkout.ts"), snippets[0] ?? "")
    writeFileSync(join(folder, "driver.mjs"), driver)
    memory = await startMemoryApi()
  }, 120_000)
  afterAll(async () => {
    await memory.running.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    memory.authority.mood = "sign"
    rmSync(join(folder, "order.json"), { force: true })
  })

  it("is small, without dependencies, and holds what it publishes and nothing else", () => {
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? ""
    expect(statSync(join(folder, tarball)).size).toBeLessThan(30_000)
    const installed = join(folder, "node_modules/@overa/client")
    expect(readdirSync(installed).toSorted()).toEqual(["LICENCE", "README.md", "dist", "package.json"])
    expect(readdirSync(join(installed, "dist")).filter((name) => !name.endsWith(".d.ts"))).toEqual(["index.js"])
    expect(readdirSync(join(folder, "node_modules"))).toEqual([".package-lock.json", "@overa"])
  })

  it("is imported and required", () => {
    const run = (...args: ReadonlyArray<string>) => execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).trim()
    expect(run("--input-type=module", "-e", `import { OveraClient } from "@overa/client"; console.log(typeof OveraClient)`)).toBe("function")
    expect(run("--input-type=commonjs", "-e", `console.log(typeof require("@overa/client").OveraClient)`)).toBe("function")
  })

  it("the README's snippets compile in a strict project", () => {
    writeFileSync(join(folder, "rest.ts"), `import { OveraClient } from "@overa/client"
const overa = new OveraClient({ baseUrl: "", authUrl: "", clientId: "", clientSecret: "" })
declare const taxpayerId: string, businessPremiseId: string, fiscalDocumentId: string
${snippets[1] ?? ""}export { pdf, rates }\n`)
    expect(snippets).toHaveLength(2)
    const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--module", "nodenext", "--target", "es2022"]
    const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")]
    expect(execFileSync(join(root, "node_modules/.bin/tsc"), [...flags, ...types, "checkout.ts", "rest.ts"], { cwd: folder, encoding: "utf8" })).toBe("")
  })

  const checkout = async (label = "A", dies = "", pairs = 2): Promise<{ readonly code: number; readonly answer: unknown }> => {
    const { authUrl, baseUrl, businessPremiseId, clientId, clientSecret, taxpayerId } = memory.target
    const env = {
      ...process.env, OVERA_URL: baseUrl, OVERA_AUTH_URL: authUrl, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret,
      TAXPAYER: taxpayerId, PREMISE: businessPremiseId, PAIRS: String(pairs)
    }
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ["driver.mjs", label, dies], { cwd: folder, env })
      return { code: 0, answer: JSON.parse(stdout) as unknown }
    } catch (error) {
      return { code: (error as { readonly code: number }).code, answer: null }
    }
  }
  const kept = (): unknown => existsSync(join(folder, "order.json")) ? JSON.parse(readFileSync(join(folder, "order.json"), "utf8")) : null

  it("the checkout issues one receipt, however often it is called", async () => {
    const first = await checkout()
    expect(first.answer).toMatchObject({ number: expect.stringMatching(/^\w{8}-\w{8}-\d+$/), pdf: expect.stringContaining("/pdf-a4") })
    expect(await checkout()).toEqual(first)
  })

  it("the checkout survives a crash between keeping the key and sending, and one after an unknown outcome", async () => {
    const before = memory.authority.arrived.length
    expect((await checkout("A", "begin")).code).toBe(9)
    expect((await checkout()).code).toBe(0)
    expect(memory.authority.arrived).toHaveLength(before + 1)
    rmSync(join(folder, "order.json"))
    memory.authority.mood = "silent"
    expect((await checkout("A", "watch")).code).toBe(9)
    expect(kept()).toMatchObject({ documentId: expect.any(String) })
    expect(memory.authority.arrived).toHaveLength(before + 2)
  })

  it("the checkout takes a new key after a rejection, also when the process died before it forgot the old one", async () => {
    memory.authority.mood = "reject"
    expect(await checkout()).toEqual({ code: 0, answer: "correct the order" })
    memory.authority.mood = "sign"
    expect((await checkout()).answer).toMatchObject({ id: expect.any(String) })
    rmSync(join(folder, "order.json"))
    memory.authority.mood = "reject"
    // The key of the rejected request is still stored: the process ends before `forget` writes.
    await checkout("A", "begin")
    const key = kept()
    await checkout()
    writeFileSync(join(folder, "order.json"), JSON.stringify(key))
    memory.authority.mood = "sign"
    expect(await checkout("A", "", 3)).toMatchObject({ answer: { id: expect.any(String) } })
  })

  it("the checkout names what is wrong and keeps a key that nothing used", async () => {
    expect(await checkout("Ж")).toEqual({ code: 0, answer: "correct the order" })
    expect((await checkout()).answer).toMatchObject({ id: expect.any(String) })
  })
})
