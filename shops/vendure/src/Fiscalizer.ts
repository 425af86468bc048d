import { type EventBus, Logger, Order, OrderPlacedEvent, PaymentStateTransitionEvent, type ProcessContext, RefundStateTransitionEvent, type RequestContextService, type TransactionalConnection } from "@vendure/core"
import { actsOn, type FindOrder } from "../../shared/src/fiscalize.ts"
import { OrderQueue } from "../../shared/src/OrderQueue.ts"
import { receiptPdf } from "../../shared/src/receiptPdf.ts"
import type { ShownReceipt } from "../../shared/src/sendStep.ts"
import { missingSettings, readShop, type Shop } from "../../shared/src/Shop.ts"
import { labelOf } from "./customFields.ts"
import { KeptOrder, showKept, unsent } from "./KeptOrder.ts"
import { readSettings } from "./readSettings.ts"
import { ReceiptIssued } from "./ReceiptIssued.ts"
import { eventsOf, moneyOf } from "./ShopOrder.ts"

const context = "Overa"
const sweepMillis = 30_000
const where = "in the settings at the channel (Settings, Channels, the default channel)"

/** Looks at orders when the engine tells of money, and at those that it never told of. */
export class Fiscalizer {
  readonly #connection: TransactionalConnection
  readonly #eventBus: EventBus
  readonly #contexts: RequestContextService
  readonly #queue = new OrderQueue({ ...actsOn((id) => this.#find(id)), warn: (words) => Logger.error(words, context) })

  constructor(connection: TransactionalConnection, eventBus: EventBus, contexts: RequestContextService, process: ProcessContext) {
    this.#connection = connection
    this.#eventBus = eventBus
    this.#contexts = contexts
    if (!process.isServer) return
    for (const event of [OrderPlacedEvent, PaymentStateTransitionEvent, RefundStateTransitionEvent]) {
      // The change is committed before it is told; what is not yet visible is found by the next sweep.
      eventBus.ofType<{ readonly order: Order } & InstanceType<typeof event>>(event as never).subscribe(({ order }) => this.#queue.add(String(order.id)))
    }
    this.#queue.later(() => this.#sweep(), 1_000)
  }

  onModuleDestroy(): void {
    this.#queue.stop()
  }

  /** Looks at the order of a receipt soon, if it is one of this shop. */
  async lookAtCode(code: string): Promise<void> {
    const order = await this.#connection.rawConnection.getRepository(Order).findOne({ where: { code } })
    if (order !== null) this.#queue.add(String(order.id))
  }

  async #sweep(): Promise<void> {
    const ask = (statement: string) => this.#connection.rawConnection.query(statement).catch((error: unknown) => {
      Logger.error(String(error), context)
      return []
    })
    // An order that waits for its time or for others is not looked at before, and must not be silent so long.
    await ask(showKept)
    const rows = await ask(unsent) as ReadonlyArray<{ readonly id: string | number }>
    this.#queue.addFound(rows.map(({ id }) => String(id)))
    this.#queue.later(() => this.#sweep(), sweepMillis)
  }

  async #find(id: string): ReturnType<FindOrder> {
    const [kept, texts] = [await KeptOrder.read(this.#connection, id), await readSettings(this.#connection)]
    const money = kept === null ? [] : moneyOf(kept.order)
    const first = money[0]
    if (kept === null || first === undefined) return null
    const shop = readShop(texts)
    const missing = missingSettings(texts)
    if (missing.length > 0) await kept.keep({}, { status: `No receipt yet: fill in ${missing.map((name) => `"${labelOf(name)}"`).join(", ")} ${where}.` })
    if (shop === null || first.at < shop.since) return null
    const pdfOf = (documentId: string) => `/overa/receipts/${encodeURIComponent(kept.order.code)}/${documentId}.pdf`
    return { look: { record: kept, events: () => eventsOf(kept.order, shop), rows: money.length, pdfOf, tell: (receipt) => this.#tell(shop, kept.order, receipt), where }, shop }
  }

  async #tell(shop: Shop, order: Order, receipt: ShownReceipt): Promise<void> {
    const pdf = await receiptPdf(shop.client, receipt.id)
    await this.#eventBus.publish(new ReceiptIssued(await this.#contexts.create({ apiType: "admin" }), order, receipt, pdf))
  }
}
