import { documentsOf, type Operation, refundWorkflowStatus } from "@overa/domain"
import { BigDecimal } from "effect"
import type { FinishedRun, Violation } from "./FinishedRun.ts"
import { orderKeyOf, type SimulatedReceipt } from "./SimulatedVpfr.ts"
import { type Concerned, countExcuses, judge, type Judged, lostOf } from "./told.ts"

const three = BigDecimal.fromBigInt(3n)

/** What was lost of a key: also the time in which the network kept its request, when the rest of a sale was given back meanwhile. */
const lostOrLate = (run: FinishedRun, key: string): string | null =>
  lostOf(run, key) ?? (run.vpfr.receiptsOf(key).some(({ isTooLate }) => isTooLate) ? "a request that came hours late" : null)

const operationsOf = ({ store }: FinishedRun): ReadonlyArray<Operation> => [...store.memory.byId.values()].map(({ operation }) => operation)

const concerning = (run: FinishedRun, keys: ReadonlySet<string>): Concerned =>
  ({ keys, ids: operationsOf(run).filter(({ content }) => keys.has(orderKeyOf(content))).map(({ id }) => id) })

const sumOf = (receipts: ReadonlyArray<SimulatedReceipt>): BigDecimal.BigDecimal =>
  receipts.flatMap(({ content }) => content.items.slice(0, 1)).reduce((sum, { quantity }) => BigDecimal.sum(sum, quantity), BigDecimal.fromBigInt(0n))

/** What the V-PFR signed as refunded of a receipt's line never exceeds what was sold. */
const judgeQuantities = (run: FinishedRun): ReadonlyArray<Judged> => {
  const refunds = run.vpfr.receipts.filter(({ content }) => content.invoiceType === "NORMAL" && content.transactionType === "REFUND")
  return [...Map.groupBy(refunds, ({ content }) => content.reference?.fiscalDocumentId ?? "")].map(([original, receipts]) => {
    const quantity = sumOf(receipts)
    const wrong = BigDecimal.isGreaterThan(quantity, three) ? [`${original}: ${BigDecimal.format(quantity)} of 3 pieces were given back`] : []
    const { ids, keys } = concerning(run, new Set(receipts.map(({ key }) => key)))
    return judge(run, wrong, { keys, ids: [...ids, original] }, lostOrLate)
  })
}

type KeptRefund = FinishedRun["store"]["memory"]["refunds"] extends Map<unknown, infer Kept> ? Kept : never

/** A refund, its copy if it has one, and their keys. */
const partsOf = ({ store }: FinishedRun, kept: KeptRefund) => {
  const refund = store.memory.byId.get(kept.refundId)?.operation
  const copy = kept.copyId === null ? undefined : store.memory.byId.get(kept.copyId)?.operation
  return { copy, refund }
}

const keysOf = (key: string): ReadonlySet<string> => new Set([key, `${key}:copy`])

/** A cash refund that is a receipt has at most one copy at the V-PFR, and at the end exactly one unless it was rejected. */
const judgeCopies = (run: FinishedRun): ReadonlyArray<Judged> =>
  [...run.store.memory.refunds.values()].flatMap((kept) => {
    const { copy, refund } = partsOf(run, kept)
    if (refund === undefined || kept.copyId === null) return []
    const key = `${refund.content.clientReference}:copy`
    const copies = run.vpfr.receiptsOf(key).length
    const isDue = refund.status === "FISCALIZED"
    const settled = copy?.status === "FISCALIZED" || copy?.status === "REJECTED" || copy?.status === "OUTCOME_UNKNOWN"
    const wrong = [
      ...(copies > 1 ? [`${key} was signed ${copies} times`] : []),
      ...(!isDue && copies > 0 ? [`${key} was signed for a refund that is ${refund.status}`] : [])
    ]
    // Nothing that was lost excuses a copy that the service does not send.
    const unsent = isDue && !settled ? [`${key} is ${copy?.status ?? "not reserved"} when all is calm`] : []
    return [judge(run, wrong, concerning(run, keysOf(refund.content.clientReference))), { broken: unsent, excuse: null }]
  })

type Heard = FinishedRun["refunds"]["heard"][number]

const wasReceipt = ({ status }: Heard): boolean => status === "COMPLETED" || status === "COPY_PENDING" || status === "COPY_OUTCOME_UNKNOWN"

/** What was told once is no longer so. */
const changedSince = (run: FinishedRun, heard: Heard, first: Heard): ReadonlyArray<Violation> => {
  const { planned: { key }, status, workflowId } = heard
  const kept = [...run.store.memory.refunds.values()].find((refund) => refund.workflowId === workflowId)
  const { copy, refund } = kept === undefined ? {} : partsOf(run, kept)
  if (kept === undefined || refund === undefined) return [`${key}: workflow ${workflowId} is gone`]
  const now = refundWorkflowStatus(documentsOf({ id: kept.workflowId, refund, copyId: kept.copyId, copy: copy ?? null, entries: kept.entries }))
  return [
    ...(first.workflowId === workflowId ? [] : [`${key} was answered with two workflows`]),
    ...(status === "COMPLETED" && now !== "COMPLETED" ? [`${key} was COMPLETED and is ${now}`] : []),
    ...(wasReceipt(heard) && now === "FAILED" ? [`${key} was ${status} and FAILED`] : [])
  ]
}

/** Every receipt of a key is stored here as what a document of that key is. */
const areStored = (run: FinishedRun, key: string): boolean => {
  const stored = new Set(operationsOf(run).map(({ answer }) => answer?.pfr.invoiceNumber))
  return run.vpfr.receiptsOf(key).every(({ invoiceNumber }) => stored.has(invoiceNumber))
}

/**
 * What was told of a key without the workflows that nobody need be told of: a failover or a restore lost them whole, none was told as a receipt, and no receipt
 * of the key is unknown here. The same key may have another workflow then.
 */
const withoutLost = (run: FinishedRun, all: ReadonlyArray<Heard>, key: string): ReadonlyArray<Heard> => {
  if (!run.store.lostReservations.has(key) || !areStored(run, key)) return all
  const kept = new Set([...run.store.memory.refunds.values()].map(({ workflowId }) => workflowId as string))
  return all.filter((heard) => kept.has(heard.workflowId) || all.some((other) => other.workflowId === heard.workflowId && wasReceipt(other)))
}

/** What was answered stays true: one workflow under a key, completed stays completed, and a refund that is a receipt never fails. */
const judgeTold = (run: FinishedRun): ReadonlyArray<Judged> =>
  [...Map.groupBy(run.refunds.heard, ({ planned }) => planned.key)].flatMap(([key, heardOfKey]) => {
    const all = withoutLost(run, heardOfKey, key)
    const [first] = all
    if (first === undefined) return []
    return [judge(run, [...new Set(all.flatMap((heard) => changedSince(run, heard, first)))], concerning(run, keysOf(key)))]
  })

/** The refunds of which something is wrong because something was lost, by what that was. */
export const excusedRefunds = (run: FinishedRun): Readonly<Record<string, number>> => ({
  ...countExcuses("sales of which more was given back than sold", judgeQuantities(run)),
  ...countExcuses("copies signed twice, or of no receipt", judgeCopies(run)),
  ...countExcuses("refunds that are not as they were told", judgeTold(run))
})

/** The guarantees for refunds (Decisions §5, Refund workflow). */
export const checkRefunds = (run: FinishedRun): ReadonlyArray<Violation> => [
  ...[...judgeQuantities(run), ...judgeCopies(run), ...judgeTold(run)].flatMap(({ broken }) => broken),
  ...run.refunds.faults
]
