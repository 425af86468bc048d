import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { roundingFile, type RoundingVectors } from "../../tools/roundingVectors.ts"
import { blocksOf } from "../outside/guides/guidePage.ts"

const guides = join(import.meta.dirname, "../../docs/guides")
const file = join(guides, "rounding.json")
const vectors = JSON.parse(readFileSync(file, "utf8")) as RoundingVectors
const page = readFileSync(join(guides, "rounding.md"), "utf8")

describe("The vectors of the rounding page", () => {
  it("are what the domain and the orders' package compute (npm run generate)", () => {
    expect(readFileSync(file, "utf8")).toBe(roundingFile())
  })

  it("are at least fifty different ones of each kind, and reach every rule", () => {
    for (const list of Object.values(vectors)) expect(new Set((list as ReadonlyArray<unknown>).map((one) => JSON.stringify(one))).size).toBeGreaterThanOrEqual(50)
    const types = new Set(vectors.taxes.flatMap(({ items, rates }) => items.flatMap(({ labels }) => rates.filter(({ label }) => labels.includes(label)).map(({ type }) => type))))
    expect([...types].toSorted()).toEqual([0, 1, 2])
    expect(vectors.taxes.filter(({ items }) => items.some(({ labels }) => labels.length > 2)).length).toBeGreaterThan(5)
    const ofWhole = (texts: ReadonlyArray<string>) => texts.reduce((sum, text) => sum + BigInt(text.replace(".", "")), 0n)
    for (const { amount, parts } of vectors.discounts) expect(ofWhole(parts)).toBe(ofWhole([amount]))
  })
})

describe.each([["php", "php", "rounding.php"], ["python", "python3", "rounding.py"], ["ts", process.execPath, "rounding.ts"]])("The page's program in %s", (language, command, name) => {
  const folder = mkdtempSync(join(tmpdir(), "rounding-"))
  writeFileSync(join(folder, name), blocksOf(page).filter((block) => block.language === language).map(({ code }) => code).join("\n\n"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const run = (given: string) => spawnSync(command, [join(folder, name), given], { encoding: "utf8" })

  it("computes every vector", () => expect(run(file)).toMatchObject({ stdout: "all the same\n", stderr: "" }))

  it.each<readonly [string, RoundingVectors]>([
    ["line", { ...vectors, lines: vectors.lines.map((one, at) => at === 20 ? { ...one, amount: "0.01" } : one) }],
    ["tax of a label", { ...vectors, taxes: vectors.taxes.map((one, at) => at === 9 ? { ...one, taxes: { ...one.taxes, [Object.keys(one.taxes)[0] ?? ""]: "0.0001" } } : one) }],
    ["total of the taxes", { ...vectors, taxes: vectors.taxes.map((one, at) => at === 9 ? { ...one, printed: "0.01" } : one) }],
    ["discount", { ...vectors, discounts: vectors.discounts.map((one, at) => at === 0 ? { ...one, parts: one.parts.toReversed() } : one) }]
  ])("notices a %s that differs", (_what, wrong) => {
    writeFileSync(join(folder, "wrong.json"), JSON.stringify(wrong))
    expect(run(join(folder, "wrong.json")).stdout).not.toContain("all the same")
  })
})
