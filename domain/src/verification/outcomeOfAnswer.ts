import { Result } from "effect"
import type { SearchOutcome, SubmissionOutcome } from "../documents/SubmissionOutcome.ts"
import { type AnswerFacts, type ExpectedAnswer, judgeAnswer } from "./judgeAnswer.ts"
import { readSignedAnswer } from "./readSignedAnswer.ts"

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
    return { _tag: "NoAnswer", failureCode: "OUTCOME_UNKNOWN", detail, foreignAnswer: bodyText === "" ? null : asEvidence(bodyText) }
  }
  const judgement = judgeAnswer(expected, read.success, facts)
  return judgement._tag === "Ours"
    ? { _tag: "Signed", answer: read.success.answer, remarks: judgement.remarks }
    : {
      _tag: "NoAnswer",
      failureCode: "OUTCOME_UNKNOWN",
      detail: `the answer is not to this request: ${judgement.reasons.join("; ")}`,
      foreignAnswer: bodyText
    }
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
