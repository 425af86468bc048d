import { advancePartOf, caseDocuments, caseStateOf, lineAmount, type Operation } from "@overa/domain"
import { BigDecimal } from "effect"
import { type FinishedRun, knownNumber, type Violation } from "./FinishedRun.ts"
import { orderKeyOf, type SimulatedReceipt } from "./SimulatedVpfr.ts"
import { countExcuses, judge, type Judged, lostOf } from "./told.ts"

interface CaseInRun {
  readonly name: string
  readonly documents: ReadonlyArray<Operation>
  /** What the V-PFR signed for each document of the case, with the number under which the service knows it. */
  readonly signed: (operation: Operation) => ReadonlyArray<SimulatedReceipt>
}

const casesOf = (run: FinishedRun): ReadonlyArray<CaseInRun> => {
  const { store, vpfr } = run
  return [...store.memory.cases.values()].map((opened) => ({
    name: opened.boundKey.key,
    documents: [...store.memory.byId.values()].map(({ operation }) => operation).filter(({ workflow }) => workflow?.id === opened.id),
    signed: (operation) =>
      vpfr.receiptsOf(orderKeyOf(operation.content)).map((receipt) => ({ ...receipt, invoiceNumber: knownNumber(run, receipt) as typeof receipt.invoiceNumber }))
  }))
}

const sumPerLabel = (receipts: ReadonlyArray<SimulatedReceipt>): ReadonlyMap<string, BigDecimal.BigDecimal> => {
  const sums = new Map<string, BigDecimal.BigDecimal>()
  for (const item of receipts.flatMap(({ content }) => content.items)) {
    const label = item.taxLabels.join()
    sums.set(label, BigDecimal.sum(sums.get(label) ?? BigDecimal.fromBigInt(0n), lineAmount(item)))
  }
  return sums
}

const partsOf = ({ documents, signed }: CaseInRun, part: ReturnType<typeof advancePartOf>): ReadonlyArray<SimulatedReceipt> =>
  documents.filter((operation) => advancePartOf(operation) === part).flatMap(signed)

/** The closing's signed Advance Refund equals the signed Advance Sales less the cancellations, label by label. */
const checkSums = (one: CaseInRun): ReadonlyArray<Violation> => {
  const [refund] = partsOf(one, "CLOSING_REFUND")
  if (refund === undefined) return []
  const taken = sumPerLabel(partsOf(one, "PAYMENT"))
  const given = sumPerLabel([...partsOf(one, "CANCELLATION"), refund])
  const labels = [...new Set([...taken.keys(), ...given.keys()])]
  const zero = BigDecimal.fromBigInt(0n)
  return labels.flatMap((label) => {
    const [in_, out] = [taken.get(label) ?? zero, given.get(label) ?? zero]
    return BigDecimal.equals(in_, out) ? [] : [`${one.name}: ${BigDecimal.format(in_)} of ${label} in advance, ${BigDecimal.format(out)} given back`]
  })
}

/** Each signed Advance Sale refers to the latest one that stood when it was signed. */
const checkChain = (one: CaseInRun): ReadonlyArray<Violation> => {
  const payments = [...partsOf(one, "PAYMENT")].sort((left, right) => left.signedAt - right.signedAt)
  const cancellations = partsOf(one, "CANCELLATION")
  return payments.flatMap((payment, index) => {
    const cancelled = new Set(
      cancellations.filter(({ signedAt }) => signedAt <= payment.signedAt).map(({ content }) => content.reference?.pfrNumber)
    )
    const latest = payments.slice(0, index).findLast(({ invoiceNumber }) => !cancelled.has(invoiceNumber))
    const refersTo = payment.content.reference?.pfrNumber
    return refersTo === latest?.invoiceNumber
      ? []
      : [`${one.name}: ${payment.key} refers to ${refersTo ?? "nothing"}, the latest advance was ${latest?.invoiceNumber ?? "none"}`]
  })
}

/**
 * At most one final sale, after the Advance Refund it refers to. A failover that lost an attempt of exactly that sale may have it sent once more; then the
 * receipt that nobody holds is on the list by its counter (`checkCounters`).
 */
const checkFinalSale = (run: FinishedRun, one: CaseInRun): ReadonlyArray<Violation> => {
  const finals = partsOf(one, "FINAL_SALE")
  // More than one where a failover lost an attempt of it (`checkReceipts`); the sale refers to the one that the service knows.
  const refunds = partsOf(one, "CLOSING_REFUND")
  const isLost = finals.some(({ key }) => run.store.lostReservations.has(key))
  return [
    ...(finals.length > 1 && !isLost ? [`${one.name} has ${finals.length} final sales at the V-PFR`] : []),
    ...finals.flatMap((final) => {
      const refersTo = final.content.reference?.pfrNumber
      const isRight = refunds.some(({ invoiceNumber, signedAt }) => invoiceNumber === refersTo && signedAt <= final.signedAt)
      return isRight ? [] : [`${one.name}: the final sale ${final.invoiceNumber} refers to ${refersTo ?? "nothing"}`]
    })
  ]
}

const isUnknown = ({ status }: Operation): boolean => status === "OUTCOME_UNKNOWN" || status === "RECONCILING"

/** At the end no case waits for the service itself. */
const checkRest = (one: CaseInRun): ReadonlyArray<Violation> => {
  const documents = caseDocuments(one.documents)
  if (caseStateOf(documents) !== "AWAITING_OUTCOME" || one.documents.some(isUnknown)) return []
  // An Advance Refund that was not sent is left to the caller's key, which the caller may have given up; a rejected final sale to another closing.
  const waitsForCaller = documents.advanceRefund?.status === "NOT_FISCALIZED" || documents.finalSale?.status === "REJECTED"
  return waitsForCaller ? [] : [`${one.name} rests in AWAITING_OUTCOME, its final sale ${documents.finalSale?.status ?? "not there"}`]
}

/** At the end the signed copy of a cash cancellation exists once; once more where a failover lost an attempt of exactly that copy. */
const checkCopies = (run: FinishedRun, one: CaseInRun): ReadonlyArray<Violation> =>
  caseDocuments(one.documents).cancellations.flatMap(({ copy, refund }) => {
    const isDue = refund.status === "FISCALIZED" && refund.content.payments.some(({ type }) => type === "CASH")
    const signed = copy === null ? 0 : one.signed(copy).length
    const isSettled = copy !== null && (copy.status === "FISCALIZED" || copy.status === "REJECTED" || isUnknown(copy))
    return [
      ...(signed > 1 && copy !== null && !run.store.lostReservations.has(orderKeyOf(copy.content)) ? [`${one.name}: the copy of ${refund.id} was signed ${signed} times`] : []),
      ...(isDue && !isSettled ? [`${one.name}: the copy of ${refund.id} is ${copy?.status ?? "not reserved"} when all is calm`] : [])
    ]
  })

/** A failover lost an attempt or the outcome of a document of one of the case's closings. */
const isClosingLost = ({ store }: FinishedRun, { name }: CaseInRun): boolean =>
  [...store.lostReservations.keys(), ...store.lostOutcomes].some((key) => key.startsWith("close-") && key.includes(`-${name}`))

/** A case that was reported as closed stays closed, unless a failover lost its closing; what nobody holds of it is then missed by its counters. */
const checkTold = (run: FinishedRun): ReadonlyArray<Violation> =>
  run.cases.heard.flatMap(({ caseId, key, state }) => {
    const one = casesOf(run).find(({ documents }) => documents.some(({ workflow }) => workflow?.id === caseId))
    if (one === undefined || state !== "CLOSED" || isClosingLost(run, one) || isExcused(run, one)) return []
    const now = caseStateOf(caseDocuments(one.documents))
    return now === "CLOSED" ? [] : [`${key} was told CLOSED and the case is ${now}`]
  })

/** The keys of a case, those of documents that are lost too. */
const keysOf = ({ vpfr }: FinishedRun, { documents, name }: CaseInRun): ReadonlySet<string> =>
  new Set([...documents.map(({ content }) => orderKeyOf(content)), ...vpfr.receipts.map(({ key }) => key).filter((key) => key.includes(name))])

/**
 * What a failover or a restore lost of the case's documents: decisions made meanwhile could not know of it, also where its process stored it again later. Null
 * where nothing was lost, and so nothing is excused.
 */
const lostOfCase = (run: FinishedRun, one: CaseInRun): string | null => [...keysOf(run, one)].map((key) => lostOf(run, key)).find((lost) => lost !== null) ?? null

const isExcused = (run: FinishedRun, one: CaseInRun): boolean => lostOfCase(run, one) !== null

/** The sums and predecessors of a case. */
const checkBooks = (run: FinishedRun, one: CaseInRun): Judged =>
  judge(run, [...checkSums(one), ...checkChain(one)], { keys: keysOf(run, one), ids: one.documents.map(({ id }) => id) })

/** The cases whose sums or predecessors are wrong because something was lost, by what that was. */
export const excusedCases = (run: FinishedRun): Readonly<Record<string, number>> =>
  countExcuses("advance cases with other sums or predecessors", casesOf(run).map((one) => checkBooks(run, one)))

/** The guarantees for advance cases (Decisions §5, Advance case). */
export const checkCases = (run: FinishedRun): ReadonlyArray<Violation> => [
  ...casesOf(run).flatMap((one) => checkBooks(run, one).broken),
  ...casesOf(run).flatMap((one) => [...checkFinalSale(run, one), ...checkRest(one), ...checkCopies(run, one)]),
  ...checkTold(run),
  ...run.cases.faults
]
