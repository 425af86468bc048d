import type { Operation } from "@overa/domain"
import { type FinishedRun, stoodStillOver, type Violation } from "./FinishedRun.ts"
import type { ShutPeriod } from "./SimulatedPlace.ts"

/** Bugs of the gates of a place that the checks must find. */
export type PlantedAtPlace = "released-and-issuing" | "licence-without-end"

/** The hosts' clocks may be wrong, and a request may be on its way through the checks. */
const marginMillis = 6 * 60_000

/** Whether nothing new of this kind may be issued in such a time: money goes back without a licence too. */
const isConcerned = ({ boundKey: { role }, content: { invoiceType, transactionType } }: Operation, { why }: ShutPeriod): boolean => {
  if (role !== "REQUEST") return false
  const isExempt = transactionType === "REFUND" && (invoiceType === "NORMAL" || invoiceType === "ADVANCE")
  return why !== "licence ended" || !isExempt
}

/** Nothing new is issued while the taxpayer is released, the licence has ended, or the element's certificate has. */
const checkNothingNew = (run: FinishedRun): ReadonlyArray<Violation> =>
  [...run.store.memory.byId.values()].flatMap(({ operation }) => {
    const { createdAt: { epochMilliseconds: at }, content: { clientReference } } = operation
    const period = run.place.periods.find((one) => at > one.from + marginMillis && at < one.until - marginMillis && isConcerned(operation, one) && !stoodStillOver(run, { checkedBefore: one.from, at, marginMillis }))
    return period === undefined ? [] : [`${clientReference} was reserved although: ${period.why}`]
  })

/** Money goes back without a licence too. */
const isMoneyBack = (key: string): boolean => key.startsWith("refund-") || key.startsWith("cancel-")

/** A request is refused for its place only while that is shut. */
const checkRefused = ({ place }: FinishedRun): ReadonlyArray<Violation> =>
  place.refused.flatMap(({ askedAt, heardAt, key, why }) => {
    const isRight = place.periods.some((period) => period.why === why && heardAt > period.from - marginMillis && askedAt < period.until + marginMillis)
    if (why === "licence ended" && isMoneyBack(key)) return [`${key} was refused, although money goes back without a licence`]
    return isRight ? [] : [`${key} was refused, and it was not true that: ${why}`]
  })

/** When all is calm, and nothing is shut, whoever asks gets a receipt. */
const checkOpen = ({ lastOrders, store, vpfr }: FinishedRun): ReadonlyArray<Violation> =>
  lastOrders.flatMap((key) => {
    const stored = [...store.memory.byId.values()].find(({ operation }) => operation.content.clientReference === key)
    return vpfr.receiptsOf(key).length === 1 && stored?.operation.status === "FISCALIZED" ? [] : [`${key} was asked for when all was calm, and is ${stored?.operation.status ?? "not there"}`]
  })

/** The promises about where documents are issued (Decisions §2). */
export const checkPlace = (run: FinishedRun): ReadonlyArray<Violation> => [...checkNothingNew(run), ...checkRefused(run), ...checkOpen(run)]
