/**
 * How the fiscal rules are written down so that they can be run and read.
 *
 *     rule("REFUND-2", {
 *       says: "All refunds of a line together never exceed the quantity that was sold.",
 *       source: "Spec, Refunds rule 2",
 *       proves: ["REFUND_CUMULATIVE_QUANTITY_EXCEEDED"]
 *     }, ({ holds, holdsForEvery, holdsForHistories }) => {
 *       holds("in any order, what was accepted stays within the sale", { sold: quantity, asked: fc.array(quantity) },
 *         ({ sold, asked }) => isAtMost(sumOfAccepted(sold, asked), sold))
 *       holdsForEvery("each listed limit is refused one step beyond it", limits, (limit) => isRefused(limit.beyond))
 *       holdsForHistories("whatever the order of events", fc.commands([...]), () => ({ model, real }))
 *     })
 *
 * A rule has a stable id, its sentence in our words, where it comes from, the codes of the error catalogue it proves, and claims:
 *
 * - `holds`: the claim is tried on many generated cases; it must answer `true` for each, or its conditions by name, `{ "the total stays": … }`, of which a
 *   failure then names the false ones beside the case;
 * - `holdsForEvery`: the claim is tried on every row of a finite table, none left out;
 * - `holdsForHistories`: generated sequences of events run against the code and against a simple model beside it; the commands
 *   carry the claims.
 *
 * Settings from outside: OVERA_RULES_SEED (a number replays a run; `time` takes a new one each time), OVERA_RULES_CASES (cases per
 * claim; a claim with a number of its own has more or fewer in proportion), OVERA_RULES_SEEDS (so many seeds, from the first on, each with all its cases), OVERA_RULES_REPORT (a folder that receives one JSON file of records per rule file, read by `npm run rules`).
 */
import * as fc from "fast-check"
import { mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"

/** The record that a run writes about one claim. */
export interface ClaimRecord {
  readonly sentence: string
  readonly kind: "cases" | "rows" | "histories"
  readonly run: number
  readonly seed: number | null
}

/** The record that a run writes about one rule. */
export interface RuleRecord {
  readonly id: string
  readonly says: string
  readonly source: string
  readonly proves: ReadonlyArray<string>
  readonly claims: Array<ClaimRecord>
}

export interface RuleText {
  /** The rule, one sentence, in our words. */
  readonly says: string
  /** The source that lays it down, e.g. `Spec, Refunds rule 2; Decisions §5, Money`. */
  readonly source: string
  /** Codes of the error catalogue whose refusal this rule shows. */
  readonly proves?: ReadonlyArray<string>
}

/** Whether a claim holds, or each of its conditions by name. */
export type Holds = boolean | Readonly<Record<string, boolean>>

/** The conditions that do not hold; empty where the claim holds. */
const brokenOf = (answer: Holds): ReadonlyArray<string> => {
  if (typeof answer === "boolean") return answer ? [] : ["the claim"]
  return Object.entries(answer).filter(([, isTrue]) => !isTrue).map(([name]) => `"${name}"`)
}

const demand = (answer: Holds, given: unknown): true => {
  const broken = brokenOf(answer)
  if (broken.length > 0) throw new Error(`${broken.join(" and ")} does not hold for ${fc.stringify(given)}`)
  return true
}

export interface Claims {
  readonly holds: <Case extends Record<string, unknown>>(
    sentence: string,
    given: { readonly [Name in keyof Case]: fc.Arbitrary<Case[Name]> },
    claim: (given: Case) => Holds,
    options?: { readonly cases?: number }
  ) => void
  readonly holdsForEvery: <Row>(
    sentence: string,
    rows: ReadonlyArray<Row>,
    claim: (row: Row) => Holds
  ) => void
  readonly holdsForHistories: <Model extends object, Real>(
    sentence: string,
    histories: fc.Arbitrary<Iterable<fc.Command<Model, Real>>>,
    start: () => { model: Model; real: Real },
    options?: { readonly cases?: number }
  ) => void
}

/** The seed of the committed docs/rules.md. Any number would do; it must only stay the same. */
const fixedSeed = 20_260_829

const seedFrom = (setting: string | undefined): number => {
  if (setting === undefined || setting === "") return fixedSeed
  if (setting === "time") return Math.trunc(performance.timeOrigin + performance.now()) % 2 ** 31
  const seed = Number(setting)
  if (!Number.isInteger(seed)) throw new Error(`OVERA_RULES_SEED must be a whole number or "time", not "${setting}"`)
  return seed
}

const countFrom = (name: string, otherwise: number): number => {
  const setting = process.env[name]
  const count = setting === undefined || setting === "" ? otherwise : Number(setting)
  if (!Number.isInteger(count) || count < 1) throw new Error(`${name} must be a whole number from 1, not "${setting}"`)
  return count
}

const seed = seedFrom(process.env["OVERA_RULES_SEED"])
const usualCases = 200
const defaultCases = countFrom("OVERA_RULES_CASES", usualCases)
const casesOf = (own = usualCases): number => Math.ceil((own * defaultCases) / usualCases)
const seeds = Array.from({ length: countFrom("OVERA_RULES_SEEDS", 1) }, (_, at) => seed + at)
const records: Array<RuleRecord> = []

/** Writes down a rule and runs its claims under vitest. */
export const rule = (id: string, text: RuleText, write: (claims: Claims) => void): void => {
  if (!/^[A-Z]+(-[A-Z0-9]+)+$/.test(id)) throw new Error(`"${id}" is no rule id: write TOPIC-NUMBER, e.g. REFUND-2`)
  if (records.some((record) => record.id === id)) throw new Error(`Rule ${id} is written twice in this file`)
  const record: RuleRecord = { id, says: text.says, source: text.source, proves: text.proves ?? [], claims: [] }
  records.push(record)
  describe(`${id}: ${text.says} (${text.source})`, () => write(claimsOf(record)))
}

const claimsOf = (record: RuleRecord): Claims => ({
  holds: (sentence, given, claim, options) =>
    it(sentence, () => {
      const cases = fc.property(fc.record(given) as fc.Arbitrary<Parameters<typeof claim>[0]>, (one) => demand(claim(one), one))
      record.claims.push(run(sentence, "cases", cases, casesOf(options?.cases)))
    }),
  holdsForEvery: (sentence, rows, claim) =>
    it(sentence, () => {
      expect(rows.length, "a table without rows proves nothing").toBeGreaterThan(0)
      for (const row of rows) demand(claim(row), row)
      record.claims.push({ sentence, kind: "rows", run: rows.length, seed: null })
    }),
  holdsForHistories: (sentence, histories, start, options) =>
    it(sentence, () => {
      const runs = fc.property(histories, (history) => fc.modelRun(start, history))
      record.claims.push(run(sentence, "histories", runs, casesOf(options?.cases)))
    })
})

const run = (
  sentence: string,
  kind: ClaimRecord["kind"],
  property: fc.IRawProperty<unknown, false>,
  numRuns: number
): ClaimRecord => {
  let tried = 0
  for (const each of seeds) {
    const details = fc.check(property as fc.IProperty<unknown>, { seed: each, numRuns })
    if (details.failed) throw new Error(`${fc.defaultReportMessage(details)}\nReplay with OVERA_RULES_SEED=${each}`)
    tried += details.numRuns
  }
  return { sentence, kind, run: tried, seed }
}

afterAll(() => {
  const folder = process.env["OVERA_RULES_REPORT"]
  if (folder === undefined || folder === "") return
  const file = basename(expect.getState().testPath ?? "unknown")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${file}.json`), JSON.stringify({ file, seed, records }))
})
