import type { RunReport } from "./runSeed.ts"

type Counts = Record<string, number>

/** The sums over many worlds. */
export interface SimulationTotals {
  seeds: number
  receipts: number
  deliveries: number
  /** Gaps in elements' counters on the attention list. */
  gaps: number
  /** What is excused, by what was lost. */
  excused: Counts
  simulatedMillis: number
  statuses: Counts
  kinds: Counts
  faults: Counts
  /** How many worlds have met something. */
  met: Counts
  /** Seeds with a broken guarantee, and which ones. */
  broken: Array<{ readonly seed: number; readonly violations: ReadonlyArray<string> }>
}

export const noTotals = (): SimulationTotals => ({ seeds: 0, receipts: 0, deliveries: 0, gaps: 0, excused: {}, simulatedMillis: 0, statuses: {}, kinds: {}, faults: {}, met: {}, broken: [] })

const add = (into: Counts, counts: Readonly<Counts>): void => {
  for (const [name, count] of Object.entries(counts)) into[name] = (into[name] ?? 0) + count
}

/** Adds one world. */
export const addRun = (totals: SimulationTotals, report: RunReport): void => {
  totals.seeds += 1
  totals.receipts += report.receipts
  totals.gaps += report.gaps
  add(totals.excused, report.excused)
  totals.simulatedMillis += report.simulatedMillis
  add(totals.statuses, report.statuses)
  add(totals.kinds, report.kinds)
  add(totals.faults, report.faults)
  add(totals.met, Object.fromEntries(report.met.map((what) => [what, 1])))
  if (report.violations.length > 0) totals.broken.push({ seed: report.seed, violations: report.violations.map(String) })
}

/** Adds the totals of other worlds. */
export const addTotals = (totals: SimulationTotals, more: SimulationTotals): void => {
  totals.seeds += more.seeds
  totals.receipts += more.receipts
  totals.deliveries += more.deliveries
  totals.gaps += more.gaps
  add(totals.excused, more.excused)
  totals.simulatedMillis += more.simulatedMillis
  add(totals.statuses, more.statuses)
  add(totals.kinds, more.kinds)
  add(totals.faults, more.faults)
  add(totals.met, more.met)
  totals.broken.push(...more.broken)
}

const yearMillis = 365.25 * 86_400_000

const byCount = (counts: Readonly<Counts>): ReadonlyArray<readonly [string, number]> => Object.entries(counts).toSorted(([, one], [, other]) => other - one)

const cell = (count: number): string => count.toLocaleString("en")

const inTable = (head: string, counts: Readonly<Counts>): string =>
  [`| ${head} | Count |`, "| --- | --- |", ...byCount(counts).map(([name, count]) => `| ${name} | ${cell(count)} |`)].join("\n")

/** What only some worlds meet: a world of these must be among them, or what is said of it is not shown. */
const worldsTable = ({ met, seeds }: SimulationTotals): string =>
  ["| Worlds that met | Of the seeds |", "| --- | --- |", ...byCount(met).map(([what, count]) => `| ${what} | ${cell(count)} of ${cell(seeds)} |`)].join("\n")

/** The figures as docs/simulation.md shows them. */
export const totalsMarkdown = (totals: SimulationTotals, taken: { readonly commit: string; readonly date: string; readonly from: number }): string =>
  `Taken ${taken.date} at commit \`${taken.commit}\`, seeds ${taken.from} to ${taken.from + totals.seeds - 1}.

| Figure | Value |
| --- | --- |
| seeds | ${cell(totals.seeds)} |
| simulated years | ${(totals.simulatedMillis / yearMillis).toFixed(1)} |
| receipts signed | ${cell(totals.receipts)} |
| messages with receipts | ${cell(totals.deliveries)} |
| gaps in counters raised | ${cell(totals.gaps)} |
${byCount(totals.excused).map(([excuse, count]) => `| excused, each known here or told to a person: ${excuse} | ${cell(count)} |\n`).join("")}| **broken promises** | **${cell(totals.broken.length)}** |

${inTable("Receipts signed", totals.kinds)}

${inTable("Where documents ended", totals.statuses)}

${inTable("What struck", totals.faults)}

${worldsTable(totals)}
`
