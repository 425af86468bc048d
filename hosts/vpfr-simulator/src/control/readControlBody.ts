import type { IncomingMessage } from "node:http"
import { readBody } from "../server/readBody.ts"

/** A control request that cannot be carried out; the message says why and what would be accepted. Nothing was changed. */
export class ControlRefusal extends Error {
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

export type Fields = Readonly<Record<string, unknown>>

/** The body as an object; an empty body is an empty object. */
export const readControlBody = async (request: IncomingMessage): Promise<Fields> => {
  const bytes = await readBody(request)
  if (bytes === null) throw new ControlRefusal("The body is too large.", 413)
  const text = bytes.toString("utf8").trim()
  if (text === "") return {}
  // A browser sends a form or plain text for any page without a preflight request.
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
    throw new ControlRefusal("Send the body with Content-Type: application/json.", 415)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ControlRefusal("The body is not valid JSON.")
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ControlRefusal("The body must be a JSON object.")
  if (Object.hasOwn(value, "__proto__")) throw new ControlRefusal("The field __proto__ is not known here.")
  return value as Fields
}

/** The rule of a field: a sentence for people and the test of a value. */
export interface FieldRule {
  readonly must: string
  readonly holds: (value: unknown) => boolean
}

const isInteger = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value)

export const integerBetween = (minimum: number, maximum: number): FieldRule => ({
  must: `a whole number from ${minimum} to ${maximum}`,
  holds: (value) => isInteger(value) && value >= minimum && value <= maximum
})

export const numberBetween = (minimum: number, maximum: number): FieldRule => ({
  must: `a number from ${minimum} to ${maximum}`,
  holds: (value) => typeof value === "number" && value >= minimum && value <= maximum
})

export const oneOf = (values: ReadonlyArray<unknown>): FieldRule => ({
  must: `one of ${values.join(", ")}`,
  holds: (value) => values.includes(value)
})

export const textOf = (minimum: number, maximum: number): FieldRule => ({
  must: `a text of ${minimum} to ${maximum} characters`,
  holds: (value) => typeof value === "string" && [...value].length >= minimum && [...value].length <= maximum
})

export const matching = (pattern: RegExp, must: string): FieldRule => ({
  must,
  holds: (value) => typeof value === "string" && pattern.test(value)
})

/** The authority's sandbox has identifiers with small letters, `Dt1Ov1o0`. */
export const jid: FieldRule = matching(/^[0-9A-Za-z]{8}$/, "a JID of eight letters and digits")

export const flag: FieldRule = { must: "true or false", holds: (value) => typeof value === "boolean" }

/** Refuses unknown fields, missing required ones and values that break their rule; an optional null counts as absent. */
export const checkFields = (
  fields: Fields,
  rules: Readonly<Record<string, FieldRule>>,
  required: ReadonlyArray<string>
): Fields => {
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(rules, name)) throw new ControlRefusal(`The field ${name} is not known here; known are ${Object.keys(rules).join(", ")}.`)
  }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  for (const name of required) if (!(name in given)) throw new ControlRefusal(`The field ${name} is required.`)
  for (const [name, value] of Object.entries(given)) {
    const rule = rules[name]
    if (rule !== undefined && !rule.holds(value)) throw new ControlRefusal(`The field ${name} must be ${rule.must}.`)
  }
  return given
}
