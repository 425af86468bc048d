/** A ratio that is the same on fast and slow machines, compared from release to release (`npm run bench -- --compare`). */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly better: "lower" | "higher"
}

const mark = "figure: "

/** Prints a figure; programs read the last words of its line. */
export const tellFigure = (figure: Figure): void => void process.stdout.write(`${mark}${JSON.stringify(figure)}\n`)

/** Prints a figure next to its bound; a program that missed one ends with 1. */
export const tellBounded = (figure: Figure, bound: number): void => {
  const holds = figure.better === "lower" ? figure.value <= bound : figure.value >= bound
  process.stdout.write(`${figure.name}: ${figure.value.toFixed(2)}, asked: at ${figure.better === "lower" ? "most" : "least"} ${bound}${holds ? "" : "  MISSED"}\n`)
  tellFigure(figure)
  if (!holds) process.exitCode = 1
}

/** Prints a value only if it is beyond its limit; a program with such a value ends with 1. */
export const expectAtMost = (what: string, found: number, limit: number): void => {
  if (found <= limit) return
  process.exitCode = 1
  process.stdout.write(`  MISSED: ${what} is ${found.toFixed(2)}, the limit is ${limit}\n`)
}

/** The figures in a benchmark's output. */
export const figuresIn = (output: string): ReadonlyArray<Figure> =>
  output.split("\n").filter((line) => line.startsWith(mark)).map((line) => JSON.parse(line.slice(mark.length)) as Figure)

/** How much worse a figure may be than the baseline's before it counts: machines and moments differ. */
export const tolerance = 0.15

export interface Baseline {
  /** The machine and conditions of the measurement. */
  readonly taken: string
  readonly figures: ReadonlyArray<Figure>
}

/** The figures that are worse than the baseline by more than the tolerance; a sentence for each. */
export const worseThan = (baseline: Baseline, figures: ReadonlyArray<Figure>): ReadonlyArray<string> =>
  figures.flatMap((figure) => {
    const before = baseline.figures.find(({ name }) => name === figure.name)
    if (before === undefined) return []
    const change = figure.better === "lower" ? figure.value / before.value : before.value / figure.value
    return change > 1 + tolerance ? [`${figure.name}: ${figure.value.toFixed(2)}, was ${before.value.toFixed(2)} (${figure.better} is better)`] : []
  })
