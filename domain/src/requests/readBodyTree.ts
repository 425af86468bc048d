import { Result } from "effect"
import { decimalFromJsonNumber } from "./decimalFromJsonNumber.ts"

/** The reviver's third argument; the library types do not know it yet. */
type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown

const exactNumbers: Reviver = (_key, value, context) =>
  typeof value === "number" ? decimalFromJsonNumber(context.source ?? String(value)) : value

/**
 * The tree that the decoders read, from a JSON text that was accepted before: numbers are decimals as written. The host reads untrusted bodies with a
 * stricter reader (repeated names, lone surrogates, depth); both give the same tree.
 */
export const readBodyTree = (text: string): Result.Result<unknown, SyntaxError> =>
  Result.try({
    try: () => JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text, exactNumbers as Parameters<typeof JSON.parse>[1]),
    catch: (error) => error as SyntaxError
  })
