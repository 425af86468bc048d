import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { saleAnswerText } from "../domain/test/examples/verificationVectors.ts"
import { EmptyFolder } from "./EmptyFolder.ts"

/** The examples of the README, exactly as shown there. */
const examples = [...readFileSync("domain/README.md", "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code)

const link = (): string => /"verificationUrl":"([^"]+)"/.exec(saleAnswerText)?.[1] ?? ""

describe("@overa/domain as a package", () => {
  let folder: EmptyFolder

  beforeAll(() => {
    folder = EmptyFolder.with(["domain", "adapters/memory"])
  }, 180_000)

  afterAll(() => folder.remove())

  const run = (name: string, code: string, ...args: ReadonlyArray<string>): string => {
    writeFileSync(join(folder.path, name), code)
    return execFileSync(process.execPath, [name, ...args], { cwd: folder.path, encoding: "utf8" })
  }

  it("holds what it publishes and nothing else, the licence included", () => {
    const files = folder.filesOf("@overa/domain")
    expect(files.filter((path) => !/^(dist\/|package\.json$|README\.md$|LICENCE$)/.test(path))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(["dist/index.js", "dist/index.d.ts", "README.md", "LICENCE"]))
  })

  it("installed into an empty folder, runs the README's first example", () => {
    expect(run("receipt.ts", examples[0] ?? "", link())).toBe("total 68.46\ntax A 5.6527\nreceipt YJLQTEQR-YJLQTEQR-11389 undamaged\n")
  })

  it("installed into an empty folder, issues a sale, replays it and refunds a part in under fifty lines", () => {
    const host = examples[1] ?? ""
    expect(host.split("\n").length).toBeLessThan(50)
    expect(run("host.ts", host)).toBe(
      "FISCALIZED TESTTEST-TESTTEST-1\nagain true TESTTEST-TESTTEST-1\nrefund FISCALIZED TESTTEST-TESTTEST-2\n"
    )
  })

  it("brings types that a strict project accepts without skipLibCheck, from every part, with the library types that the README names", () => {
    const { exports } = JSON.parse(readFileSync("domain/package.json", "utf8")) as { readonly exports: Record<string, unknown> }
    const parts = Object.keys(exports).map((part, at) => `import * as part${at} from "@overa/domain${part.slice(1)}"\nexport const names${at} = Object.keys(part${at})\n`)
    writeFileSync(join(folder.path, "typed.ts"), 'import { type FiscalDocument, totalAmount } from "@overa/domain"\n' +
      `export const total = totalAmount([])\nexport const number = (document: FiscalDocument): string => document.id\n${parts.join("")}`)
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "typed.ts"]
    const { stdout } = spawnSync(join(process.cwd(), "node_modules/.bin/tsc"), flags, { cwd: folder.path, encoding: "utf8" })
    expect(stdout).toBe("")
    expect(readdirSync(folder.path)).not.toContain("typed.js")
  })

  /** The bundle that a browser would load for a line of code; nothing of Node, and no further imports. */
  const bundled = async (code: string): Promise<string> => {
    const entry = join(folder.path, "entry.mjs")
    writeFileSync(entry, code)
    const bundle = await rolldown({ input: entry, platform: "browser", logLevel: "silent" })
    const { output } = await bundle.generate({ format: "esm", minify: true })
    await bundle.close()
    const chunks = output.filter((chunk) => chunk.type === "chunk")
    expect(chunks.flatMap((chunk) => chunk.imports)).toEqual([])
    expect(chunks).toHaveLength(1)
    return chunks[0]?.code ?? ""
  }

  it.each([
    ["totals and taxes", 'export { totalAmount, taxByLabel } from "@overa/domain/money"', 4_000],
    ["totals and taxes out of everything", 'export { totalAmount, taxByLabel } from "@overa/domain"', 4_000],
    ["a receipt before it is signed", 'export { previewReceipt } from "@overa/domain/documents"', 12_000],
    ["a receipt checked offline", 'export { checkReceipt } from "@overa/domain/verification"', 35_000],
    ["every rule", 'export * from "@overa/domain/rules"', 128_000],
    ["the proofs of the journal's log", 'export { openCheckpoint, verifyConsistency, verifyInclusion } from "@overa/domain/journal-log"', 20_000]
  ])("%s: a browser's bundle stays small", async (_, code, atMost) => {
    const size = gzipSync(await bundled(code)).length
    expect(size).toBeGreaterThan(1_000)
    expect(size).toBeLessThan(atMost)
  })

  it("a bundle computes by itself", async () => {
    const code = 'import { formatDecimal, totalAmount } from "@overa/domain/money"\nimport { BigDecimal } from "effect"\n' +
      'console.log(formatDecimal(totalAmount([{ quantity: BigDecimal.fromStringUnsafe("2"), unitPrice: BigDecimal.fromStringUnsafe("34.23") }]), 2))'
    expect(execFileSync(process.execPath, ["--input-type=module", "-e", await bundled(code)], { cwd: "/", encoding: "utf8" })).toBe("68.46\n")
  })
})
