import { lineAmount } from "@overa/domain"
import { BigDecimal } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"

const guides = join(import.meta.dirname, "../../docs/guides")
const vectors = JSON.parse(readFileSync(join(guides, "rounding.json"), "utf8")) as ReadonlyArray<Readonly<Record<"quantity" | "unitPrice" | "amount", string>>>
const page = readFileSync(join(guides, "rounding.md"), "utf8")

it("the fifty vectors are what the domain computes", () => {
  expect(new Set(vectors.map(({ quantity, unitPrice }) => `${quantity} ${unitPrice}`)).size).toBe(50)
  const computed = vectors.map(({ quantity, unitPrice }) => {
    const { scale, value } = BigDecimal.round(lineAmount({ quantity: BigDecimal.fromStringUnsafe(quantity), unitPrice: BigDecimal.fromStringUnsafe(unitPrice) }), { scale: 2 })
    const digits = String(BigDecimal.scale(BigDecimal.make(value, scale), 2).value).padStart(3, "0")
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`
  })
  expect(computed).toEqual(vectors.map(({ amount }) => amount))
})

it.each([["php", "php", "rounding.php"], ["python", "python3", "rounding.py"], ["node", process.execPath, "rounding.mjs"]])(
  "the guide's program in %s computes every one of them, and notices one that differs",
  (language, command, name) => {
    const folder = mkdtempSync(join(tmpdir(), "rounding-"))
    writeFileSync(join(folder, name), new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? "")
    writeFileSync(join(folder, "wrong.json"), JSON.stringify([{ ...vectors[20], amount: "0.01" }]))
    const run = (file: string) => spawnSync(command, [join(folder, name), file], { encoding: "utf8" })
    expect(run(join(guides, "rounding.json"))).toMatchObject({ stdout: "all the same\n", stderr: "" })
    expect(run(join(folder, "wrong.json")).stdout).not.toContain("all the same")
  }
)
