import { parseArgs } from "node:util"
import { runSeed } from "./runSeed.ts"

const usage = `Runs the service in simulated worlds, one per seed, and checks every promise after each.

  npm run simulate -- --seeds 10000          as many seeds, from 1
  npm run simulate -- --from 5000 --seeds 10 seeds 5000 to 5009
  npm run simulate -- --seed 1656            one seed, with everything that happened in it`

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) {
    process.stderr.write(`--${name} must be a whole number, not ${text}\n`)
    process.exit(2)
  }
  return value
}

const options = () => {
  try {
    return parseArgs({
      options: {
        seeds: { type: "string", default: "2000" },
        from: { type: "string", default: "1" },
        seed: { type: "string" },
        help: { type: "boolean", default: false }
      }
    }).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`)
    return process.exit(2)
  }
}

const replay = (seed: number): number => {
  const report = runSeed(seed)
  process.stdout.write(`${report.log.join("\n")}\n\n`)
  process.stdout.write(report.violations.length === 0 ? "every promise was kept\n" : `${report.violations.join("\n")}\n`)
  return report.violations.length
}

const runMany = (from: number, seeds: number): number => {
  const statuses: Record<string, number> = {}
  let receipts = 0
  let broken = 0
  for (let seed = from; seed < from + seeds; seed++) {
    const report = runSeed(seed)
    receipts += report.receipts
    for (const [status, count] of Object.entries(report.statuses)) statuses[status] = (statuses[status] ?? 0) + count
    if (report.violations.length === 0) continue
    broken += 1
    process.stdout.write(`seed ${seed}:\n  ${report.violations.join("\n  ")}\n  replay: npm run simulate -- --seed ${seed}\n`)
  }
  const found = Object.entries(statuses).map(([status, count]) => `${count} ${status}`).join(", ")
  process.stdout.write(`${seeds} seeds, ${receipts} receipts signed, ${found}; ${broken} seeds with a broken promise\n`)
  return broken
}

const chosen = options()
if (chosen.help) {
  process.stdout.write(`${usage}\n`)
} else {
  const broken = chosen.seed === undefined
    ? runMany(wholeNumber("from", chosen.from), wholeNumber("seeds", chosen.seeds))
    : replay(wholeNumber("seed", chosen.seed))
  process.exitCode = broken === 0 ? 0 : 1
}
