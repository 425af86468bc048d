import { decodeReceiptDeliveryRequest, ReceiptDeliveryShape, requestDelivery } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { ref } from "@overa/host-kit/contract"
import { type DeclaredResponse, declareForTenant } from "../http/Operation.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { receiptDeliveryJson } from "../json/receiptDeliveryJson.ts"
import { keyErrors, licenseErrors } from "./documentErrors.ts"
import { exampleDelivery, exampleDeliveryRequest } from "./exampleDelivery.ts"

const delivery = (description: string, headers: DeclaredResponse["headers"]): DeclaredResponse => ({
  description,
  content: { "application/json": { schema: ref("ReceiptDelivery"), example: exampleDelivery } },
  ...(headers === undefined ? {} : { headers })
})

/** Source: Spec, POST /v1/receipt-deliveries; Decisions §12. */
export const postReceiptDeliveries = declareForTenant({
  id: "deliverReceipt",
  method: "POST",
  path: "/v1/receipt-deliveries",
  tag: "Deliveries",
  summary: "Send a receipt to its buyer by e-mail",
  description:
    "Queues a fiscalized document for one mailbox, in the shop's name, with its PDF or official text attached. Nothing about e-mail ever delays or changes a receipt. The answer says that the message is queued; `GET /v1/receipt-deliveries/{id}` answers its outcome. A document goes to at most 10 mailboxes.",
  scope: "fiscal:write",
  premises: "document",
  idempotent: true,
  pathParameters: {},
  query: {},
  body: jsonBody(ReceiptDeliveryShape, "The receipt and the mailbox.", exampleDeliveryRequest),
  responses: {
    200: delivery("Replay: the delivery as it is now.", ["Idempotency-Replayed"]),
    201: delivery("The message is queued.", ["Location"])
  },
  errors: [
    ...keyErrors,
    "FISCAL_DOCUMENT_NOT_FOUND",
    ...licenseErrors,
    "MODULE_NOT_LICENSED",
    "RECEIPT_DELIVERY_DISABLED",
    "RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED",
    "RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER",
    "RECEIPT_DELIVERY_UNAVAILABLE"
  ],
  handle: Effect.fnUntraced(function*(call) {
    const { decoded, request } = yield* keyedRequest(call, decodeReceiptDeliveryRequest)
    const { delivery: stored, replayed } = yield* requestDelivery(request, decoded)
    return {
      status: replayed ? 200 : 201,
      headers: replayed ? { "Idempotency-Replayed": "true" } : { Location: `/v1/receipt-deliveries/${stored.id}` },
      json: receiptDeliveryJson(stored),
      operationId: stored.fiscalDocumentId
    }
  })
})
