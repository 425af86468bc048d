import type { ErrorCode } from "@overa/domain"
import { ref, uuid } from "@overa/host-kit/contract"
import type { DeclaredResponse, Operation } from "../http/Operation.ts"

export const advanceCaseResponse = (
  description: string,
  example: unknown,
  headers: DeclaredResponse["headers"] = []
): DeclaredResponse => ({
  description,
  content: { "application/json": { schema: ref("AdvanceCase"), example } },
  headers
})

export const advanceCaseParameter: Operation["pathParameters"] = {
  advanceCaseId: { description: "The case.", schema: uuid("The case.") }
}

/** The answers of a mutation that issues a document of a case. Source: Decisions §5, Advance case (HTTP follows `current`). */
export const advanceResponses = (examples: {
  readonly done: unknown
  readonly rejected: unknown
  readonly open: unknown
}): Operation["responses"] => ({
  200: advanceCaseResponse("Replay: the case, its document issued under this key before.", examples.done, ["Idempotency-Replayed"]),
  201: advanceCaseResponse("The case, its new document in `current`.", examples.done, ["Location"]),
  422: advanceCaseResponse("The V-PFR rejected the document in `current`; a new request needs a new key.", examples.rejected, [
    "Idempotency-Replayed"
  ]),
  503: advanceCaseResponse("No receipt, or not known yet: `status` and `retryable` of `current` say which.", examples.open, [
    "Location",
    "Retry-After",
    "Idempotency-Replayed"
  ])
})

/** What may refuse any mutation of a case. */
export const caseErrors = ["ADVANCE_CASE_NOT_FOUND", "ADVANCE_CASE_NOT_OPEN"] as const satisfies ReadonlyArray<ErrorCode>
