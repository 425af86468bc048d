import { parser } from "@prometheus-io/lezer-promql"
import { existsSync, globSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { dashboardFile, dashboardJson, dashboards } from "./monitoring/dashboards.ts"

interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly labels?: { readonly severity?: string }
  readonly annotations?: Readonly<Record<string, string>>
}

const root = new URL("../", import.meta.url)
const text = (path: string): string => readFileSync(new URL(path, root), "utf8")
const rulesOf = (file: string): ReadonlyArray<Rule> =>
  (parse(text(`deploy/monitoring/prometheus/${file}`)) as { readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Rule> }> }).groups.flatMap(({ rules }) => rules)

const recorded = rulesOf("slo.rules.yaml")
const alerts = rulesOf("alerts.rules.yaml")

/** Names of the metrics that the hosts' sources expose. */
const exposed = new Set(
  globSync("hosts/{kit,rest-api,worker,portal}/src/**/*.ts", { cwd: root }).flatMap((file) =>
    [...text(file).matchAll(/"(overa_[a-z_]+|process_[a-z_]+)"/g)].map(([, name = ""]) => name)
  )
)

const fromPrometheus: ReadonlySet<string> = new Set(["up"])

/** The names that an expression selects, and whether it is PromQL at all. */
const readExpression = (expression: string) => {
  const names: Array<string> = []
  let isBroken = false
  parser.parse(expression).iterate({
    enter: ({ from, name, to, type }) => {
      if (type.isError) isBroken = true
      if (name === "VectorSelector") names.push(/^[a-z_:]+(?:[a-z0-9_:]*)/i.exec(expression.slice(from, to))?.[0] ?? "")
    }
  })
  return { names, isBroken }
}

const isKnown = (name: string): boolean =>
  fromPrometheus.has(name) || exposed.has(name.replace(/_(bucket|sum|count)$/, "")) || exposed.has(name) || recorded.some(({ record }) => record === name)

const panelQueries = dashboards.filter(({ source }) => source === "prometheus").flatMap(({ panels, title }) =>
  panels.flatMap((panel) => panel.queries.map(([query]): readonly [string, string] => [`${title}, ${panel.title}`, query.replaceAll("$__rate_interval", "5m")]))
)
const expressions = [...panelQueries, ...[...recorded, ...alerts].map(({ alert, expr, record }): readonly [string, string] => [record ?? alert ?? "", expr])]

describe("the files for the operator's monitoring", () => {
  it("the reader of expressions sees what is wrong", () => {
    expect(readExpression("sum(rate(overa_x[5m])")).toMatchObject({ isBroken: true })
    expect(readExpression("sum by (le) (rate(overa_x{a=\"b\"}[5m])) / up > 1")).toEqual({ isBroken: false, names: ["overa_x", "up"] })
    expect(isKnown("overa_x")).toBe(false)
  })

  it.each(expressions)("%s is PromQL and selects what a host exposes", (_name, expression) => {
    const { isBroken, names } = readExpression(expression)
    expect(isBroken, expression).toBe(false)
    expect(names).not.toEqual([])
    expect(names.filter((name) => !isKnown(name))).toEqual([])
  })

  it("each alert says how urgent it is, and leads to a page that exists", () => {
    const wrong = alerts.filter(({ annotations, labels }) => {
      const [path = "", anchor] = (annotations?.["runbook_url"] ?? "").replace("{{ $externalLabels.overa_docs }}", "docs").split("#")
      const page = new URL(`${path}.md`, root)
      const anchors = existsSync(page) ? [...readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading.toLowerCase().replaceAll(/[^a-z0-9 -]/g, "").replaceAll(" ", "-")) : []
      return !["page", "ticket"].includes(labels?.severity ?? "") || !existsSync(page) || (anchor !== undefined && !anchors.includes(anchor))
    })
    expect(wrong).toEqual([])
  })

  it("each alert fires in a test of promtool", () => {
    const tests = ["rules.test.yaml", "long.test.yaml"].map((file) => text(`deploy/monitoring/prometheus/${file}`)).join("")
    const firing = new Set([...tests.matchAll(/alertname: (\w+)\n\s+exp_alerts:\n/g)].map(([, name]) => name))
    expect(alerts.map(({ alert }) => alert).filter((name) => !firing.has(name))).toEqual([])
  })

  it("docs/operations/watch.md names every metric that the hosts expose", () => {
    const page = text("docs/operations/watch.md")
    expect([...exposed].filter((name) => !page.includes(name))).toEqual([])
  })

  it.each(dashboards.map((dashboard) => [dashboard.file, dashboard] as const))("%s is what its description says (npm run generate)", (file, dashboard) => {
    expect(readFileSync(dashboardFile(file), "utf8")).toBe(dashboardJson(dashboard))
  })
})
