import { BigDecimal, type DateTime, Result } from "effect"
import type { InvoiceToSign } from "../documents/InvoiceToSign.ts"
import type { Remark, SearchOutcome, SignedAnswer, SubmissionOutcome } from "../documents/PfrResult.ts"
import { formatDecimal } from "../money/decimals.ts"
import { totalAmount } from "../money/rounding.ts"
import { submissionOutcome } from "../operations/outcomeTable.ts"
import { answerRemarks } from "./answerRemarks.ts"
import { kindOfCounterExtension, type MarkedKind } from "./pfrCodes.ts"
import { type ReadAnswer, readSignedAnswer } from "./readSignedAnswer.ts"

/** The parts of what was sent that an answer can be compared with. */
export type ExpectedAnswer = Pick<InvoiceToSign, "jid" | "content" | "taxRates">

/** What is known besides the request. */
export interface AnswerFacts {
  readonly submittedAt: DateTime.Utc
  /** The environment's verification address up to and including `vl=`; null when it is not known. */
  readonly verificationRoot: string | null
  /** A faster MD5 than the portable one, where the host has one: it is computed for every receipt. */
  readonly md5?: (bytes: Uint8Array) => Uint8Array
  /** The public RSA modulus of a signer, where known. */
  readonly signerModulus?: (jid: string) => bigint | undefined
}

export type AnswerJudgement =
  | { readonly _tag: "Ours"; readonly remarks: ReadonlyArray<Remark> }
  | { readonly _tag: "NotOurs"; readonly reasons: ReadonlyArray<string> }

/** How long before our submission a signing time may be: clocks differ, but an older receipt cannot belong to this request (Decisions §4). */
const clockToleranceMillis = 300_000

const differs = (name: string, found: string, expected: string): ReadonlyArray<string> =>
  found === expected ? [] : [`${name} is ${found}, sent was ${expected}`]

const kindReasons = (where: string, found: MarkedKind, expected: MarkedKind): ReadonlyArray<string> => [
  ...differs(`invoiceType of the ${where}`, found.invoiceType, expected.invoiceType),
  ...differs(`transactionType of the ${where}`, found.transactionType, expected.transactionType)
]

const amountReasons = (where: string, found: BigDecimal.BigDecimal, expected: BigDecimal.BigDecimal) =>
  BigDecimal.equals(found, expected)
    ? []
    : [`totalAmount of the ${where} is ${formatDecimal(found)}, sent was ${formatDecimal(expected)}`]

/** Decisions §4, "Is it the answer to this request?": each of these alone shows that an answer belongs to another request. */
const foreignReasons = (expected: ExpectedAnswer, read: ReadAnswer, facts: AnswerFacts): ReadonlyArray<string> => {
  const { content, jid } = expected
  const { pfr } = read.answer
  const link = Result.isSuccess(read.link) ? read.link.success : null
  const total = totalAmount(content.items)
  const mark = kindOfCounterExtension(pfr.invoiceCounterExtension ?? "")
  const earliest = facts.submittedAt.epochMilliseconds - clockToleranceMillis
  const tooEarly = read.sdcTimeMillis < earliest || (link !== null && link.sdcTimeMillis < earliest)
  return [
    ...otherAuthorityReasons(read.answer),
    ...differs("requestedBy of the answer", pfr.requestedBy, jid),
    ...(mark === null ? [] : kindReasons("answer", mark, content)),
    ...amountReasons("answer", pfr.totalAmount, total),
    ...(link === null ? [] : [
      ...differs("requestedBy of the link", link.requestedBy, jid),
      ...kindReasons("link", link, content),
      ...amountReasons("link", link.totalAmount, total),
      ...differs("buyerId of the link", link.buyerId ?? "none", content.buyer?.id ?? "none")
    ]),
    ...(tooEarly ? [`sdcTime ${pfr.sdcTime} lies more than five minutes before the submission${read.sdcTimeOffset === "ASSUMED" ? ", its offset is assumed" : ""}`] : [])
  ]
}

/**
 * Whether a signed answer is the answer to this request, before it is accepted. `NotOurs` means that the request's own outcome is unknown. With every
 * other difference the receipt counts, and the difference becomes a remark. Source: Decisions §4.
 */
export const judgeAnswer = (expected: ExpectedAnswer, read: ReadAnswer, facts: AnswerFacts): AnswerJudgement => {
  const reasons = foreignReasons(expected, read, facts)
  return reasons.length > 0
    ? { _tag: "NotOurs", reasons }
    : { _tag: "Ours", remarks: answerRemarks(expected, read, facts) }
}

/** A store of text keeps every character but NUL. */
const asEvidence = (text: string): string => text.replaceAll("\0", "\uFFFD")

/**
 * What the body of a 200 answer to a submission proves. A text that is no signed answer, or one to another request, leaves the outcome unknown and is
 * kept as evidence (Decisions §4).
 */
export const outcomeOfAnswer = (expected: ExpectedAnswer, bodyText: string, facts: AnswerFacts): SubmissionOutcome => {
  const read = readSignedAnswer(bodyText)
  if (Result.isFailure(read)) {
    const detail = `the answer is not a signed one: ${read.failure.reason}`
    return submissionOutcome("unsignedAnswer", detail, bodyText === "" ? null : asEvidence(bodyText))
  }
  const judgement = judgeAnswer(expected, read.success, facts)
  return judgement._tag === "Ours"
    ? { _tag: "Signed", answer: read.success.answer, remarks: judgement.remarks }
    : submissionOutcome("foreignAnswer", `the answer is not to this request: ${judgement.reasons.join("; ")}`, bodyText)
}

/** What the body of a 200 answer to a search by RequestId proves: `null` and an empty body found nothing (V-PFR §1.6). */
export const searchOutcomeOfAnswer = (expected: ExpectedAnswer, bodyText: string, facts: AnswerFacts): SearchOutcome => {
  const trimmed = bodyText.trim()
  if (trimmed === "" || trimmed === "null") return { _tag: "NothingFound" }
  const read = readSignedAnswer(bodyText)
  if (Result.isFailure(read)) return { _tag: "NoAnswer", detail: `the found text is not a signed answer: ${read.failure.reason}` }
  const judgement = judgeAnswer(expected, read.success, facts)
  return judgement._tag === "Ours"
    ? { _tag: "Found", answer: read.success.answer, remarks: judgement.remarks }
    : { _tag: "FoundForeign", text: bodyText, detail: judgement.reasons.join("; ") }
}

/**
 * Other installations of the tax authority's software that are known: their answers have the same members, layout of the link and signature, and are no
 * receipts of Serbia. Source: V-PFR §1.3, published answers.
 */
const otherInstallations: ReadonlyArray<readonly [domain: string, name: string]> = [
  ["poreskaupravars.org", "Republika Srpska"],
  ["frcs.org.fj", "Fiji"],
  ["taxcore.online", "TaxCore, for demonstration"]
]

/** A taxpayer of Serbia has nine digits; in the sandbox `RS` stands before them (V-PFR §7.4). */
const serbianTin = /^(?:RS)?\d{9}$/

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ""

/**
 * Why a signed answer is another tax authority's; empty where nothing in it says so. Only what an answer says of itself counts: an unknown host is
 * no such sign, because the authority may move (Decisions §4).
 */
export const otherAuthorityReasons = ({ pfr, tin }: Pick<SignedAnswer, "pfr" | "tin">): ReadonlyArray<string> => {
  const host = hostOf(pfr.verificationUrl)
  const installation = otherInstallations.find(([domain]) => host === domain || host.endsWith(`.${domain}`))
  return [
    ...(installation === undefined ? [] : [`its link leads to ${host}, the tax authority of ${installation[1]}`]),
    ...(tin === null || serbianTin.test(tin) ? [] : [`its tin ${tin} is not of Serbia, which has nine digits`])
  ]
}
