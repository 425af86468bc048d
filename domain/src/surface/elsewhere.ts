/** Receipts that a taxpayer has issued with another ESIR. */
export { type ElsewhereDifference, type ElsewhereFault, type ElsewhereReceipt, isTurnoverElsewhere, mayCopyElsewhere, mergeElsewhere } from "../elsewhere/ElsewhereReceipt.ts"
export { type CopyOfElsewhere, copyOfElsewhere, type NotCopied } from "../elsewhere/copyOfElsewhere.ts"
export { compareElsewhere } from "../elsewhere/compareElsewhere.ts"
export { compareTrial, type TriedSale } from "../elsewhere/compareTrial.ts"
export type { Deviation } from "../elsewhere/deviations.ts"
export { pairTrials, type PrintedElsewhere, type UnpairedSale } from "../elsewhere/pairTrials.ts"
export { type ElsewhereDay, elsewhereBy } from "../elsewhere/elsewhereTotals.ts"
export { ElsewhereImportRefused } from "../elsewhere/errors.ts"
export { type GatheredPiece, gatherText, receiptGatherer } from "../elsewhere/gatherReceipts.ts"
export { type ElsewhereKnowledge, readElsewhere, readElsewhereJournal } from "../elsewhere/readElsewhere.ts"
export {
  type ElsewhereFaultAt, type ElsewhereImport, type ElsewherePlace, ElsewhereTally, type FoundElsewhere, mostElsewhereFaults, numbersIn, settleElsewhere, type StoredElsewhere
} from "../elsewhere/settleElsewhere.ts"
