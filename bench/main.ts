/**
 * Runs the benchmarks one after another and stores their ratios.
 *
 *   npm run bench                                 # all of them
 *   npm run bench -- domain-sale vpfr-client      # some
 *   npm run bench -- --compare                    # fails where a ratio is worse than bench/baseline.json by more than 15 %
 *   npm run bench -- --write "4 cores, quiet"     # stores the measured ratios as the baseline, with the conditions
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { type Baseline, type Figure, figuresIn, worseThan } from "./support/figures.ts"

const all = ["domain-sale", "vpfr-client", "store-commits", "sale-path"]
const baselineFile = fileURLToPath(new URL("./baseline.json", import.meta.url))

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const run = async (name: string): Promise<ReadonlyArray<Figure>> => {
  say(`— ${name}`)
  const entry = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, ["--conditions=@overa/source", entry], { stdio: ["ignore", "pipe", "inherit"] })
  let output = ""
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString()
    process.stdout.write(chunk)
  })
  const [code] = await once(child, "close")
  const figures = figuresIn(output)
  if (figures.length === 0) throw new Error(`${name} ended with ${code} and said no figure`)
  return figures
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { compare: { type: "boolean" }, write: { type: "string" } } })
const baseline = JSON.parse(readFileSync(baselineFile, "utf8")) as Baseline
const figures: Array<Figure> = []
for (const name of positionals.length === 0 ? all : positionals) figures.push(...(await run(name)))

if (values.write !== undefined) {
  const measured = new Set(figures.map(({ name }) => name))
  const kept = baseline.figures.filter(({ name }) => !measured.has(name))
  const written: Baseline = { taken: values.write, figures: [...kept, ...figures].toSorted((left, right) => (left.name < right.name ? -1 : 1)) }
  writeFileSync(baselineFile, `${JSON.stringify(written, null, 2)}\n`)
  say(`${figures.length} figures kept in bench/baseline.json`)
}
if (values.compare === true) {
  const known = new Set(baseline.figures.map(({ name }) => name))
  for (const { name, value } of figures) if (!known.has(name)) say(`not in the baseline: ${name}: ${value.toFixed(2)}`)
  const worse = worseThan(baseline, figures)
  for (const line of worse) say(`WORSE  ${line}`)
  say(worse.length === 0 ? `${figures.length} figures, none worse than the baseline (${baseline.taken})` : `${worse.length} of ${figures.length} figures are worse`)
  process.exitCode = worse.length === 0 ? 0 : 1
}
