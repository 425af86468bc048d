import { resolve } from "node:path"
import { Config, Effect, Option } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"

/** The sandbox's two settings (Decisions §8). */
export interface SandboxConfig {
  /** The folder of all the sandbox's data; absolute. */
  readonly home: string
  /** 0 means any free port. */
  readonly port: number
}

const portOf = (text: string): Effect.Effect<number, SandboxProblem> => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return port <= 65_535
    ? Effect.succeed(port)
    : Effect.fail(new SandboxProblem({ line: `PORT must be a whole number from 0 to 65535, not "${text}"` }))
}

const orDefault = (name: string, fallback: string) =>
  Config.String(name).pipe(
    Config.option,
    Config.map((given) => Option.filter(given, (text) => text !== "").pipe(Option.getOrElse(() => fallback)))
  )

/** Reads OVERA_HOME (default `.overa`) and PORT (default 8080). */
export const sandboxConfig: Effect.Effect<SandboxConfig, SandboxProblem> = Effect.gen(function*() {
  const { home, port } = yield* Config.all({ home: orDefault("OVERA_HOME", ".overa"), port: orDefault("PORT", "8080") }).pipe(
    Effect.mapError((error) => new SandboxProblem({ line: error.message }))
  )
  return { home: resolve(home), port: yield* portOf(port) }
})
