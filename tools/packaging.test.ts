import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { saleAnswerText } from "../domain/test/examples/verificationVectors.ts"

const root = process.cwd()

const npm = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("npm", [...args, "--offline", "--no-audit", "--no-fund"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** Exactly what the README shows. */
const example = (): string => {
  const code = /```js\n([\s\S]*?)```/.exec(readFileSync("domain/README.md", "utf8"))?.[1]
  if (code === undefined) throw new Error("domain/README.md shows no example")
  return code
}

const link = (): string => /"verificationUrl":"([^"]+)"/.exec(saleAnswerText)?.[1] ?? ""

describe("@overa/domain as a package", () => {
  let folder: string
  let files: ReadonlyArray<string>

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "overa-pack-"))
    const packed = JSON.parse(npm(join(root, "domain"), "pack", "--json", "--pack-destination", folder)) as unknown
    const [tarball] = (Array.isArray(packed) ? packed : Object.values(packed as object)) as ReadonlyArray<{
      readonly filename: string
      readonly files: ReadonlyArray<{ readonly path: string }>
    }>
    if (tarball === undefined) throw new Error("npm pack packed nothing")
    files = tarball.files.map(({ path }) => path)
    // The two libraries it needs come from this checkout, so that the test needs no network.
    const library = (name: string): string => `file:${resolve(root, "node_modules", name)}`
    const dependencies = {
      "@overa/domain": `file:./${tarball.filename}`,
      effect: library("effect"),
      "@noble/hashes": `file:${resolve(root, "domain", "node_modules", "@noble/hashes")}`
    }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "embedder", private: true, type: "module", dependencies }))
    npm(folder, "install")
  }, 120_000)

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
    rmSync("domain/dist", { recursive: true, force: true })
  })

  it("holds what it publishes and nothing else", () => {
    expect(files.filter((path) => !/^(dist\/|package\.json$|README\.md$|LICEN[CS]E$)/.test(path))).toEqual([])
    expect(files).toContain("dist/index.js")
    expect(files).toContain("dist/index.d.ts")
    expect(files).toContain("README.md")
  })

  it("installed into an empty folder, runs the README's example", () => {
    writeFileSync(join(folder, "receipt.mjs"), example())
    const printed = execFileSync(process.execPath, ["receipt.mjs", link()], { cwd: folder, encoding: "utf8" })
    expect(printed).toBe("total 68.46\ntax A 5.6527\nreceipt YJLQTEQR-YJLQTEQR-11389 undamaged\n")
  })

  it("brings types that a strict project accepts", () => {
    writeFileSync(join(folder, "typed.ts"), 'import { type FiscalDocument, totalAmount } from "@overa/domain"\n' +
      "export const total = totalAmount([])\nexport const number = (document: FiscalDocument): string => document.id\n")
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024", "typed.ts"]
    expect(execFileSync(join(root, "node_modules/.bin/tsc"), flags, { cwd: folder, encoding: "utf8" })).toBe("")
    expect(readdirSync(folder)).not.toContain("typed.js")
  })
})
