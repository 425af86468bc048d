import { Schema, type SchemaAST, type SchemaIssue } from "effect"
import { isObject, nodeAt, UnrepresentableNumber } from "./bodyTree.ts"

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

/** Faults reported at once; a working client never sends a body with more. */
export const mostFaults = 1_000

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

/** The faults of a body that does not have the shape of its request, each at its exact place, in this service's words. */
export const shapeFaults = (issue: SchemaIssue.Issue, body: unknown): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  collect(issue, [], body, faults)
  return faults
}

/** The faults of some elements of a list in the body, decoded on their own, beginning with the element `from`. */
export const elementFaults = (issue: SchemaIssue.Issue, list: string, from: number, body: unknown): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  // The decoded elements have indices from 0; every path's first step is moved to its index in the body.
  const inBody = (path: Path): Path => path.map((segment, depth) => (depth === 1 ? Number(segment) + from : segment))
  collect(issue, [list], body, faults, inBody)
  return faults
}

const asItIs = (path: Path): Path => path

const collect = (issue: SchemaIssue.Issue, within: Path, body: unknown, faults: Array<Fault>, place = asItIs): void => {
  if (faults.length >= mostFaults) return
  if (issue._tag === "Pointer") return collect(issue.issue, [...within, ...issue.path], body, faults, place)
  const path = place(within)
  switch (issue._tag) {
    case "Composite":
      // A number is an object in memory; its members are not members of the body.
      if (issue.ast._tag === "Objects" && !isObject(nodeAt(body, path))) {
        return void faults.push(faultAt(path, typeMessage(nodeAt(body, path), "an object")))
      }
      return issue.issues.forEach((inner) => collect(inner, within, body, faults, place))
    case "Filter":
    case "Encoding":
      return collect(issue.issue, within, body, faults, place)
    case "AnyOf":
      if (issue.issues.length > 0) return issue.issues.forEach((inner) => collect(inner, within, body, faults, place))
      return void faults.push(unionFault(issue.ast, path, body))
    case "MissingKey":
      return void faults.push(faultAt(path, "is required"))
    case "UnexpectedKey":
      return void faults.push(faultAt(path, "is not a field of this request"))
    case "InvalidValue":
      return void faults.push(faultAt(path, textOf(issue.annotations?.["message"]) ?? "is not valid"))
    case "InvalidType":
      return void faults.push(faultAt(path, typeMessage(nodeAt(body, path), kindOf(issue.ast))))
    default:
      return void faults.push(faultAt(path, "is not valid"))
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const typeMessage = (found: unknown, kind: string): string => {
  if (found === null) return `is required and must be ${kind}, not null`
  if (found instanceof UnrepresentableNumber && kind === "a number") {
    return "must be a number of at most 15 significant digits"
  }
  return `must be ${kind}`
}

/** A union without a matching member: an enumeration, or an object whose kind is given by its `source`. */
const unionFault = (ast: SchemaAST.AST, path: Path, body: unknown): Fault => {
  const found = nodeAt(body, path)
  if (ast._tag === "Union" && isObject(found) && sourcesOf(ast).length > 0) {
    return faultAt([...path, "source"], `must be ${sourcesOf(ast).join(" or ")}`)
  }
  return faultAt(path, typeMessage(found, kindOf(ast)))
}

const sourcesOf = (union: SchemaAST.Union): ReadonlyArray<string> =>
  union.types.flatMap((type) => {
    if (type._tag !== "Objects") return []
    const source = type.propertySignatures.find((property) => property.name === "source")?.type
    return source?._tag === "Literal" ? [String(source.literal)] : []
  })

const kindOf = (ast: SchemaAST.AST): string => {
  switch (ast._tag) {
    case "String":
      return "a text"
    case "Boolean":
      return "true or false"
    case "Arrays":
      return "a list"
    case "Objects":
      return "an object"
    case "Literal":
      return String(ast.literal)
    case "Union":
      return unionKind(ast)
    default:
      return textOf(ast.annotations?.["expected"]) ?? "of another kind"
  }
}

const unionKind = (union: SchemaAST.Union): string => {
  const kinds = union.types.filter((type) => type._tag !== "Null").map(kindOf)
  const isEnumeration = union.types.some((type) => type._tag === "Literal")
  return isEnumeration ? `one of ${kinds.join(", ")}` : [...new Set(kinds)].join(" or ")
}
