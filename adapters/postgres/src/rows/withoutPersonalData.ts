import { parseStoredJson, toStoredJson } from "./storedJson.ts"

interface ExactJson {
  readonly rawJSON: (text: string) => unknown
  readonly parse: (text: string, reviver: (name: string, value: unknown, context: { readonly source: string }) => unknown) => unknown
}

// The compiler's library does not know these members yet; Node has them.
const exactJson = JSON as unknown as ExactJson

/** A body as it was accepted; its numbers keep the spelling that the caller gave them. */
const parseBody = (body: string): unknown =>
  exactJson.parse(body.startsWith("\uFEFF") ? body.slice(1) : body, (_name, value, { source }) => (typeof value === "number" ? exactJson.rawJSON(source) : value))

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null && !Array.isArray(value)

/** The same members in the same order; `__proto__` is one like any other. */
const without = (value: Members, name: string): Members => Object.fromEntries(Object.entries(value).filter(([member]) => member !== name))

const mapped = (value: Members, name: string, change: (member: Members) => Members): Members =>
  Object.fromEntries(Object.entries(value).map(([member, old]) => [member, member === name && isObject(old) ? change(old) : old]))

const hasPersonalData = (value: unknown): value is Members => {
  if (!isObject(value)) return false
  const { cashier, metadata } = value
  return (metadata ?? null) !== null || (isObject(cashier) && (cashier["displayName"] ?? null) !== null)
}

/** A request's body without metadata and the cashier's name; null where it has neither. Throws where it is no JSON. */
export const bodyWithoutPersonalData = (body: string): string | null => {
  if (body === "") return null
  const value = parseBody(body)
  return hasPersonalData(value) ? JSON.stringify(mapped(without(value, "metadata"), "cashier", (cashier) => without(cashier, "displayName"))) : null
}

/** A stored content with null for both; null where it has neither. Throws where it is no JSON. */
export const contentWithoutPersonalData = (content: string): string | null => {
  const value = parseStoredJson(content)
  if (!hasPersonalData(value)) return null
  return toStoredJson({ ...mapped(value, "cashier", (cashier) => ({ ...cashier, displayName: null })), metadata: null })
}
