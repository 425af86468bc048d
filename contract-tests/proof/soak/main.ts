/**
 * A whole installation under load for a long time, disturbed in turn, and compared at the end.
 *
 *   npm run soak -- [--minutes 60] [--rate 5] [--only <part of a disturbance's name>]… [--from <archive|commit>] [--report FILE]
 *
 * With `--from`, a host is also replaced by that release's, and comes back.
 */
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { installRelease } from "../upgrade/installRelease.ts"
import { disturbances, upgrade } from "./disturbances.ts"
import { report } from "./report.ts"
import { soak } from "./soak.ts"

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, rate: { type: "string", default: "5" }, only: { type: "string", multiple: true, default: [""] }, from: { type: "string" }, report: { type: "string" } }
})
const release = values.from === undefined ? null : installRelease(values.from)
const all = [...disturbances, ...(release === null ? [] : [upgrade(release.folder, release.name)])]
const stopping = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort(new Error("stopped before its end")))
const verdict = await soak({
  stop: stopping.signal,
  minutes: Number(values.minutes),
  errandsPerSecond: Number(values.rate),
  disturbances: all.filter(({ name }) => values.only.some((part) => name.includes(part))),
  say: (line) => void process.stdout.write(`${line}\n`)
}).finally(() => release?.remove())
for (const { faults, pairs, what } of verdict.comparisons) {
  process.stdout.write(`${faults.length === 0 ? "agree" : "DIFFER"}  ${what}: ${pairs}\n`)
  for (const fault of faults.slice(0, 20)) process.stdout.write(`        ${fault}\n`)
}
const growth = verdict.samples.growth()
for (const line of growth) process.stdout.write(`GROWS   ${line}\n`)
if (values.report !== undefined) writeFileSync(values.report, report(verdict))
process.exitCode = verdict.comparisons.every(({ faults }) => faults.length === 0) && growth.length === 0 ? 0 : 1
