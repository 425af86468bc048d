import { type FiscalRequest, nextRequest, type OrderEvent, type Plan, planOrder } from "@overa/orders"
import { isRefusedNow, type KeptRecord, type Shown, withHeard } from "./Kept.ts"
import type { OrderActs } from "./OrderQueue.ts"
import { Failed, type PdfAddress, sendStep, type ShownReceipt } from "./sendStep.ts"
import type { Shop } from "./Shop.ts"
import { isRefusal, isWithoutEffect, waitsForOthers, wordsOf } from "./wordsOf.ts"

/** An order as one look at it finds it. */
export interface Look {
  readonly record: KeptRecord
  /** Everything that the engine's rows say has happened; throws `SettingMissing` where the settings do not say what it is. */
  readonly events: () => ReadonlyArray<OrderEvent>
  /** How many of the engine's rows of money were read for them. */
  readonly rows: number
  readonly pdfOf: PdfAddress
  /** Tells the engine's listeners of a receipt that is kept; again where the process died before it noted that it had told. */
  readonly tell: (receipt: ShownReceipt) => Promise<void>
  /** Where a person finds the settings, as "in the settings at the channel". */
  readonly where: string
}

const sendOne = async ({ pdfOf, record }: Look, { client }: Shop, request: FiscalRequest): Promise<void> => {
  const wasSent = record.kept.isSent
  await record.keep({ isSent: true }, record.status === "" ? { status: "The receipt is being issued." } : {})
  try {
    const { progress, receipts } = await sendStep(client, pdfOf, request, record.kept.progress[request.step])
    const all = [...record.kept.receipts, ...receipts]
    await record.keep({ progress: { ...record.kept.progress, [request.step]: progress }, receipts: all, refused: null }, { receipts: all })
  } catch (error) {
    const isFirst = !Object.values(record.kept.progress).some(({ isDone }) => isDone)
    // A refusal says nothing about an earlier attempt under the same key; a failure for good does.
    await record.keep({
      isSent: !(isFirst && (error instanceof Failed || (!wasSent && isWithoutEffect(error)))),
      ...(error instanceof Failed ? { progress: { ...record.kept.progress, [request.step]: error.progress } } : {}),
      ...(isRefusal(error) ? { refused: { input: JSON.stringify(request.input), at: Date.now() } } : {})
    })
    throw error
  }
}

const tellAll = async ({ record, tell }: Look): Promise<void> => {
  for (const receipt of record.kept.receipts.filter(({ id }) => !record.kept.told.includes(id))) {
    await tell(receipt)
    await record.keep({ told: [...record.kept.told, receipt.id] })
  }
}

const remarksOf = ({ remarks }: Plan): string => remarks.map(({ words }) => words).join(" ")

/** Everything that is due, one request after the other; words about what waits. */
const sendDue = async (look: Look, shop: Shop, plan: Plan): Promise<string> => {
  const { record } = look
  for (;;) {
    await tellAll(look)
    const request = nextRequest(plan, record.kept.progress)
    if (request === null) return remarksOf(plan)
    if (isRefusedNow(record.kept, request, Date.now())) return record.status === "" ? "Refused." : record.status
    await sendOne(look, shop, request)
  }
}

/** Stores what has happened with the order, and plans its requests. */
const hear = async ({ events, record }: Look, { settings }: Shop, shown: (plan: Plan) => Shown): Promise<Plan> => {
  const heard = withHeard(record.kept, events())
  const plan = planOrder(settings, heard)
  await record.keep({ events: heard }, { isOpen: true, ...shown(plan) })
  return plan
}

/** Writes at an order that has something to send and says nothing yet that others are sent before it; what it says already is shown once more. Sends nothing. */
export const noteWaiting = async (look: Look, shop: Shop): Promise<void> => {
  const { record, where } = look
  if (record.status !== "") return record.show()
  try {
    await hear(look, shop, (plan) => {
      const words = nextRequest(plan, record.kept.progress) === null ? remarksOf(plan) : waitsForOthers
      return words === "" ? {} : { status: words }
    })
  } catch (error) {
    await record.keep({}, { status: wordsOf(error, where), isOpen: true })
  }
}

/**
 * Sends what an order's events ask for, and writes down what came of it. False: something was not answered, and the order is to be looked at again soon.
 * Fails where the record was changed by another process meanwhile.
 */
export const fiscalize = async (look: Look, shop: Shop): Promise<boolean> => {
  const { record, where } = look
  try {
    const words = await sendDue(look, shop, await hear(look, shop, () => ({})))
    await record.keep({}, { status: words === "" ? "Everything is signed." : words, isOpen: words !== "", heard: look.rows })
    return true
  } catch (error) {
    await record.keep({}, { status: wordsOf(error, where), isOpen: true })
    return false
  }
}

/** An order as it is now with its shop; null where it needs no receipt, or nobody has filled in the settings. */
export type FindOrder = (id: string) => Promise<{ readonly look: Look; readonly shop: Shop } | null>

/** What a queue does with the orders that are found so. */
export const actsOn = (find: FindOrder): Pick<OrderActs, "note" | "look"> => ({
  note: async (id) => {
    const found = await find(id)
    if (found !== null) await noteWaiting(found.look, found.shop)
  },
  look: async (id) => {
    const found = await find(id)
    return found === null || await fiscalize(found.look, found.shop)
  }
})
