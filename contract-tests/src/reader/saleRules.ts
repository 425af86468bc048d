import type { Sentence } from "../sentences/readSentences.ts"
import type { Answer } from "./Deployment.ts"
import { type Finding, finding, same } from "./Finding.ts"
import { buyer, type Ground, itemOf, refundOf, saleOf } from "./sale.ts"

const sales = "/v1/fiscal-documents"
const errorsOf = ({ json }: Answer): ReadonlyArray<string> => Object.keys(json?.errors ?? {}).map((name) => name.replaceAll(/\[\d+\]/g, ""))

/** Values of the buyer's optional field by their prefix; a period has the form that the contract shows. */
const valueOf = (prefix: string): string => prefix === "60" ? "01082026_31082026" : "12345678"

/** `20 and 21 for …; 30 to 33 for …; 50 for …; 60 for …` */
const optionalPrefixes = (text: string): ReadonlyArray<string> =>
  text.split(";").flatMap((part) => {
    const [, from = "", word = "", to = ""] = /(\d\d)(?: (and|to) (\d\d))? for/.exec(part) ?? []
    if (from === "") return []
    if (word !== "to") return to === "" ? [from] : [from, to]
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => String(Number(from) + at))
  })

const optionalFields = async (ground: Ground, { text }: Sentence): Promise<ReadonlyArray<string>> => {
  const ask = (prefix: string) =>
    ground.deployment.issue(sales, { ...saleOf(ground), payments: [{ type: prefix === "50" ? "VOUCHER" : "CARD", amount: 100 }], buyer: { ...buyer, optionalField: `${prefix}:${valueOf(prefix)}` } })
  const prefixes = optionalPrefixes(text)
  const judged = await Promise.all(prefixes.map(async (prefix) => same(`optional field ${prefix}:`, (await ask(prefix)).status, 201)))
  const refused = await Promise.all(["10", "99"].map(async (prefix) => same(`optional field ${prefix}:`, (await ask(prefix)).status, 422)))
  return [...same("prefixes read", prefixes.length, 8), ...judged.flat(), ...refused.flat()]
}

const rules: Readonly<Record<string, (ground: Ground) => Promise<ReadonlyArray<string>>>> = {
  "fiscal-documents-rule-1": async (ground) => {
    const answer = await ground.deployment.issue(sales, { ...saleOf(ground), payments: [{ type: "CARD", amount: 99.99 }] })
    return same("payments that are less", [answer.status, errorsOf(answer)], [422, ["totals"]])
  },
  "fiscal-documents-rule-4": async (ground) => {
    const { json } = await ground.deployment.issue(sales, saleOf(ground))
    return same("the journal has name/unit", String(json.pfr?.journal).includes("Чарапе/пар"), true)
  },
  "fiscal-documents-rule-5": async (ground) => {
    const { deployment } = ground
    const optionalField = "20:87654321"
    const sold = await deployment.issue(sales, { ...saleOf(ground), buyer: { ...buyer, optionalField } })
    const refund = await deployment.issue("/v1/refund-workflows", { ...refundOf(ground, sold.json.id), buyer: { ...buyer, optionalField } })
    const copy = await deployment.issue(`${sales}/${sold.json.id}/copies`, { cashier: { id: "reader" } })
    return [...same("sale", sold.status, 201), ...same("refund", [refund.status, errorsOf(refund)], [422, ["Buyer.OptionalField"]]), ...same("the copy's journal has it", String(copy.json.pfr?.journal).includes("87654321"), false)]
  },
  "fiscal-documents-rule-7": async (ground) => {
    const { deployment, label } = ground
    const without = (name: string) => ({ ...saleOf(ground), items: [{ ...itemOf(ground), name, unitOfMeasure: undefined }] })
    const [literal, other] = [await deployment.issue(sales, without(`10: Аванс (${label})`)), await deployment.issue(sales, without("Чарапе"))]
    return [...same("the literal of the label", literal.status, 201), ...same("another name", [other.status, errorsOf(other)], [422, ["Items.UnitOfMeasure"]])]
  },
  "refunds-rule-3": async (ground) => {
    const { json } = await ground.deployment.issue(sales, saleOf(ground))
    const { buyer: _left, ...body } = refundOf(ground, json.id) as { readonly buyer: unknown }
    const answer = await ground.deployment.issue("/v1/refund-workflows", body)
    return same("without a buyer", [answer.status, errorsOf(answer).some((name) => name.startsWith("Buyer"))], [422, true])
  },
  "refunds-rule-6": async (ground) => {
    const { json: sold } = await ground.deployment.issue(sales, saleOf(ground))
    const { json } = await ground.deployment.issue("/v1/refund-workflows", refundOf(ground, sold.id))
    return same("the reference", json.refund.reference, { fiscalDocumentId: sold.id, pfrNumber: sold.pfr.invoiceNumber, pfrTime: sold.pfr.sdcTime })
  }
}

/** The numbered rules of sales and refunds that a caller can try, and the prefixes of the optional field. */
export const saleRules = async (ground: Ground, sentences: ReadonlyArray<Sentence>): Promise<ReadonlyArray<Finding>> => {
  const findings: Array<Finding> = []
  for (const [place, rule] of Object.entries(rules)) {
    const sentence = sentences.find(({ places }) => places.includes(place))
    findings.push(finding(sentence?.text ?? place, sentence === undefined ? [`${place} is not in the contract`] : await rule(ground)))
  }
  const optional = sentences.find(({ text }) => text.startsWith("`buyer.optionalField`"))
  return [...findings, finding(optional?.text ?? "buyer.optionalField", optional === undefined ? ["is not in the contract"] : await optionalFields(ground, optional))]
}
