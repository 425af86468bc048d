import { field, isJsonObject, type JsonObject, parseExactJson, type PfrRejection, textField } from "@overa/domain"
import { callerPath } from "./callerPath.ts"
import { isElementFault, isRequestFault } from "./RejectionCode.ts"

/** What the body of a 400 proves about the submission (Decisions §4); null when it proves nothing. */
export type Refusal =
  | { readonly _tag: "RequestRefused"; readonly rejection: PfrRejection }
  | { readonly _tag: "ElementRefused"; readonly detail: string }

interface ModelFault {
  readonly property: string
  readonly codes: ReadonlyArray<string>
}

/** Spec, Resources, FiscalDocument, pfrRejection. */
const bounds = { items: 10, codes: 5, property: 120 }

const readCode = (value: unknown): string =>
  typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : ""

const readCodes = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value : [value]).map(readCode)

const readFault = (entry: unknown): ModelFault =>
  isJsonObject(entry)
    ? { property: textField(entry, "property") ?? "", codes: readCodes(field(entry, "errors")) }
    : { property: "", codes: [""] }

/** The published form is a list of `{property, errors}`; classic ASP.NET writes an object of lists (V-PFR §1.7, §4). */
const readModelState = (body: JsonObject): ReadonlyArray<ModelFault> => {
  const state = field(body, "modelState")
  if (Array.isArray(state)) return state.map(readFault)
  return isJsonObject(state) ? Object.entries(state).map(([property, codes]) => ({ property, codes: readCodes(codes) })) : []
}

const cutToCodePoints = (text: string, most: number): string => [...text].slice(0, most).join("")

const rejectionOf = (faults: ReadonlyArray<ModelFault>): PfrRejection => ({
  items: faults.slice(0, bounds.items).map(({ codes, property }) => ({
    property: cutToCodePoints(callerPath(property).replaceAll(/\p{Cc}/gu, "\uFFFD"), bounds.property),
    codes: codes.slice(0, bounds.codes)
  }))
})

const namesThePac = /(?<![\p{L}\p{N}_])(?:PAC|ПАК|PAK)(?![\p{L}\p{N}_])/u

/** Reads the body of an answer with status 400: JSON of either form, or the bare code that some of these servers send. */
export const readRefusal = (text: string): Refusal | null => {
  const body = parseExactJson(text)
  const faults = isJsonObject(body)
    ? readModelState(body)
    : [{ property: "", codes: [/^"?(\d{4})"?$/.exec(text.trim())?.[1] ?? ""] }]
  const codes = faults.flatMap((fault) => fault.codes)
  const elementFault = codes.find(isElementFault)
  if (elementFault !== undefined) return { _tag: "ElementRefused", detail: `the V-PFR answered ${elementFault}` }
  if (faults.some((fault) => /^pac$/i.test(fault.property))) return { _tag: "ElementRefused", detail: "the V-PFR refused the PAC" }
  if (codes.length > 0 && codes.every(isRequestFault)) return { _tag: "RequestRefused", rejection: rejectionOf(faults) }
  return namesThePac.test(text) ? { _tag: "ElementRefused", detail: "the V-PFR's 400 names the PAC" } : null
}
