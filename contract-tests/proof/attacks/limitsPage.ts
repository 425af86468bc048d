import { readFileSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus } from "node:os"
import type { Point } from "./main.ts"

const file = new URL("../../../docs/operations/limits.md", import.meta.url)
const [begin, end] = ["<!-- figures -->", "<!-- end of figures -->"]

const rowOf = ({ host, victim, what }: Point): string =>
  `| ${what} | ${victim.p50} | ${victim.p99} | ${Object.values(victim.failures).reduce((sum, count) => sum + count, 0)} | ${host.longestLoopMillis} | ${host.peakMegabytes} | ${host.cpuPercent} |`

/** Writes the figures of a run into the page, with the machine on which they were taken. */
export const writeFigures = (points: ReadonlyArray<Point>, seconds: number): void => {
  const page = readFileSync(file, "utf8")
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/operations/limits.md has lost its marks ${begin} and ${end}`)
  const table = [
    `Taken with \`npm run attack -- --write\`, ${seconds} s for each line, on ${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}) that PostgreSQL, the simulator, the attacker and the victim shared.`,
    "",
    "| Attack | Victim's p50, ms | p99, ms | Sales that failed | Event loop away at most, ms | Memory peak, MB | Of one core, % |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...points.map(rowOf)
  ].join("\n")
  writeFileSync(file, `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`)
}
