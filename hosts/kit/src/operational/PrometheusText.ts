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
