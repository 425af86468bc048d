import { payAdvance } from "./advanceSteps.ts"
import { dinars } from "./decimals.ts"
import { advancedOf, buyerIdOf, goodsOf, type Ledger, nobody, totalOf } from "./Ledger.ts"
import { issueOrder } from "./saleSteps.ts"

/** Whether the goods are where the shop's choice wants them before a receipt. */
const isOut = ({ cashOnDelivery, isDelivered, isShipped, settings }: Ledger): boolean => {
  const moment = cashOnDelivery === null ? settings.prepaidDue : settings.cashOnDeliveryDue
  return moment === "paid" || (moment === "shipped" ? isShipped : isDelivered)
}

/** Money that came after a receipt which counts on it. */
const settleOwed = (ledger: Ledger): string | null => {
  const money = totalOf(ledger.money)
  if (money === 0n) return null
  if (money > ledger.owed) return `The buyer paid ${dinars(money - ledger.owed)} more than the order costs: give it back, or tell what it is for.`
  ledger.owed -= money
  ledger.money = []
  return null
}

/**
 * After each event: issues the order's receipt if it is due, or an advance for money that came before it. Answers words where money has no
 * document yet.
 */
export const settle = (ledger: Ledger, eventId: string): string | null => {
  if (ledger.order === null) return null
  if (ledger.isSold) return settleOwed(ledger)
  const [goods, money] = [goodsOf(ledger), totalOf(ledger.money)]
  const missing = goods - money - advancedOf(ledger)
  const isPaid = missing === 0n || (ledger.cashOnDelivery !== null && ledger.settings.cashOnDeliveryDue !== "collected" && missing > 0n)
  const isClosable = ledger.advances.length === 0 || buyerIdOf(ledger, undefined) !== null
  if (goods > 0n && isPaid && isOut(ledger) && !ledger.isOver) {
    if (!isClosable) return nobody
    issueOrder(ledger)
    return null
  }
  if (missing < 0n && !ledger.isOver) return `The buyer paid ${dinars(-missing)} more than the order costs: give it back, or tell what it is for.`
  if (money === 0n) return null
  // An advance that cannot be closed later would keep the order from its receipt.
  if (buyerIdOf(ledger, undefined) === null) return nobody
  payAdvance(ledger, `advance/${eventId}`, ledger.money, ledger.occurredAt)
  ledger.money = []
  return null
}
