import { BusinessPremiseId, noFilter, OrganizationId, type Tenant } from "@overa/domain"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { journalKeys } from "../src/journal/journalKeys.ts"
import { monthNumbering } from "../src/journal/journalTerms.ts"
import type { PgQueries } from "../src/PgDatabase.ts"

const id = "01936b0e-0a00-7000-8000-000000000000"
const tenant: Tenant = { organizationId: OrganizationId.make(id), environment: "production" }
const filter = { ...noFilter, businessPremiseId: BusinessPremiseId.make(id) }
const documents = 100_000

/** A journal whose latest documents match: windows are read one by one, the index finds what is behind them. Answers statements and documents. */
const search = async (matching: number, limit: number) => {
  const documentOf = (at: number) => ({ operation_id: String(at).padStart(8, "0"), created_at: new Date(Date.UTC(2026, 0, 1) - at * 1_000) })
  const matches = (at: number): boolean => at < matching
  let [statements, compared] = [0, 0]
  const answerOf = (sql: string): ReadonlyArray<object> => {
    if (sql.includes("journal_horizons")) return [{ taken_to: new Date(Date.UTC(2027, 0, 1)), first_at: documentOf(documents).created_at }]
    const size = Number(/ limit (\d+)\)/.exec(sql)?.[1])
    if (!sql.includes("with recent")) return Array.from({ length: Math.max(0, matching - compared) }, (_, at) => documentOf(compared + at))
    const from = compared
    compared = Math.min(documents, compared + size)
    return Array.from({ length: compared - from }, (_, at) => from + at).flatMap((at, place) =>
      matches(at) || place + 1 === size
        ? [{ ...documentOf(at), place: BigInt(place + 1), found: matches(at), undecided: false, invoice_number: null }]
        : [])
  }
  const query = <Row extends object>(sql: string) => Effect.sync(() => {
    statements += 1
    return answerOf(sql) as ReadonlyArray<Row>
  })
  const database: PgQueries = { query, read: query }
  const keys = await Effect.runPromise(journalKeys(database, { tenant, filter, behind: null, limit }))
  return { statements, found: new Set(keys.map((key) => key.id)).size }
}

describe("a search of the journal", () => {
  it.each([
    [0, 2_001], [200, 201], [399, 2_001], [1_000, 2_001], [1_990, 2_001], [2_000, 2_001], [9_990, 10_001], [10_000, 10_001], [documents, 10_001]
  ])("of whose documents the latest %i match finds all of them, up to %i, with few statements", async (matching, limit) => {
    const { found, statements } = await search(matching, limit)
    expect(found).toBe(Math.min(matching, limit))
    expect(statements).toBeLessThan(12)
  })
})

/** What a search by text looks entries up by, where no document of the windows has the text: the values of each such statement. */
const lookedUpBy = async (text: string, texts: ReadonlyArray<string>) => {
  const statements: Array<ReadonlyArray<unknown>> = []
  let reads = 0
  const last = new Date(Date.UTC(2026, 10, 15))
  const answerOf = (sql: string, values: ReadonlyArray<unknown>): ReadonlyArray<object> => {
    if (sql.includes("journal_horizons")) return [{ taken_to: new Date(Date.UTC(2027, 0, 1)), first_at: new Date(Date.UTC(2026, 8, 1)) }]
    if (sql.includes("with recent")) return [{ operation_id: id, created_at: last, place: 400n, found: false, undecided: false, invoice_number: null }]
    if (sql.startsWith("select exists")) return [{ some: false }]
    if (sql.includes("left(e.search_text")) {
      reads += 1
      return texts.map((said) => ({ text: said }))
    }
    if (sql.includes("e.search_terms")) statements.push(values)
    return []
  }
  const query = <Row extends object>(sql: string, values: ReadonlyArray<unknown> = []) => Effect.sync(() => answerOf(sql, values) as ReadonlyArray<Row>)
  await Effect.runPromise(journalKeys({ query, read: query }, { tenant, filter: { ...noFilter, text }, behind: null, limit: 51 }))
  return { reads, numbers: new Set(statements.flat(2)) }
}

describe("a search by text, far behind", () => {
  it("reads some texts once, and looks nothing up by the parts that most of them have", async () => {
    const texts = ["order-1", "order-2", "order-3", "order-4"]
    const { numbers, reads } = await lookedUpBy("order-99", texts)
    expect(reads).toBe(1)
    for (const month of ["2026-11", "2026-10", "2026-09"]) {
      const has = (part: string) => numbers.has(monthNumbering(tenant, month)(part))
      expect([month, has("-99"), has("r-9"), has("ord"), has("er-")]).toEqual([month, true, true, false, false])
    }
    const all = await lookedUpBy("order-99", [])
    expect(all.numbers.has(monthNumbering(tenant, "2026-11")("ord"))).toBe(true)
  })
})
