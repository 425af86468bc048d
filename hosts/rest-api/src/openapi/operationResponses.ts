import { type ErrorCode, errorCatalogue } from "@overa/domain"
import { type JsonSchema, ref } from "@overa/host-kit/contract"
import { bodyCodes, sharedCodes, tenantCodes } from "../http/handlerErrors.ts"
import { problemType } from "../http/problemDetails.ts"
import { waitsForAnother } from "../http/errorAnswer.ts"
import type { DeclaredResponse, Operation } from "../http/Operation.ts"

/** Every code an operation may answer, with those all operations share. */
export const codesOf = (operation: Operation): ReadonlyArray<ErrorCode> => [
  ...sharedCodes,
  ...(operation.needsEnvironment ? tenantCodes : []),
  ...(operation.body === null ? [] : bodyCodes),
  ...operation.errors
]

/** The operation's answers by status: the declared ones, the error bodies of its codes, the 422 problem where a request can be wrong. */
export const operationResponses = (operation: Operation): Readonly<Record<string, unknown>> => {
  const byStatus = new Map<number, Array<ErrorCode>>()
  for (const code of codesOf(operation)) {
    const status = errorCatalogue[code].status
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  // Unknown query parameters are refused everywhere, so every operation can answer the problem (Decisions §1).
  const statuses = new Set([...Object.keys(operation.responses).map(Number), ...byStatus.keys(), 422])
  return Object.fromEntries(
    [...statuses].sort((a, b) => a - b).map((status) => [
      String(status),
      responseObject(status, operation.responses[status], byStatus.get(status) ?? [])
    ])
  )
}

const responseObject = (status: number, declared: DeclaredResponse | undefined, codes: ReadonlyArray<ErrorCode>) => ({
  description: [declared?.description ?? (status === 422 && codes.length === 0 ? "The request is not valid." : ""), ...codes.map(codeLine)]
    .filter((line) => line !== "").join("\n\n"),
  headers: headersOf(status, declared, codes),
  content: contentOf(status, declared, codes)
})

const codeLine = (code: ErrorCode): string => `\`${code}\`: ${errorCatalogue[code].meaning}`

const headersOf = (status: number, declared: DeclaredResponse | undefined, codes: ReadonlyArray<ErrorCode>) =>
  Object.fromEntries(
    new Set([
      "X-Request-Id",
      ...(codes.length === 0 ? [] : ["Link"]),
      ...(declared?.headers ?? []),
      ...(status === 401 || codes.includes("INSUFFICIENT_SCOPE") ? ["WWW-Authenticate"] : []),
      // Sent once the credential is known: with every answer but 401.
      ...(status === 401 ? [] : ["RateLimit", "RateLimit-Policy"]),
      ...(status === 429 || status === 503 ? ["Retry-After"] : []),
      ...(codes.includes(waitsForAnother) ? ["Location", "Retry-After"] : [])
    ]).values().map((name) => [name, { $ref: `#/components/headers/${name}` }])
  )

const contentOf = (status: number, declared: DeclaredResponse | undefined, codes: ReadonlyArray<ErrorCode>) => {
  const content: Record<string, unknown> = { ...declared?.content }
  if (status === 422) {
    content["application/problem+json"] = { schema: ref("Problem"), example: exampleProblem }
  }
  if (codes.length === 0) return content
  const own = declared?.content["application/json"]
  const examples = Object.fromEntries(codes.map((code) => [code, { summary: errorCatalogue[code].meaning, value: exampleOf(code) }]))
  content["application/json"] = own === undefined
    ? { schema: ref("ErrorBody"), examples }
    : {
      schema: { oneOf: [...optionsOf(own.schema), ref("ErrorBody")] },
      examples: { document: { summary: declared?.description ?? "", value: own.example }, ...examples }
    }
  return content
}

/** The alternatives of a schema that consists only of alternatives; otherwise the schema itself. */
const optionsOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> =>
  Object.keys(schema).length === 1 && Array.isArray(schema["oneOf"]) ? schema["oneOf"] as ReadonlyArray<JsonSchema> : [schema]

/** Facts that accompany a code in its example. */
const exampleFacts: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, unknown>>>>> = {
  INSUFFICIENT_SCOPE: { scope: "fiscal:write" },
  MODULE_NOT_LICENSED: { module: "advance" },
  TAX_LABEL_NOT_CURRENT: { invalidLabels: ["Ж"] },
  TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT: { invalidLabels: ["Ђ"] },
  PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED: { workflowId: "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c02" },
  IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST: { operationId: "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c01" },
  IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT: { operationId: "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c01" },
  FISCAL_DOCUMENT_UNREADABLE: { operationId: "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c01" },
  REFUND_ORIGINAL_LINE_NOT_FOUND: {
    details: [{ pointer: "/items/0/originalLineIndex", message: "must name a line of the original, 0 to 1", itemIndex: 0, originalLineIndex: 7 }]
  },
  REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE: {
    details: [{ pointer: "/items/0/unitPrice", message: "must be 1200.50, as on the original's line", itemIndex: 0, originalLineIndex: 0 }]
  },
  REFUND_QUANTITY_EXCEEDS_ORIGINAL: {
    details: [{
      pointer: "/items/0/quantity", message: "line 0 had 2, of which 2 can still be given back, not 3",
      originalLineIndex: 0, quantity: 3, quantityOriginal: 2, quantityRefundable: 2
    }]
  },
  REFUND_CUMULATIVE_QUANTITY_EXCEEDED: {
    details: [{
      pointer: "/items/0/quantity", message: "line 0 had 2, of which 1.5 can still be given back, not 2",
      originalLineIndex: 0, quantity: 2, quantityOriginal: 2, quantityRefundable: 1.5
    }]
  },
  PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT: { workflowId: "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c02" },
  PFR_SANDBOX_NOT_CONFIGURED: { fiscalized: false },
  PFR_ENVIRONMENT_DISABLED: { fiscalized: false },
  RESTORE_IN_PROGRESS: { fiscalized: false },
  CURRENT_TAX_CONFIGURATION_UNAVAILABLE: { fiscalized: false }
}

/** An error body as the service answers it. */
export const exampleOf = (code: ErrorCode) => ({ code, message: errorCatalogue[code].meaning, ...exampleFacts[code] })

const exampleProblem = {
  type: problemType,
  title: "The request is not valid.",
  status: 422,
  errors: { "Items.UnitOfMeasure": ["is required"], "totals": ["the items sum to 2400.00, the payments to 2300.00"] },
  details: [
    { pointer: "/items/0/unitOfMeasure", message: "is required" },
    { pointer: "/payments", message: "the items sum to 2400.00, the payments to 2300.00" }
  ]
}
