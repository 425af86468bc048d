import { readFileSync } from "node:fs"
import { relative } from "node:path"
import type { Share } from "./Stopwatch.ts"

interface FileResult {
  readonly name: string
  readonly startTime: number
  readonly endTime: number
}

/** `contract-tests/proof/crash/crash.test.ts` → `contract-tests: crash`; every other file belongs to its package's suite. */
const suiteOf = (file: string): string => {
  const parts = relative(process.cwd(), file).split("/")
  if (parts[0] === "contract-tests") return `contract-tests: ${(parts.at(-1) ?? "").split(".")[0]}`
  if (parts[0] === "domain") return `domain: ${parts[2] ?? "other"}`
  return parts.slice(0, ["tools", "client", "orders", "verify"].includes(parts[0] ?? "") ? 1 : 2).join("/")
}

/**
 * Each suite's working time from vitest's own report. Files run in parallel, so the sum is more than the elapsed time; the shares show where the time
 * goes.
 */
export const suiteShares = (reportFile: string): ReadonlyArray<Share> => {
  const report = JSON.parse(readFileSync(reportFile, "utf8")) as { readonly testResults: ReadonlyArray<FileResult> }
  const seconds = new Map<string, number>()
  for (const { endTime, name, startTime } of report.testResults) {
    const suite = suiteOf(name)
    seconds.set(suite, (seconds.get(suite) ?? 0) + (endTime - startTime) / 1_000)
  }
  return [...seconds].map(([name, spent]) => ({ name, seconds: spent })).toSorted((a, b) => b.seconds - a.seconds)
}
