import { type JsonSchema, ref } from "@overa/host-kit/contract"
import type { DeclaredResponse, Operation } from "../http/Operation.ts"
import { exampleDocument } from "./exampleDocument.ts"

const document = (
  description: string,
  schema: JsonSchema,
  example: unknown,
  headers: DeclaredResponse["headers"] = []
): DeclaredResponse => ({ description, content: { "application/json": { schema, example } }, headers })

const notIssued = { ...exampleDocument, fiscalized: false, pfr: null, receipt: null }

/** The answers of every operation that issues one document. Source: Spec, POST /v1/fiscal-documents; Decisions §3. */
export const issuingResponses: Operation["responses"] = {
  200: document("Replay: the receipt issued under this key before.", ref("FiscalizedDocument"), exampleDocument, ["Idempotency-Replayed"]),
  201: document("The receipt is issued.", ref("FiscalizedDocument"), exampleDocument, ["Location"]),
  422: document("The V-PFR rejected the request; a new request needs a new key.", ref("RejectedDocument"), {
    ...notIssued,
    status: "REJECTED",
    failureCode: "PFR_VALIDATION_REJECTED",
    pfrRejection: { items: [{ property: "payments[0].amount", codes: ["2804"] }] }
  }, ["Idempotency-Replayed"]),
  503: document("No receipt, or not known yet: `status` and `retryable` say which. Never a receipt.", { oneOf: [ref("NotFiscalizedDocument"), ref("UnresolvedDocument")] }, {
    ...notIssued,
    status: "NOT_FISCALIZED",
    failureCode: "PFR_UNAVAILABLE",
    retryable: true
  }, ["Location", "Retry-After", "Idempotency-Replayed"])
}
