import { Option } from "effect"
import type { Fault } from "../requests/Fault.ts"
import { requestInstant, requestTimeFault } from "../requests/RequestTime.ts"
import type { TimeRange } from "./JournalFilter.ts"

/** Query parameters by name, as often as each was given. */
export type QueryTexts = Readonly<Record<string, ReadonlyArray<string>>>

/** The value of a parameter that may be given once; null when it is not there. */
export const onlyValue = (query: QueryTexts, name: string): string | null => query[name]?.[0] ?? null

/** A fault of a query parameter: its key is its name in PascalCase (Decisions §10). */
export const queryFault = (name: string, message: string): Fault => ({
  pointer: "",
  key: name.slice(0, 1).toUpperCase() + name.slice(1),
  message
})

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The parameter is a UUID, where it is given; ids are in lower case (Decisions §1). */
export const uuidFaults = (query: QueryTexts, name: string): ReadonlyArray<Fault> => {
  const text = onlyValue(query, name)
  return text === null || uuid.test(text) ? [] : [queryFault(name, "must be a UUID")]
}

/** The parameter is one of the values, as often as it is given. */
export const valueFaults = (query: QueryTexts, name: string, values: ReadonlyArray<string>): ReadonlyArray<Fault> =>
  (query[name] ?? []).every((text) => values.includes(text)) ? [] : [queryFault(name, `must be one of ${values.join(", ")}`)]

/** The parameter has a length a document's field can have, in code points. */
export const lengthFaults = (query: QueryTexts, name: string, most: number): ReadonlyArray<Fault> => {
  const text = onlyValue(query, name)
  if (text === null) return []
  const length = Array.from(text).length
  return length >= 1 && length <= most ? [] : [queryFault(name, `must have 1 to ${most} characters`)]
}

const instantOf = (text: string | null): TimeRange["from"] => Option.getOrNull(requestInstant(text ?? ""))

/** The range of two parameters. */
export const rangeOf = (query: QueryTexts, from: string, to: string): TimeRange => ({
  from: instantOf(onlyValue(query, from)),
  to: instantOf(onlyValue(query, to))
})

/** What is wrong with a time in a query. An unescaped `+` of an offset arrives as a space: the example in the message would fail in the same way. */
const queryTimeFault = (text: string): string | undefined => {
  const message = requestTimeFault(text)
  const isUnescaped = message !== undefined && requestTimeFault(text.replace(" ", "+")) === undefined
  return isUnescaped ? "must have its + written as %2B, because a + in an address is a space" : message
}

/** Both bounds are times, and the upper one is not before the lower. */
export const rangeFaults = (query: QueryTexts, from: string, to: string): ReadonlyArray<Fault> => {
  const faults = [from, to].flatMap((name) => {
    const text = onlyValue(query, name)
    const message = text === null ? undefined : queryTimeFault(text)
    return message === undefined ? [] : [queryFault(name, message)]
  })
  if (faults.length > 0) return faults
  const range = rangeOf(query, from, to)
  return range.from !== null && range.to !== null && range.to.epochMilliseconds < range.from.epochMilliseconds
    ? [queryFault(to, `must not be before ${from}`)]
    : []
}
