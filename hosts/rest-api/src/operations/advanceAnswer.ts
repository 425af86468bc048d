import { type AdvanceCase, type AdvanceMutated, presentAdvanceCase } from "@overa/domain"
import type { Answer } from "../http/Operation.ts"
import { advanceCaseJson } from "../json/advanceCaseJson.ts"
import { issuedStatus, retrySeconds } from "./issuedAnswer.ts"

/** Whether the same key continues the case: nothing was sent, or the final sale is ready and has not been sent yet. */
const goesOn = (current: AdvanceCase["current"]): boolean => current?.retryable === true || current?.status === "VALIDATED"

/**
 * The answer to a mutation of a case: the whole case, with the HTTP status of this request's document. Opening issues no document: 201, and 200 for
 * its replays. Source: Decisions §5, Advance case (HTTP follows `current`).
 */
export const advanceAnswer = ({ current: issued, replayed, stored }: AdvanceMutated): Answer => {
  const advanceCase = presentAdvanceCase(stored, issued)
  const { current, id } = advanceCase
  const status = current === null ? (replayed ? 200 : 201) : issuedStatus(current.status, replayed)
  return {
    status,
    headers: {
      ...(replayed ? { "Idempotency-Replayed": "true" } : {}),
      ...(status === 201 ? { Location: `/v1/advance-cases/${id}` } : {}),
      ...(goesOn(current) ? { "Retry-After": retrySeconds } : {})
    },
    json: advanceCaseJson(advanceCase),
    operationId: current?.id ?? id
  }
}
