import type { UpgradeVerdict } from "./upgradeAndBack.ts"

const lastOf = (steps: ReadonlyArray<number>): number => steps.at(-1) ?? 0

/** The matrix as a table for docs/operations/upgrade.md: errands finished in each state, and the time of each change. */
export const matrixTable = (verdicts: ReadonlyArray<UpgradeVerdict>): string => {
  const names = verdicts[0]?.stages.map(({ name }) => name) ?? []
  const head = ["From", "To", "Schema", ...names, "Receipts", "Differ"]
  const rows = verdicts.map(({ faults, from, receipts, stages, to }) => [
    from.name, to.name, `${lastOf(from.steps)} → ${lastOf(to.steps)}`, ...stages.map(({ done, seconds }) => `${done} in ${seconds.toFixed(0)} s`), receipts, faults.length
  ])
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")
}
