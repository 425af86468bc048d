import { readFileSync } from "node:fs"
import { Effect, Redacted } from "effect"
import { Refusal } from "../Refusal.ts"
import type { Input } from "./Input.ts"

/** The bytes of a file the operator named. */
export const fileBytes = (path: string): Effect.Effect<Uint8Array, Refusal> =>
  Effect.try({ try: () => readFileSync(path), catch: () => new Refusal({ sentence: `The file ${path} cannot be read.` }) })

/** The text of a file the operator named. */
export const fileText = (path: string): Effect.Effect<string, Refusal> =>
  Effect.map(fileBytes(path), (bytes) => new TextDecoder().decode(bytes))

/**
 * A secret from a file, from the next line of standard input (`-`), or from the environment. Never from an argument: other users of the machine can
 * see arguments, and they stay in the shell's history.
 */
export const secret = (
  input: Input,
  source: { readonly option: string; readonly flag: string; readonly variable: string; readonly name: string }
): Effect.Effect<Redacted.Redacted<string>, Refusal> =>
  Effect.gen(function*() {
    const path = input.text(source.option)
    const given = path === null
      ? input.surroundings.environment[source.variable] ?? null
      : path === "-"
      ? yield* Effect.promise(() => input.surroundings.nextLine())
      : yield* fileText(path)
    const value = given?.replace(/\r?\n$/, "") ?? ""
    if (value !== "") return Redacted.make(value)
    return yield* new Refusal({
      sentence: `The ${source.name} is missing: give it in a file with ${source.flag} <file>, on standard input with ${source.flag} -, or in ${source.variable}.`
    })
  })
