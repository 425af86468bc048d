import type { Planted } from "./plantedBugs.ts"
import type { RunReport } from "./runSeed.ts"

/** A planted bug and the first seed in which it showed, null where none did. */
export interface FoundPlanted extends Planted {
  readonly seed: number | null
  /** What showed it. */
  readonly violation: string | null
}

/** Seeds tried for a bug before it counts as not found. */
const mostSeeds = { memory: 2_000, months: 40, postgres: 400 } as const

/** The first seed in which one planted bug shows. */
export const lookFor = async (planted: Planted, run: (planted: Planted, seed: number) => Promise<RunReport>): Promise<FoundPlanted> => {
  for (let seed = 1; seed <= mostSeeds[planted.worlds]; seed++) {
    const [violation] = (await run(planted, seed)).violations
    if (violation !== undefined) return { ...planted, seed, violation }
  }
  return { ...planted, seed: null, violation: null }
}

const named = { memory: "memory", months: "memory, three months", postgres: "PostgreSQL" } as const

/** The table of docs/simulation.md. */
export const plantedMarkdown = (found: ReadonlyArray<FoundPlanted>, { commit, date }: { readonly commit: string; readonly date: string }): string =>
  `Taken ${date} at commit \`${commit}\`.

| Planted bug | Worlds | Found at seed |
| --- | --- | --- |
${found.map(({ seed, what, worlds }) => `| ${what} | ${named[worlds]} | ${seed ?? `not within ${mostSeeds[worlds]}`} |\n`).join("")}`
