import { execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { createPublicKey } from "node:crypto"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserPath, openReader } from "../../contract-tests/src/portal/browser.ts"
import { type MemoryApi, startMemoryApi } from "../../contract-tests/src/support/memoryApi.ts"
import { saleLink, sandboxTin, signerModulus } from "../../domain/test/examples/verificationVectors.ts"
import { EmptyFolder } from "../EmptyFolder.ts"
import { filesOf, importsOf } from "../sourceTree.ts"

const root = process.cwd()
const examples = ["host", "checkout", "verify-page"] as const

/** The first line that a program prints. */
const firstLine = (program: ReturnType<typeof spawn>): Promise<string> => new Promise((resolve, reject) => {
  let said = ""
  program.stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString()
    if (said.includes("\n")) resolve(said.split("\n", 1)[0] ?? "")
  })
  program.once("exit", (code) => reject(new Error(`ended with ${code}: ${said}`)))
})

describe("the example projects, outside the workspace, with the packages from their tarballs", () => {
  let folder: EmptyFolder
  let memory: MemoryApi

  beforeAll(async () => {
    folder = EmptyFolder.with(["domain", "adapters/memory", "client", "verify"])
    for (const example of examples) cpSync(join("docs/examples", example), join(folder.path, example), { recursive: true })
    memory = await startMemoryApi()
  }, 300_000)

  afterAll(async () => {
    await memory.running.stop()
    folder.remove()
  })

  const shopOf = () => {
    const { authUrl, baseUrl, businessPremiseId, clientId, clientSecret, taxpayerId } = memory.target
    return { PATH: process.env["PATH"], OVERA_URL: baseUrl, OVERA_AUTH_URL: authUrl, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret, TAXPAYER: taxpayerId, PREMISE: businessPremiseId }
  }

  it.each(examples)("%s: names in its manifest what it imports, in the versions of this checkout", (example) => {
    const { dependencies } = JSON.parse(readFileSync(`docs/examples/${example}/package.json`, "utf8")) as { readonly dependencies: Readonly<Record<string, string>> }
    const imported = filesOf(`docs/examples/${example}/*.ts`).flatMap(importsOf).map(({ specifier }) => specifier).filter((specifier) => !/^(node:|\.)/.test(specifier))
    const names = imported.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "")
    expect([...new Set(names)].toSorted()).toEqual(Object.keys(dependencies).toSorted())
    for (const [name, version] of Object.entries(dependencies)) {
      const installed = JSON.parse(readFileSync(join(folder.path, "node_modules", name, "package.json"), "utf8")) as { readonly version: string }
      expect([name, installed.version]).toEqual([name, version])
    }
  })

  it("all of them compile, strictly and without skipLibCheck; the page without types of Node", () => {
    const compile = (files: ReadonlyArray<string>, types: ReadonlyArray<string>): string => {
      const compilerOptions = {
        noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, module: "nodenext", target: "es2022",
        lib: ["es2022", "dom", "dom.iterable"], types, typeRoots: [join(root, "node_modules/@types")]
      }
      writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files }))
      return spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.json"], { cwd: folder.path, encoding: "utf8" }).stdout
    }
    expect(compile(["host/host.ts", "checkout/checkout.ts"], ["node"])).toBe("")
    expect(compile(["verify-page/page.ts"], [])).toBe("")
  })

  it("the host sells, finds the same receipt for a repeat, and refuses what is wrong with every fault", async () => {
    const program = spawn(process.execPath, ["host.ts"], { cwd: join(folder.path, "host"), env: { PATH: process.env["PATH"], PORT: "0" } })
    try {
      const address = (await firstLine(program)).replace("listening on ", "")
      const post = async (order: string, body: unknown) => {
        const answer = await fetch(`${address}/orders/${order}`, { method: "POST", body: JSON.stringify(body) })
        return { status: answer.status, body: await answer.json() as unknown }
      }
      const sale = { lines: [{ name: "Coffee", quantity: 2, unitPrice: 1250.5 }], total: 2501 }
      const receipt = { status: "FISCALIZED", number: "TESTTEST-TESTTEST-1" }
      expect([await post("1", sale), await post("1", sale)]).toEqual([{ status: 201, body: receipt }, { status: 200, body: receipt }])
      expect(await post("2", { ...sale, total: 2500.123 })).toMatchObject({ status: 400, body: { faults: expect.anything() } })
    } finally {
      program.kill()
    }
  })

  it("the checkout issues one receipt for an order, also when it is called twice at once", async () => {
    const run = async (order: string): Promise<string> =>
      (await promisify(execFile)(process.execPath, ["checkout.ts", order], { cwd: join(folder.path, "checkout"), env: shopOf() })).stdout
    const [one, other] = await Promise.all([run("ORDER-1"), run("ORDER-1")])
    expect(one).toMatch(/^\S{8}-\S{8}-\d+ https:\/\/\S+\n$/)
    expect([other, await run("ORDER-1")]).toEqual([one, one])
    expect(await run("ORDER-2")).not.toBe(one)
  })

  it("the checkout says in a sentence what is missing", async () => {
    const { status, stderr } = spawnSync(process.execPath, ["checkout.ts"], { cwd: join(folder.path, "checkout"), encoding: "utf8", env: { ...shopOf(), OVERA_URL: "" } })
    expect([status, stderr]).toEqual([1, expect.stringContaining("Set OVERA_URL, please.")])
  })

  const build = (): void => {
    const { scripts } = JSON.parse(readFileSync("docs/examples/verify-page/package.json", "utf8")) as { readonly scripts: { readonly build: string } }
    const [program, ...args] = scripts.build.split(" ")
    execFileSync(process.execPath, [join(root, `node_modules/${program}/bin/${program}`), ...args, "--log-level=error"], { cwd: join(folder.path, "verify-page") })
  }

  it("the page is built with esbuild into one script that imports nothing", () => {
    build()
    expect(readFileSync(join(folder.path, "verify-page/page.js"), "utf8")).not.toMatch(/\brequire\(|\bimport\s/)
  })

  it.runIf(browserPath !== null)("the page checks a receipt in a browser, from the disk and without a network", async () => {
    build()
    const address = pathToFileURL(join(folder.path, "verify-page/index.html")).href
    const reader = await openReader({ origin: "file://" })
    const pem = createPublicKey({ key: { kty: "RSA", e: "AQAB", n: Buffer.from(signerModulus.toString(16), "hex").toString("base64url") }, format: "jwk" }).export({ type: "spki", format: "pem" }).toString()
    const check = async (link: string, tin: string, key: string): Promise<string> => {
      await reader.page.goto(address)
      await reader.page.fill("[name=link]", link)
      await reader.page.fill("[name=tin]", tin)
      await reader.page.fill("[name=key]", key)
      await reader.page.click("button")
      return await reader.page.textContent("[role=status]") ?? ""
    }
    try {
      expect(await check(saleLink, sandboxTin, pem)).toBe("Signed by the holder of the key you gave.")
      expect(await reader.page.textContent("ul")).toContain("Total amount: 68.46 RSD")
      expect(await check(saleLink, "", "")).toBe("Not proven: the receipt says so, and no key of yours shows it.")
      expect(await check(saleLink.slice(0, -40), sandboxTin, pem)).toBe("Wrong: this receipt contradicts itself.")
      expect(await check(saleLink, sandboxTin, "no key")).toBe("signers.your key is no RSA-2048 public key or certificate in PEM.")
      expect(reader.complaints).toEqual([])
    } finally {
      await reader.close()
    }
  })
})
