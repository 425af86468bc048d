import { JsonNumber } from "./JsonDocument.ts"

/** More than the longest list of a submission, so that no index creates a list of millions. */
const highestIndex = 10_000
const numeric = new Set(["amount", "quantity", "unitprice", "totalamount"])

type Node = Map<string, Node | string>

/** `items[0].labels[0]`, `items[0][labels][0]` and `items[0].labels` as their parts. */
const partsOf = (name: string): ReadonlyArray<string> | null => {
  const parts = name.split(/[.[\]]+/).filter((part) => part !== "")
  return parts.length === 0 || parts.length > 6 ? null : parts
}

/** Numbers keep their text, as in JSON; anything else stays a text and is refused where a number belongs. */
const leaf = (name: string, text: string): unknown =>
  numeric.has(name.toLowerCase()) && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? new JsonNumber(text) : text

const put = (root: Node, parts: ReadonlyArray<string>, text: string): boolean => {
  let node = root
  for (const part of parts.slice(0, -1)) {
    const next = node.get(part) ?? new Map()
    if (typeof next === "string") return false
    node.set(part, next)
    node = next
  }
  const last = parts.at(-1) ?? ""
  if (node.has(last)) return false
  node.set(last, text)
  return true
}

const isList = (node: Node): boolean => node.size > 0 && [...node.keys()].every((key) => /^\d{1,5}$/.test(key) && Number(key) <= highestIndex)

const valueOf = (node: Node | string, name: string): unknown => {
  if (typeof node === "string") return leaf(name, node)
  const entries = [...node]
  return isList(node)
    ? entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, member]) => valueOf(member, name))
    : Object.fromEntries(entries.map(([key, member]) => [key, valueOf(member, key)]))
}

/**
 * A form-encoded submission as the object that its names describe (V-PFR §1.1): `invoiceType=0&items[0].name=…&items[0].labels=A`. Null where two
 * names contradict each other. No real sample was found; the names are those that ASP.NET binds.
 */
export const parseForm = (text: string): unknown => {
  const root: Node = new Map()
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = partsOf(name)
    if (parts === null) return null
    // Labels may be given several times under one name.
    const repeated = parts.at(-1)?.toLowerCase() === "labels"
    const labels = repeated ? [...parts, String(labelsAt(root, parts))] : parts
    if (!put(root, labels, value)) return null
  }
  return valueOf(root, "")
}

const labelsAt = (root: Node, parts: ReadonlyArray<string>): number => {
  let node: Node | string | undefined = root
  for (const part of parts) node = typeof node === "string" ? undefined : node?.get(part)
  return node === undefined || typeof node === "string" ? 0 : node.size
}
