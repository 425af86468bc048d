import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"

/** Writes a file that only its owner may read, completely or not at all: under another name first, then renamed. */
export const writePrivate = (file: string, value: unknown): Effect.Effect<void, SandboxProblem> =>
  Effect.try({
    try: () => {
      const draft = `${file}.${process.pid}.tmp`
      writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
      chmodSync(draft, 0o600)
      renameSync(draft, file)
    },
    catch: (cause) => new SandboxProblem({ line: `${file} cannot be written: ${(cause as Error).message}` })
  })

/** Reads such a file; null when there is none, a problem when it is not what this release writes. */
export const readPrivate = <A, I>(file: string, schema: Schema.Codec<A, I>): Effect.Effect<A | null, SandboxProblem> =>
  Effect.suspend(() => {
    if (!existsSync(file)) return Effect.succeed(null)
    return Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(readFileSync(file, "utf8")).pipe(
      Effect.mapError(() =>
        new SandboxProblem({ line: `${file} is damaged; restore it, or start anew with another OVERA_HOME` })
      )
    )
  })
