import { cursorBinding, encodeJournalCursor, listDeliveries, pageSizes, readDeliveryFilter, readJournalPlace, ReceiptDeliveryStatus } from "@overa/domain"
import { Effect, Result } from "effect"
import { integer, type JsonSchema, oneOfTexts, ref, text, uuid } from "../contract/JsonSchema.ts"
import { declareForTenant, type QueryParameter, type TenantCall } from "../http/Operation.ts"
import { receiptDeliveryJson } from "../json/receiptDeliveryJson.ts"
import { exampleDelivery } from "./exampleDelivery.ts"
import { bothOf } from "./journalQuery.ts"

const optional = (schema: JsonSchema): QueryParameter => ({ description: String(schema["description"]), schema, required: false })

/** Filter and place are read together, so that the faults of both are answered at once (Decisions §1). */
const askedBy = ({ query, tenant }: TenantCall) => {
  const filter = readDeliveryFilter(query)
  const binding = Result.isSuccess(filter) ? cursorBinding(tenant, filter.success) : ""
  const place = readJournalPlace(Result.isSuccess(filter) ? query : { ...query, cursor: [] }, binding)
  return Effect.map(bothOf(filter, place), ([asked, at]) => ({ filter: asked, place: at, binding }))
}

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
    cursor: optional(text("`nextCursor` of the previous page.", { maxLength: 200 })),
    pageSize: optional(integer("Deliveries of one page, 50 if left out.", { minimum: pageSizes.least, maximum: pageSizes.most }))
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
    const { binding, filter, place } = yield* askedBy(call)
    const page = yield* listDeliveries(call.tenant, filter, place)
    return { status: 200, json: { items: page.items.map(receiptDeliveryJson), nextCursor: page.nextCursor === null ? null : encodeJournalCursor(page.nextCursor, binding) } }
  })
})
