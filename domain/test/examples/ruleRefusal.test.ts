import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { ErrorCode } from "../../src/errorCatalogue.ts"

const sources = join(import.meta.dirname, "..", "..", "src")

/** Thrown as a defect: no rule refuses with it, a host answers with its code. */
const defects = new Set(["FiscalDocumentUnreadable"])

/** Every refusal class with its code, read from the sources. */
const refusals = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) => readFileSync(join(sources, path), "utf8").split("export class ").slice(1).map((declaration) => ({ declaration, folder: dirname(path) })))
  .flatMap(({ declaration, folder }) => {
    const name = /^\w+/.exec(declaration)?.[0]
    const code = /readonly code = "([A-Z_]+)"/.exec(declaration)?.[1]
    return name === undefined || code === undefined || defects.has(name) ? [] : [{ name, code, folder }]
  })

const union = readFileSync(join(sources, "RuleRefusal.ts"), "utf8")

describe("refusals", () => {
  it("are found", () => expect(refusals.length).toBeGreaterThan(30))

  it.each(refusals)("$name has a code of the catalogue and belongs to RuleRefusal", ({ code, folder }) => {
    expect(ErrorCode.literals).toContain(code)
    expect(union).toContain(`from "./${folder}/errors.ts"`)
  })
})
