import { BigDecimal } from "effect"

/** Whether a node of the body is a JSON object: no list, no number in our decimal form, no other class. */
export const isObject = (node: unknown): node is Readonly<Record<string, unknown>> => {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return false
  const prototype: unknown = Object.getPrototypeOf(node)
  return prototype === Object.prototype || prototype === null
}

/** A member of a node, whatever the node is: undefined where there is none, and for null, which means absent (Decisions §1). */
export const member = (node: unknown, name: string): unknown =>
  isObject(node) && Object.hasOwn(node, name) ? (node[name] ?? undefined) : undefined

/** A text member, or undefined. */
export const textMember = (node: unknown, name: string): string | undefined => {
  const value = member(node, name)
  return typeof value === "string" ? value : undefined
}

/** A number member, or undefined. */
export const numberMember = (node: unknown, name: string): BigDecimal.BigDecimal | undefined => {
  const value = member(node, name)
  return BigDecimal.isBigDecimal(value) ? value : undefined
}

/** A list member; empty where there is none. */
export const listMember = (node: unknown, name: string): ReadonlyArray<unknown> => {
  const value = member(node, name)
  return Array.isArray(value) ? value : []
}

/** The node at a path; undefined where there is none. */
export const nodeAt = (root: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>((node, segment) => {
    if (Array.isArray(node)) return typeof segment === "number" ? node[segment] : undefined
    return isObject(node) && typeof segment === "string" && Object.hasOwn(node, segment) ? node[segment] : undefined
  }, root)
