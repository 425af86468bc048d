import { AdvanceCaseState, listAdvanceCases, presentAdvanceCase, readAskedCases } from "@overa/domain"
import { Effect } from "effect"
import { advanceCaseMembers } from "../contract/advanceSchemas.ts"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { untilGone } from "../http/untilGone.ts"
import { AssembledJson } from "../json/WrittenJson.ts"
import { exampleClosedCase } from "./exampleAdvance.ts"
import { anyOf, askedPage, caseDocumentParameters, clientReferenceParameter, pageParameters, placeParameters, timeParameters } from "./journalQuery.ts"

/** Source: Spec, Limits; docs/adr/0215. */
export const getAdvanceCases = declareForTenant({
  id: "listAdvanceCases",
  method: "GET",
  path: "/v1/advance-cases",
  tag: "Advances",
  summary: "List the advance cases",
  description: "The advance cases of the credential's environment, latest first, with their documents; also those without any, whose id nothing else tells.",
  scope: "fiscal:read",
  premises: "query",
  idempotent: false,
  pathParameters: {},
  query: {
    ...placeParameters,
    state: anyOf("Only in this state.", AdvanceCaseState.literals),
    clientReference: clientReferenceParameter,
    ...caseDocumentParameters,
    createdFrom: timeParameters.createdFrom,
    createdTo: timeParameters.createdTo,
    ...pageParameters("Cases")
  },
  body: null,
  responses: {
    200: {
      description: "One page.",
      content: { "application/json": { schema: ref("AdvanceCasePage"), example: { items: [{ ...exampleClosedCase, current: null }], nextCursor: null } } }
    }
  },
  errors: [],
  handle: (call) =>
    untilGone(call.callerGone, Effect.gen(function*() {
      const { filter, place, written } = yield* askedPage(call, readAskedCases(call.query))
      const page = yield* listAdvanceCases(call.tenant, filter, place)
      const items = page.items.map((stored) => advanceCaseMembers(presentAdvanceCase(stored, null, { withRejection: false })))
      return { status: 200, json: new AssembledJson({ items, nextCursor: written(page.nextCursor) }) }
    }))
})
