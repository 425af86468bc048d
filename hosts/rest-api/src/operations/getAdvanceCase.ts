import { presentAdvanceCase, readAdvanceCase } from "@overa/domain"
import { Effect } from "effect"
import { declareForTenant } from "../http/Operation.ts"
import { advanceCaseJson } from "../contract/advanceSchemas.ts"
import { advanceCaseId } from "../http/pathId.ts"
import { advanceCaseParameter, advanceCaseResponse } from "./advanceResponses.ts"
import { exampleClosedCase } from "./exampleAdvance.ts"

/** Source: Spec, advance-cases; Decisions §5, Advance case. */
export const getAdvanceCase = declareForTenant({
  id: "readAdvanceCase",
  method: "GET",
  path: "/v1/advance-cases/{advanceCaseId}",
  tag: "Advances",
  summary: "Read an advance case",
  description: "The case with all its documents; `current` is null on a read.",
  scope: "fiscal:read",
  premises: "path",
  idempotent: false,
  readsDocument: true,
  pathParameters: advanceCaseParameter,
  query: {},
  body: null,
  responses: { 200: advanceCaseResponse("The case.", { ...exampleClosedCase, current: null }) },
  errors: ["ADVANCE_CASE_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const id = yield* Effect.fromResult(advanceCaseId(call))
    const stored = yield* readAdvanceCase(call.tenant, id)
    return { status: 200, json: advanceCaseJson(presentAdvanceCase(stored, null)), operationId: id }
  })
})
