import type { Sentence } from "./readSentences.ts"
import type { World } from "./world.ts"

/** What a check found to differ from its sentence; nothing where they agree. */
export type Deviations = ReadonlyArray<string>

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value)

/** The words of the specification for a type, as tests of a value. */
const types: ReadonlyArray<readonly [word: RegExp, holds: (value: unknown) => boolean]> = [
  [/^uuid/, (value) => typeof value === "string" && uuid.test(value)],
  [/^timestamp/, (value) => typeof value === "string" && time.test(value)],
  [/^uri/, (value) => typeof value === "string" && URL.canParse(value)],
  [/^(?:string|enum)/, (value) => typeof value === "string"],
  [/^integer/, (value) => Number.isInteger(value)],
  [/^number/, (value) => typeof value === "number"],
  [/^boolean/, (value) => typeof value === "boolean"],
  [/^array/, Array.isArray],
  [/^(?:object|[A-Z])/, isObject]
]

/** Whether a value is of a type as the specification writes it: `string or null`, `uuid`, `PfrResult or null`. */
export const isOfType = (value: unknown, type: string): boolean => {
  if (value === null) return type.includes("or null")
  const found = types.find(([word]) => word.test(type))
  return found !== undefined && found[1](value)
}

const utc = (name: string, value: unknown): Deviations =>
  (name === "createdAt" || name === "updatedAt") && !String(value).endsWith("Z") ? [`${name} is not UTC: ${String(value)}`] : []

/** The fields of a row (`taxpayerId, businessPremiseId`) in an answer. */
export const holdsFields = ({ cells }: Sentence, answer: Readonly<Record<string, unknown>>): Deviations => {
  const type = cells?.["Type"] ?? ""
  return (cells?.["Field"] ?? "").split(", ").flatMap((name) => {
    if (!(name in answer)) return type.includes("optional") ? [] : [`${name} is not there`]
    return isOfType(answer[name], type) ? utc(name, answer[name]) : [`${name} is no ${type}: ${JSON.stringify(answer[name])}`]
  })
}

/** Every name of a list, in an answer. */
export const hasNames = (names: ReadonlyArray<string>, answer: Readonly<Record<string, unknown>>): Deviations =>
  names.filter((name) => !(name in answer)).map((name) => `${name} is not there`)

/** A sentence like `id uuid; sku string; gtin string or null`: name and type between semicolons. */
export const holdsList = (text: string, answer: Readonly<Record<string, unknown>>): Deviations =>
  text.replaceAll(/\([^)]*\)/g, "").split(";").flatMap((part) => {
    const [, names = "", type = ""] = /^\s*([a-zA-Z]+(?:, [a-zA-Z]+)*)\s*(.*?)[.\s]*$/.exec(part.replace(/,\s*not negative/, "")) ?? []
    const known = types.some(([word]) => word.test(type))
    return names.split(", ").flatMap((name) => {
      if (!(name in answer)) return [`${name} is not there`]
      return known && !isOfType(answer[name], type) ? [`${name} is no ${type}: ${JSON.stringify(answer[name])}`] : []
    })
  })

/** The schema of the contract that a request object has. */
export const schemaOf = ({ contract }: World, name: string) => contract.components.schemas[name] ?? {}
