/** Label names and values of one series. */
export type Labels = Readonly<Record<string, string>>

const escaped = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\"", "\\\"")

/** `name{a="b"}`, or the bare name without labels. */
export const series = (name: string, labels: Labels): string => {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`)
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`
}

/** One metric with its help line and all its series, in Prometheus' format. */
export const metric = (
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: ReadonlyArray<readonly [labels: Labels, value: number]>
): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map(([labels, value]) => `${series(name, labels)} ${value}`), ""].join("\n")

interface Series {
  readonly labels: Labels
  readonly buckets: Array<number>
  sum: number
  count: number
}

/** Seconds; narrow around the duration of a sale, wide up to a submission's deadline. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60]

/** Durations by label, counted into fixed buckets: the cost of one observation does not grow with their number. */
export class Histogram {
  private readonly name: string
  private readonly help: string
  private readonly all = new Map<string, Series>()

  constructor(name: string, help: string) {
    this.name = name
    this.help = help
  }

  observe(labels: Labels, seconds: number): void {
    const key = series("", labels)
    let one = this.all.get(key)
    if (one === undefined) this.all.set(key, one = { labels, buckets: bounds.map(() => 0), sum: 0, count: 0 })
    one.sum += seconds
    one.count += 1
    const index = bounds.findIndex((bound) => seconds <= bound)
    if (index >= 0) one.buckets[index] = (one.buckets[index] ?? 0) + 1
  }

  text(): string {
    const lines = [`# HELP ${this.name} ${this.help}`, `# TYPE ${this.name} histogram`]
    for (const { buckets, count, labels, sum } of this.all.values()) {
      let upTo = 0
      for (const [index, bound] of bounds.entries()) {
        upTo += buckets[index] ?? 0
        lines.push(`${series(`${this.name}_bucket`, { ...labels, le: String(bound) })} ${upTo}`)
      }
      lines.push(`${series(`${this.name}_bucket`, { ...labels, le: "+Inf" })} ${count}`)
      lines.push(`${series(`${this.name}_sum`, labels)} ${sum}`, `${series(`${this.name}_count`, labels)} ${count}`)
    }
    return `${lines.join("\n")}\n`
  }
}
