import type { FiscalizedDocument, Operations } from "@overa/client"
import { randomInt, randomUUID } from "node:crypto"
import { persist, untilIssued, untilRefunded } from "./persist.ts"
import type { SoakShop } from "./SoakShop.ts"

/** One thing that a shop does, from its first request to its last answer. */
export interface Errand {
  readonly family: string
  /** Of a hundred errands about so many. */
  readonly share: number
  readonly run: (shop: SoakShop, over: AbortSignal) => Promise<void>
}

type Sale = Operations["issueFiscalDocument"]["body"]

const cashier = { id: "soak" }
const buyer = { id: "20:123456789" }

const placeOf = ({ shop: { businessPremiseId, taxpayerId } }: SoakShop) => ({ taxpayerId, businessPremiseId, clientReference: randomUUID() })
/** Amounts differ, so that two receipts that are mixed up show in the sums. */
const price = (): number => randomInt(10_000, 1_000_000) / 100
const pieces = (shop: SoakShop, quantity: number, unitPrice: number) => [{ name: "Свеска", unitOfMeasure: "ком", quantity, unitPrice, taxLabels: [shop.label] }]
const paras = (amount: number): number => Number(amount.toFixed(2))

const saleOf = (shop: SoakShop, quantity: number, unitPrice: number, type: "CARD" | "CASH"): Sale => ({
  ...placeOf(shop),
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier,
  items: pieces(shop, quantity, unitPrice),
  payments: [{ type, amount: paras(quantity * unitPrice) }]
})

const sell = async (shop: SoakShop, over: AbortSignal, body: Sale): Promise<FiscalizedDocument> => {
  const receipt = await untilIssued(shop.client, shop.client.sale(body), over)
  shop.ledger.told(receipt)
  return receipt
}

const sale: Errand["run"] = async (shop, over) => {
  await sell(shop, over, saleOf(shop, randomInt(1, 5), price(), "CARD"))
}

/** A sale whose receipt is read again, as text and as a paper. */
const saleAndPaper: Errand["run"] = async (shop, over) => {
  const receipt = await sell(shop, over, saleOf(shop, 1, price(), "CARD"))
  const read = (representationFormat: "official-text" | "pdf-a4") =>
    persist(() => shop.client.call("readRepresentation", { path: { fiscalDocumentId: receipt.id, representationFormat } }), over)
  const text = new TextDecoder().decode(await read("official-text"))
  if (text !== receipt.pfr.journal) shop.ledger.wrong.push(`the text of ${receipt.id} is not its journal`)
  await read("pdf-a4")
}

/** Three pieces of which some go back; in cash a copy is signed as well. */
const refund: Errand["run"] = async (shop, over) => {
  const [unitPrice, back, type] = [price(), randomInt(1, 4), randomInt(2) === 0 ? "CASH" : "CARD"] as const
  const receipt = await sell(shop, over, saleOf(shop, 3, unitPrice, type))
  const body: Operations["refundSale"]["body"] = {
    ...placeOf(shop), original: { source: "SVC", fiscalDocumentId: receipt.id }, cashier, buyer,
    items: pieces(shop, back, unitPrice).map((item) => ({ ...item, originalLineIndex: 0 })),
    payments: [{ type, amount: paras(back * unitPrice) }]
  }
  const done = await untilRefunded(() => shop.client.refund(body), over)
  shop.ledger.told(done.refund, done.cashRefundCopy)
}

const copy: Errand["run"] = async (shop, over) => {
  const receipt = await sell(shop, over, saleOf(shop, 1, price(), "CARD"))
  const asked = shop.client.copy(receipt.id, { clientReference: randomUUID(), cashier })
  shop.ledger.told(await untilIssued(shop.client, asked, over))
}

/** Opened, paid twice, one payment taken back, closed with the rest in cash. */
const advance: Errand["run"] = async (shop, over) => {
  const asked = shop.client.openAdvanceCase({ ...placeOf(shop), buyer })
  const opened = await persist(() => asked.send(over), over)
  const calls = shop.client.advanceCase(opened.id)
  const paid = async (amount: number) => {
    const items = [{ name: `10: Аванс (${shop.label})`, quantity: 1, unitPrice: amount, taxLabels: [shop.label] }]
    const paying = calls.pay({ cashier, items, payments: [{ type: "CARD", amount }] })
    return untilIssued(shop.client, paying, over)
  }
  await paid(500)
  const { advanceSales } = await paid(1_000)
  // Only the latest one can be taken back.
  const cancelling = calls.cancel({ advanceSaleId: advanceSales.findLast(({ status }) => status === "FISCALIZED")?.id ?? "", cashier, buyer })
  await untilIssued(shop.client, cancelling, over)
  const closing = calls.close({ cashier, items: pieces(shop, 1, 1_200), remainingPayments: [{ type: "CASH", amount: 700 }] })
  await untilIssued(shop.client, closing, over)
  const closed = await persist(() => calls.read(), over)
  if (closed.state !== "CLOSED") shop.ledger.wrong.push(`advance case ${closed.id} was closed and reads ${closed.state}`)
  shop.ledger.told(...closed.advanceSales, ...closed.advanceCancellations.flatMap((one) => [one.refund, one.copy]), closed.advanceRefund, closed.finalSale)
}

const offer = (invoiceType: "PROFORMA" | "TRAINING"): Errand["run"] => async (shop, over) => {
  const body = { ...saleOf(shop, 1, price(), "CARD"), invoiceType, transactionType: "SALE" } as Operations["issueProformaTraining"]["body"]
  const asked = shop.client.proformaOrTraining(body)
  const workflow = await untilIssued(shop.client, asked, over)
  shop.ledger.told(workflow.document)
}

const deliver: Errand["run"] = async (shop, over) => {
  const receipt = await sell(shop, over, saleOf(shop, 1, price(), "CARD"))
  const recipient = `kupac-${randomUUID()}@example.rs`
  const asked = shop.client.deliver({ fiscalDocumentId: receipt.id, recipient, formats: ["pdf-a4"], locale: "sr-Latn" })
  const delivery = await persist(() => asked.send(over), over)
  shop.ledger.recipients.set(recipient, delivery.id)
}

const catalogue: Errand["run"] = async ({ client, label, ledger, shop: { taxpayerId } }, over) => {
  const named = () => ({ sku: `SOAK-${randomUUID()}`, name: "Чарапе", unitOfMeasure: "пар", grossUnitPrice: 120.5, taxLabels: [label] })
  // It takes no key: where the answer was lost, the next attempt is another product.
  const { id: productId, sku } = await persist(() => client.call("createProduct", { body: { taxpayerId, ...named() } }, over), over)
  const fields = { ...named(), sku }
  const path = { productId }
  await persist(() => client.call("replaceProduct", { path, body: { ...fields, grossUnitPrice: 130, isActive: true } }, over), over)
  const { grossUnitPrice } = await persist(() => client.call("readProduct", { path }, over), over)
  if (grossUnitPrice !== 130) ledger.wrong.push(`product ${productId} was replaced and still costs ${grossUnitPrice}`)
}

const journal: Errand["run"] = async ({ client, ledger, webhooks }, over) => {
  const known = ledger.receipts.at(randomInt(Math.max(1, ledger.receipts.length)))
  // Shops without a receiver do not know of events: releases before them have none.
  if (webhooks !== null) await persist(() => client.call("listEvents", { query: { pageSize: 50 } }, over), over)
  await persist(() => client.call("reportTurnover", { query: { groupBy: ["day", "paymentType"] } }, over), over)
  if (known === undefined) return
  const page = await persist(() => client.call("searchJournal", { query: { pfrNumber: known.invoiceNumber } }, over), over)
  if (page.items.length !== 1) ledger.wrong.push(`the journal finds ${known.invoiceNumber} ${page.items.length} times`)
}

/** Every family of the interface. */
export const errands: ReadonlyArray<Errand> = [
  { family: "sale", share: 42, run: sale },
  { family: "sale, text and PDF", share: 8, run: saleAndPaper },
  { family: "refund", share: 10, run: refund },
  { family: "copy", share: 6, run: copy },
  { family: "advance case", share: 6, run: advance },
  { family: "proforma", share: 5, run: offer("PROFORMA") },
  { family: "training", share: 3, run: offer("TRAINING") },
  { family: "delivery by mail", share: 8, run: deliver },
  { family: "catalogue", share: 5, run: catalogue },
  { family: "journal, turnover, events", share: 7, run: journal }
]
