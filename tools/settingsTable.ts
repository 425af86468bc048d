import { portalConfig } from "@overa/portal"
import { restApiConfig, type RestApiConfig } from "@overa/rest-api"
import { workerConfig } from "@overa/worker"
import { ConfigProvider, Effect } from "effect"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rootCertificates } from "node:tls"
import { fileURLToPath } from "node:url"
import { type Setting, settings } from "./settings.ts"

const file = new URL("../docs/operations/configure.md", import.meta.url)
const [begin, end] = ["<!-- settings: begin -->", "<!-- settings: end -->"]

const key = Buffer.alloc(32).toString("base64")
const required = { DATABASE_URL: "postgres://overa@localhost/overa", OVERA_SECRET_KEYS: `one:${key}`, OVERA_CREDENTIAL_KEY: key }

// A file with a certificate, which the hosts read.
const anchors = join(mkdtempSync(join(tmpdir(), "overa-settings-")), "roots.pem")
writeFileSync(anchors, rootCertificates[0] ?? "")

/** Values with which a host reads every variable it knows. */
const everything: Readonly<Record<string, string>> = {
  ...required,
  ...Object.fromEntries(["SANDBOX", "PRODUCTION"].flatMap((name) => [
    [`OVERA_VPFR_${name}_URL`, "https://vpfr.example"],
    [`OVERA_VPFR_${name}_CA_FILE`, anchors]
  ])),
  OVERA_AUTH_JWKS_URL: "https://identity.example/keys",
  OVERA_AUTH_TOKEN_URL: "https://identity.example/token",
  OVERA_AUTH_ISSUER: "https://identity.example",
  OVERA_PORTAL_OIDC_ISSUER: "https://login.example",
  OVERA_PORTAL_OIDC_CLIENT_ID: "x",
  OVERA_PORTAL_OIDC_CLIENT_SECRET: "x",
  OVERA_NBS_URL: "https://register.example",
  OVERA_NBS_USER_NAME: "x",
  OVERA_NBS_PASSWORD: "x",
  OVERA_NBS_LICENCE_ID: "x",
  OVERA_SMTP_URL: "smtps://mail.example",
  OVERA_MAIL_SENDER: "receipts@mail.example"
}

/** Reads a host's configuration and records which variables it read. */
const readWith = async <A, E>(config: Effect.Effect<A, E>, values: Readonly<Record<string, string>>) => {
  const asked = new Set<string>()
  const provider = ConfigProvider.make((path) => {
    const name = path.join("_")
    asked.add(name)
    const value = values[name]
    return Effect.succeed(value === undefined ? undefined : ConfigProvider.makeValue(value))
  })
  const read = await Effect.runPromise(config.pipe(Effect.provide(ConfigProvider.layer(provider))))
  return { read, asked }
}

const constantDefaults: Readonly<Record<string, (config: RestApiConfig) => string | number | boolean>> = {
  OVERA_LISTEN_HOST: (config) => config.listenHost,
  PORT: (config) => config.port,
  OVERA_LOG_LEVEL: (config) => config.logLevel ?? "info",
  OVERA_TRUST_PROXY: (config) => config.trustProxy !== null,
  OVERA_CONNECTIONS: (config) => config.connections ?? 0,
  OVERA_RATE_LIMIT_PER_SECOND: (config) => config.rateLimit.perSecond,
  OVERA_RATE_LIMIT_BURST: (config) => config.rateLimit.burst,
  OVERA_TAXPAYERS_PER_ORGANIZATION: (config) => config.registrations.taxpayers,
  OVERA_PREMISES_PER_ORGANIZATION: (config) => config.registrations.premises,
  OVERA_REQUESTS_IN_FLIGHT: (config) => config.capacity.requests,
  OVERA_BODY_BYTES_IN_FLIGHT: (config) => config.capacity.bodyBytes,
  OVERA_ANSWER_BYTES_IN_FLIGHT: (config) => config.capacity.answerBytes,
  OVERA_AUTH_AUDIENCE: (config) => config.identity.audience
}

const defaultOf = (setting: Setting, config: RestApiConfig): string => {
  if (setting.required === "always") return "required"
  const constant = constantDefaults[setting.name]
  const shown = constant === undefined ? setting.defaultText ?? "none" : `\`${constant(config)}\``
  return setting.required === undefined ? shown : `${shown === "none" ? "" : `${shown}; `}required ${setting.required}`
}

/** The variables that each host reads, and the table of all of them. */
export const settingsTable = async () => {
  const api = await readWith(restApiConfig, everything)
  const worker = await readWith(workerConfig, everything)
  const portal = await readWith(portalConfig, everything)
  const { read: defaults } = await readWith(restApiConfig, required)
  const hosts = { API: api, portal, worker }
  const readBy = (name: string): string => Object.entries(hosts).flatMap(([host, { asked }]) => asked.has(name) ? [host] : []).join(", ")
  const rows = settings.map((setting) => `| \`${setting.name}\` | ${readBy(setting.name)} | ${defaultOf(setting, defaults)} | ${setting.meaning} |`)
  return {
    asked: new Set(Object.values(hosts).flatMap(({ asked }) => [...asked])),
    text: ["| Variable | Read by | Default | Meaning |", "| --- | --- | --- | --- |", ...rows].join("\n")
  }
}

/** The page with this table at its place. */
export const pageWith = (page: string, table: string): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/operations/configure.md has lost its marks ${begin} and ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`
}

/** The current page. */
export const page = (): string => readFileSync(file, "utf8")

// `node --conditions=@overa/source tools/settingsTable.ts` writes the table into the page.
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, pageWith(page(), (await settingsTable()).text))
