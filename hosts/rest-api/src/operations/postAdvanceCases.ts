import { decodeAdvanceCaseRequest, openAdvanceCase } from "@overa/domain"
import { Effect } from "effect"
import { ref } from "../contract/JsonSchema.ts"
import { declareForTenant } from "../http/declare.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { advanceAnswer } from "./advanceAnswer.ts"
import { advanceCaseResponse } from "./advanceResponses.ts"
import { licenseErrors } from "./documentErrors.ts"
import { exampleCaseRequest, exampleOpenedCase } from "./exampleAdvance.ts"

/** Source: Spec, advance-cases; Decisions §5, Advance case. */
export const postAdvanceCases = declareForTenant({
  id: "openAdvanceCase",
  method: "POST",
  path: "/v1/advance-cases",
  tag: "Advances",
  summary: "Open an advance case",
  description: "Opens a case for payments in advance of one delivery. Issues no document yet; the module `advance` is asked for in production.",
  scope: "advance:write",
  idempotent: true,
  pathParameters: {},
  query: {},
  body: {
    mediaType: "application/json",
    schema: ref("AdvanceCaseRequest"),
    description: "Who sells to whom, and what was paid on paper of another system.",
    example: exampleCaseRequest
  },
  responses: {
    200: advanceCaseResponse("Replay: the case opened under this key before, as it stands now.", exampleOpenedCase, ["Idempotency-Replayed"]),
    201: advanceCaseResponse("The case is open.", exampleOpenedCase, ["Location"])
  },
  errors: [
    "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST",
    "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT",
    "TAXPAYER_NOT_FOUND",
    "BUSINESS_PREMISE_NOT_FOUND",
    "CREDENTIAL_ENVIRONMENT_MISMATCH",
    ...licenseErrors,
    "MODULE_NOT_LICENSED",
    "LPFR_REQUIRED_FOR_IN_PERSON_SALES",
    "BUSINESS_PREMISE_INACTIVE",
    "ACTIVE_SECURITY_ELEMENT_REQUIRED",
    "PFR_SANDBOX_NOT_CONFIGURED",
    "RESTORE_IN_PROGRESS",
    "PFR_ENVIRONMENT_DISABLED"
  ],
  handle: Effect.fnUntraced(function*(call) {
    const { decoded, fiscal } = yield* keyedRequest(call, decodeAdvanceCaseRequest)
    return advanceAnswer(yield* openAdvanceCase(fiscal, decoded))
  })
})
