import { DateTime, Result, Schema } from "effect"
import type { SignedAnswer } from "../documents/PfrResult.ts"
import type { Remark } from "../documents/SubmissionOutcome.ts"
import { formatDecimal } from "../money/formatDecimal.ts"
import { totalAmount } from "../money/lineAmount.ts"
import { belgradeTime } from "../time/belgradeTime.ts"
import { counterExtension } from "./counterExtension.ts"
import { decodeVerificationLink } from "./decodeVerificationLink.ts"
import { type AnswerFacts, type ExpectedAnswer, judgeAnswer } from "./judgeAnswer.ts"
import { readSdcTime } from "./readSdcTime.ts"
import { readSignedAnswer } from "./readSignedAnswer.ts"
import { invoiceNumberOf, type VerificationLink } from "./VerificationLink.ts"

/** What an operator has in hand: the link behind the receipt's QR code, and the receipt's text as the tax authority shows it. */
export interface FoundReceipt {
  readonly verificationUrl: string
  readonly journal: string
  /** What the paper says, for a link that cannot be read: the number `JID-JID-counter` and the time of the V-PFR. */
  readonly stated?: { readonly invoiceNumber: string; readonly sdcTime: string } | null
}

/** The receipt is not this operation's, or not genuine; every reason is named. */
export class FoundReceiptRefused
  extends Schema.TaggedError<FoundReceiptRefused>()("FoundReceiptRefused", { reasons: Schema.Array(Schema.String) })
{}

// The taxes are not in the link, so nothing can be said of them; whatever else differs speaks against the receipt.
const tolerated: ReadonlySet<Remark["kind"]> = new Set(["TAX_DIFFERS"])

type Signed = Pick<
  VerificationLink,
  "requestedBy" | "signedBy" | "totalCounter" | "transactionTypeCounter" | "totalAmount" | "sdcTimeMillis" | "invoiceType" | "transactionType"
>

const statedNumber = /^([A-Z0-9]{8})-([A-Z0-9]{8})-([1-9][0-9]{0,14})$/
const printedCounter = /(\d{1,15})\/(\d{1,15})\p{L}{2}/u

/** What an operator read off the paper, where the link cannot be read; null when that is no number and time. The amount is the request's. */
const statedFacts = ({ journal, stated }: FoundReceipt, { content }: ExpectedAnswer): Signed | null => {
  const [, requestedBy, signedBy, counter] = statedNumber.exec(stated?.invoiceNumber.trim() ?? "") ?? []
  const time = readSdcTime(stated?.sdcTime ?? "")
  if (requestedBy === undefined || signedBy === undefined || time === null) return null
  const [, ofType] = printedCounter.exec(journal) ?? []
  return {
    requestedBy,
    signedBy,
    totalCounter: Number(counter),
    transactionTypeCounter: Number(ofType ?? counter),
    totalAmount: totalAmount(content.items),
    sdcTimeMillis: time.millis,
    invoiceType: content.invoiceType,
    transactionType: content.transactionType
  }
}

/** The answer as the V-PFR would have given it, as far as link and journal tell; `foundByHand` marks it for whoever reads the evidence. */
const answerText = (found: FoundReceipt, link: Signed, tin: string | null): string => {
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

/** A receipt found by hand, read, with everything that speaks against its being this operation's. */
export interface ReadReceipt {
  readonly answer: SignedAnswer
  readonly against: ReadonlyArray<string>
}

/**
 * Reads a receipt that an operator found at the tax authority and holds it against what this operation asked for: the link's digest, its
 * place, element, kind, amount, buyer and time, the signature where the signer's key is known, and the number in the journal. Refused is
 * only what cannot be read; what differs is named, for a person who holds the paper to judge. Source: Decisions §4, the operator decides.
 */
export const readReceiptFound = (
  expected: ExpectedAnswer,
  found: FoundReceipt,
  facts: AnswerFacts & { readonly tin: string | null }
): Result.Result<ReadReceipt, FoundReceiptRefused> => {
  const refused = (reasons: ReadonlyArray<string>) => Result.fail(new FoundReceiptRefused({ reasons }))
  const link = decodeVerificationLink(found.verificationUrl)
  const unreadable = Result.isFailure(link) ? [`the verification link cannot be read: ${link.failure.reason}`] : []
  const signed: Signed | null = Result.isSuccess(link) ? link.success : statedFacts(found, expected)
  if (signed === null) return refused(unreadable)
  const read = readSignedAnswer(answerText(found, signed, facts.tin), "A_PERSONS_WORD")
  if (Result.isFailure(read)) return refused([`the receipt is not complete: ${read.failure.reason}`])
  const judged = judgeAnswer(expected, read.success, facts)
  const { answer } = read.success
  const different = judged._tag === "NotOurs"
    ? judged.reasons
    : judged.remarks.filter((remark) => !tolerated.has(remark.kind)).map((remark) => remark.detail)
  return Result.succeed({ answer, against: [...new Set([...unreadable, ...different])] })
}

/** The same, refused where anything speaks against it. */
export const receiptFoundByHand = (
  expected: ExpectedAnswer,
  found: FoundReceipt,
  facts: AnswerFacts & { readonly tin: string | null }
): Result.Result<SignedAnswer, FoundReceiptRefused> =>
  Result.flatMap(readReceiptFound(expected, found, facts), ({ answer, against }) =>
    against.length > 0 ? Result.fail(new FoundReceiptRefused({ reasons: against })) : Result.succeed(answer))
