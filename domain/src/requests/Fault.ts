import { Schema } from "effect"

/** One thing wrong with a request body, at its exact place. Source: Decisions §1, Problem body. */
export const Fault = Schema.Struct({
  /** RFC 6901, e.g. `/items/2/unitOfMeasure`; empty for the whole body and for headers. */
  pointer: Schema.String,
  /** Dotted PascalCase path without indices, e.g. `Items.UnitOfMeasure`; `totals` and `IdempotencyKey` where the contract says so. */
  key: Schema.String,
  /** What is wrong and what would be right, one sentence without the field's name. */
  message: Schema.String
})
export interface Fault extends Schema.Schema.Type<typeof Fault> {}

/** Every fault that follows from the request alone, reported at once: answered as a 422 problem. */
export class RequestFaults extends Schema.TaggedError<RequestFaults>()("RequestFaults", { faults: Schema.Array(Fault) }) {}

/** A place in the body, from its root. */
export type Path = ReadonlyArray<PropertyKey>

/** Far longer than any name of the contract. A name of a megabyte is cut, because its escaping alone would take a third of a second. */
const longestName = 256

const escaped = (segment: PropertyKey): string =>
  String(segment).slice(0, longestName).replaceAll("~", "~0").replaceAll("/", "~1")

/** @example pointerOf(["items", 2, "name"]) // "/items/2/name" */
export const pointerOf = (path: Path): string => path.map((segment) => `/${escaped(segment)}`).join("")

const inPascalCase = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1, longestName)

/**
 * The key of the problem's `errors` map. The members of `metadata` are the caller's own, so they stay under `Metadata`.
 *
 * @example keyOf(["items", 2, "unitOfMeasure"]) // "Items.UnitOfMeasure"
 */
export const keyOf = (path: Path): string => {
  const names = path.filter((segment): segment is string => typeof segment === "string")
  return (names[0] === "metadata" ? ["metadata"] : names).map(inPascalCase).join(".") || "Body"
}

/** A fault at a place of the body. */
export const faultAt = (path: Path, message: string): Fault => ({ pointer: pointerOf(path), key: keyOf(path), message })
