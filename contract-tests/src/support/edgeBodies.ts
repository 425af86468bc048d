import * as fc from "fast-check"
import { type Components, ofSchema } from "./schemaArbitrary.ts"

type Node = Readonly<Record<string, unknown>>
type Path = ReadonlyArray<string | number>

/** Texts that must have a form which their schema does not state. */
const written: Readonly<Record<string, string>> = { recipient: "kupac@example.rs", optionalField: "20:1" }

const named = (schema: Node, components: Components): Node => {
  const reference = schema["$ref"]
  if (typeof reference === "string") return named(components[reference.split("/").at(-1) ?? ""] ?? {}, components)
  const options = schema["oneOf"]
  return Array.isArray(options) ? named(options.find((option: Node) => option["type"] !== "null") as Node, components) : schema
}

const typeOf = ({ type }: Node): unknown => (Array.isArray(type) ? type.find((one) => one !== "null") : type)

const propertiesOf = (schema: Node): ReadonlyArray<readonly [string, Node]> =>
  Object.entries(schema["properties"] as Readonly<Record<string, Node>> | undefined ?? {})

/** A body with every member of its schema; of alternatives, the first. */
export const fullBody = (schema: Node, components: Components, name = ""): unknown => {
  const node = named(schema, components)
  switch (typeOf(node)) {
    case "object":
      return node["properties"] === undefined
        ? { note: "x" }
        : Object.fromEntries(propertiesOf(node).map(([member, one]) => [member, fullBody(one, components, member)]))
    case "array":
      return [fullBody(node["items"] as Node, components, name)]
    case "number":
    case "integer":
      return 1
    default:
      return written[name] ?? fc.sample(ofSchema({ ...node, type: typeOf(node) }, components), { numRuns: 1, seed: 7 })[0]
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A body with its missing members taken from a full one. */
export const completed = (body: unknown, full: unknown): unknown => {
  if (Array.isArray(body) && Array.isArray(full)) return body.map((element) => completed(element, full[0]))
  if (!isMap(body) || !isMap(full)) return body ?? full
  return Object.fromEntries(Object.keys({ ...full, ...body }).map((name) => [name, completed(body[name] ?? full[name], full[name])]))
}

const replaced = (body: unknown, path: Path, value: unknown): unknown => {
  const [head, ...rest] = path
  if (head === undefined) return value
  if (Array.isArray(body)) return body.map((element, index) => (index === head ? replaced(element, rest, value) : element) as unknown)
  const members = body as Readonly<Record<string, unknown>>
  return { ...members, [head]: replaced(members[head], rest, value) }
}

const at = (body: unknown, path: Path): unknown => path.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], body)

const without = (body: unknown, path: Path): unknown => {
  const parent = path.slice(0, -1)
  const { [String(path.at(-1))]: _gone, ...rest } = at(body, parent) as Record<string, unknown>
  return replaced(body, parent, rest)
}

const texts = ({ maxLength, minLength, pattern }: Node): ReadonlyArray<unknown> => {
  const longest = Number(maxLength ?? 40)
  const digits = /\[0-9\]/.test(String(pattern)) ? "1" : "ш"
  return [
    "", "x", "\n", "a\u0085b", "a|b", "10:123456789", "10:12345678", "60:01012026_31012026", "2026-08-29T12:30:00Z", "2026-08-29T12:30:00",
    "2026-08-29t12:30:00z", "2026-08-29 12:30:00Z", "2026-08-29T12:30:00+15:00", "2026-12-31T23:59:60Z", "2026-08-29T12:30:00.1234567891Z",
    ...[Number(minLength ?? 1), 7, 8, 9, 10, 14, 15, longest - 1, longest, longest + 1].map((length) => digits.repeat(Math.max(0, length))),
    "𐐀".repeat(longest), "𐐀".repeat(longest + 1)
  ]
}

const numbers = (node: Node): ReadonlyArray<unknown> => {
  const step = Number(node["multipleOf"] ?? (node["type"] === "integer" ? 1 : 0.001))
  const bounds = [Number(node["minimum"] ?? node["exclusiveMinimum"] ?? 0), Number(node["maximum"] ?? 1)]
  return [...bounds.flatMap((bound) => [bound, Number((bound - step).toFixed(6)), Number((bound + step).toFixed(6))]), step / 2, step * 3, "1", -1]
}

const lists = (node: Node, path: Path, whole: unknown): ReadonlyArray<unknown> => {
  const [element] = at(whole, path) as ReadonlyArray<unknown>
  const most = Number(node["maxItems"] ?? 3)
  return [0, 1, 2, most, most + 1].map((length) => Array.from({ length }, () => element))
}

const maps = ({ additionalProperties, maxProperties, propertyNames }: Node): ReadonlyArray<unknown> => {
  const most = Number(maxProperties ?? 1)
  const longestName = Number((propertyNames as Node | undefined)?.["maxLength"] ?? 1)
  const longest = Number((additionalProperties as Node | undefined)?.["maxLength"] ?? 1)
  return [
    {}, { "": 1 }, { a: [] }, { a: {} }, { a: null }, { a: 1.5 }, { a: true }, { a: "" }, { a: "b\u0000" }, { "a\u0007": "b" },
    ...[most, most + 1].map((count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "x"]))),
    ...[longestName, longestName + 1].map((length) => ({ ["𐐀".repeat(length)]: "x" })),
    ...[longest, longest + 1].map((length) => ({ a: "𐐀".repeat(length) }))
  ]
}

const valuesAt = (node: Node, path: Path, whole: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(node["enum"])) return [...node["enum"] as ReadonlyArray<unknown>, "NONE_OF_THESE", "", 1]
  switch (typeOf(node)) {
    case "string":
      return texts(node)
    case "number":
    case "integer":
      return numbers({ ...node, type: typeOf(node) })
    case "array":
      return lists(node, path, whole)
    case "object":
      return node["properties"] === undefined ? maps(node) : [[], "x"]
    default:
      return ["x", 1, "true"]
  }
}

/**
 * The same body with one value at a time at, just within and just beyond each bound of the schema; null, left out, and with an unknown member,
 * wherever it has a member.
 */
export const edgeBodies = (schema: Node, components: Components, whole: unknown, path: Path = []): ReadonlyArray<unknown> => {
  const node = named(schema, components)
  const here = [...valuesAt(node, path, whole), null].map((value) => replaced(whole, path, value))
  if (typeOf(node) === "array") return [...here, ...edgeBodies(node["items"] as Node, components, whole, [...path, 0])]
  const present = at(whole, path) as Readonly<Record<string, unknown>>
  const within = propertiesOf(node).filter(([name]) => present[name] !== undefined).flatMap(([name, one]) => [
    without(whole, [...path, name]),
    ...edgeBodies(one, components, whole, [...path, name])
  ])
  return node["properties"] === undefined ? here : [...here, ...within, replaced(whole, [...path, "unknown"], "x")]
}
