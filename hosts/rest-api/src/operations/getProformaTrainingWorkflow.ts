import { readProformaTraining, WorkflowId, WorkflowNotFound } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { proformaTrainingJson } from "../json/proformaTrainingJson.ts"
import { exampleProforma } from "./exampleProforma.ts"

/** Source: Decisions §5, Proforma and training. */
export const getProformaTrainingWorkflow = declareForTenant({
  id: "readProformaTrainingWorkflow",
  method: "GET",
  path: "/v1/proforma-training-workflows/{workflowId}",
  tag: "Proforma and training",
  summary: "Read a proforma or training workflow",
  description: "The workflow with its document.",
  scope: "fiscal:read",
  premises: "path",
  idempotent: false,
  readsDocument: true,
  pathParameters: { workflowId: { description: "The workflow.", schema: uuid("The workflow.") } },
  query: {},
  body: null,
  responses: {
    200: {
      description: "The workflow.",
      content: { "application/json": { schema: ref("ProformaTrainingWorkflow"), example: exampleProforma } }
    }
  },
  errors: ["WORKFLOW_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const asked = call.params["workflowId"] ?? ""
    const id = pathId(asked)
    if (id === null) return yield* new WorkflowNotFound({ workflowId: asked })
    const document = yield* readProformaTraining(call.tenant, WorkflowId.make(id))
    return { status: 200, json: proformaTrainingJson(document), operationId: document.id }
  })
})
