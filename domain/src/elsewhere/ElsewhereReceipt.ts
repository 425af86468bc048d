import { BigDecimal, type DateTime, Equal, Result } from "effect"
import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import { isTurnoverType } from "../documents/isTurnoverType.ts"
import { belgradeLocalTime } from "../time/belgradeTime.ts"
import type { JournalUnreadable } from "../receipt-text/readJournal.ts"

/**
 * A receipt that the taxpayer has issued with another ESIR. It is never a document of this service: it has no place in the journal's log, no turnover and
 * no refund. A copy may refer to it (Spec, Reference matrix).
 */
export interface ElsewhereReceipt {
  /** `requestedBy-signedBy-totalCounter`. */
  readonly pfrNumber: string
  /** To the millisecond where the link was read, else to the second. */
  readonly pfrTime: DateTime.Utc
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** `8652/11389`: the counter of this kind of receipt, and the counter of all. */
  readonly counter: string
  /** Positive, in a refund too. */
  readonly totalAmount: BigDecimal.BigDecimal
  /** As printed; null where only the link is known, which does not contain it. */
  readonly totalTax: BigDecimal.BigDecimal | null
  readonly buyerId: string | null
  readonly verificationUrl: string | null
  readonly journal: string | null
  /** `PROVEN` where the link's signature verifies under a known key of the tax authority, for this taxpayer's TIN. */
  readonly standing: "PROVEN" | "CLAIMED"
}

/** What a receipt's link and text, or two files, say otherwise of each other. */
export type ElsewhereDifference = "pfrTime" | "kind" | "counter" | "totalAmount" | "totalTax" | "buyerId"

/** Why a piece of a file is not imported. */
export type ElsewhereFault =
  | { readonly _tag: "NothingFound" }
  | { readonly _tag: "LinkUnreadable"; readonly reason: string }
  | { readonly _tag: "LinkDamaged" }
  | { readonly _tag: "OtherAddress"; readonly address: string }
  | { readonly _tag: "SignatureWrong"; readonly signedBy: string }
  | { readonly _tag: "JournalCut" }
  | { readonly _tag: "JournalUnreadable"; readonly line: JournalUnreadable["line"]; readonly reason: string }
  | { readonly _tag: "OtherSeller"; readonly tin: string }
  | { readonly _tag: "Contradicts"; readonly pfrNumber: string; readonly differences: ReadonlyArray<ElsewhereDifference> }
  | { readonly _tag: "OwnDocument"; readonly pfrNumber: string; readonly id: string }
  | { readonly _tag: "OtherTaxpayer"; readonly pfrNumber: string; readonly taxpayerId: string }
  | { readonly _tag: "FileUnreadable"; readonly reason: string }

const bothDiffer = <A>(one: A | null, other: A | null, equal: (one: A, other: A) => boolean): boolean => one !== null && other !== null && !equal(one, other)

const differencesOf = (one: ElsewhereReceipt, other: ElsewhereReceipt): ReadonlyArray<ElsewhereDifference> => {
  const differs: Readonly<Record<ElsewhereDifference, boolean>> = {
    pfrTime: belgradeLocalTime(one.pfrTime) !== belgradeLocalTime(other.pfrTime),
    kind: one.invoiceType !== other.invoiceType || one.transactionType !== other.transactionType,
    counter: one.counter !== other.counter,
    totalAmount: !BigDecimal.Equivalence(one.totalAmount, other.totalAmount),
    totalTax: bothDiffer(one.totalTax, other.totalTax, BigDecimal.Equivalence),
    buyerId: bothDiffer(one.buyerId, other.buyerId, Equal.equals)
  }
  return (Object.keys(differs) as ReadonlyArray<ElsewhereDifference>).filter((member) => differs[member])
}

/**
 * What is known of one receipt from two pieces: its link, its text, or the same once more. Pieces that contradict each other are one fault with every
 * member that differs; where both are the same, the first is kept.
 */
export const mergeElsewhere = (known: ElsewhereReceipt, found: ElsewhereReceipt): Result.Result<ElsewhereReceipt, ElsewhereFault> => {
  const differences = differencesOf(known, found)
  if (differences.length > 0) return Result.fail({ _tag: "Contradicts", pfrNumber: known.pfrNumber, differences })
  return Result.succeed({
    ...known,
    // A link has the time to the millisecond.
    pfrTime: known.verificationUrl === null ? found.pfrTime : known.pfrTime,
    totalTax: known.totalTax ?? found.totalTax,
    buyerId: known.buyerId ?? found.buyerId,
    verificationUrl: known.verificationUrl ?? found.verificationUrl,
    journal: known.journal ?? found.journal,
    standing: known.standing === "PROVEN" || found.standing === "PROVEN" ? "PROVEN" : "CLAIMED"
  })
}

export const isTurnoverElsewhere = ({ invoiceType }: Pick<ElsewhereReceipt, "invoiceType">): boolean => isTurnoverType(invoiceType)

/** Whether this service may issue a copy of it. Source: Spec, Reference matrix. */
export const mayCopyElsewhere = isTurnoverElsewhere
