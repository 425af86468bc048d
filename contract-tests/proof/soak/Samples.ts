import { programs, type SoakSite } from "./SoakSite.ts"

/** What a program held, by the minute of the run. */
export interface Sample {
  readonly minute: number
  readonly program: string
  readonly megabytes: number
  readonly handles: number
}

const everyMillis = 5_000

const median = (numbers: ReadonlyArray<number>): number => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

/** Watches what the programs hold of the machine. */
export class Samples {
  readonly all: Array<Sample> = []
  private readonly started = performance.now()
  private readonly timer: NodeJS.Timeout

  constructor(site: SoakSite) {
    this.timer = setInterval(() => {
      const minute = (performance.now() - this.started) / 60_000
      for (const program of programs) {
        const holding = site.process(program).holds
        if (holding !== null) this.all.push({ minute, program, ...holding })
      }
    }, everyMillis)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** The median of one part of the run, from `from` to `to` of its length. */
  medianOf(program: string, what: "megabytes" | "handles", from: number, to: number): number {
    const last = this.all.at(-1)?.minute ?? 0
    return median(this.all.filter((sample) => sample.program === program && sample.minute >= from * last && sample.minute <= to * last).map((sample) => sample[what]))
  }

  /**
   * Sentences about programs that were left in peace and hold more at the end than in the second quarter, when everything was loaded. Memory may differ by
   * a quarter, as collections come and go.
   */
  growth(): ReadonlyArray<string> {
    return ["api-2", "worker-2"].flatMap((program) => (["megabytes", "handles"] as const).flatMap((what) => {
      const [early, late] = [this.medianOf(program, what, 0.25, 0.5), this.medianOf(program, what, 0.75, 1)]
      const most = what === "megabytes" ? early * 1.25 + 30 : early + 20
      return late > most ? [`${program} held ${early.toFixed(0)} ${what} in the second quarter and ${late.toFixed(0)} in the last`] : []
    }))
  }
}
