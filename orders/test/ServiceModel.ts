import { isDeepStrictEqual } from "node:util"
import type { LineItem, Operations, Payment } from "@overa/client"
import type { FiscalRequest } from "@overa/orders"

/** Thousandths times paras, from the numbers of a request. */
const scaled = (value: number, digits: number): bigint => {
  const [whole = "", fraction = ""] = String(value).split(".")
  if (!/^\d+$/.test(whole) || !/^\d*$/.test(fraction) || fraction.length > digits) throw new Error(`${value} has no ${digits} decimals`)
  return BigInt(whole + fraction.padEnd(digits, "0"))
}
export const paras = (value: number): bigint => scaled(value, 2)
const lineAmount = ({ quantity, unitPrice }: LineItem): bigint => (2n * scaled(quantity, 3) * paras(unitPrice) + 1000n) / 2000n
const total = (payments: ReadonlyArray<Payment>): bigint => payments.reduce((sum, { amount }) => sum + paras(amount), 0n)

interface Sold {
  readonly items: ReadonlyArray<LineItem>
  /** By line: what is left of quantity (thousandths) and money. */
  readonly left: Array<{ quantity: bigint; amount: bigint }>
}

/** The contract's own arithmetic, written a second time: refuses what the service refuses, and adds up what it would sign. */
export class ServiceModel {
  readonly documents = new Map<string, Sold>()
  readonly keys = new Map<string, string>()
  readonly cases = new Map<string, Array<{ readonly id: string; readonly amount: bigint; isCancelled: boolean }>>()
  signed = 0n
  readonly requests: Array<FiscalRequest> = []

  /** The answer, as far as the shop keeps it. */
  send(request: FiscalRequest): unknown {
    const text = JSON.stringify(request.input)
    if (this.keys.has(request.key)) throw new Error(`key ${request.key} twice, with ${this.keys.get(request.key) === text ? "the same" : "another"} content`)
    if (!/^[\x21-\x7e]{16,200}$/.test(request.key)) throw new Error(`no key: ${request.key}`)
    this.keys.set(request.key, text)
    this.requests.push(request)
    switch (request.operation) {
      case "issueFiscalDocument":
        return { id: this.#sell(request.key, request.input.body.items, request.input.body.payments) }
      case "refundSale":
        return { id: "w", refund: { id: this.#refund(request.key, request.input.body) } }
      case "openAdvanceCase":
        this.cases.set(request.key, [])
        return { id: request.key }
      default:
        return this.#advance(request)
    }
  }

  #sell(id: string, items: ReadonlyArray<LineItem>, payments: ReadonlyArray<Payment>, advanced = 0n): string {
    const amounts = items.map(lineAmount)
    const sum = amounts.reduce((one, other) => one + other, 0n)
    if (items.length === 0 || total(payments) + advanced !== sum) throw new Error(`items ${sum}, payments ${total(payments)}, advanced ${advanced}`)
    this.documents.set(id, { items, left: items.map(({ quantity }, at) => ({ quantity: scaled(quantity, 3), amount: amounts[at] ?? 0n })) })
    this.signed += total(payments)
    return id
  }

  #refund(key: string, body: Operations["refundSale"]["body"]): string {
    const sold = this.documents.get(body.original.fiscalDocumentId)
    if (sold === undefined || body.buyer.id === "") throw new Error("no original or no buyer")
    let amount = 0n
    for (const item of body.items) {
      const { originalLineIndex: at, quantity, ...facts } = item
      const [line, left] = [sold.items[at], sold.left[at]]
      if (line === undefined || left === undefined || !isDeepStrictEqual({ ...line, quantity }, { ...facts, quantity })) throw new Error("no such line")
      const asked = scaled(quantity, 3)
      if (asked > left.quantity || asked === 0n) throw new Error("more than was sold")
      const plain = lineAmount(item)
      const given = asked === left.quantity || plain > left.amount ? left.amount : plain
      left.quantity -= asked
      left.amount -= given
      amount += given
    }
    if (total(body.payments) !== amount) throw new Error(`refund of ${amount}, payments ${total(body.payments)}`)
    this.signed -= amount
    return `refund of ${key}`
  }

  #advance(request: FiscalRequest & { readonly operation: "addAdvancePayment" | "cancelAdvanceSale" | "closeAdvanceCase" }): unknown {
    const id = request.input.path.advanceCaseId
    const advances = this.cases.get(id)
    if (advances === undefined) throw new Error("no case")
    const open = advances.filter(({ isCancelled }) => !isCancelled)
    if (request.operation === "addAdvancePayment") {
      const { items, payments } = request.input.body
      const amount = items.reduce((sum, item) => sum + lineAmount(item), 0n)
      if (amount !== total(payments) || amount === 0n) throw new Error("the advance's payments are not its items")
      advances.push({ id: request.key, amount, isCancelled: false })
      this.signed += amount
      return { id, current: { id: request.key } }
    }
    if (request.operation === "cancelAdvanceSale") {
      const last = open.at(-1)
      if (last?.id !== request.input.body.advanceSaleId) throw new Error("not the latest advance")
      last.isCancelled = true
      this.signed -= last.amount
      return { id, current: { id: request.key } }
    }
    if (open.length === 0 || (request.input.body.buyer?.id ?? "") === "") throw new Error("nothing to close, or no buyer")
    this.cases.delete(id)
    return { id, finalSale: { id: this.#sell(request.key, request.input.body.items, request.input.body.remainingPayments, open.reduce((sum, { amount }) => sum + amount, 0n)) } }
  }
}
