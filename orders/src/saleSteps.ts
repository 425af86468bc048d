import type { LineItem, RefundItem } from "@overa/client"
import { numberOf } from "./decimals.ts"
import { advancedOf, buyerIdOf, goodsOf, type Ledger, type LedgerLine, type LedgerPart, paymentsOf, type Sum, totalOf } from "./Ledger.ts"
import { amountOf, partsOf } from "./parts.ts"

const itemOf = (line: LedgerLine, part: LedgerPart): LineItem => {
  const before = part.soldBy?.unitPriceBeforeDiscount ?? null
  return {
    name: line.line.name,
    unitOfMeasure: line.line.unit,
    quantity: numberOf(part.quantity, 3),
    unitPrice: numberOf(part.unitPrice, 2),
    taxLabels: line.line.taxLabels,
    ...(before === null ? {} : { unitPriceBeforeDiscount: numberOf(before, 2) }),
    ...(line.line.gtin === undefined ? {} : { gtin: line.line.gtin })
  }
}

/** Makes parts into lines of a receipt: each comes to quantity times price, and knows its place. */
const sell = (lines: ReadonlyArray<LedgerLine>, step: string): ReadonlyArray<LineItem> => {
  const items: Array<LineItem> = []
  for (const line of lines) {
    const sold = line.parts.filter(({ soldBy }) => soldBy !== null)
    const fresh = line.parts.filter(({ soldBy }) => soldBy === null).flatMap((part) => partsOf(part.amount, part.quantity, part.unitPrice))
    const placed = fresh.map((part): LedgerPart => {
      const before = line.listPrice !== null && line.listPrice > part.unitPrice ? line.listPrice : null
      const own = { ...part, soldBy: { step, index: items.length, unitPriceBeforeDiscount: before } }
      items.push(itemOf(line, own))
      return own
    })
    line.parts = [...sold, ...placed]
  }
  return items
}

const placeOf = ({ settings: { businessPremiseId, taxpayerId } }: Ledger) => ({ taxpayerId, businessPremiseId })

const buyerOf = (ledger: Ledger) => ledger.order?.buyer === undefined ? {} : { buyer: ledger.order.buyer }

/** Sells what is not sold yet: everything of an order, or a position at its corrected price. */
export const issueSale = (ledger: Ledger, name: string, lines: ReadonlyArray<LedgerLine>, payments: ReadonlyArray<Sum>): void => {
  ledger.steps.push({
    name, operation: "issueFiscalDocument", needs: {},
    body: {
      ...placeOf(ledger), ...buyerOf(ledger),
      clientReference: ledger.order?.number ?? "", invoiceType: "NORMAL", transactionType: "SALE", cashier: ledger.settings.cashier,
      items: sell(lines, name),
      payments: paymentsOf(payments)
    }
  })
  ledger.signed += totalOf(payments)
}

/** Sells the order; where advances were paid, by closing their case. Money that is still to come is paid as the parcel will be. */
export const issueOrder = (ledger: Ledger): void => {
  const owed = goodsOf(ledger) - totalOf(ledger.money) - advancedOf(ledger)
  const payments = owed > 0n && ledger.cashOnDelivery !== null ? [...ledger.money, { type: ledger.cashOnDelivery, amount: owed }] : ledger.money
  if (ledger.advances.length === 0) issueSale(ledger, "sale", ledger.lines, payments)
  else {
    const remaining = paymentsOf(payments)
    ledger.steps.push({
      name: "sale", operation: "closeAdvanceCase", needs: { case: ledger.caseStep ?? "" },
      body: {
        cashier: ledger.settings.cashier,
        buyer: { ...ledger.order?.buyer, id: buyerIdOf(ledger, undefined) },
        items: sell(ledger.lines, "sale"),
        remainingPayments: remaining.length === 0 ? [{ type: "OTHER", amount: 0 }] : remaining
      }
    })
    ledger.signed += totalOf(payments)
  }
  Object.assign(ledger, { isSold: true, owed, money: [], advances: [] })
}

/** Refunds parts that were sold, one refund for each receipt they are on. */
export const refundParts = (
  ledger: Ledger,
  name: string,
  parts: ReadonlyArray<{ readonly line: LedgerLine; readonly part: LedgerPart }>,
  payments: ReadonlyArray<Sum>,
  buyerId: string
): void => {
  const receipts = [...new Set(parts.map(({ part }) => part.soldBy?.step ?? ""))]
  let left = payments
  for (const sale of receipts) {
    const own = parts.filter(({ part }) => part.soldBy?.step === sale)
    const [paid, rest] = splitAt(left, amountOf(own.map(({ part }) => part)))
    left = rest
    ledger.steps.push({
      name: `${name}/${sale}`, operation: "refundSale", needs: { sale },
      body: {
        ...placeOf(ledger), clientReference: ledger.order?.number ?? "", cashier: ledger.settings.cashier, buyer: { id: buyerId },
        items: own.map(({ line, part }): RefundItem => ({ ...itemOf(line, part), originalLineIndex: part.soldBy?.index ?? 0 })),
        payments: paymentsOf(paid)
      }
    })
  }
  ledger.signed -= totalOf(payments)
}

/** The first money up to an amount, and the rest of it. */
const splitAt = (money: ReadonlyArray<Sum>, amount: bigint): readonly [ReadonlyArray<Sum>, ReadonlyArray<Sum>] => {
  let wanted = amount
  const first: Array<Sum> = []
  const rest: Array<Sum> = []
  for (const one of money) {
    const taken = one.amount < wanted ? one.amount : wanted
    wanted -= taken
    if (taken > 0n) first.push({ ...one, amount: taken })
    if (taken < one.amount) rest.push({ ...one, amount: one.amount - taken })
  }
  return [first, rest]
}
