import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { type Share, sharesTable } from "./Stopwatch.ts"
import { suiteShares } from "./suiteShares.ts"

const reportFile = "reports/test-times.json"

/** The checks that a change must pass, cheapest first; the first failure ends it (Decisions §8). */
const steps: ReadonlyArray<readonly [name: string, program: string, args: ReadonlyArray<string>]> = [
  ["types", "tsc", ["-p", "tsconfig.json"]],
  ["types of the verifier's page", "tsc", ["-p", "verify/tsconfig.page.json"]],
  ["Effect diagnostics", process.execPath, ["tools/effectDiagnostics.ts"]],
  ["lint", "oxlint", ["--deny-warnings"]],
  ["dependency rules", "vitest", ["run", "tools/tidy.test.ts"]],
  ["npm test", "npm", ["test", "--", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`]]
]

const run = (): boolean => {
  const shares: Array<Share> = []
  for (const [name, program, args] of steps) {
    process.stdout.write(`\n── ${name}\n`)
    const from = performance.now()
    const { error, status } = spawnSync(program, args, { stdio: "inherit" })
    shares.push({ name, seconds: (performance.now() - from) / 1_000 })
    if (status === 0) continue
    process.stdout.write(`\ncheck: ${name} failed${error === undefined ? "" : `: ${error.message}`}\n`)
    return false
  }
  process.stdout.write(`\n${sharesTable("check, where the time went", shares)}\n`)
  if (existsSync(reportFile)) process.stdout.write(`\n${sharesTable("npm test, working time per suite", suiteShares(reportFile))}\n`)
  return true
}

mkdirSync("reports", { recursive: true })
rmSync(reportFile, { force: true })
process.exitCode = run() ? 0 : 1
