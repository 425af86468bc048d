import { decodeFiscalDocumentRequest, dryRunFiscalDocument, FiscalDocumentShape } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { decodedBody } from "../http/keyedRequest.ts"
import { dryRunJson } from "../json/dryRunJson.ts"
import { dryRunErrors } from "./documentErrors.ts"
import { exampleSale } from "./exampleDocument.ts"
import { exampleDryRun } from "./exampleProof.ts"

/** Source: Decisions §14, Dry run; §17. */
export const postDryRun = declareForTenant({
  id: "dryRunFiscalDocument",
  method: "POST",
  path: "/v1/fiscal-documents/dry-run",
  tag: "Fiscal documents",
  summary: "Try a receipt without issuing it",
  description:
    "Takes the body of `POST /v1/fiscal-documents` and answers what that request would get now: the same refusals, or `valid` with total, taxes and the text of the receipt. Nothing is stored, no document is sent, and an `Idempotency-Key` is ignored.",
  scope: "fiscal:write",
  premises: "body",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: jsonBody(FiscalDocumentShape, "The receipt to try.", exampleSale),
  responses: {
    200: {
      description: "The document would be reserved as it is.",
      content: { "application/json": { schema: ref("DryRun"), example: exampleDryRun } }
    }
  },
  errors: dryRunErrors,
  handle: Effect.fnUntraced(function*(call) {
    const { environment } = call.tenant
    const decoded = yield* Effect.fromResult(yield* decodedBody(call, (body) => decodeFiscalDocumentRequest(body, { environment })))
    return { status: 200, json: dryRunJson(yield* dryRunFiscalDocument(call.tenant, decoded)) }
  })
})
