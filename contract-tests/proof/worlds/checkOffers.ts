import { type Operation, proformaTrainingStatus } from "@overa/domain"
import { Equal } from "effect"
import { documentUnder, type FinishedRun, isForgotten, isKnownTwice, knownNumber, type Violation } from "./FinishedRun.ts"
import { orderKeyOf, type SimulatedReceipt } from "./SimulatedVpfr.ts"
import { isPersonTold, lostOf } from "./told.ts"

const documentsOf = ({ store }: FinishedRun): ReadonlyArray<Operation> =>
  [...store.memory.byId.values()].map(({ operation }) => operation).filter(({ workflow }) => workflow?.type === "PROFORMA_TRAINING")

/** A failover lost something of the document that nothing else knows, or a repetition was sent and put on the attention list. */
const isExcused = (run: FinishedRun, operation: Operation): boolean => {
  const key = orderKeyOf(operation.content)
  const stored = run.store.memory.byId.get(operation.id)
  return isForgotten(run, key) || run.store.lostOutcomes.has(key) || (stored !== undefined && isKnownTwice(run, stored, key))
}

/** More than one refund of a source is excused where something of one of them was lost, and a person is told of it. */
const isExcusedDouble = (run: FinishedRun, ofSource: ReadonlyArray<SimulatedReceipt>): boolean => {
  const keys = new Set(ofSource.map(({ key }) => key))
  const ids = documentsOf(run).filter(({ content }) => keys.has(orderKeyOf(content))).map(({ id }) => id)
  return ofSource.some(({ key }) => lostOf(run, key) !== null) && isPersonTold(run, ofSource, ids)
}

const isOfOffers = ({ content }: SimulatedReceipt): boolean => content.invoiceType === "PROFORMA" || content.invoiceType === "TRAINING"

/** A source is given back once, whole, by a document of its own type that refers to it. */
const checkRefunds = (run: FinishedRun): ReadonlyArray<Violation> => {
  const refunds = run.vpfr.receipts.filter((receipt) => isOfOffers(receipt) && receipt.content.transactionType === "REFUND")
  const bySource = Map.groupBy(refunds, ({ content }) => content.reference?.pfrNumber ?? "nothing")
  return [...bySource].flatMap(([number, ofSource]) => {
    const known = run.vpfr.receipts.filter((receipt) => knownNumber(run, receipt) === number)
    const isDoubled = ofSource.length > 1 && !isExcusedDouble(run, ofSource)
    return [
      ...(isDoubled ? [`${number} was given back ${ofSource.length} times: ${ofSource.map(({ key }) => key).join(", ")}`] : []),
      ...ofSource.flatMap(({ content, invoiceNumber }) => {
        // Two documents that differ in the order of their lines alone may have exchanged their answers: the reference names the document.
        const source = known.find(({ key }) => documentUnder(run, key)?.operation.id === content.reference?.fiscalDocumentId) ?? known[0]
        const isWhole = source !== undefined && source.content.invoiceType === content.invoiceType &&
          source.content.items.length === content.items.length &&
          source.content.items.every((item, index) => {
            const given = content.items[index]
            return given !== undefined && Equal.equals(item.quantity, given.quantity) && Equal.equals(item.unitPrice, given.unitPrice) && given.originalLineIndex === index
          })
        return isWhole ? [] : [`${invoiceNumber} gives ${number} back, and is not the whole of it`]
      })
    ]
  })
}

/** Of the refunds stored for one source, at most one claims it. */
const checkClaims = (run: FinishedRun): ReadonlyArray<Violation> => {
  const refunds = documentsOf(run).filter(({ content }) => content.transactionType === "REFUND")
  const bySource = Map.groupBy(refunds, ({ content }) => content.reference?.fiscalDocumentId ?? "nothing")
  return [...bySource].flatMap(([source, ofSource]) => {
    const claiming = ofSource.filter((refund) => proformaTrainingStatus(refund.status) !== "FAILED" && !isExcused(run, refund))
    return claiming.length > 1 ? [`${source} is claimed by ${claiming.length} refunds`] : []
  })
}

/** One workflow for a key, and what was answered stays true. */
const checkTold = (run: FinishedRun): ReadonlyArray<Violation> => {
  const first = new Map<string, string>()
  const told = run.offers.heard.filter(({ planned }) => !isForgotten(run, planned.key)).flatMap(({ planned, status, workflowId }) => {
    const known = first.get(planned.key) ?? workflowId
    first.set(planned.key, known)
    const stored = documentsOf(run).find(({ workflow }) => workflow?.id === workflowId)
    const now = stored === undefined ? "gone" : proformaTrainingStatus(stored.status)
    const isKept = status !== "COMPLETED" || now === "COMPLETED" || run.store.lostOutcomes.has(planned.key)
    // A failover that lost the whole document lets the same key have another workflow.
    const isSame = known === workflowId || run.store.lostReservations.has(planned.key)
    return [
      ...(isSame ? [] : [`${planned.key} was answered with two workflows`]),
      ...(isKept ? [] : [`${planned.key} was COMPLETED and is ${now}`])
    ]
  })
  const refused = run.offers.refused.filter(({ planned }) => !run.store.lostReservations.has(planned.key)).flatMap(({ isDone, planned, workflowId }) => {
    const other = documentsOf(run).find(({ workflow }) => workflow?.id === workflowId)
    if (other === undefined) return []
    const now = proformaTrainingStatus(other.status)
    return [
      ...(other.content.reference?.fiscalDocumentId === planned.source ? [] : [`${planned.key} was refused for ${workflowId}, which gives something else back`]),
      ...(other.boundKey.key === planned.key ? [`${planned.key} was refused for itself`] : []),
      ...(isDone && now !== "COMPLETED" && !isExcused(run, other) ? [`${planned.key} was told that ${workflowId} is done, and it is ${now}`] : [])
    ]
  })
  return [...told, ...refused]
}

/** The guarantees for proforma and training documents (Decisions §5, Proforma and training). */
export const checkOffers = (run: FinishedRun): ReadonlyArray<Violation> => [
  ...checkRefunds(run),
  ...checkClaims(run),
  ...checkTold(run),
  ...run.offers.faults
]
