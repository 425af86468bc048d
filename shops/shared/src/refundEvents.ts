import { costOf, fromMinorUnits, type LineQuantity, type Money, type OrderEvent, planOrder, type Settings } from "@overa/orders"

/** Money that an engine gave back. Engines take any amount, beside whatever lines a person marked. */
export interface EngineRefund {
  /** Of the event. */
  readonly id: string
  readonly type: Money["type"]
  readonly paras: number
  /** What came back, as far as the engine knows. */
  readonly lines: ReadonlyArray<LineQuantity>
  /** Positions that the engine does not mark on refunds: shipping. */
  readonly unmarked: ReadonlyArray<LineQuantity>
}

const parasOf = (dinars: string | null): number | null => dinars === null ? null : Math.round(Number(dinars) * 100)

/**
 * What a refund is: goods that came back, where the money is what they cost; otherwise a lower price for what the buyer keeps, or both. In this order: the marked
 * lines, these with shipping, everything that is left, shipping alone, the marked lines and a lower price for the rest, a lower price alone. Words wait at the
 * order where none of them can be.
 */
export const refundEvents = (settings: Settings, before: ReadonlyArray<OrderEvent>, refund: EngineRefund): ReadonlyArray<OrderEvent> => {
  const { id, lines, paras, type, unmarked } = refund
  // Who stands on the refund decides nothing here: until it is chosen, the event waits, whatever it is.
  const anybody: Settings = { ...settings, unidentifiedBuyerId: settings.unidentifiedBuyerId ?? "10:000000000" }
  const money = (amount: number) => [{ type, amount: fromMinorUnits(amount) }]
  const back = (named: ReadonlyArray<LineQuantity> | undefined, amount = paras): OrderEvent =>
    ({ id, type: "partlyRefunded", ...(named === undefined ? {} : { lines: named }), givenBack: money(amount) })
  const off = (named: ReadonlyArray<LineQuantity> | undefined, amount = paras, suffix = ""): OrderEvent =>
    ({ id: `${id}${suffix}`, type: "priceReduced", ...(named === undefined ? {} : { lines: named }), givenBack: money(amount) })
  const cost = lines.length === 0 ? null : parasOf(costOf(anybody, before, lines))
  const ways: ReadonlyArray<ReadonlyArray<OrderEvent>> = [
    ...(lines.length === 0 ? [] : [[back(lines)], [back([...lines, ...unmarked])]]),
    [back(undefined)],
    ...(lines.length === 0 && unmarked.length > 0 ? [[back(unmarked)]] : []),
    ...(cost !== null && cost > 0 && cost < paras ? [[back(lines, cost), off(undefined, paras - cost, "-rest")]] : []),
    ...(lines.length === 0 ? [] : [[off(lines)]]),
    [off(undefined)]
  ]
  const isClear = (way: ReadonlyArray<OrderEvent>): boolean => {
    const waiting = new Set(planOrder(anybody, [...before, ...way]).remarks.map(({ event }) => event))
    return !way.some((event) => waiting.has(event.id))
  }
  return ways.find(isClear) ?? ways.at(-1) ?? []
}
