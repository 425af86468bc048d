import { programs } from "./SoakSite.ts"
import type { SoakVerdict } from "./soak.ts"

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

const quantile = (numbers: ReadonlyArray<number>, part: number): string =>
  (numbers.toSorted((one, other) => one - other)[Math.floor(part * (numbers.length - 1))] ?? 0).toFixed(0)

/** What a run did and found, as the tables of docs/soak.md. */
export const report = ({ begun, comparisons, happened, heldBack, minutes, samples, site }: SoakVerdict): string => {
  const families = new Map<string, number>()
  for (const { ledger } of site.shops) for (const [family, count] of ledger.done) families.set(family, (families.get(family) ?? 0) + count)
  const millis = site.shops.flatMap(({ ledger }) => ledger.millis)
  const quarters = [0, 0.25, 0.5, 0.75]
  const held = programs.flatMap((program) => (["megabytes", "handles"] as const).map((what) =>
    [program, what === "megabytes" ? "memory, MB" : "handles", ...quarters.map((from) => samples.medianOf(program, what, from, from + 0.25).toFixed(0))]))
  return [
    `${minutes.toFixed(0)} minutes, ${begun} errands begun (${heldBack} held back because 300 waited), ${site.shops.reduce((sum, { ledger }) => sum + ledger.receipts.length, 0)} receipts told to shops. ` +
      `An errand took ${quantile(millis, 0.5)} ms in the middle, ${quantile(millis, 0.99)} ms for one in a hundred, ${quantile(millis, 1)} ms at most.`,
    table(["Compared at the end", "Pairs", "Differ"], comparisons.map(({ faults, pairs, what }) => [what, pairs, faults.length])),
    table(["Errands", "Done"], [...families]),
    table(["Minute", "What happened", ""], happened.map(({ minute, name, what }) => [minute.toFixed(1), name, what])),
    table(["Program", "Holds (median)", "1st quarter", "2nd", "3rd", "4th"], held)
  ].join("\n\n") + "\n"
}
