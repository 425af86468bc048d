import { globSync, readFileSync } from "node:fs"

interface DashboardPanel {
  readonly title: string
  readonly datasource: { readonly type: string }
  readonly targets: ReadonlyArray<{ readonly expr?: string; readonly rawSql?: string }>
}

const files = new URL("../../../deploy/monitoring/grafana/", import.meta.url)
const sources = { prometheus: "prometheus", postgres: "grafana-postgresql-datasource" } as const

/** The panels of the shipped dashboards that ask a source, with their queries. */
export const panelsOf = (source: keyof typeof sources): ReadonlyArray<{ readonly title: string; readonly queries: ReadonlyArray<string> }> =>
  globSync("*.json", { cwd: files })
    .flatMap((file) => (JSON.parse(readFileSync(new URL(file, files), "utf8")) as { readonly panels: ReadonlyArray<DashboardPanel> }).panels)
    .filter(({ datasource }) => datasource.type === sources[source])
    .map(({ targets, title }) => ({ title, queries: targets.map(({ expr, rawSql }) => expr ?? rawSql ?? "") }))
