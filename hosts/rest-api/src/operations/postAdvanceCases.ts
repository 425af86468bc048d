import { AdvanceCaseShape, decodeAdvanceCaseRequest, openAdvanceCase } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { declareForTenant } from "../http/Operation.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { advanceAnswer } from "./issuedAnswer.ts"
import { advanceCaseResponse } from "./advanceResponses.ts"
import { keyErrors, licenseErrors, placeErrors } from "./documentErrors.ts"
import { exampleCaseRequest, exampleOpenedCase } from "./exampleAdvance.ts"

/** Source: Spec, advance-cases; Decisions §5, Advance case. */
export const postAdvanceCases = declareForTenant({
  id: "openAdvanceCase",
  method: "POST",
  path: "/v1/advance-cases",
  tag: "Advances",
  summary: "Open an advance case",
  description: "Opens a case for payments in advance of one delivery. Issues no document yet; the module `advance` is required in production.",
  scope: "advance:write",
  premises: "body",
  idempotent: true,
  pathParameters: {},
  query: {},
  body: jsonBody(AdvanceCaseShape, "Who sells to whom, and what was paid with receipts of another system.", exampleCaseRequest),
  responses: {
    200: advanceCaseResponse("Replay: the case opened under this key before, as it is now.", exampleOpenedCase, ["Idempotency-Replayed"]),
    201: advanceCaseResponse("The case is open.", exampleOpenedCase, ["Location"])
  },
  errors: [
    ...keyErrors,
    ...placeErrors,
    ...licenseErrors,
    "MODULE_NOT_LICENSED"
  ],
  handle: Effect.fnUntraced(function*(call) {
    const { decoded, request } = yield* keyedRequest(call, decodeAdvanceCaseRequest)
    return advanceAnswer(yield* openAdvanceCase(request, decoded))
  })
})
