import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient } from "../support/ApiClient.ts"
import { advancePath, caseBuyer, sampleCancellation, sampleCase, sampleClosing, samplePayment } from "./sampleAdvance.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

const words = { "Готовина": "CASH", "Платна картица": "CARD", "Инстант плаћање": "INSTANT_PAYMENT", "Пренос на рачун": "WIRE_TRANSFER", "Ваучер": "VOUCHER", "Чек": "CHECK", "Друго безготовинско плаћање": "OTHER" } as const

/** An amount of a journal in paras: `1.234,50` is 123450. */
const paras = (text: string): number => Math.round(Number(text.replaceAll(".", "").replace(",", ".")) * 100)

interface Told {
  readonly cashier: string
  readonly total: number
  readonly payments: Readonly<Record<string, number>>
  readonly tax: number
}

/** The money in a receipt's official text; negative for a refund. Null where it is no turnover. */
const readText = (text: string): Told | null => {
  const heading = /-+(ПРОМЕТ|АВАНС) (ПРОДАЈА|РЕФУНДАЦИЈА)-+/.exec(text)
  if (heading === null) return null
  const sign = heading[2] === "РЕФУНДАЦИЈА" ? -1 : 1
  const amountOf = (name: string): number => [...text.matchAll(new RegExp(`^${name}: +([\\d.,]+)\\r?$`, "gm"))].reduce((sum, [, amount = "0"]) => sum + paras(amount), 0)
  return {
    cashier: /Касир: +(\S+)/.exec(text)?.[1] ?? "",
    total: sign * (amountOf("Укупан износ") + amountOf("Укупна рефундација")),
    payments: Object.fromEntries(Object.entries(words).map(([name, type]) => [type, sign * amountOf(name)])),
    tax: sign * amountOf("Укупан износ пореза")
  }
}

/**
 * The report compared with the official texts that the V-PFR signed, for any history of sales, refunds, copies, advances, cancellations and closings.
 * Only for a deployment with a real V-PFR or the simulator. Source: Decisions §5, Journal, reports, deliveries.
 */
export const turnoverContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: turnover`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    }, 180_000)

    const paid = (total: number, cash: number) => [
      ...(cash > 0 ? [{ type: "CASH", amount: cash / 100 }] : []),
      ...(cash < total ? [{ type: "CARD", amount: (total - cash) / 100 }] : [])
    ]
    const sell = async (cashier: string, total: number, cash: number, refund: number) => {
      const cashierOf = { cashier: { id: cashier } }
      const [line] = sampleSale(api.target).items
      const items = [{ ...line, quantity: 1, unitPrice: total / 100 }]
      const sale = (await api.post("/v1/fiscal-documents", { ...sampleSale(api.target), ...cashierOf, items, payments: paid(total, Math.min(cash, total)) })).json
      const copy = (await api.post(`/v1/fiscal-documents/${sale.id}/copies`, cashierOf)).json
      if (refund === 0) return [sale, copy]
      const { businessPremiseId, taxpayerId } = api.target
      const given = await api.post("/v1/refund-workflows", {
        taxpayerId, businessPremiseId, clientReference: "R", original: { source: "SVC", fiscalDocumentId: sale.id }, ...cashierOf, buyer: caseBuyer,
        items: [{ ...items[0], originalLineIndex: 0 }], payments: paid(total, refund === 2 ? total : 0)
      })
      expect(given.status).toBe(201)
      return [sale, copy, given.json.refund, ...(given.json.cashRefundCopy === null ? [] : [given.json.cashRefundCopy])]
    }
    const advance = async (cashier: string, first: number, cancelled: number, rest: number) => {
      const cashierOf = { cashier: { id: cashier } }
      const { id } = (await api.post(advancePath, sampleCase(api.target))).json
      await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, first / 100, "CARD", cashierOf))
      if (cancelled > 0) {
        const taken = (await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, cancelled / 100, "WIRE_TRANSFER", cashierOf))).json
        const gone = await api.post(`${advancePath}/${id}/cancellations`, { ...sampleCancellation(taken.current.id), ...cashierOf })
        expect(gone.status).toBe(201)
      }
      const closed = await api.post(`${advancePath}/${id}/closing`, sampleClosing(api.target, (first + rest) / 100, rest / 100, cashierOf))
      expect(closed.status).toBe(201)
      const { advanceCancellations, advanceRefund, advanceSales, finalSale } = closed.json
      return [...advanceSales, ...advanceCancellations.flatMap((one: { refund: unknown; copy: unknown }) => [one.refund, ...(one.copy === null ? [] : [one.copy])]), advanceRefund, finalSale]
    }

    it("is what the signed texts say, over generated histories", async () => {
      const act = fc.oneof(
        fc.record({ kind: fc.constant("SALE" as const), total: fc.integer({ min: 2, max: 9_999_999 }), cash: fc.nat(9_999_999), refund: fc.nat(2) }),
        fc.record({ kind: fc.constant("ADVANCE" as const), total: fc.integer({ min: 2, max: 9_999_999 }), cash: fc.constantFrom(0, 12_345), refund: fc.integer({ min: 1, max: 99_999 }) })
      )
      await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 4 }), async (acts) => {
        const cashier = randomUUID().slice(0, 18)
        // oxlint-disable-next-line typescript/no-explicit-any
        const documents: Array<any> = []
        for (const { cash, kind, refund, total } of acts) {
          documents.push(...(kind === "SALE" ? await sell(cashier, total, cash, refund) : await advance(cashier, total, cash, refund)))
        }
        expect(documents.every(({ fiscalized }) => fiscalized)).toBe(true)
        const told = documents.flatMap(({ pfr }) => readText(pfr.journal) ?? [])
        const times = documents.map(({ createdAt }) => createdAt).toSorted()
        const query = new URLSearchParams({ taxpayerId: api.target.taxpayerId, pfrFrom: new Date(Date.parse(times[0]) - 60_000).toISOString(), groupBy: "cashier" })
        const { rows } = (await api.get(`/v1/reports/turnover?${query}`)).json
        const row = rows.find((one: { readonly group: { readonly cashier: string } }) => one.group.cashier === cashier)
        const sum = (of: (one: Told) => number): number => told.reduce((total, one) => total + of(one), 0)
        expect(row.receipts).toBe(told.length)
        // The text of a closing shows as paid what remained; the advance it used was paid before and is given back by the Advance Refund.
        const paidTotal = row.payments.reduce((total: number, { amount }: { amount: number }) => total + Math.round(amount * 100), 0)
        expect(Math.round(row.gross * 100)).toBe(sum((one) => one.total))
        expect(paidTotal + Math.round(row.advanceApplied * 100)).toBe(Math.round(row.gross * 100))
        for (const { amount, type } of row.payments) expect(Math.round(amount * 100), type).toBe(sum((one) => one.payments[type] ?? 0))
        const taxes = row.taxes.reduce((total: number, { amount }: { amount: number }) => total + Math.round(amount * 100), 0)
        // The texts round each receipt, the report rounds once.
        expect(Math.abs(taxes - sum((one) => one.tax))).toBeLessThanOrEqual(Math.ceil(told.length / 2))
      }), { numRuns: 12 })
    }, 240_000)
  })
