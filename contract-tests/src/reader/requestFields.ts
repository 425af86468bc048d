import type { Sentence } from "../sentences/readSentences.ts"
import { type Answer, digits } from "./Deployment.ts"
import { type Finding, finding } from "./Finding.ts"
import { boundsOf, notOfType } from "./probes.ts"
import { amountOf, buyer, type Body, type Ground, saleOf, withMember } from "./sale.ts"

/** Where the objects of `Request building blocks` stand in the body of a sale. */
const places: Readonly<Record<string, ReadonlyArray<string>>> = { Cashier: ["cashier"], Buyer: ["buyer"], LineItem: ["items"], Payment: ["payments"] }

/** `items.unitOfMeasure` is reported on `Items.UnitOfMeasure` (Catalogue of codes, Besides). */
const reportedOn = (path: ReadonlyArray<string>): string => path.map((name) => name.slice(0, 1).toUpperCase() + name.slice(1)).join(".")
const fieldsOf = ({ json }: Answer): ReadonlyArray<string> => Object.keys(json?.errors ?? {}).map((name) => name.replaceAll(/\[\d+\]/g, ""))

/** Refused with a problem at the field, or by the V-PFR, which then names it. */
const refusesAt = (path: ReadonlyArray<string>, answer: Answer): boolean => {
  if (answer.status !== 422) return false
  const name = reportedOn(path)
  return answer.json?.status === "REJECTED" || fieldsOf(answer).some((field) => field === name || field.startsWith(`${name}.`))
}

const inWords = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text === undefined ? "nothing" : text.length > 40 ? `${text.slice(0, 20)}… (${String(value).length} characters)` : text.replaceAll("\\u0001", "")
}

interface Field {
  readonly path: ReadonlyArray<string>
  readonly type: string
  readonly rule: string
  readonly isRequired: boolean
}

/** A sale whose payments come to what its items say after one value was changed. */
const saleWith = (ground: Ground, { path }: Field, value: unknown): unknown => {
  const text = typeof value === "string" && value.startsWith("\u0001") ? value.slice(1) : null
  const name = path.join(".")
  if (text !== null && name === "items.quantity" && /^\d+(\.\d{1,3})?$/.test(text)) return saleOf(ground, text, "0.01")
  if (text !== null && name === "items.unitPrice" && /^\d+(\.\d{1,2})?$/.test(text)) return saleOf(ground, "1", text)
  if (text !== null && name === "payments.amount" && /^\d+(\.\d{1,2})?$/.test(text)) return saleOf(ground, "1", amountOf("1", text))
  // Two payments that come to whole paras, each with more than two decimals.
  if (text !== null && name === "payments.amount" && text === "0.001") return { ...saleOf(ground, "1", "0.01"), payments: [{ type: "CARD", amount: digits("0.005") }, { type: "CASH", amount: digits("0.005") }] }
  if (text !== null && name === "payments.amount" && text === "1.005") return { ...saleOf(ground, "1", "2.01"), payments: [{ type: "CARD", amount: digits("1.005") }, { type: "CASH", amount: digits("1.005") }] }
  const sale = path[0] === "buyer" ? { ...saleOf(ground), buyer } : saleOf(ground)
  return withMember(sale, path, value)
}

const special = ({ label }: Ground, { path, rule }: Field): { readonly inside: ReadonlyArray<unknown>; readonly outside: ReadonlyArray<unknown> } => {
  const name = path.at(-1)
  if (name === "taxLabels") return { inside: [[label]], outside: [[label, label], [1]] }
  if (name === "unitPriceBeforeDiscount") return { inside: [digits("100.01")], outside: [digits("100"), digits("99.99"), digits("-1")] }
  if (rule.includes("`prefix:value`")) return { inside: [], outside: ["123456789", "99:1", ":", "20:"] }
  return { inside: [], outside: [] }
}

/** The name's most characters are those of the signed name, `name/unit` (docs/adr/0336). */
const signed = ({ path }: Field, value: unknown): unknown => path.join(".") === "items.name" && typeof value === "string" && value.length > 1 ? value.slice("/пар".length) : value

const judge = async (ground: Ground, field: Field): Promise<ReadonlyArray<string>> => {
  const { isRequired, path, rule, type } = field
  const own = boundsOf(rule)
  const more = special(ground, field)
  const ask = (value: unknown) => ground.deployment.issue("/v1/fiscal-documents", saleWith(ground, field, value))
  const deviations: Array<string> = []
  for (const value of [...(own?.inside ?? []), ...more.inside].map((one) => signed(field, one))) {
    const answer = await ask(value)
    // An empty text of an optional field may be refused or left out.
    if (answer.status !== 201 && value !== "") deviations.push(`${inWords(value)} is answered ${answer.status} ${answer.text.slice(0, 200)}`)
  }
  for (const value of [...(own?.outside ?? []), ...more.outside, ...notOfType(type), ...(isRequired ? [undefined, null] : [])]) {
    const answer = await ask(value)
    if (!refusesAt(path, answer)) deviations.push(`${inWords(value)} is answered ${answer.status} ${answer.text.slice(0, 200)}`)
  }
  if (!isRequired) {
    const answer = await ask(undefined)
    if (answer.status !== 201) deviations.push(`without it the answer is ${answer.status}`)
  }
  return deviations
}

/** The rows of building blocks, and those of the sale's own table. */
const fieldsOfRow = ({ cells }: Sentence): ReadonlyArray<Field> => {
  const { Field: names = "", Object: object = "", Required: required, Rule: rule = "", Type: type = "" } = cells ?? {}
  const within = object === "" ? [] : places[object]
  if (within === undefined || names === "" || (object === "" && required === undefined)) return []
  return names.split(", ").map((name): Field => ({
    path: [...within, name], rule,
    type: object === "" ? typeOfSale(name, rule) : type,
    isRequired: object === "" ? required === "yes" : type.includes("required") || name === "unitOfMeasure"
  }))
}

const typeOfSale = (name: string, rule: string): string =>
  name === "items" || name === "payments" ? "array" : name === "clientReference" || name === "commercialFooter" ? "string" : rule.startsWith("uuid") ? "uuid" : rule.startsWith("timestamp") ? "timestamp" : ""

/** Not by this operation: what only a copy or an advance may carry. */
const elsewhere = new Set(["reference", "transactionOccurredAt", "catalogProductId"])

/** Each constrained field of a sale: just inside accepted, just outside refused at the field. */
export const requestFields = async (ground: Ground, page: ReadonlyArray<Sentence>): Promise<ReadonlyArray<Finding>> => {
  const rows = page.map((sentence) => ({ sentence, fields: fieldsOfRow(sentence) })).filter(({ fields }) => fields.length > 0)
  const findings: Array<Finding> = []
  for (const { fields, sentence } of rows) {
    const judged: Array<string> = []
    for (const field of fields) {
      if (elsewhere.has(field.path.at(-1) ?? "")) {
        // What it may be is seen elsewhere; what it may not be is refused here.
        for (const value of notOfType(field.type)) {
          const answer = await ground.deployment.issue("/v1/fiscal-documents", saleWith(ground, field, value))
          if (answer.status !== 422) judged.push(`${inWords(value)} is answered ${answer.status}`)
        }
      } else judged.push(...await judge(ground, field))
    }
    findings.push(finding(sentence.text, judged))
  }
  return findings
}

const sampleProduct = (ground: Ground): Body => ({
  taxpayerId: ground.deployment.settings.taxpayerId, sku: `sku-${Math.random()}`, gtin: null, name: "Хлеб", unitOfMeasure: "ком", grossUnitPrice: 1, taxLabels: [ground.label]
})

/** `JSON: taxpayerId uuid; sku 1 to 100; …; all required except gtin` in the row of `POST /v1/products`. */
export const productFields = async (ground: Ground, page: ReadonlyArray<Sentence>): Promise<ReadonlyArray<Finding>> => {
  const text = page.find(({ cells }) => cells?.["Method and path"] === "POST /v1/products")?.cells?.["Request"] ?? ""
  const parts = text.replace("JSON: ", "").split("; ").filter((part) => /^\w+ \S/.test(part) && !part.startsWith("all required"))
  const findings: Array<Finding> = []
  for (const part of parts) {
    const [, name = "", words = ""] = /^(\w+) (.*)$/.exec(part) ?? []
    const bounds = boundsOf(words)
    const deviations: Array<string> = []
    const ask = (value: unknown) => ground.deployment.ask("POST", "/v1/products", { body: withMember(sampleProduct(ground), [name], value) })
    for (const value of bounds?.inside ?? []) {
      const answer = await ask(value)
      // A sku may be there from an earlier reading.
      if (answer.status !== 201 && answer.status !== 409 && value !== "") deviations.push(`${inWords(value)} is answered ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    const wrong = words.startsWith("uuid") ? ["no uuid"] : name === "taxLabels" ? [[ground.label, ground.label], "A"] : name === "grossUnitPrice" ? ["1"] : [1]
    for (const value of [...(bounds?.outside ?? []), ...wrong, ...(name === "gtin" ? [] : [undefined, null])]) {
      const answer = await ask(value)
      if (!refusesAt([name], answer)) deviations.push(`${inWords(value)} is answered ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    findings.push(finding(`POST /v1/products: ${part}`, deviations))
  }
  return findings
}
