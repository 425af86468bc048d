import { createHash } from "node:crypto"
import { divideRounded, formatUnits } from "../exactDecimal.ts"
import type { RequestedItem } from "../protocol/InvoiceRequest.ts"
import { readInvoiceRequest } from "../protocol/readInvoiceRequest.ts"
import { parseKept } from "../protocol/requestBody.ts"
import { type Answer, jsonAnswer } from "../server/Answer.ts"
import type { SimulatedEnvironment, Simulation } from "../Simulation.ts"
import { type LabelRate, ratesByLabel } from "../taxes/TaxRateGroup.ts"
import { taxItems } from "../taxes/taxItems.ts"
import type { KeptReceipt } from "./verifyLink.ts"

const noItems: Answer = jsonAnswer(200, JSON.stringify({ success: false, items: [] }))

/** The token in the page's script, so that only a holder of the link can request the items. */
export const specificationToken = (kept: KeptReceipt): string =>
  createHash("sha256").update(`${kept.summary.invoiceNumber} ${JSON.parse(kept.answer).signature}`).digest("hex").slice(0, 32)

const itemJson = (item: RequestedItem, rates: ReadonlyMap<string, LabelRate>): string => {
  const tax = divideRounded(taxItems([item], rates).reduce((sum, { amount }) => sum + amount, 0n), 100n)
  const label = item.labels[0] ?? ""
  const money = (hundredths: bigint): string => formatUnits(hundredths, 2)
  return `{"gtin":${JSON.stringify(item.gtin)},"name":${JSON.stringify(item.name)},"quantity":${formatUnits(item.quantity, 3)},` +
    `"total":${money(item.totalAmount)},"unitPrice":${money(item.unitPrice)},"label":${JSON.stringify(label)},` +
    `"labelRate":${money(BigInt(rates.get(label)?.rate ?? 0))},"taxBaseAmount":${money(item.totalAmount - tax)},"vatAmount":${money(tax)}}`
}

/** `POST /specifications` with invoiceNumber and token in a form: the receipt's items (V-PFR §7.2). */
export const answerSpecification = async (simulation: Simulation, environment: SimulatedEnvironment, form: string): Promise<Answer> => {
  const fields = new URLSearchParams(form)
  const kept = await environment.receipts.bodiesOf(fields.get("invoiceNumber") ?? "")
  if (kept === null || fields.get("token") !== specificationToken(kept)) return noItems
  const revision: unknown = JSON.parse(kept.answer).taxGroupRevision
  const group = simulation.taxRates.all(environment.name).find(({ groupId }) => groupId === revision)
  const rates = group === undefined ? new Map<string, LabelRate>() : ratesByLabel(group)
  const reading = readInvoiceRequest(parseKept(kept.request), () => new Set(rates.keys()), 4)
  if (!reading.valid) return noItems
  return jsonAnswer(200, `{"success":true,"items":[${reading.request.items.map((item) => itemJson(item, rates)).join(",")}]}`)
}
