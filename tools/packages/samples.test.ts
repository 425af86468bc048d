import { execFile, execFileSync, spawnSync } from "node:child_process"
import { noDeliverySettings } from "@overa/domain"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { createPublicKey } from "node:crypto"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ClientCredential } from "../../contract-tests/src/http/ApiTarget.ts"
import { type MemoryApi, startMemoryApi } from "../../contract-tests/src/support/memoryApi.ts"
import { saleAnswerText, saleLink, signerModulus } from "../../domain/test/examples/verificationVectors.ts"
import { kilobytes } from "../bundles.ts"
import { EmptyFolder } from "../EmptyFolder.ts"
import { asCommonJs } from "./commonJs.ts"
import { everySample, guidePrograms, inCheckout, programs as pieces, textOf } from "./samples.ts"

const root = process.cwd()
const programs = [...pieces, ...guidePrograms]
const packed = ["domain", "adapters/memory", "contract-tests/store-contracts", "client", "verify", "orders", "hosts/vpfr-simulator"]

const project = {
  compilerOptions: {
    noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false,
    module: "nodenext", target: "es2022", lib: ["es2022", "dom"], types: ["node"], typeRoots: [join(root, "node_modules/@types")]
  },
  files: programs.map(({ file }) => file)
}

const receiptLink = /"verificationUrl":"([^"]+)"/.exec(saleAnswerText)?.[1] ?? ""

describe("what the READMEs and the guides show, in a project of its own that has the packages from their tarballs", () => {
  let folder: EmptyFolder
  let memory: MemoryApi

  beforeAll(async () => {
    folder = EmptyFolder.with(packed)
    for (const program of programs) writeFileSync(join(folder.path, program.file), textOf(program))
    writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify(project))
    memory = await startMemoryApi()
    for (const shop of Object.values(memory.shops)) memory.deliveries.settings.set(shop.place.taxpayer.id, { ...noDeliverySettings, enabled: true, locale: "en" })
    copyFileSync(join(root, "docs/guides/products.csv"), join(folder.path, "products.csv"))
  }, 300_000)

  afterAll(async () => {
    await memory.running.stop()
    folder.remove()
  })

  const runAs = async ({ clientId, clientSecret }: ClientCredential, file: string, ...args: ReadonlyArray<string>): Promise<string> => {
    const { authUrl, baseUrl, businessPremiseId, taxpayerId } = memory.target
    const credential = { OVERA_URL: baseUrl, OVERA_AUTH_URL: authUrl, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret }
    const place = { TAXPAYER: taxpayerId, PREMISE: businessPremiseId, TAXPAYER_ID: taxpayerId, BUSINESS_PREMISE_ID: businessPremiseId }
    const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder.path, env: { PATH: process.env["PATH"], ...credential, ...place } })
    return stdout
  }
  const run = (file: string, ...args: ReadonlyArray<string>): Promise<string> => runAs(memory.target, file, ...args)

  it("no sample is left out", () => {
    const used = programs.flatMap(({ parts }) => parts.flatMap((part) => typeof part === "string" ? [] : [`${part.page}#${part.at}`]))
    expect([...used, ...inCheckout].toSorted()).toEqual(everySample().map(({ at, page }) => `${page}#${at}`).toSorted())
  })

  it("each tarball has the licence, and no map", () => {
    for (const name of ["domain", "adapter-memory", "store-contracts", "client", "verify", "orders", "vpfr-simulator"]) {
      const files = folder.filesOf(`@overa/${name}`)
      expect([name, files.includes("LICENCE"), files.filter((path) => path.endsWith(".map"))]).toEqual([name, true, []])
    }
  })

  it("the verifier's functions are one file, of the size that its README tells", () => {
    const said = Number(/one file without dependencies, (\d+) kB gzipped at most/.exec(readFileSync("verify/README.md", "utf8"))?.[1])
    const size = kilobytes(readFileSync(join(folder.path, "node_modules/@overa/verify/dist/index.js"), "utf8"))
    expect([size <= said, size > 0.75 * said]).toEqual([true, true])
  })

  it("all of it compiles, strictly and without skipLibCheck", () => {
    expect(spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.json"], { cwd: folder.path, encoding: "utf8" }).stdout).toBe("")
  })

  const printed = "total 68.46\ntax A 5.6527\nreceipt YJLQTEQR-YJLQTEQR-11389 undamaged\n"
  const issued = "FISCALIZED TESTTEST-TESTTEST-1\nagain true TESTTEST-TESTTEST-1\nrefund FISCALIZED TESTTEST-TESTTEST-2\n"

  it("the domain's first program, its host, the preview and the simulator run", async () => {
    expect(await run("receipt.ts", receiptLink)).toBe(printed)
    expect(await run("host.ts")).toBe(issued)
    expect(await run("preview.ts")).toBe("900 null null\n")
    expect(await run("simulator.ts")).toBe("8\n")
  })

  it("a receipt is accepted with the key of its signer, left to a person with another key, and refused where it is cut", async () => {
    const key = (modulus: bigint): string => createPublicKey({
      key: { kty: "RSA", e: "AQAB", n: Buffer.from(modulus.toString(16).padStart(512, "0"), "hex").toString("base64url") }, format: "jwk"
    }).export({ type: "spki", format: "pem" }).toString()
    const first = async (link: string, modulus: bigint) => {
      writeFileSync(join(folder.path, "signer.pem"), key(modulus))
      return (await run("check.ts", link)).split("\n", 1)[0]
    }
    expect([await first(saleLink, signerModulus), await first(saleLink, signerModulus - 2n), await first(saleLink.slice(0, -40), signerModulus)]).toEqual(["accept", "ask a person", "refuse"])
  })

  it("the domain's programs run as plain JavaScript too", async () => {
    for (const { file } of programs.filter(({ file }) => ["receipt.ts", "host.ts"].includes(file))) {
      const code = textOf(programs.find((program) => program.file === file) ?? { file, parts: [] })
      writeFileSync(join(folder.path, file.replace(".ts", ".mjs")), stripTypeScriptTypes(code))
    }
    expect(await run("receipt.mjs", receiptLink)).toBe(printed)
    expect(await run("host.mjs")).toBe(issued)
  })

  it("the domain's programs run as CommonJS too", async () => {
    for (const { file } of programs.filter(({ file }) => ["receipt.ts", "host.ts"].includes(file))) {
      const code = textOf(programs.find((program) => program.file === file) ?? { file, parts: [] })
      writeFileSync(join(folder.path, file.replace(".ts", ".cjs")), asCommonJs(stripTypeScriptTypes(code)))
    }
    expect(await run("receipt.cjs", receiptLink)).toBe(printed)
    expect(await run("host.cjs")).toBe(issued)
  })

  it("a host without a catalogue refuses a product's id and does not die of it", async () => {
    const host = textOf(programs.find(({ file }) => file === "host.ts") ?? { file: "", parts: [] })
    const withProduct = host.replace("const coffee = {", 'const coffee = { catalogProductId: "01900009-0000-7000-8000-000000000001",')
    const asked = withProduct.replace(/^const first[\s\S]*$/m, 'console.log(await sell("order-1-0000000001").then(() => "issued", ({ _tag }) => _tag))\n')
    writeFileSync(join(folder.path, "product.ts"), asked)
    // Its pointer names the line: /items/0/catalogProductId.
    expect(await run("product.ts")).toBe("RequestFaults\n")
  })

  it("all of them are required from CommonJS", () => {
    const code = `const { totalAmount } = require("@overa/domain"); const { layerStores } = require("@overa/adapter-memory")
      const { OveraClient } = require("@overa/client"); const { verifyReceipt } = require("@overa/verify")
      console.log(typeof totalAmount, typeof layerStores, typeof OveraClient, verifyReceipt("no link").outcome)`
    expect(execFileSync(process.execPath, ["--input-type=commonjs", "-e", code], { cwd: folder.path, encoding: "utf8" })).toBe("function object function CLAIMED\n")
  })

  it("the client's programs issue, read, list and preview", async () => {
    expect((await run("shop.ts")).split("\n").slice(-2)).toEqual(["FISCALIZED true true 900", ""])
  })

  it("the rounding page's program computes every vector", async () => {
    expect(await run("rounding.ts", join(root, "docs/guides/rounding.json"))).toBe("all the same\n")
  })

  it.each(guidePrograms)("the program of $file prints what its guide shows", async ({ credential, file, prints }) => {
    const printed = await runAs(credential === null ? memory.target : memory.target.management ?? memory.target, file, `order-${file}`)
    if (prints.endsWith("…")) expect(printed).toContain(prints.split("\n")[0]?.split(" ")[0])
    else expect(printed).toBe(`${prints}\n`)
  })

  it("the program of the orders' README sends what is due", async () => {
    expect(await run("orders.ts")).toBe("true []\n")
  })

  it("the suites of the store's contract pass over a store of the reader's", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", "stores.test.ts", "--reporter=dot"], {
      cwd: folder.path, encoding: "utf8", env: { PATH: process.env["PATH"], NO_COLOR: "1" }
    })
    expect(status, `${stdout}${stderr}`).toBe(0)
  })
})
