import { listDeliveries, readDeliveryFilter, ReceiptDeliveryStatus } from "@overa/domain"
import { Effect } from "effect"
import { type JsonSchema, oneOfTexts, ref, text, uuid } from "@overa/host-kit/contract"
import { declareForTenant, type QueryParameter } from "../http/Operation.ts"
import { receiptDeliveryJson } from "../json/receiptDeliveryJson.ts"
import { exampleDelivery } from "./exampleDelivery.ts"
import { askedPage, pageParameters } from "./journalQuery.ts"

const optional = (schema: JsonSchema): QueryParameter => ({ description: String(schema["description"]), schema, required: false })

/** Source: Spec, Limits; Decisions §5, Journal, reports, deliveries. */
export const getReceiptDeliveries = declareForTenant({
  id: "listReceiptDeliveries",
  method: "GET",
  path: "/v1/receipt-deliveries",
  tag: "Deliveries",
  summary: "List the deliveries",
  description: "The deliveries of the credential's environment, latest first.",
  scope: "fiscal:read",
  premises: "whole",
  idempotent: false,
  pathParameters: {},
  query: {
    status: optional(oneOfTexts("Only these.", ReceiptDeliveryStatus.literals)),
    fiscalDocumentId: optional(uuid("Only of this receipt.")),
    recipient: optional(text("Only to this address, letter case aside.", { maxLength: 254 })),
    pfrFrom: optional(text("Of receipts signed at this time or later (`pfr.sdcTime`).", { format: "date-time" })),
    pfrTo: optional(text("Of receipts signed before this time.", { format: "date-time" })),
    createdFrom: optional(text("Asked for at this time or later.", { format: "date-time" })),
    createdTo: optional(text("Asked for before this time.", { format: "date-time" })),
    ...pageParameters("Deliveries")
  },
  body: null,
  responses: {
    200: {
      description: "One page.",
      content: { "application/json": { schema: ref("ReceiptDeliveryPage"), example: { items: [exampleDelivery], nextCursor: null } } }
    }
  },
  errors: [],
  handle: Effect.fnUntraced(function*(call) {
    const { filter, place, written } = yield* askedPage(call, readDeliveryFilter(call.query))
    const page = yield* listDeliveries(call.tenant, filter, place)
    return { status: 200, json: { items: page.items.map(receiptDeliveryJson), nextCursor: written(page.nextCursor) } }
  })
})
