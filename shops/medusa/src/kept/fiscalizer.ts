import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { actsOn, type FindOrder } from "../../../shared/src/fiscalize.ts"
import { OrderQueue } from "../../../shared/src/OrderQueue.ts"
import type { ShownReceipt } from "../../../shared/src/sendStep.ts"
import { missingSettings, readShop } from "../../../shared/src/Shop.ts"
import { type Container, readOrderRow, rowsOf } from "./Database.ts"
import { labels } from "./labels.ts"
import { readSettings } from "./settings.ts"
import { eventsOf, moneyOf, readOrder, receivedOf, type ShopOrder } from "./ShopOrder.ts"
import { unsent } from "./unsent.ts"

const where = "under Settings, Fiscal receipts"

interface Logger {
  readonly error: (words: string) => void
}
interface EventBus {
  readonly emit: (event: { readonly name: string; readonly data: object }) => Promise<void>
}

/** Told to the shop's own subscribers: a mail to the buyer, for example. `data`: the order's id and email, and the receipt. */
export const receiptIssued = "overa.receipt_issued"

const tell = async (container: Container, { email, id }: ShopOrder, receipt: ShownReceipt): Promise<void> =>
  (container.resolve(Modules.EVENT_BUS) as EventBus).emit({ name: receiptIssued, data: { order_id: id, email, receipt } })

const find = async (container: Container, id: string): ReturnType<FindOrder> => {
  const [texts, money] = [await readSettings(container), await moneyOf(container, id)]
  const [first] = money
  if (first === undefined) return null
  const [shop, missing] = [readShop(texts), missingSettings(texts)]
  const record = await readOrderRow(container, id)
  if (missing.length > 0) await record.keep({}, { status: `No receipt yet: fill in ${missing.map((name) => `"${labels[name].label}"`).join(", ")} ${where}.` })
  if (shop === null || first.at < shop.since) return null
  const [order, received] = [await readOrder(container, id, first), await receivedOf(container, id)]
  if (order === undefined) return null
  const look = {
    record, rows: money.length, where,
    events: () => eventsOf({ order, money, received }, shop),
    pdfOf: (documentId: string) => `/overa/receipts/${id}/${documentId}.pdf`,
    tell: (receipt: ShownReceipt) => tell(container, order, receipt)
  }
  return { look, shop }
}

let queue: OrderQueue | null = null

/** One of each process: what it does not get to is found by the next sweep. */
const queueOf = (container: Container): OrderQueue => {
  queue ??= new OrderQueue({
    ...actsOn((id) => find(container, id)),
    warn: (words) => (container.resolve(ContainerRegistrationKeys.LOGGER) as Logger).error(`Overa: ${words}`)
  })
  return queue
}

/** Looks at an order soon. */
export const lookSoon = (container: Container, orderId: string): void => queueOf(container).add(orderId)

/** Looks at the orders of a payment soon. */
export const lookAtPayment = async (container: Container, paymentId: string): Promise<void> => {
  const rows = await rowsOf<{ readonly order_id: string }>(container, "select l.order_id from order_payment_collection l join payment p on p.payment_collection_id = l.payment_collection_id where p.id = ? and l.deleted_at is null", [paymentId])
  for (const { order_id: id } of rows) lookSoon(container, id)
}

/** Looks at everything that is unsent. */
export const sweep = async (container: Container): Promise<void> => {
  const shop = readShop(await readSettings(container))
  if (shop === null) return
  const rows = await rowsOf<{ readonly order_id: string }>(container, unsent, [shop.since.toISOString()])
  queueOf(container).addFound(rows.map(({ order_id: id }) => id))
}
