import { DateTime, Result, Schema } from "effect"
import type { SignedAnswer } from "../documents/PfrResult.ts"
import type { Remark } from "../documents/SubmissionOutcome.ts"
import { formatDecimal } from "../money/formatDecimal.ts"
import { belgradeTime } from "../time/belgradeTime.ts"
import { counterExtension } from "./counterExtension.ts"
import { decodeVerificationLink } from "./decodeVerificationLink.ts"
import { type AnswerFacts, type ExpectedAnswer, judgeAnswer } from "./judgeAnswer.ts"
import { readSignedAnswer } from "./readSignedAnswer.ts"
import { invoiceNumberOf, type VerificationLink } from "./VerificationLink.ts"

/** What an operator has in hand: the link behind the receipt's QR code, and the receipt's text as the tax authority shows it. */
export interface FoundReceipt {
  readonly verificationUrl: string
  readonly journal: string
}

/** The receipt is not this operation's, or not genuine; every reason is named. */
export class FoundReceiptRefused
  extends Schema.TaggedError<FoundReceiptRefused>()("FoundReceiptRefused", { reasons: Schema.Array(Schema.String) })
{}

// The taxes are not in the link, so nothing can be said of them; whatever else differs speaks against the receipt.
const tolerated: ReadonlySet<Remark["kind"]> = new Set(["TAX_DIFFERS"])

/** The answer as the V-PFR would have given it, as far as link and journal tell; `foundByHand` marks it for whoever reads the evidence. */
const answerText = (found: FoundReceipt, link: VerificationLink, tin: string | null): string => {
  const amount = formatDecimal(link.totalAmount)
  const facts = {
    foundByHand: true,
    requestedBy: link.requestedBy,
    signedBy: link.signedBy,
    sdcDateTime: belgradeTime(DateTime.makeUnsafe(link.sdcTimeMillis)),
    invoiceCounter: `${link.transactionTypeCounter}/${link.totalCounter}${counterExtension(link)}`,
    invoiceNumber: invoiceNumberOf(link),
    totalCounter: link.totalCounter,
    transactionTypeCounter: link.transactionTypeCounter,
    verificationUrl: found.verificationUrl,
    journal: found.journal,
    ...(tin === null ? {} : { tin })
  }
  // The amount is written digit by digit: it never passes through a floating-point number.
  return `${JSON.stringify(facts).slice(0, -1)},"totalAmount":${amount}}`
}

/**
 * Reads a receipt that an operator found at the tax authority, and proves that it is the one this operation asked for: the link's
 * digest, its place, element, kind, amount, buyer and time, the signature where the signer's key is known, and the number in the
 * journal. Source: Decisions §4, the operator decides.
 */
export const receiptFoundByHand = (
  expected: ExpectedAnswer,
  found: FoundReceipt,
  facts: AnswerFacts & { readonly tin: string | null }
): Result.Result<SignedAnswer, FoundReceiptRefused> => {
  const refused = (reasons: ReadonlyArray<string>) => Result.fail(new FoundReceiptRefused({ reasons }))
  const link = decodeVerificationLink(found.verificationUrl)
  if (Result.isFailure(link)) return refused([`the verification link cannot be read: ${link.failure.reason}`])
  const read = readSignedAnswer(answerText(found, link.success, facts.tin))
  if (Result.isFailure(read)) return refused([`the receipt is not complete: ${read.failure.reason}`])
  const judged = judgeAnswer(expected, read.success, facts)
  if (judged._tag === "NotOurs") return refused(judged.reasons)
  const against = judged.remarks.filter((remark) => !tolerated.has(remark.kind))
  return against.length > 0 ? refused(against.map((remark) => remark.detail)) : Result.succeed(read.success.answer)
}
