import { readRefundable } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { refundableJson } from "../json/refundableJson.ts"
import { exampleRefundable } from "./exampleRefund.ts"
import { fiscalDocumentId } from "../http/pathId.ts"

/** Source: Decisions §5, Refund workflow; §10. */
export const getRefundable = declareForTenant({
  id: "readRefundable",
  method: "GET",
  path: "/v1/fiscal-documents/{fiscalDocumentId}/refundable",
  tag: "Refunds",
  summary: "Read what can still be refunded",
  description: "Per line: quantity and money still refundable, what open refunds hold, and the item that gives back the rest, ready to send.",
  scope: "fiscal:read",
  premises: "path",
  idempotent: false,
  readsDocument: true,
  pathParameters: { fiscalDocumentId: { description: "The receipt.", schema: uuid("The receipt.") } },
  query: {},
  body: null,
  responses: {
    200: {
      description: "What can still be given back.",
      content: { "application/json": { schema: ref("Refundable"), example: exampleRefundable } }
    }
  },
  errors: ["FISCAL_DOCUMENT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const id = yield* Effect.fromResult(fiscalDocumentId(call))
    return { status: 200, json: refundableJson(yield* readRefundable(call.tenant, id)) }
  })
})
