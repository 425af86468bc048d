import { type Fault, RequestFaults } from "@overa/domain"
import { Result } from "effect"
import type { Operation } from "./Operation.ts"

/** Query parameters by name, as often as each was given. */
export type Query = Readonly<Record<string, ReadonlyArray<string>>>

/** The faults of a query: unknown, repeated, missing or malformed parameters, all at once (Decisions §1, §10). */
export const readQuery = (
  declared: Operation["query"],
  search: string
): Result.Result<Query, RequestFaults> => {
  // Without a prototype, so that a parameter named like a member of every object is only unknown.
  const query: Record<string, Array<string>> = Object.create(null)
  for (const [name, value] of new URLSearchParams(search)) {
    const values = query[name]
    if (values !== undefined) values.push(value)
    else query[name] = [value]
  }
  const faults = [...unknownParameters(declared, query), ...Object.entries(declared).flatMap(([name, parameter]) =>
    valueFaults(name, parameter, query[name] ?? []))]
  return faults.length === 0 ? Result.succeed(query) : Result.fail(new RequestFaults({ faults }))
}

const unknownParameters = (declared: Operation["query"], query: Query): ReadonlyArray<Fault> =>
  Object.keys(query).filter((name) => !Object.hasOwn(declared, name)).map((name) =>
    fault(name, "is not a parameter of this operation"))

const valueFaults = (name: string, parameter: Operation["query"][string], values: ReadonlyArray<string>): ReadonlyArray<Fault> => {
  if (values.length === 0) return parameter.required ? [fault(name, "is required")] : []
  if (values.length > 1 && parameter.repeatable !== true) return [fault(name, "must be given once")]
  const itemSchema = parameter.repeatable === true ? parameter.schema["items"] as Operation["query"][string]["schema"] : parameter.schema
  return values.flatMap((value) => {
    const message = mismatch(itemSchema, value)
    return message === null ? [] : [fault(name, message)]
  })
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Why a text does not match a parameter's schema; covers only the keywords that parameters use. Times and cursors are checked by their use case. */
const mismatch = (schema: Operation["query"][string]["schema"], value: string): string | null => {
  const { enum: values, format, maxLength, maximum, minimum, type } = schema
  if (value === "") return "must not be empty"
  // Nothing stored contains one, and a query with a NUL character fails in the database.
  if (/\p{Cc}/u.test(value)) return "must not contain control characters"
  if (format === "uuid" && !uuidPattern.test(value)) return "must be a UUID"
  if (Array.isArray(values) && !values.includes(value)) return `must be one of ${values.join(", ")}`
  if (type === "boolean" && value !== "true" && value !== "false") return "must be true or false"
  if (typeof maxLength === "number" && [...value].length > maxLength) return `must have at most ${maxLength} characters`
  if (type !== "integer") return null
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  return number >= Number(minimum ?? 0) && number <= Number(maximum ?? Number.MAX_SAFE_INTEGER)
    ? null
    : `must be a whole number from ${String(minimum ?? 0)} to ${String(maximum ?? "")}`
}

const fault = (name: string, message: string): Fault => ({
  pointer: "",
  key: name.slice(0, 1).toUpperCase() + name.slice(1),
  message
})
