import { hostname } from "node:os"
import type { MailConnection } from "@overa/adapter-mail"
import type { WebhookConnection, WitnessPlace } from "@overa/adapter-webhooks"
import type { VpfrEnvironment } from "@overa/adapter-vpfr"
import type { Environment } from "@overa/domain"
import { ConfigProblem, type Level, logLevel, optional, problem, type StoreConfig, storeConfig, vpfrConfig, wholeNumber } from "@overa/host-kit"
import { mailConfig } from "@overa/host-kit/mail"
import { Effect } from "effect"
import { witnessesConfig } from "./witnessesConfig.ts"

/** The settings of a worker. The variables have the REST host's names, so that one file of variables serves both. */
export interface WorkerConfig extends StoreConfig {
  /** The same at every start of this worker, different from every other process's. */
  readonly hostId: string
  readonly vpfr: Partial<Record<Environment, VpfrEnvironment>>
  /** Null where no mail server is configured; nothing is then sent, and the REST hosts queue nothing. */
  readonly mail: MailConnection | null
  /** How events reach the addresses of shops. */
  readonly webhooks: WebhookConnection
  /** Whom the worker asks to cosign the journal's logs; absent or empty: nobody. */
  readonly witnesses?: ReadonlyArray<WitnessPlace>
}

/** What the process of a worker needs besides: where its health and metrics are, and its log. */
export interface WorkerProcessConfig extends WorkerConfig {
  readonly listenHost: string
  /** 0 means any free port. */
  readonly port: number
  /** Lines below this level are not logged. */
  readonly logLevel: Level
}

const webhooks = Effect.gen(function*() {
  const name = "OVERA_WEBHOOK_PROXY_URL"
  const url = yield* optional(name)
  const proxy = url === null || /\s/.test(url) || !URL.canParse(url) ? null : new URL(url)
  const isPlain = proxy?.protocol === "http:" && proxy.pathname === "/" && proxy.search === "" && proxy.hash === ""
  if (url !== null && !isPlain) return yield* problem(`${name} must be http://host:port`)
  // Each attempt decodes them, and none could be made.
  yield* Effect.try({
    try: () => [proxy?.username, proxy?.password].map((text) => decodeURIComponent(text ?? "")),
    catch: () => new ConfigProblem({ line: `${name}: in the user and the password, % must be written as %25` })
  })
  return { proxy, allowPrivate: false } satisfies WebhookConnection
})

/** Reads the environment. The first missing or malformed value stops it with one line that names the variable (Decisions §8). */
export const workerConfig: Effect.Effect<WorkerProcessConfig, ConfigProblem> = Effect.gen(function*() {
  return {
    ...(yield* storeConfig),
    hostId: (yield* optional("OVERA_WORKER_ID")) ?? `${hostname()} worker`,
    vpfr: yield* vpfrConfig,
    mail: yield* mailConfig,
    webhooks: yield* webhooks,
    witnesses: yield* witnessesConfig,
    listenHost: (yield* optional("OVERA_LISTEN_HOST")) ?? "0.0.0.0",
    port: yield* wholeNumber("OVERA_WORKER_PORT", 8_091, { from: 0, to: 65_535 }),
    logLevel: yield* logLevel
  }
})
