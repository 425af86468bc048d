import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Settings } from "../../src/reader/Deployment.ts"
import { type Reading, readContract } from "../../src/reader/readContract.ts"
import { type SandboxProcess, startSandboxProcess } from "../../src/support/sandboxProcess.ts"

const docs = join(import.meta.dirname, "../../../docs")
const page = readFileSync(join(docs, "specification/interface.md"), "utf8")
const errorsPage = readFileSync(join(docs, "errors.md"), "utf8")

/** A contract that promises something else at each of these places. */
const otherwise: ReadonlyArray<readonly [from: string, to: string, part: string]> = [
  ["| LineItem | name | string, required | 1 to 2048", "| LineItem | name | string, required | 1 to 2049", "fields of a sale"],
  ["8 to 14 digits; printed", "8 to 13 digits; printed", "fields of a sale"],
  ["0.001 to 99999999999.999 in steps", "0.002 to 99999999999.999 in steps", "fields of a sale"],
  ["| commercialFooter | no |", "| commercialFooter | yes |", "fields of a sale"],
  ["sku 1 to 100;", "sku 1 to 101;", "fields of a product"],
  ["| Idempotency-Key | 16 to 200 characters", "| Idempotency-Key | 17 to 200 characters", "operations"],
  ["Scope tenant:read. 200 with Runtime", "Scope fiscal:read. 200 with Runtime", "operations"],
  ["| operations:read | the state", "| operations:write | the state", "scopes"],
  ["1 to 200, default 50 |\n", "1 to 250, default 50 |\n", "lists"],
  ["nothing was sent | 503 | false | true", "nothing was sent | 500 | false | true", "document statuses"],
  ["| 404 | FISCAL_DOCUMENT_NOT_FOUND", "| 410 | FISCAL_DOCUMENT_NOT_FOUND", "codes"]
]

const deviatingIn = ({ parts }: Reading, part: string): number => (parts[part] ?? []).filter(({ deviations }) => deviations.length > 0).length

describe("The contract, read by a program that knows nothing else", () => {
  let sandbox: SandboxProcess
  let settings: Settings
  let reading: Reading

  beforeAll(async () => {
    sandbox = await startSandboxProcess()
    settings = JSON.parse(readFileSync(sandbox.file, "utf8")) as Settings
    reading = await readContract(settings, page, errorsPage)
    const rows = Object.entries(reading.parts).map(([part, findings]) => `${part} ${findings.length}`)
    process.stdout.write(`contract: ${rows.join(", ")}; ${reading.asked} requests; codes that need an operator: ${reading.needAnOperator.length}\n`)
  }, 240_000)
  afterAll(() => sandbox.stop())

  it("has every row that it had when it was last counted", () => {
    const counts = Object.fromEntries(Object.entries(reading.parts).map(([part, findings]) => [part, findings.length]))
    expect(counts).toEqual({
      operations: 23, scopes: 11, bodies: 1, "fields of a sale": 25, "fields of a product": 7, "rules of sale and refund": 7, "document statuses": 4, "refund statuses": 5, lists: 12, codes: 36,
      "where the code is": 8
    })
  })

  it("agrees with the service in every row", () => {
    const deviations = Object.entries(reading.parts).flatMap(([part, findings]) => findings.filter(({ deviations: one }) => one.length > 0).map((one) => [part, one]))
    expect(deviations).toEqual([])
  })

  it("leaves to the operator's tests only the codes that no caller brings about", () => {
    const folders = ["../../test", "../../src/http"].map((name) => join(import.meta.dirname, name))
    const tests = folders.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith(".ts")).map((name) => readFileSync(join(folder, name), "utf8"))).join("\n")
    expect(reading.needAnOperator).toHaveLength(18)
    expect(reading.needAnOperator.filter((code) => !tests.includes(code))).toEqual([])
  })

  it("notices a contract that says something else", async () => {
    const changed = otherwise.reduce((text, [from, to]) => text.replace(from, to), page)
    for (const [from] of otherwise) expect(page.includes(from), from).toBe(true)
    const other = await readContract(settings, changed, errorsPage)
    for (const part of new Set(otherwise.map(([, , name]) => name))) expect([part, deviatingIn(other, part)]).toEqual([part, expect.toSatisfy((count: number) => count >= otherwise.filter(([, , name]) => name === part).length)])
  }, 240_000)
})
