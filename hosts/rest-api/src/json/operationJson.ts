import { documentKind, type OperationView, presentDocument } from "@overa/domain"
import { fiscalDocumentJson } from "@overa/host-kit/contract"
import { utcTime } from "@overa/host-kit"

/** Source: Decisions §5, GET /v1/operations/{id}. */
export const operationJson = ({ operation, summary, transitions }: OperationView) => {
  const document = presentDocument(operation, { withRejection: true })
  return {
    id: operation.id,
    kind: documentKind(document),
    status: document.status,
    fiscalized: document.fiscalized,
    retryable: document.retryable,
    failureCode: document.failureCode,
    summary,
    workflow: operation.workflow === null ? null : { type: operation.workflow.type, id: operation.workflow.id },
    nextCheckAt: operation.nextCheckAt === null ? null : utcTime(operation.nextCheckAt),
    transitions: transitions.map(({ at, cause, from, to }) => ({ from, to, at: utcTime(at), cause })),
    document: fiscalDocumentJson(document)
  }
}
