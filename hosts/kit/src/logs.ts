import { Array as Arrays, Cause, Context, Effect, type Fiber, Layer, Logger, type LogLevel, References, Tracer } from "effect"
import { type ConfigProblem, optional, problem } from "./settings.ts"

/** Where log lines go; the process decides (standard output in production, memory in tests). */
export type WriteLine = (line: string) => void

/** The levels of a line, from the most to the least talkative. */
const levels = { debug: "Debug", info: "Info", warning: "Warn", error: "Error" } as const satisfies Record<string, LogLevel.LogLevel>
export type Level = keyof typeof levels

/** The rank of a level: a line is written when its level is at least the configured one. */
const ranks = Object.keys(levels) as ReadonlyArray<Level>
export const isWritten = (level: Level, least: Level): boolean => ranks.indexOf(level) >= ranks.indexOf(least)

/** `OVERA_LOG_LEVEL`: `debug`, `info` (default), `warning` or `error`. */
export const logLevel: Effect.Effect<Level, ConfigProblem> = Effect.flatMap(optional("OVERA_LOG_LEVEL"), (text) => {
  const level = ranks.find((it) => it === (text ?? "info"))
  return level === undefined ? problem(`OVERA_LOG_LEVEL must be ${ranks.join(", ")}, not "${text}"`) : Effect.succeed(level)
})

/** One line of every host's log: time, level, event, then the event's facts. */
export const logLine = (level: Level, event: string, facts: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ time: new Date().toISOString(), level, event, ...facts })

const levelOf = (level: LogLevel.LogLevel): Level => {
  if (level === "Fatal" || level === "Error") return "error"
  if (level === "Warn") return "warning"
  return level === "Info" ? "info" : "debug"
}

/** Enough to see where a failure came from; the frames of the runtime below say nothing about it. */
const causeLines = 8

const causeOf = (cause: Cause.Cause<unknown>): { readonly cause?: string } =>
  cause.reasons.length === 0 ? {} : { cause: Cause.pretty(cause).split("\n").slice(0, causeLines).map((line) => line.trim()).join("\n") }

const isFacts = (part: unknown): part is Readonly<Record<string, unknown>> =>
  typeof part === "object" && part !== null && !(part instanceof Error) && !Array.isArray(part)

const factOf = (part: unknown): Readonly<Record<string, unknown>> => {
  if (isFacts(part)) return part
  return { detail: part instanceof Error ? part.message : String(part) }
}

/** The trace in which a line was logged, where there is one. */
const traceOf = (fiber: Fiber.Fiber<unknown, unknown>): { readonly traceId?: string } => {
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  return span?.sampled === true ? { traceId: span.traceId } : {}
}

/** What the services log, as lines of the host's log: the first part of a message is the event, objects after it are its facts. */
const lineLogger = (write: WriteLine): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, fiber, logLevel: level, message }) => {
    const [event, ...parts] = Arrays.ensure(message)
    const facts = Object.assign({}, fiber.getRef(References.CurrentLogAnnotations), ...parts.map(factOf), causeOf(cause)) as Record<string, unknown>
    const place = { ...facts, ...traceOf(fiber) }
    write(logLine(levelOf(level), typeof event === "string" ? event : "log", typeof event === "string" ? place : { ...factOf(event), ...place }))
  })

/** Sends what the services log to `write`, from the configured level on. */
export const hostLog = (write: WriteLine, least: Level = "info"): Layer.Layer<never> =>
  Layer.merge(Logger.layer([lineLogger(write)]), Layer.succeed(References.MinimumLogLevel, levels[least]))
