import { DateTime, Result, Schema } from "effect"
import type { Remark, SignedAnswer } from "../documents/PfrResult.ts"
import { formatDecimal } from "../money/decimals.ts"
import { totalAmount } from "../money/rounding.ts"
import { belgradeTime } from "../time/belgradeTime.ts"
import { counterExtension, pfrNumberForm } from "./pfrCodes.ts"
import { decodeVerificationLink, invoiceNumberOf, type VerificationLink } from "./VerificationLink.ts"
import { type AnswerFacts, type ExpectedAnswer, judgeAnswer } from "./judgeAnswer.ts"
import { readSdcTime, readSignedAnswer } from "./readSignedAnswer.ts"

/** What an operator found: the link of the receipt's QR code, and the receipt's text as the tax authority shows it. */
export interface FoundReceipt {
  readonly verificationUrl: string
  readonly journal: string
  /** The printed facts, for a link that cannot be read: the number `JID-JID-counter` and the PFR time. */
  readonly stated?: { readonly invoiceNumber: string; readonly sdcTime: string } | null
}

/** The receipt belongs to another operation, or is not genuine; every reason is named. */
export class FoundReceiptRefused
  extends Schema.TaggedError<FoundReceiptRefused>()("FoundReceiptRefused", { reasons: Schema.Array(Schema.String) })
{}

// The link does not contain the taxes, so they cannot be compared; every other difference contradicts the receipt.
const tolerated: ReadonlySet<Remark["kind"]> = new Set(["TAX_DIFFERS"])

type Signed = Pick<
  VerificationLink,
  "requestedBy" | "signedBy" | "totalCounter" | "transactionTypeCounter" | "totalAmount" | "sdcTimeMillis" | "invoiceType" | "transactionType"
>

const longestCounter = 15
const printedCounter = /(\d{1,15})\/(\d{1,15})\p{L}{2}/u

/**
 * The number and time that an operator read from the paper, where the link cannot be read; null when these are not valid. The amount is the
 * request's.
 */
const statedFacts = ({ journal, stated }: FoundReceipt, { content }: ExpectedAnswer): Signed | null => {
  const [, requestedBy, signedBy, counter = ""] = pfrNumberForm.exec(stated?.invoiceNumber.trim() ?? "") ?? []
  const time = readSdcTime(stated?.sdcTime ?? "")
  if (requestedBy === undefined || signedBy === undefined || time === null) return null
  if (counter.startsWith("0") || counter.length > longestCounter) return null
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

/** The answer as the V-PFR would have given it, from the facts in link and journal; `foundByHand` marks it for readers of the evidence. */
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

/** A receipt found by hand, read, with every contradiction to this operation. */
export interface ReadReceipt {
  readonly answer: SignedAnswer
  readonly against: ReadonlyArray<string>
}

/**
 * Reads a receipt that an operator found at the tax authority and compares it with this operation: the link's digest, its place, element, kind,
 * amount, buyer and time, the signature where the signer's key is known, and the number in the journal. Only what cannot be read is refused;
 * differences are listed, and the person who holds the paper decides. Source: Decisions §4, the operator decides.
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

/** The same, but any contradiction refuses it. */
export const receiptFoundByHand = (
  expected: ExpectedAnswer,
  found: FoundReceipt,
  facts: AnswerFacts & { readonly tin: string | null }
): Result.Result<SignedAnswer, FoundReceiptRefused> =>
  Result.flatMap(readReceiptFound(expected, found, facts), ({ answer, against }) =>
    against.length > 0 ? Result.fail(new FoundReceiptRefused({ reasons: against })) : Result.succeed(answer))
