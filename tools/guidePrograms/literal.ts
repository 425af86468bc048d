import { type Members, type Value, referenceOf } from "./Story.ts"

/** How a language writes values. */
export interface Notation {
  readonly reference: (reference: string) => string
  /** A text with references in it. */
  readonly text: (text: string) => string
  readonly boolean: (value: boolean) => string
  readonly list: readonly [string, string]
  readonly object: readonly [string, string]
  readonly member: (name: string, value: string) => string
  readonly spread: (value: string) => string
  /** Spaces of one level. */
  readonly indent: number
  /** Whether a comma follows the last of several lines. */
  readonly lastComma: boolean
}

/** Columns of a line; a call stands before what is outermost. */
const width = 112
const widthBehindCall = 80

/** Elements between brackets: on one line where they fit, else one on each line. */
const laid = (notation: Notation, [open, close]: readonly [string, string], depth: number, elements: (depth: number) => ReadonlyArray<string>): string => {
  const flat = elements(depth)
  const padded = open === "{" && close === "}" && notation.indent === 2 ? " " : ""
  const line = `${open}${padded}${flat.join(", ")}${padded}${close}`
  if (flat.length === 0) return open + close
  if (!line.includes("\n") && line.length + depth * notation.indent <= (depth === 0 ? widthBehindCall : width)) return line
  const margin = " ".repeat((depth + 1) * notation.indent)
  return `${open}\n${elements(depth + 1).map((element) => margin + element).join(",\n")}${notation.lastComma ? "," : ""}\n${" ".repeat(depth * notation.indent)}${close}`
}

const membersOf = (notation: Notation, members: Members, depth: number): ReadonlyArray<string> =>
  Object.entries(members).map(([name, value]) => name === "..." ? notation.spread(literal(notation, value, depth)) : notation.member(name, literal(notation, value, depth)))

/** A value as the language writes it, `depth` levels in. */
export const literal = (notation: Notation, value: Value, depth = 0): string => {
  if (typeof value === "number") return String(value)
  if (typeof value === "boolean") return notation.boolean(value)
  if (typeof value === "string") {
    const reference = referenceOf(value)
    return reference === null ? notation.text(value) : notation.reference(reference)
  }
  if (Array.isArray(value)) return laid(notation, notation.list, depth, (inner) => (value as ReadonlyArray<Value>).map((one) => literal(notation, one, inner)))
  return laid(notation, notation.object, depth, (inner) => membersOf(notation, value as Members, inner))
}
