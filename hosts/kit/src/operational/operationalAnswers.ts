import { type InstallationFigures, InstallationOversight, type Installation } from "@overa/domain"
import { Effect, Exit, Option } from "effect"
import { contactMetrics, contacts } from "./contactMetrics.ts"
import { installationMetrics } from "./installationMetrics.ts"
import { metric } from "./PrometheusText.ts"
import { type Readiness, readiness } from "./readiness.ts"

/** An answer to the operator's monitoring. */
export interface OperationalAnswer {
  readonly status: number
  readonly mediaType: string
  readonly body: string
}

/** What a host tells of itself. */
export interface OperationalSource {
  readonly run: <A, E>(effect: Effect.Effect<A, E, Installation>) => Promise<Exit.Exit<A, E>>
  readonly isStopping: () => boolean
  /** The host's own metrics, in Prometheus' format. */
  readonly metrics: () => string
  /** Why this host is not ready, besides what every host checks. */
  readonly reasons?: () => ReadonlyArray<string>
}

/** Liveness, readiness and metrics: for the load balancer and the operator's monitoring, without a token and without personal data. */
export interface OperationalAnswers {
  readonly "/health/live": () => Promise<OperationalAnswer>
  readonly "/health/ready": () => Promise<OperationalAnswer>
  readonly "/metrics": () => Promise<OperationalAnswer>
}

/** Answers are cached briefly: these addresses need no token, and the store's time is for receipts. */
const remembered = <A>(millis: number, ask: () => Promise<A>): () => Promise<A> => {
  let last: { readonly at: number; readonly answer: Promise<A> } | null = null
  return () => {
    const now = performance.now()
    if (last === null || now - last.at > millis) last = { at: now, answer: ask() }
    return last.answer
  }
}

const jsonAnswer = (status: number, value: object): OperationalAnswer => ({ status, mediaType: "application/json", body: JSON.stringify(value) })

const stopping: Readiness = { ready: false, reasons: ["the host is stopping"], notes: [] }
const broken: Readiness = { ready: false, reasons: ["the host's own state cannot be read"], notes: [] }

const readFigures: Effect.Effect<InstallationFigures | null> = Effect.gen(function*() {
  const oversight = yield* Effect.serviceOption(InstallationOversight)
  return Option.isNone(oversight) ? null : yield* oversight.value.figures
}).pipe(Effect.timeout("2 seconds"), Effect.catch(() => Effect.succeed(null)))

const readAll = Effect.all({ figures: readFigures, contacts })

/** The last figures that the store answered, and when. */
interface Known {
  readonly figures: InstallationFigures
  readonly atMillis: number
}

/** While the store does not answer, the last known figures are given with their age: a series that vanishes would silence its alarm. */
const installationText = (known: Known | null, up: boolean): string =>
  [
    metric("overa_store_up", "gauge", "Whether the store answered this host.", [[{}, up ? 1 : 0]]),
    metric("overa_figures_age_seconds", "gauge", "Age of the installation's figures; they are older while the store does not answer.",
      known === null ? [] : [[{}, up ? 0 : (Date.now() - known.atMillis) / 1_000]]),
    known === null ? "" : installationMetrics(known.figures, Date.now())
  ].join("")

const makeMetrics = (source: OperationalSource): () => Promise<string> => {
  let known: Known | null = null
  const ask = remembered(5_000, async () => {
    const exit = await source.run(readAll)
    if (Exit.isFailure(exit)) return installationText(known, false)
    const { contacts: made, figures } = exit.value
    if (figures !== null) known = { figures, atMillis: Date.now() }
    return installationText(known, figures !== null) + contactMetrics(made)
  })
  return async () => [
    await ask(),
    metric("process_resident_memory_bytes", "gauge", "Memory of this process.", [[{}, process.memoryUsage.rss()]]),
    source.metrics()
  ].join("")
}

/** The same three answers in every host. */
export const operationalAnswers = (source: OperationalSource): OperationalAnswers => {
  const askReadiness = remembered(1_000, async () => {
    const exit = await source.run(readiness)
    return Exit.isSuccess(exit) ? exit.value : broken
  })
  const state = async (): Promise<Readiness> => {
    if (source.isStopping()) return stopping
    const common = await askReadiness()
    const own = source.reasons?.() ?? []
    return own.length === 0 ? common : { ...common, ready: false, reasons: [...common.reasons, ...own] }
  }
  const metrics = makeMetrics(source)
  return {
    "/health/live": () => Promise.resolve(jsonAnswer(200, { live: true })),
    "/health/ready": async () => {
      const now = await state()
      return jsonAnswer(now.ready ? 200 : 503, now)
    },
    "/metrics": async () => ({ status: 200, mediaType: "text/plain; version=0.0.4; charset=utf-8", body: await metrics() })
  }
}
