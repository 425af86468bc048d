import { listRefunds, readJournalFilter, RefundWorkflowStatus } from "@overa/domain"
import { Effect, Result } from "effect"
import { ref } from "@overa/host-kit/contract"
import { listedRefundJson } from "../contract/refundSchemas.ts"
import { declareForTenant, type TenantCall } from "../http/Operation.ts"
import { untilGone } from "../http/untilGone.ts"
import { exampleRefund } from "./exampleRefund.ts"
import { anyOf, askedPage, journalParameters, pageParameters } from "./journalQuery.ts"

const { invoiceType: _type, status: _status, transactionType: _transaction, ...filters } = journalParameters

/** The filters of the journal, on the refund document, and the statuses of workflows; the declaration has checked the statuses. */
const asked = ({ query: { status, ...query } }: TenantCall) =>
  Result.map(readJournalFilter(query), (documents) => ({
    documents,
    statuses: status === undefined || status.length === 0 ? null : RefundWorkflowStatus.literals.filter((one) => status.includes(one))
  }))

/** Source: Spec, Limits; docs/adr/0215. */
export const getRefundWorkflows = declareForTenant({
  id: "listRefundWorkflows",
  method: "GET",
  path: "/v1/refund-workflows",
  tag: "Refunds",
  summary: "List the refund workflows",
  description: "The refund workflows of the credential's environment, latest first. The filters are those of the journal, on the refund document.",
  scope: "fiscal:read",
  premises: "query",
  idempotent: false,
  pathParameters: {},
  query: { ...filters, status: anyOf("Only workflows of this status.", RefundWorkflowStatus.literals), ...pageParameters("Workflows") },
  body: null,
  responses: {
    200: {
      description: "One page.",
      content: { "application/json": { schema: ref("RefundWorkflowPage"), example: { items: [exampleRefund], nextCursor: null } } }
    }
  },
  errors: [],
  handle: (call) =>
    untilGone(call.callerGone, Effect.gen(function*() {
      const { filter, place, written } = yield* askedPage(call, asked(call))
      const page = yield* listRefunds(call.tenant, filter.documents, filter.statuses, place)
      return { status: 200, json: { items: page.items.map(listedRefundJson), nextCursor: written(page.nextCursor) } }
    }))
})
