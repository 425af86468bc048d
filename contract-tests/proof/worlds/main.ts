import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { type FoundPlanted, lookFor, plantedMarkdown } from "./lookForPlanted.ts"
import { plantedBugs } from "./plantedBugs.ts"
import type { Part } from "./runPart.ts"
import { startWorldServer } from "./postgres/worldServer.ts"
import { worldsOn } from "./postgres/worldsOn.ts"
import { runParts } from "./runParts.ts"
import { runSeed } from "./runSeed.ts"
import { addTotals, noTotals, type SimulationTotals, totalsMarkdown } from "./SimulationTotals.ts"

const usage = `Runs the service in simulated worlds, one per seed, on all cores, and checks every promise after each.

  npm run simulate -- --seeds 10000           as many seeds, from 1
  npm run simulate -- --from 5000 --seeds 10  seeds 5000 to 5009
  npm run simulate -- --seeds 100000 --write  writes the figures into docs/simulation.md
  npm run simulate -- --seed 1656             one seed, with everything that happened in it
  npm run simulate -- --months --seeds 100    worlds that last three months
  npm run simulate -- --store postgres        the same worlds on PostgreSQL, with the product's own statements
  npm run simulate -- --planted               plants every bug in turn, and says at which seed it is found

What was run is kept in reports/ by commit, so a run that was stopped goes on where it was; --fresh forgets it. --processes says how many run at once.`

const seedsPerPart = 250
const page = "docs/simulation.md"

const fail = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`)
  return process.exit(2)
}

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text)
  return Number.isInteger(value) && value >= 0 ? value : fail(`--${name} must be a whole number, not ${text}`)
}

const options = () => {
  try {
    return parseArgs({
      options: {
        seeds: { type: "string", default: "2000" },
        from: { type: "string", default: "1" },
        seed: { type: "string" },
        store: { type: "string", default: "memory" },
        processes: { type: "string" },
        months: { type: "boolean", default: false },
        planted: { type: "boolean", default: false },
        fresh: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        help: { type: "boolean", default: false }
      }
    }).values
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}

/** Runs something with a PostgreSQL for worlds. */
const onServer = async <A>(use: (server: Awaited<ReturnType<typeof startWorldServer>>) => Promise<A>): Promise<A> => {
  const server = await startWorldServer()
  try {
    return await use(server)
  } finally {
    await server.destroy()
  }
}

const replayOnPostgres = (seed: number, months: boolean) =>
  onServer(async ({ database }) => {
    const worlds = await worldsOn(await database("world"))
    const report = await worlds.run(seed, null, months)
    await worlds.close()
    return report
  })

const replay = async (seed: number, { months, store }: ReturnType<typeof options>): Promise<number> => {
  const report = store === "postgres" ? await replayOnPostgres(seed, months) : await runSeed(seed, null, undefined, undefined, months)
  process.stdout.write(`${report.log.join("\n")}\n\n`)
  process.stdout.write(report.violations.length === 0 ? "every promise was kept\n" : `${report.violations.join("\n")}\n`)
  return report.violations.length
}

const git = (...args: ReadonlyArray<string>): string => execFileSync("git", [...args], { encoding: "utf8" }).trim()

/** The commit of the sources; results of changed sources are not stored. */
const sourcesOf = (): { readonly commit: string; readonly isChanged: boolean } => ({
  commit: git("rev-parse", "--short=12", "HEAD"),
  isChanged: git("status", "--porcelain", "--", "domain", "adapters/memory", "adapters/postgres", "contract-tests").length > 0
})

interface Kept {
  readonly part: Part
  readonly totals: SimulationTotals
}

/** Complete lines only: the last one may have been cut off when the run was stopped. */
const keptIn = (file: string): ReadonlyArray<Kept> =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1).map((line) => JSON.parse(line) as Kept) : []

const partsOf = (from: number, seeds: number, months: boolean): ReadonlyArray<Part> =>
  Array.from({ length: Math.ceil(seeds / seedsPerPart) }, (_, at) => {
    const first = from + at * seedsPerPart
    return { from: first, months, seeds: Math.min(seedsPerPart, from + seeds - first) }
  })

const writeFigures = (of: string, figures: string): void => {
  const text = readFileSync(page, "utf8")
  const [begin, end] = [`<!-- figures ${of}: begin -->\n`, `<!-- figures ${of}: end -->`]
  if (!text.includes(begin) || !text.includes(end)) fail(`${page} has no place for the figures of ${of}`)
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
  writeFileSync(page, `${text.slice(0, from)}${figures}${text.slice(to)}`)
}

/** Plants every bug in turn; answers how many were not found. */
const plantAll = ({ write }: ReturnType<typeof options>): Promise<number> =>
  onServer(async ({ database }) => {
    const worlds = await worldsOn(await database("world"))
    const found: Array<FoundPlanted> = []
    for (const planted of plantedBugs) {
      const one = await lookFor(planted, ({ bug, worlds: where }, seed) => where === "postgres" ? worlds.run(seed, bug) : runSeed(seed, bug, undefined, undefined, where === "months"))
      process.stdout.write(`${one.bug}: ${one.seed === null ? "NOT FOUND" : `seed ${one.seed}, ${one.violation}`}\n`)
      found.push(one)
    }
    await worlds.close()
    if (write) writeFigures("planted", plantedMarkdown(found, { commit: sourcesOf().commit, date: new Date().toISOString().slice(0, 10) }))
    return found.filter(({ seed }) => seed === null).length
  })

/** A process of worlds on PostgreSQL and its server take turns: half as many again keep all cores at work. */
const processesFor = (store: string): number => store === "postgres" ? Math.ceil(availableParallelism() * 1.5) : availableParallelism()

const runMany = async (chosen: ReturnType<typeof options>): Promise<number> => {
  const [from, seeds] = [wholeNumber("from", chosen.from), wholeNumber("seeds", chosen.seeds)]
  const { commit, isChanged } = sourcesOf()
  const file = join("reports", `simulation-${chosen.store}${chosen.months ? "-months" : ""}-${commit}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  // A line that was cut off is removed.
  writeFileSync(file, chosen.fresh ? "" : keptIn(file).map((one) => `${JSON.stringify(one)}\n`).join(""))
  const kept = new Map((isChanged ? [] : keptIn(file)).map((one) => [`${one.part.from}+${one.part.seeds}`, one.totals]))
  const totals = noTotals()
  const parts = partsOf(from, seeds, chosen.months)
  const missing = parts.filter((part) => !kept.has(`${part.from}+${part.seeds}`))
  for (const part of parts) addTotals(totals, kept.get(`${part.from}+${part.seeds}`) ?? noTotals())
  if (missing.length < parts.length) process.stdout.write(`${totals.seeds} seeds of this commit were run before\n`)
  const found = (part: Part, found: SimulationTotals): void => {
    if (!isChanged) appendFileSync(file, `${JSON.stringify({ part, totals: found } satisfies Kept)}\n`)
    addTotals(totals, found)
    for (const { seed, violations } of found.broken) {
      process.stdout.write(`seed ${seed}:\n  ${violations.join("\n  ")}\n  replay: npm run simulate -- --store ${chosen.store} --seed ${seed}\n`)
    }
  }
  const processes = chosen.processes === undefined ? processesFor(chosen.store) : wholeNumber("processes", chosen.processes)
  if (chosen.store === "postgres") await onServer(({ database }) => runParts(missing, processes, (number) => database(`world_${number}`), found))
  else await runParts(missing, processes, null, found)
  const date = new Date().toISOString().slice(0, 10)
  process.stdout.write(`${totalsMarkdown(totals, { commit, date, from })}\n`)
  if (chosen.write) writeFigures(chosen.months ? `${chosen.store}, three months` : chosen.store, totalsMarkdown(totals, { commit: isChanged ? `${commit} with changes` : commit, date, from }))
  return totals.broken.length
}

const chosen = options()
if (chosen.store !== "memory" && chosen.store !== "postgres") fail(`--store must be memory or postgres, not ${chosen.store}`)
if (chosen.help) process.stdout.write(`${usage}\n`)
else if (chosen.planted) process.exitCode = await plantAll(chosen) === 0 ? 0 : 1
else process.exitCode = (chosen.seed === undefined ? await runMany(chosen) : await replay(wholeNumber("seed", chosen.seed), chosen)) === 0 ? 0 : 1
