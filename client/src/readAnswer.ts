import type { ErrorBody, ErrorCode, FailureCode, FiscalDocument, Problem, RefundWorkflow } from "./contract.ts"
import { type OveraError, RequestInvalid, RequestRefused, ServiceUnavailable } from "./errors.ts"

/** The body of a success: JSON as parsed, files as bytes. */
export const readAnswer = async (response: Response): Promise<unknown> =>
  (response.headers.get("Content-Type") ?? "").startsWith("application/json") && !response.headers.has("ETag")
    ? await response.json()
    : new Uint8Array(await response.arrayBuffer())

/** Whether an error body is the document itself. */
const isFiscalDocument = (body: unknown): body is FiscalDocument =>
  typeof body === "object" && body !== null && "fiscalized" in body && "status" in body && "retryable" in body

/** The document an error body is about: itself, the `current` of an advance case, or the one of a proforma or training workflow. */
export const documentIn = (body: unknown): FiscalDocument | null => {
  if (isFiscalDocument(body)) return body
  if (typeof body !== "object" || body === null) return null
  const inner = "advanceSales" in body && "current" in body ? body.current : "source" in body && "document" in body ? body.document : null
  return isFiscalDocument(inner) ? inner : null
}

/** Whether an error body is a refund workflow. */
export const isRefundWorkflow = (body: unknown): body is RefundWorkflow =>
  typeof body === "object" && body !== null && "refund" in body && "cashRefundCopy" in body && "status" in body

/** The typed error of a body that is no document. */
export const refusalOf = (status: number, body: unknown): OveraError => {
  if (isProblem(body)) return new RequestInvalid(body)
  if (isErrorBody(body)) return new RequestRefused(status, body)
  return new ServiceUnavailable(status, `The service answered ${status} without saying why.`)
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === "object" && body !== null && "errors" in body && "details" in body && Array.isArray(body.details)

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === "object" && body !== null && "code" in body && typeof body.code === "string"

/**
 * The code of a failed answer's body, wherever it stands: `failureCode` of a document, of an advance case's `current`, of a proforma or training
 * workflow's `document` and of a refund workflow, `code` of every other refusal. Null for a receipt and for a request whose shape is wrong: that
 * one has `errors` and `details` instead. Source: docs/errors.md, "Where the code is".
 */
export const codeOfAnswer = (body: unknown): ErrorCode | FailureCode | null => {
  if (isRefundWorkflow(body)) return body.failureCode
  const document = documentIn(body)
  if (document !== null) return document.failureCode
  return isErrorBody(body) ? body.code : null
}
