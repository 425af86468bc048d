import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { saleAnswerText } from "../domain/test/examples/verificationVectors.ts"
import { bundled, kilobytes } from "./bundles.ts"
import { bundledParts, sizeOf, toldSizes } from "./bundleTable.ts"
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

  it("the README tells the size of each part that a page uses, within the limit of the part", () => {
    expect(toldSizes().map(({ code }) => code)).toEqual(bundledParts.map(({ code }) => code))
    for (const [at, { code, told }] of toldSizes().entries()) {
      const { limit = Infinity } = bundledParts[at] ?? {}
      expect([code, told.esbuild <= limit, told.rolldown <= limit]).toEqual([code, true, true])
    }
  })

  it.each(toldSizes())("$code: a bundle has the size that the README tells, by esbuild and by rolldown", async ({ code, told }) => {
    for (const bundler of ["esbuild", "rolldown"] as const) {
      const size = await sizeOf(bundler, folder.path, { code })
      expect(size, `${bundler}: npm run bundles writes the table anew`).toBeLessThanOrEqual(told[bundler])
      expect(size, `${bundler}: the README's figure is out of date; npm run bundles writes it anew`).toBeGreaterThan(0.75 * told[bundler])
    }
  })

  it("the import that has everything costs no more than the part, by both bundlers", async () => {
    for (const bundler of ["esbuild", "rolldown"] as const) {
      const [part, all] = await Promise.all(["/money", ""].map((path) => bundled(bundler, folder.path, `export { totalAmount, taxByLabel } from "@overa/domain${path}"`).then(kilobytes)))
      expect(all).toBeLessThanOrEqual((part ?? 0) + 0.1)
    }
  })

  // With both bundlers a page that reads links, previews receipts or computes money contains no Schema.
  it("parts that need no Schema do not bring it", async () => {
    const marks = ["~effect/Schema", "SchemaAST"]
    const needing = async (code: string) => (await Promise.all((["esbuild", "rolldown"] as const).map((bundler) => bundled(bundler, folder.path, code)))).map((made) => marks.some((mark) => made.includes(mark)))
    expect(await needing('export { totalAmount, taxByLabel } from "@overa/domain/money"')).toEqual([false, false])
    expect(await needing('export { checkReceipt } from "@overa/domain/verification"')).toEqual([false, false])
    expect(await needing('export { decodeFiscalDocumentRequest } from "@overa/domain/requests"')).toEqual([true, true])
  })

  it("a bundle computes by itself", async () => {
    const code = 'import { formatDecimal, totalAmount } from "@overa/domain/money"\nimport { BigDecimal } from "effect"\n' +
      'console.log(formatDecimal(totalAmount([{ quantity: BigDecimal.fromStringUnsafe("2"), unitPrice: BigDecimal.fromStringUnsafe("34.23") }]), 2))'
    for (const bundler of ["esbuild", "rolldown"] as const) {
      expect(execFileSync(process.execPath, ["--input-type=module", "-e", await bundled(bundler, folder.path, code)], { cwd: "/", encoding: "utf8" })).toBe("68.46\n")
    }
  })
})
