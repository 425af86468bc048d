/**
 * Upgrades with real packages while shops sell: each named release is installed as an operator does, is replaced by this commit's, and comes back.
 *
 *   npm run upgrade:matrix -- --from <archive|commit> [--from …] [--to <archive|commit>] [--seconds 20] [--rate 3]
 */
import { parseArgs } from "node:util"
import { installRelease } from "./installRelease.ts"
import { matrixTable } from "./matrixTable.ts"
import { upgradeAndBack, type UpgradeVerdict } from "./upgradeAndBack.ts"

const { values } = parseArgs({
  options: {
    from: { type: "string", multiple: true, default: [] },
    to: { type: "string", default: "HEAD" },
    seconds: { type: "string", default: "20" },
    rate: { type: "string", default: "3" }
  }
})
const say = (line: string): void => void process.stdout.write(`${line}\n`)
if (values.from.length === 0) {
  say("upgrade:matrix: name at least one earlier release: --from <archive|commit>")
  process.exit(1)
}
const to = installRelease(values.to)
const verdicts: Array<UpgradeVerdict> = []
try {
  for (const name of values.from) {
    const from = installRelease(name)
    try {
      verdicts.push(await upgradeAndBack(from, to, { seconds: Number(values.seconds), errandsPerSecond: Number(values.rate), say }))
    } finally {
      from.remove()
    }
  }
} finally {
  to.remove()
}
for (const { faults, from } of verdicts) for (const fault of faults) say(`${from.name}: ${fault}`)
say(matrixTable(verdicts))
process.exitCode = verdicts.every(({ faults }) => faults.length === 0) ? 0 : 1
