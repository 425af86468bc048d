// A service of your own around Overa's rules: POST /orders/<number> sells, and a repeat of the number finds the same receipt.
import { createServer } from "node:http"
import { layerStores, layerTestAuthority, smallShop } from "@overa/adapter-memory"
import { bodyOf, decodeFiscalDocumentRequest } from "@overa/domain/requests"
import { issueFiscalDocument } from "@overa/domain/use-cases"
import { bindKey } from "@overa/domain/workflows"
import { Layer, ManagedRuntime, Result } from "effect"

// For trying: one shop, stores in memory, and an authority that signs at once. A real host takes other adapters here.
const shop = smallShop({ taxIdentifier: "100000008", name: "Web shop", labels: { "Ђ": "20" } })
const runtime = ManagedRuntime.make(Layer.provideMerge(shop.layer, Layer.mergeAll(layerStores, layerTestAuthority)))
const { businessPremiseId, taxpayerId, tenant } = shop

interface Line {
  readonly name: string
  readonly quantity: number
  readonly unitPrice: number
}

const sell = async (order: string, lines: ReadonlyArray<Line>, total: number) => {
  const items = lines.map((line) => ({ ...line, unitOfMeasure: "kom", taxLabels: ["Ђ"] }))
  const kind = { clientReference: order, invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" } }
  const body = bodyOf({ taxpayerId, businessPremiseId, ...kind, items, payments: [{ type: "CARD", amount: total }] })
  const sale = decodeFiscalDocumentRequest(body, tenant)
  if (Result.isFailure(sale)) return { status: 400, answer: { faults: sale.failure } }
  const boundKey = bindKey({ key: `order-${order.padStart(16, "0")}`, target: "POST /orders", body })
  const request = { tenant, clientId: "web", boundKey, callerGone: new AbortController().signal }
  const { operation, replayed } = await runtime.runPromise(issueFiscalDocument(request, sale.success))
  return { status: replayed ? 200 : 201, answer: { status: operation.status, number: operation.answer?.pfr.invoiceNumber ?? null } }
}

const server = createServer(async (request, response) => {
  try {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { lines, total } = JSON.parse(Buffer.concat(chunks).toString()) as { lines: ReadonlyArray<Line>; total: number }
    const { answer, status } = await sell(request.url?.split("/").at(-1) ?? "", lines, total)
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(answer))
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
})

server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => {
  const address = server.address()
  console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : address}`)
})
