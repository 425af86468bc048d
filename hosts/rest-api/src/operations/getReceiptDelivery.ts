import { readDelivery, ReceiptDeliveryId, ReceiptDeliveryNotFound } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { receiptDeliveryJson } from "../json/receiptDeliveryJson.ts"
import { exampleDelivery } from "./exampleDelivery.ts"

/** Source: Decisions §5, Journal, reports, deliveries. */
export const getReceiptDelivery = declareForTenant({
  id: "readReceiptDelivery",
  method: "GET",
  path: "/v1/receipt-deliveries/{receiptDeliveryId}",
  tag: "Deliveries",
  summary: "Read a delivery",
  description: "The outcome of a receipt sent by e-mail.",
  scope: "fiscal:read",
  premises: "path",
  idempotent: false,
  pathParameters: { receiptDeliveryId: { description: "The delivery.", schema: uuid("The delivery.") } },
  query: {},
  body: null,
  responses: {
    200: {
      description: "The delivery.",
      content: {
        "application/json": {
          schema: ref("ReceiptDelivery"),
          example: { ...exampleDelivery, status: "SENT", attempts: 1, updatedAt: "2026-08-29T10:15:32.004Z" }
        }
      }
    }
  },
  errors: ["RECEIPT_DELIVERY_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const asked = call.params["receiptDeliveryId"] ?? ""
    const id = pathId(asked)
    if (id === null) return yield* new ReceiptDeliveryNotFound({ deliveryId: asked })
    return { status: 200, json: receiptDeliveryJson(yield* readDelivery(call.tenant, ReceiptDeliveryId.make(id))) }
  })
})
