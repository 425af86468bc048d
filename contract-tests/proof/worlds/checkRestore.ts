import { isCarriedOnByService } from "@overa/domain"
import { documentUnder, type FinishedRun, type Violation } from "./FinishedRun.ts"
import type { LostToRestore } from "./SimulatedRestore.ts"

/** What was taken back is never signed once more. A document of the service is not either where nobody kept anything of it (docs/adr/0121). */
const checkOnce = (run: FinishedRun, { key, stored }: LostToRestore, isTakenBack: boolean): ReadonlyArray<Violation> => {
  const { operation } = stored
  // What the network delivered hours after an operator's decision has its own excuse (`excuseOf`).
  const receipts = run.vpfr.receiptsOf(key).filter(({ isTooLate }) => !isTooLate)
  // A repeated refund that nobody took back has another number, and so a copy of its own.
  const same = isCarriedOnByService(operation) ? receipts.filter(({ content }) => content.reference?.pfrNumber === operation.content.reference?.pfrNumber) : receipts
  const isPromised = isCarriedOnByService(operation) || isTakenBack
  return isPromised && same.length > 1 ? [`${key} was signed ${same.length} times, although the restore that lost it knew of it`] : []
}

/** A sale whose proof was taken back is a receipt again, the same one, or visibly unresolved. */
const checkFound = (run: FinishedRun, { key, stored: { operation } }: LostToRestore, isTakenBack: boolean): ReadonlyArray<Violation> => {
  const [receipt] = run.vpfr.receiptsOf(key)
  const now = documentUnder(run, key)
  if (!isTakenBack || receipt === undefined || now === undefined || operation.workflow !== null) return []
  const isSame = now.operation.id === operation.id
  return isSame ? [] : [`${key} was taken back as ${operation.id} and is ${now.operation.id}`]
}

/** The promises about a restore to an earlier point (Decisions §15). */
export const checkRestore = (run: FinishedRun): ReadonlyArray<Violation> => [
  ...run.restore.faults,
  ...run.restore.lost.flatMap((lost) => {
    const isTakenBack = run.restore.isTakenBack(lost)
    return [...checkOnce(run, lost, isTakenBack), ...checkFound(run, lost, isTakenBack)]
  })
]
