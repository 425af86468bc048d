// node checkout.ts <order number>: issues the order's receipt. Killed, without an answer or called twice, it still issues one.
import { DatabaseSync } from "node:sqlite"
import { DocumentRejected, OveraClient, RequestInvalid, RequestRefused, type OrderMemory, type OrderProgress } from "@overa/client"

const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(`Set ${name}, please.`)
  return value
}

const overa = new OveraClient({
  baseUrl: setting("OVERA_URL"),
  authUrl: setting("OVERA_AUTH_URL"),
  clientId: setting("OVERA_CLIENT_ID"),
  clientSecret: setting("OVERA_CLIENT_SECRET")
})

/** Your database: with each order its key, and the document whose outcome is not known yet. Two processes at once get the same key. */
const orders = new DatabaseSync("orders.db", { timeout: 10_000 })
orders.exec("CREATE TABLE IF NOT EXISTS receipts (order_id TEXT PRIMARY KEY, key TEXT NOT NULL, document_id TEXT)")

const memoryOf = (order: string): OrderMemory => ({
  begin: async (key) => {
    orders.prepare("INSERT INTO receipts (order_id, key) VALUES (?, ?) ON CONFLICT DO NOTHING").run(order, key)
    return orders.prepare('SELECT key, document_id AS "documentId" FROM receipts WHERE order_id = ?').get(order) as unknown as OrderProgress
  },
  watch: async (key, documentId) => {
    orders.prepare("UPDATE receipts SET document_id = ? WHERE order_id = ? AND key = ?").run(documentId, order, key)
  },
  forget: async (key) => {
    orders.prepare("DELETE FROM receipts WHERE order_id = ? AND key = ?").run(order, key)
  }
})

const order = process.argv[2] ?? "ORDER-1"
try {
  const receipt = await overa.fiscalize({
    taxpayerId: setting("TAXPAYER"),
    businessPremiseId: setting("PREMISE"),
    clientReference: order,
    invoiceType: "NORMAL",
    transactionType: "SALE",
    cashier: { id: "web" },
    items: [{ name: "Чарапе", unitOfMeasure: "пар", quantity: 2, unitPrice: 450, taxLabels: ["A"] }],
    payments: [{ type: "CARD", amount: 900 }]
  }, memoryOf(order))
  console.log(receipt.pfr.invoiceNumber, receipt.pfr.verificationUrl)
} catch (error) {
  const isWrong = error instanceof RequestInvalid || error instanceof RequestRefused || error instanceof DocumentRejected
  console.error(isWrong ? `Correct the order: ${error.message}` : `Call again later: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = isWrong ? 1 : 75
}
