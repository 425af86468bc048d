import { readRefund, RefundWorkflowNotFound, WorkflowId } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { refundWorkflowJson } from "../contract/refundSchemas.ts"
import { exampleRefund } from "./exampleRefund.ts"

/** Source: Decisions §5, Refund workflow. */
export const getRefundWorkflow = declareForTenant({
  id: "readRefundWorkflow",
  method: "GET",
  path: "/v1/refund-workflows/{refundWorkflowId}",
  tag: "Refunds",
  summary: "Read a refund workflow",
  description: "The workflow with its refund and, for cash, its signed copy.",
  scope: "fiscal:read",
  premises: "path",
  idempotent: false,
  readsDocument: true,
  pathParameters: { refundWorkflowId: { description: "The workflow.", schema: uuid("The workflow.") } },
  query: {},
  body: null,
  responses: {
    200: {
      description: "The workflow.",
      content: { "application/json": { schema: ref("RefundWorkflow"), example: exampleRefund } }
    }
  },
  errors: ["REFUND_WORKFLOW_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const asked = call.params["refundWorkflowId"] ?? ""
    const id = pathId(asked)
    if (id === null) return yield* new RefundWorkflowNotFound({ workflowId: asked })
    const stored = yield* readRefund(call.tenant, WorkflowId.make(id))
    return { status: 200, json: refundWorkflowJson(stored), operationId: stored.refund.id }
  })
})
