import { type Deployment, digits } from "./Deployment.ts"

export type Body = Readonly<Record<string, unknown>>

/** What a receipt needs that only the deployment knows: the tax label of its premise. */
export interface Ground {
  readonly deployment: Deployment
  readonly label: string
}

export const groundOf = async (deployment: Deployment): Promise<Ground> => {
  const { businessPremiseId, taxpayerId } = deployment.settings
  const { json } = await deployment.ask("GET", `/v1/tax-rates?taxpayerId=${taxpayerId}&businessPremiseId=${businessPremiseId}`)
  return { deployment, label: json.labels[0].label }
}

const thousandths = (text: string, places: number): bigint => {
  const [whole = "", fraction = ""] = text.split(".")
  return BigInt(whole + fraction.padEnd(places, "0").slice(0, places))
}

/** Rule 1 of the sale: quantity × price, rounded to two decimals. */
export const amountOf = (quantity: string, price: string): string => {
  const paras = (thousandths(quantity, 3) * thousandths(price, 2) + 500n) / 1000n
  return `${paras / 100n}.${String(paras % 100n).padStart(2, "0")}`
}

export const placeOf = ({ deployment: { settings } }: Ground) => ({ taxpayerId: settings.taxpayerId, businessPremiseId: settings.businessPremiseId })

export const itemOf = ({ label }: Ground, quantity = "1", price = "100.00"): Body =>
  ({ name: "Чарапе", unitOfMeasure: "пар", quantity: digits(quantity), unitPrice: digits(price), taxLabels: [label] })

/** A Normal Sale with every required field of the contract and no other. */
export const saleOf = (ground: Ground, quantity = "1", price = "100.00"): Body => ({
  ...placeOf(ground), clientReference: "reader", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "reader" },
  items: [itemOf(ground, quantity, price)], payments: [{ type: "CARD", amount: digits(amountOf(quantity, price)) }]
})

export const buyer = { id: "20:123456789" }

/** A refund of the sale's only line. */
export const refundOf = (ground: Ground, fiscalDocumentId: string, quantity = "1", price = "100.00", type = "CARD"): Body => ({
  ...placeOf(ground), clientReference: "reader", original: { source: "SVC", fiscalDocumentId }, cashier: { id: "reader" }, buyer,
  items: [{ ...itemOf(ground, quantity, price), originalLineIndex: 0 }], payments: [{ type, amount: digits(amountOf(quantity, price)) }]
})

/** The object with one member replaced, or left out where the value is undefined; a path leads through lists by their first element. */
export const withMember = (body: unknown, path: ReadonlyArray<string>, value: unknown): unknown => {
  const [name = "", ...rest] = path
  if (Array.isArray(body)) return body.map((one, at) => at === 0 ? withMember(one, path, value) : one)
  const { [name]: found, ...others } = body as Body
  const next = rest.length === 0 ? value : withMember(found ?? {}, rest, value)
  return next === undefined ? others : { ...others, [name]: next }
}
