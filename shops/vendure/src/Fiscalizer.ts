import { RequestInvalid, RequestRefused } from "@overa/client"
import { nextRequest, planOrder, type FiscalRequest } from "@overa/orders"
import { type EventBus, Logger, Order, OrderPlacedEvent, PaymentStateTransitionEvent, type ProcessContext, RefundStateTransitionEvent, type RequestContextService, type TransactionalConnection } from "@vendure/core"
import { KeptOrder, unsent } from "./KeptOrder.ts"
import { ReceiptIssued } from "./ReceiptIssued.ts"
import { readShop, type Shop } from "./readShop.ts"
import { Failed, sendStep, type ShownReceipt, wordsOf } from "./sendStep.ts"
import { eventsOf } from "./ShopOrder.ts"

const context = "Overa"
/** Orders that are sent at once. */
const atOnce = 4
const firstPause = 5_000
const longestPause = 300_000
const sweepMillis = 30_000

const latestSale = (receipts: ReadonlyArray<ShownReceipt>): ShownReceipt | undefined => receipts.findLast(({ kind }) => kind === "NORMAL SALE") ?? receipts.at(-1)

const shownFields = (receipts: ReadonlyArray<ShownReceipt>) => {
  const sale = latestSale(receipts)
  return sale === undefined ? {} : { receiptNumber: sale.number, receiptUrl: sale.url, receiptPdf: sale.pdf, receiptList: JSON.stringify(receipts) }
}

/** Nothing was issued, and the same request would be refused again. */
const isRefusal = (error: unknown): boolean => error instanceof Failed || error instanceof RequestInvalid || (error instanceof RequestRefused && error.status !== 429 && error.status < 500)

/** Whether it is certain that the request had no effect. */
const isWithoutEffect = (error: unknown): boolean => isRefusal(error) && !(error instanceof RequestRefused && error.facts.code === "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST")

/** Sends what an order's events ask for, and writes down at the order what came of it. */
export class Fiscalizer {
  readonly #connection: TransactionalConnection
  readonly #eventBus: EventBus
  readonly #contexts: RequestContextService
  readonly #waiting = new Set<string>()
  readonly #busy = new Set<string>()
  readonly #pauses = new Map<string, number>()
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(connection: TransactionalConnection, eventBus: EventBus, contexts: RequestContextService, process: ProcessContext) {
    this.#connection = connection
    this.#eventBus = eventBus
    this.#contexts = contexts
    if (!process.isServer) return
    for (const event of [OrderPlacedEvent, PaymentStateTransitionEvent, RefundStateTransitionEvent]) {
      eventBus.ofType<{ readonly order: Order } & InstanceType<typeof event>>(event as never).subscribe(({ order }) => this.look(String(order.id)))
    }
    this.#later(() => this.#sweep(), 1_000)
  }

  onModuleDestroy(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** Looks at an order soon. The change is committed before it is told; what is not yet visible is found by the next sweep. */
  look(id: string): void {
    this.#waiting.add(id)
    this.#later(() => this.#work(), 50)
  }

  /** The order of a receipt, if it is one of this shop. */
  async lookAtCode(code: string): Promise<void> {
    const order = await this.#connection.rawConnection.getRepository(Order).findOne({ where: { code } })
    if (order !== null) this.look(String(order.id))
  }

  #later(act: () => unknown, millis: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, millis)
    this.#timers.add(timer)
  }

  async #sweep(): Promise<void> {
    const rows = await this.#connection.rawConnection.query(unsent).catch((error: unknown) => {
      Logger.error(String(error), context)
      return []
    }) as ReadonlyArray<{ readonly id: string | number }>
    // What is open and was tried in vain has a time of its own.
    for (const { id } of rows) if (!this.#pauses.has(String(id))) this.look(String(id))
    this.#later(() => this.#sweep(), sweepMillis)
  }

  #work(): void {
    for (const id of this.#waiting) {
      if (this.#busy.size >= atOnce) return
      if (this.#busy.has(id)) continue
      this.#waiting.delete(id)
      this.#busy.add(id)
      void this.#fiscalize(id).catch((error: unknown) => {
        Logger.error(`order ${id}: ${error instanceof Error ? error.stack : String(error)}`, context)
        this.#again(id)
      }).finally(() => {
        this.#busy.delete(id)
        this.#work()
      })
    }
  }

  #again(id: string): void {
    const pause = this.#pauses.get(id) ?? firstPause
    this.#pauses.set(id, Math.min(2 * pause, longestPause))
    this.#later(() => this.look(id), pause)
  }

  async #fiscalize(id: string): Promise<void> {
    const [kept, shop] = [await KeptOrder.read(this.#connection, id), await readShop(this.#connection)]
    const first = kept?.order.payments.filter(({ state }) => state === "Settled").toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())[0]
    if (kept === null || shop === null || first === undefined || first.createdAt < shop.since) return
    try {
      kept.hear(eventsOf(kept.order, shop))
      await kept.keep({}, { overaIsOpen: true })
      const words = await this.#send(kept, shop)
      await kept.keep({}, { receiptStatus: words === "" ? "Everything is signed." : words, overaIsOpen: words !== "", overaHeard: kept.kept.events.length })
      this.#pauses.delete(id)
    } catch (error) {
      await kept.keep({}, { receiptStatus: wordsOf(error) })
      this.#again(id)
    }
  }

  /** Everything that is due, one request after the other; words about what waits. */
  async #send(kept: KeptOrder, { client, settings }: Shop): Promise<string> {
    const plan = planOrder(settings, kept.kept.events)
    for (;;) {
      for (const receipt of kept.kept.receipts) if (!kept.kept.told.includes(receipt.id)) await this.#tell(kept, receipt, await this.pdfOf(client, receipt.id))
      const request = nextRequest(plan, kept.kept.progress)
      if (request === null) return plan.remarks.map(({ words }) => words).join(" ")
      if (kept.isRefused(request)) return (kept.order.customFields as { readonly receiptStatus: string | null }).receiptStatus ?? "Refused."
      await this.#sendOne(kept, client, request)
    }
  }

  async #sendOne(kept: KeptOrder, client: Shop["client"], request: FiscalRequest): Promise<void> {
    const wasSent = kept.kept.isSent
    await kept.keep({ isSent: true })
    try {
      const { progress, receipts } = await sendStep(client, kept.order.code, request, kept.kept.progress[request.step])
      const all = [...kept.kept.receipts, ...receipts]
      await kept.keep({ progress: { ...kept.kept.progress, [request.step]: progress }, receipts: all, refused: null }, shownFields(all))
    } catch (error) {
      const isFirst = !Object.values(kept.kept.progress).some(({ isDone }) => isDone)
      // A refusal says nothing about an earlier attempt under the same key; a failure for good does.
      await kept.keep({
        isSent: !(isFirst && (error instanceof Failed || (!wasSent && isWithoutEffect(error)))),
        ...(error instanceof Failed ? { progress: { ...kept.kept.progress, [request.step]: error.progress } } : {}),
        ...(isRefusal(error) ? { refused: { input: JSON.stringify(request.input), at: Date.now() } } : {})
      })
      throw error
    }
  }

  /** The receipt's PDF as the service draws it. */
  pdfOf(client: Shop["client"], fiscalDocumentId: string): Promise<Uint8Array> {
    return client.call("readRepresentation", { path: { fiscalDocumentId, representationFormat: "pdf-a4" } })
  }

  async #tell(kept: KeptOrder, receipt: ShownReceipt, pdf: Uint8Array): Promise<void> {
    const ctx = await this.#contexts.create({ apiType: "admin" })
    await this.#eventBus.publish(new ReceiptIssued(ctx, kept.order, receipt, pdf))
    await kept.keep({ told: [...kept.kept.told, receipt.id] })
  }
}
