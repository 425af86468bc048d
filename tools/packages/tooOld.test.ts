import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { canonicalRuleVersion } from "@overa/domain"
import { EmptyFolder } from "../EmptyFolder.ts"
import { filesOf } from "../sourceTree.ts"

interface Manifest {
  readonly name: string
  readonly bin?: Readonly<Record<string, string>>
}
const manifestOf = (path: string): Manifest => JSON.parse(filesOf(path)[0]?.text ?? "{}") as Manifest

const libraries = [...filesOf("adapters/*/package.json").map(({ path }) => path.replace("/package.json", "")), "contract-tests/store-contracts"]
const commands = ["hosts/vpfr-simulator", "hosts/witness", "verify"]
/** They run on Node 20 too; the verifier's functions, not its command. */
const runOnTwenty = ["client", "orders", "verify"]
const sentence = /^@overa\/[\w-]+ needs Node (?:20\.19|22|22\.19|24\.7) or later; this is Node (?:18|20)\.\d+\.\d+\.$/m

/** A folder with an older Node from the registry; the answer is where its program is. */
const olderNode = (major: 18 | 20): { readonly folder: string; readonly program: string } => {
  const folder = mkdtempSync(join(tmpdir(), `overa-node-${major}-`))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "old", private: true }))
  execFileSync("npm", ["install", `node@${major}`, "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" })
  return { folder, program: join(folder, "node_modules/node/bin/node") }
}

let folder: EmptyFolder
let twenty: ReturnType<typeof olderNode>
let eighteen: ReturnType<typeof olderNode>
beforeAll(() => {
  folder = EmptyFolder.with(["domain", ...libraries, "client", "orders", ...commands])
  twenty = olderNode(20)
  eighteen = olderNode(18)
}, 900_000)
afterAll(() => {
  folder.remove()
  for (const { folder: path } of [twenty, eighteen]) rmSync(path, { recursive: true, force: true })
})

const run = ({ program }: { readonly program: string }, ...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(program, args, { cwd: folder.path, encoding: "utf8" })
  return { status, said: `${stdout}${stderr}` }
}
const evaluate = (node: { readonly program: string }, code: string): string => run(node, "--input-type=module", "-e", code).said
const imported = (node: { readonly program: string }, name: string): string =>
  evaluate(node, `await import("${name}").then(() => console.log("loaded"), (error) => console.log(error.stack))`)

const expectSentence = (said: string, name: string): void => {
  expect(said).toMatch(sentence)
  expect(said).toContain(`${name} needs Node`)
  expect(said).not.toMatch(/^ {4}at /m)
}

describe("packages that need a newer Node, on Node 20", () => {
  it.each(libraries)("%s is not imported, and says why in one sentence", (workspace) => {
    const { name } = manifestOf(`${workspace}/package.json`)
    expectSentence(imported(twenty, name), name)
  })

  it.each(commands)("the command of %s says it in one line and ends with 1", (workspace) => {
    const { bin = {}, name } = manifestOf(`${workspace}/package.json`)
    const { said, status } = run(twenty, join("node_modules", name, Object.values(bin)[0] ?? ""))
    expect([status, said.trim().split("\n").length]).toEqual([1, 1])
    expect(said).toMatch(sentence)
  })
})

describe("packages that run on Node 20", () => {
  it.each(runOnTwenty)("%s is imported there; on Node 18 it says in one sentence what it needs", (workspace) => {
    const { name } = manifestOf(`${workspace}/package.json`)
    expect(imported(twenty, name)).toBe("loaded\n")
    expectSentence(imported(eighteen, name), name)
  })

  it("they compute there what they compute elsewhere", () => {
    expect(evaluate(twenty, `
      import { OveraClient } from "@overa/client"
      import { fromMinorUnits, planOrder } from "@overa/orders"
      import { verifyReceipt } from "@overa/verify"
      const credential = { authUrl: "http://127.0.0.1:9", clientId: "a", clientSecret: "b" }
      const client = new OveraClient({ baseUrl: "http://127.0.0.1:9", ...credential })
      console.log(/^overa-[0-9a-f-]{36}$/.test(client.newKey()), fromMinorUnits(12345), typeof planOrder, verifyReceipt("no link").outcome)`))
      .toBe("true 123.45 function CLAIMED\n")
  })

  it("the domain computes there; where it would have to round an amount it says in a sentence what it needs, and so does the check of a proof", () => {
    expect(evaluate(twenty, `
      import { formatDecimal, totalAmount } from "@overa/domain/money"
      import { readBodyTree } from "@overa/domain/requests"
      import { verifyProof } from "@overa/verify"
      import * as BigDecimal from "effect/BigDecimal"
      console.log(formatDecimal(totalAmount([{ quantity: BigDecimal.fromStringUnsafe("2"), unitPrice: BigDecimal.fromStringUnsafe("34.23") }]), 2))
      const request = { method: "POST", path: "/v1/fiscal-documents", received: '{"amount":1.50}', canonical: "", fingerprint: "", fingerprintRule: ${canonicalRuleVersion} }
      for (const read of [() => readBodyTree('{"amount":1.50}'), () => verifyProof({ version: 1, document: {}, request })]) {
        try { read(); console.log("read") } catch (error) { console.log(error.name, error.message.includes("Use Node 22, Chrome or Edge 122, Firefox 135, Safari 18.4")) }
      }`)).toBe("68.46\nNumbersNotExact true\nNumbersNotExact true\n")
  })
})

describe("a runtime that lacks what the client uses", () => {
  it.each([
    ["fetch", "delete globalThis.fetch"],
    ["crypto.randomUUID", "Object.defineProperty(globalThis, 'crypto', { value: {} })"],
    ["AbortSignal.any", "delete AbortSignal.any"],
    ["AbortSignal.timeout", "AbortSignal.timeout = undefined"]
  ])("%s: making a client fails with a sentence, before anything is sent", (name, without) => {
    const said = evaluate({ program: process.execPath }, `
      import { OveraClient, RuntimeIncomplete } from "@overa/client"
      ${without}
      try { new OveraClient({ baseUrl: "", authUrl: "", clientId: "", clientSecret: "" }) } catch (error) { console.log(error instanceof RuntimeIncomplete, error.message) }`)
    expect(said).toBe(`true @overa/client needs ${name}, which this runtime does not have. Use Node 20.19 or later, or a runtime that has what the README names.\n`)
  })

  it("what the caller gives itself is not asked of the runtime; a webhook's check says what it lacks", () => {
    expect(evaluate({ program: process.execPath }, `
      import { OveraClient, verifyWebhook } from "@overa/client"
      delete globalThis.fetch
      Object.defineProperty(globalThis, "crypto", { value: {} })
      const surroundings = { fetch: async () => new Response(), newKey: () => "mine" }
      console.log(new OveraClient({ baseUrl: "", authUrl: "", clientId: "", clientSecret: "", surroundings }).newKey())
      await verifyWebhook({ body: "", header: () => null }, []).catch(({ message }) => console.log(message))`))
      .toBe("mine\n@overa/client needs crypto.subtle, which this runtime does not have. Use Node 20.19 or later, or a runtime that has what the README names.\n")
  })
})
