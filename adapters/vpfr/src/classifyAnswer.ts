import {
  type AnswerFacts,
  type ExpectedAnswer,
  outcomeOfAnswer,
  type SearchOutcome,
  searchOutcomeOfAnswer,
  type SubmissionOutcome
} from "@overa/domain"
import { answerText } from "./answerText.ts"
import type { Exchanged } from "./httpExchange.ts"
import { readRefusal } from "./readRefusal.ts"

type Answered = Extract<Exchanged, { readonly _tag: "Answered" }>

const unknown = (detail: string): SubmissionOutcome => ({
  _tag: "NoAnswer",
  failureCode: "OUTCOME_UNKNOWN",
  detail,
  foreignAnswer: null
})

const elementRefused = (detail: string): SubmissionOutcome => ({
  _tag: "NotSent",
  failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE",
  detail,
  elementRefused: true
})

/** Status codes that prove that the request was refused before anything could be signed (Decisions §4; V-PFR §1.7). */
export const refusingStatus: ReadonlySet<number> = new Set([401, 403, 406])

const outcomeOfBadRequest = (text: string): SubmissionOutcome => {
  const refusal = readRefusal(text)
  if (refusal === null) return unknown("status 400 without codes that prove a rejection")
  return refusal._tag === "ElementRefused"
    ? elementRefused(refusal.detail)
    : { _tag: "Rejected", rejection: refusal.rejection, text }
}

/**
 * What an answer to a submission proves. Signed, rejected and refused require the whole answer; everything else leaves the outcome unknown, whatever
 * it says. Source: Decisions §4, "What a failure means".
 */
export const outcomeOfSubmission = (expected: ExpectedAnswer, answer: Answered, facts: AnswerFacts): SubmissionOutcome => {
  if (answer.whole && refusingStatus.has(answer.status)) return elementRefused(`the V-PFR answered status ${answer.status}`)
  const text = answerText(answer)
  if (text === null) return unknown(`an answer with status ${answer.status} that is no readable text`)
  // A signed answer proves by itself that it is complete; any other answer needs a known length.
  if (answer.status >= 200 && answer.status < 300) return outcomeOfAnswer(expected, text, facts)
  if (!answer.whole) return unknown(`an answer with status ${answer.status} of unknown length`)
  return answer.status === 400 ? outcomeOfBadRequest(text) : unknown(`the V-PFR answered status ${answer.status}`)
}

/** What an answer to a search by RequestId shows. 204 and 404 find nothing, like 200 with `null` (V-PFR §1.6). */
export const outcomeOfSearch = (expected: ExpectedAnswer, answer: Answered, facts: AnswerFacts): SearchOutcome => {
  if (answer.status === 204 || (answer.status === 404 && answer.whole)) return { _tag: "NothingFound" }
  const text = answerText(answer)
  if (text === null) return { _tag: "NoAnswer", detail: `an answer with status ${answer.status} that is no readable text` }
  if (answer.status === 200 && (answer.whole || text.trim() !== "")) return searchOutcomeOfAnswer(expected, text, facts)
  return { _tag: "NoAnswer", detail: `the V-PFR answered the search with status ${answer.status}` }
}
