import { verifyWebhook } from "@overa/client"
import { Controller, Get, Param, Post, Req, Res } from "@nestjs/common"
import { Order, type TransactionalConnection } from "@vendure/core"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Fiscalizer } from "./Fiscalizer.ts"
import { readOrderRow } from "./KeptOrder.ts"
import { receiptPdf } from "../../shared/src/receiptPdf.ts"
import { readShop } from "../../shared/src/Shop.ts"
import { readSettings } from "./readSettings.ts"

const mostBytes = 65_536

/** A request whose body is kept as it was received: its signature is over these bytes. */
interface RawRequest extends IncomingMessage {
  rawBody?: string
}

/** Reads the body of a webhook before the engine's own reader of JSON sees it. */
export const keepRawBody = async (request: RawRequest, response: ServerResponse, next: () => void): Promise<void> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > mostBytes) return void response.writeHead(413).end()
    chunks.push(chunk)
  }
  request.rawBody = Buffer.concat(chunks).toString("utf8")
  next()
}

/** What the plugin answers besides GraphQL: the PDF of a receipt to whoever has its link, and the service's webhooks. */
export class ReceiptPages {
  readonly #connection: TransactionalConnection
  readonly #fiscalizer: Fiscalizer

  constructor(connection: TransactionalConnection, fiscalizer: Fiscalizer) {
    this.#connection = connection
    this.#fiscalizer = fiscalizer
  }

  /** The document's random id makes the link as secret as the receipt's own verification link. */
  async pdf(code: string, file: string, response: ServerResponse): Promise<void> {
    const order = await this.#connection.rawConnection.getRepository(Order).findOne({ where: { code } })
    const receipts = order === null ? [] : (await readOrderRow(this.#connection, String(order.id))).receipts
    const receipt = receipts.find(({ id }) => `${id}.pdf` === file)
    const shop = readShop(await readSettings(this.#connection))
    if (receipt === undefined || shop === null) return void response.writeHead(404).end()
    const pdf = await receiptPdf(shop.client, receipt.id).catch(() => null)
    if (pdf === null) return void response.writeHead(503, { "Retry-After": "10" }).end()
    response.writeHead(200, { "Content-Type": "application/pdf", "Content-Disposition": `inline; filename="${receipt.number}.pdf"`, "Cache-Control": "private, no-store" }).end(pdf)
  }

  /** A webhook only says when to look: what it tells is read from the service again. */
  async webhook(request: RawRequest, response: ServerResponse): Promise<void> {
    const shop = readShop(await readSettings(this.#connection))
    const header = (name: string) => request.headers[name]?.toString()
    const event = await verifyWebhook({ body: request.rawBody ?? "", header }, shop?.webhookSecrets ?? [])
    if (event === null) return void response.writeHead(401).end()
    if ("clientReference" in event.data && event.data.clientReference !== null) await this.#fiscalizer.lookAtCode(event.data.clientReference)
    response.writeHead(204).end()
  }
}

const decorate = (method: "pdf" | "webhook", route: MethodDecorator, ...parameters: ReadonlyArray<ParameterDecorator>): void => {
  parameters.forEach((parameter, index) => parameter(ReceiptPages.prototype, method, index))
  route(ReceiptPages.prototype, method, Object.getOwnPropertyDescriptor(ReceiptPages.prototype, method) ?? {})
}

// Decorators are called as the functions that they are: Node runs these sources without compiling them.
Controller("overa")(ReceiptPages)
decorate("pdf", Get("receipts/:code/:file"), Param("code"), Param("file"), Res())
decorate("webhook", Post("webhooks"), Req(), Res())
