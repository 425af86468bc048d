import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** One picture of a dashboard. */
interface Panel {
  readonly title: string
  readonly kind: "timeseries" | "stat" | "table"
  /** Grafana's name of the unit. */
  readonly unit: string
  /** Queries with the legend of their series: PromQL, or SQL on the dashboard of one organization. */
  readonly queries: ReadonlyArray<readonly [query: string, legend: string]>
  /** What a reader should conclude; shown at the panel. */
  readonly meaning: string
  /** Above this value the panel is red. */
  readonly limit?: number
}

interface Dashboard {
  readonly file: string
  readonly title: string
  readonly source: "prometheus" | "postgres"
  readonly panels: ReadonlyArray<Panel>
}

const fiscalRoutes = "/v1/(fiscal-documents(/.+/copies)?|refund-workflows|advance-cases(/.+)?|proforma-training-workflows)"
const fiscal = `route=~"${fiscalRoutes}"`
const quantile = (metric: string, share: number, selector = fiscal) =>
  `histogram_quantile(${share}, sum by (le) (rate(${metric}_bucket{${selector}}[$__rate_interval])))`

const service: Dashboard = {
  file: "service.json",
  title: "Overa: service",
  source: "prometheus",
  panels: [
    { title: "Answered late or with 5xx, 30 days", kind: "stat", unit: "percentunit", limit: 0.001, queries: [["overa:sale_errors:ratio_30d", "sales"]], meaning: "At most 0.1 % of the fiscal requests of 30 days." },
    { title: "Outcomes unknown for more than 5 minutes, 30 days", kind: "stat", unit: "percentunit", limit: 0.005, queries: [["overa:unknown_overdue:ratio_30d", "time"]], meaning: "At most 0.5 % of the time." },
    { title: "Mail that waits for more than 10 minutes, 30 days", kind: "stat", unit: "percentunit", limit: 0.005, queries: [["overa:deliveries_overdue:ratio_30d", "time"]], meaning: "At most 0.5 % of the time." },
    { title: "Items for a person", kind: "stat", unit: "none", limit: 0.5, queries: [["max(overa_attention_open)", "attention"], ["max(overa_counter_gaps_open)", "counter gaps"], ["max(overa_unreadable_operations)", "unreadable"]], meaning: "Check them every working day." },
    { title: "Submissions by outcome", kind: "timeseries", unit: "reqps", queries: [["sum by (status) (rate(overa_submissions_total[$__rate_interval]))", "{{status}}"]], meaning: "NOT_FISCALIZED and OUTCOME_UNKNOWN should be near 0." },
    { title: "Fiscal requests by status", kind: "timeseries", unit: "reqps", queries: [[`sum by (status) (rate(overa_request_seconds_count{method="POST",${fiscal}}[$__rate_interval]))`, "{{status}}"]], meaning: "What callers are answered." },
    { title: "Fiscal requests, whole time", kind: "timeseries", unit: "s", queries: [[quantile("overa_request_seconds", 0.5), "p50"], [quantile("overa_request_seconds", 0.99), "p99"]], meaning: "With the V-PFR." },
    { title: "Fiscal requests, the service's own time", kind: "timeseries", unit: "s", limit: 0.25, queries: [[quantile("overa_own_seconds", 0.5), "p50"], [quantile("overa_own_seconds", 0.99), "p99"]], meaning: "Without the V-PFR; p99 at most 0.25 s." },
    { title: "Requests in flight", kind: "timeseries", unit: "none", queries: [["overa_requests_in_flight", "{{instance}}"]], meaning: "By host. Hosts refuse above their setting." },
    { title: "Memory", kind: "timeseries", unit: "bytes", queries: [["process_resident_memory_bytes", "{{job}} {{instance}}"]], meaning: "Of each program; flat at a steady load." },
    { title: "Faults of the service", kind: "timeseries", unit: "none", limit: 0.5, queries: [["sum by (instance) (increase(overa_faults_total[$__rate_interval]))", "{{instance}}"]], meaning: "Each has a line in the log, with its cause." },
    { title: "Pages of the portal, p99", kind: "timeseries", unit: "s", queries: [["histogram_quantile(0.99, sum by (le) (rate(overa_portal_request_seconds_bucket[$__rate_interval])))", "p99"]], meaning: "Whole requests of the portal." }
  ]
}

const vpfr: Dashboard = {
  file: "vpfr.json",
  title: "Overa: V-PFR",
  source: "prometheus",
  panels: [
    { title: "Failed contacts in a row", kind: "stat", unit: "none", limit: 5, queries: [["max by (environment) (overa_vpfr_failures_in_a_row)", "{{environment}}"]], meaning: "0 while the V-PFR answers." },
    { title: "Unknown outcomes now", kind: "stat", unit: "none", limit: 0.5, queries: [["max by (environment, status) (overa_unresolved_operations)", "{{environment}} {{status}}"]], meaning: "The worker searches for them." },
    { title: "Contacts by result", kind: "timeseries", unit: "reqps", queries: [["sum by (environment, result) (rate(overa_vpfr_contacts_total[$__rate_interval]))", "{{environment}} {{result}}"]], meaning: "Everything but `answered` failed; name, connection, certificate, tls: nothing was sent." },
    { title: "Share of failed contacts", kind: "timeseries", unit: "percentunit", limit: 0.1, queries: [["1 - sum by (environment) (rate(overa_vpfr_contacts_total{result=\"answered\"}[$__rate_interval])) / sum by (environment) (rate(overa_vpfr_contacts_total[$__rate_interval]))", "{{environment}}"]], meaning: "Above a tenth for 5 minutes wakes a person." },
    { title: "Time at the V-PFR", kind: "timeseries", unit: "s", queries: [[quantile("overa_vpfr_seconds", 0.5), "p50"], [quantile("overa_vpfr_seconds", 0.99), "p99"]], meaning: "Evidence for the tax authority." },
    { title: "Oldest unknown outcome", kind: "timeseries", unit: "s", limit: 900, queries: [["max by (environment) (overa_oldest_unresolved_seconds)", "{{environment}}"]], meaning: "Above 900 s a person must look." },
    { title: "Security elements", kind: "timeseries", unit: "none", queries: [["max by (environment, status) (overa_security_elements)", "{{environment}} {{status}}"]], meaning: "By state; UPLOADED ones wait for activation." },
    { title: "Certificates that end", kind: "timeseries", unit: "none", queries: [["max by (environment) (overa_certificates_ending)", "{{environment}}"]], meaning: "Active ones that end within sixty days." }
  ]
}

const database: Dashboard = {
  file: "database.json",
  title: "Overa: database",
  source: "prometheus",
  panels: [
    { title: "Hosts that reach the database", kind: "stat", unit: "none", queries: [["sum(overa_store_up)", "up"], ["count(overa_store_up)", "all"]], meaning: "Both figures are equal." },
    { title: "Age of the figures", kind: "stat", unit: "s", limit: 300, queries: [["max(overa_figures_age_seconds)", "oldest"]], meaning: "0 while the database answers." },
    { title: "The service's own time at a sale, p50 and p99", kind: "timeseries", unit: "s", limit: 0.25, queries: [[quantile("overa_own_seconds", 0.5), "p50"], [quantile("overa_own_seconds", 0.99), "p99"]], meaning: "Mostly its two commits: a slow disk or a standby that lags shows here first." },
    { title: "Answers without the store", kind: "timeseries", unit: "reqps", limit: 0.01, queries: [["sum(rate(overa_request_seconds_count{status=\"503\"}[$__rate_interval])) or vector(0)", "503"]], meaning: "503: nothing was reserved, or the outcome is unknown." },
    { title: "Stored documents that could not be read", kind: "timeseries", unit: "none", limit: 0.5, queries: [["max(overa_unreadable_operations)", "documents"]], meaning: "Damaged rows; see the page." },
    { title: "Documents that would never be sent", kind: "timeseries", unit: "none", limit: 0.5, queries: [["max(overa_documents_at_rest)", "documents"]], meaning: "A fault of the service." }
  ]
}

const worker: Dashboard = {
  file: "worker.json",
  title: "Overa: worker",
  source: "prometheus",
  panels: [
    { title: "Searches due", kind: "stat", unit: "none", limit: 0.5, queries: [["max(overa_searches_due)", "searches"]], meaning: "Above 0 for five minutes: the worker or the V-PFR is down." },
    { title: "Messages that wait", kind: "stat", unit: "none", queries: [["max(overa_deliveries_queued)", "queued"]], meaning: "Receipts by e-mail." },
    { title: "Time since each job's last pass", kind: "timeseries", unit: "s", queries: [["time() - max by (exported_job) (overa_worker_last_pass_timestamp_seconds)", "{{exported_job}}"]], meaning: "Each job comes round within its own pause." },
    { title: "Passes by result", kind: "timeseries", unit: "cps", queries: [["sum by (exported_job, result) (rate(overa_worker_passes_total[$__rate_interval]))", "{{exported_job}} {{result}}"]], meaning: "Failed passes are tried again." },
    { title: "Time of a pass", kind: "timeseries", unit: "s", queries: [["sum by (exported_job) (rate(overa_worker_seconds_total[$__rate_interval])) / sum by (exported_job) (rate(overa_worker_passes_total[$__rate_interval]))", "{{exported_job}}"]], meaning: "On average." },
    { title: "Receipts by e-mail, last 24 hours", kind: "timeseries", unit: "none", queries: [["max(overa_deliveries_sent)", "sent"], ["max by (reason) (overa_deliveries_failed)", "given up {{reason}}"]], meaning: "REFUSED: the recipient's server; the others: the installation." },
    { title: "Longest wait for the installation", kind: "timeseries", unit: "s", limit: 900, queries: [["max(overa_deliveries_oldest_seconds)", "oldest"]], meaning: "Above 900 s mail is stuck." },
    { title: "Witnesses by result", kind: "timeseries", unit: "none", queries: [["sum by (witness, result) (increase(overa_witness_answers_total[$__rate_interval])) or vector(0)", "{{witness}} {{result}}"]], meaning: "Where witnesses are set; behind and contradicted need a person." },
    { title: "Spare sandbox elements", kind: "timeseries", unit: "none", queries: [["max(overa_pool_elements)", "elements"]], meaning: "New sandbox premises take one each." }
  ]
}

const own = "organization_id = ${organization:sqlstring} and environment = ${environment:sqlstring}"
const day = "date_trunc('day', created_at at time zone 'Europe/Belgrade')"

/** No metric names an organization, so that this one reads the database, with the role that only reads. */
const organization: Dashboard = {
  file: "organization.json",
  title: "Overa: one organization",
  source: "postgres",
  panels: [
    { title: "Documents by status", kind: "table", unit: "none", queries: [[`select status, count(*) as documents from operations where ${own} and $__timeFilter(created_at) group by status order by status`, ""]], meaning: "Within the chosen time." },
    { title: "Documents a day", kind: "timeseries", unit: "none", queries: [[`select ${day} as time, status as metric, count(*) as documents from operations where ${own} and $__timeFilter(created_at) group by 1, 2 order by 1`, ""]], meaning: "Days of Belgrade, by status." },
    { title: "Outcomes that are not known", kind: "table", unit: "none", queries: [[`select operation_id as document, status, created_at, next_check_at from operations where ${own} and status in ('OUTCOME_UNKNOWN', 'RECONCILING') order by created_at limit 100`, ""]], meaning: "The hundred oldest; `admin unknown show` has the evidence." },
    { title: "Items for a person", kind: "table", unit: "none", queries: [["select kind, count(*) as items, min(raised_at) as oldest from attention where organization_id = ${organization:sqlstring} and acknowledged_at is null group by kind order by kind", ""]], meaning: "Of both environments." },
    { title: "Documents by kind", kind: "table", unit: "none", queries: [[`select invoice_type, transaction_type, count(*) as documents from operations where ${own} and $__timeFilter(created_at) group by 1, 2 order by 1, 2`, ""]], meaning: "Within the chosen time." }
  ]
}

export const dashboards: ReadonlyArray<Dashboard> = [service, vpfr, database, worker, organization]

const [columns, width, height] = [2, 12, 8] as const

const variablesOf = (source: Dashboard["source"]) => [
  { name: "datasource", type: "datasource", query: source === "prometheus" ? "prometheus" : "grafana-postgresql-datasource", label: "Source" },
  ...(source === "prometheus" ? [] : [
    { name: "organization", type: "textbox", label: "Organization's id", query: "" },
    { name: "environment", type: "custom", label: "Environment", query: "production,sandbox" }
  ])
]

const targetOf = (source: Dashboard["source"], kind: Panel["kind"], [query, legend]: Panel["queries"][number], at: number) => {
  const refId = String.fromCodePoint(65 + at)
  return source === "prometheus"
    ? { refId, expr: query, legendFormat: legend }
    : { refId, rawSql: query, rawQuery: true, format: kind === "table" ? "table" : "time_series" }
}

const panelOf = (source: Dashboard["source"], panel: Panel, at: number) => ({
  id: at + 1,
  type: panel.kind,
  title: panel.title,
  description: panel.meaning,
  gridPos: { x: (at % columns) * width, y: Math.floor(at / columns) * height, w: width, h: height },
  datasource: { type: source === "prometheus" ? "prometheus" : "grafana-postgresql-datasource", uid: "${datasource}" },
  fieldConfig: {
    defaults: {
      unit: panel.unit,
      ...(panel.limit === undefined ? {} : { thresholds: { mode: "absolute", steps: [{ color: "green", value: null }, { color: "red", value: panel.limit }] } })
    },
    overrides: []
  },
  targets: panel.queries.map((query, index) => targetOf(source, panel.kind, query, index))
})

/** A dashboard as Grafana imports it. */
export const dashboardJson = ({ file, panels, source, title }: Dashboard): string =>
  `${JSON.stringify({
    uid: `overa-${file.replace(".json", "")}`,
    title,
    tags: ["overa"],
    schemaVersion: 39,
    editable: true,
    timezone: "Europe/Belgrade",
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: { list: variablesOf(source) },
    panels: panels.map((panel, at) => panelOf(source, panel, at))
  }, null, 1)}\n`

export const dashboardFile = (file: string): string => fileURLToPath(new URL(`../../deploy/monitoring/grafana/${file}`, import.meta.url))

if (import.meta.main) for (const dashboard of dashboards) writeFileSync(dashboardFile(dashboard.file), dashboardJson(dashboard))
