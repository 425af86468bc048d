import { Cause, Config, Context, Effect, Exit, Layer, Random, References, Result, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"

/** The share of requests and of the worker's passes that become traces, from 0 to 1; 0 where no trace is sent. */
const TraceShare = Context.Reference<number>("@overa/host-kit/TraceShare", { defaultValue: () => 0 })

const samplers = ["always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const

/**
 * OpenTelemetry's own variables of sampling. Every trace begins here: a caller's `traceparent` is not followed, because a stranger may neither
 * choose what is recorded nor how much. So a sampler with `parentbased_` is the same as without.
 */
const shareConfig = Effect.gen(function*() {
  const disabled = yield* Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.withDefault(false))
  const exporters = yield* Config.String("OTEL_TRACES_EXPORTER").pipe(Config.withDefault(""))
  if (disabled || !exporters.split(",").map((name) => name.trim()).includes("otlp")) return 0
  const sampler = yield* Config.Literals(samplers, "OTEL_TRACES_SAMPLER").pipe(Config.withDefault("always_on" as const))
  if (sampler.endsWith("always_off")) return 0
  if (sampler.endsWith("always_on")) return 1
  const share = yield* Config.Number("OTEL_TRACES_SAMPLER_ARG").pipe(Config.withDefault(1))
  return share >= 0 && share <= 1 ? share : yield* Effect.die(new Error("OTEL_TRACES_SAMPLER_ARG must be from 0 to 1"))
}).pipe(Effect.orDie)

/** A failed step is told by the name of its error alone: messages may have a buyer's data. */
class StepFailed extends Error {
  override readonly stack = ""
}

const nameOf = (error: unknown): string => {
  const { _tag: tag, constructor: made } = Object(error) as { readonly _tag?: unknown; readonly constructor?: { readonly name?: string } }
  return typeof tag === "string" ? tag : made?.name ?? "unknown"
}

const withoutMessages = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  return Exit.fail(new StepFailed(nameOf(Result.getOrElse(Cause.findError(exit.cause), () => Cause.squash(exit.cause)))))
}

/** The tracer of OpenTelemetry's protocol, whose spans end without the messages of errors. */
const discreet = Layer.effect(Tracer.Tracer, Effect.map(Effect.tracer, (tracer) =>
  Tracer.make({
    span(options) {
      const span = tracer.span(options)
      const end = span.end.bind(span)
      span.end = (time, exit) => end(time, withoutMessages(exit))
      return span
    }
  })))

/**
 * Traces over OTLP, by OpenTelemetry's own environment variables; without `OTEL_TRACES_EXPORTER=otlp` nothing is sent, and no span is made. Spans
 * carry names of steps and how long they took: no bodies, identifiers of buyers, messages of errors or secrets.
 */
export const tracing = (serviceName: string) =>
  Layer.unwrap(Effect.map(shareConfig, (share) =>
    Layer.mergeAll(
      discreet.pipe(Layer.provideMerge(OtlpTracer.layerFromConfig({ resource: { serviceName } }))),
      Layer.succeed(TraceShare, share),
      // Only what a trace was chosen for has spans.
      Layer.succeed(References.TracerEnabled, false)
    ))).pipe(
      Layer.provide(OtlpSerialization.layerJson),
      Layer.provide(FetchHttpClient.layer)
    )

/** What a trace's first span says. */
export interface TraceRoot<A, E> {
  /** Which kind of request or job; never a caller's text. */
  readonly name: string
  readonly kind: "server" | "internal"
  readonly attributes?: Readonly<Record<string, unknown>>
  /** Facts that are known at the end. */
  readonly endedWith?: (exit: Exit.Exit<A, E>) => Readonly<Record<string, unknown>>
  /** Told the trace's id, for the log. */
  readonly onTrace?: (traceId: string) => void
}

/** Runs a request, or a pass of a job, as a trace of its own, for the configured share of them; the others make no span. */
export const traced = <A, E, R>(work: Effect.Effect<A, E, R>, { attributes = {}, endedWith, kind, name, onTrace }: TraceRoot<A, E>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const share = fiber.getRef(TraceShare)
    if (share === 0 || fiber.getRef(Random.Random).nextDoubleUnsafe() >= share) return work
    const measured = Effect.useSpan(name, { root: true, kind, attributes }, (span) => {
      onTrace?.(span.traceId)
      return Effect.onExit(Effect.withParentSpan(work, span), (exit) =>
        Effect.sync(() => Object.entries(endedWith?.(exit) ?? {}).forEach(([key, value]) => span.attribute(key, value))))
    })
    return Effect.provideService(measured, References.TracerEnabled, true)
  })
