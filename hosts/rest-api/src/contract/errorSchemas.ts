import { type ErrorCode, errorCatalogue } from "@overa/domain"
import { always, decimal, integer, type JsonSchema, list, object, oneOfObjects, oneOfTexts, text, uuid } from "@overa/host-kit/contract"

const invalidLabels = list("The labels that were refused.", text("A label as it was sent."))
const labelPlaces = list("Where they stand in the request; absent where the lines are those of a stored document.", object("One place.", {
  pointer: text("RFC 6901 pointer to the label in the request."),
  message: text("What is wrong with it.")
}))
const operationId = uuid("The operation that was stored under this key first.")
const workflowId = uuid("The workflow that holds the source.")
const notFiscalized = always("Nothing was reserved and nothing sent: no receipt exists.", false)
const refundFaults = list("Each refused line of the request.", {
  ...object("One fault.", {
    pointer: text("RFC 6901 pointer to the value in the request."),
    message: text("What is wrong with it."),
    itemIndex: integer("Index of the line in the request.", { minimum: 0 }),
    originalLineIndex: integer("Index of the line of the original.", { minimum: 0 }),
    quantity: decimal("The quantity asked for."),
    quantityOriginal: decimal("The quantity of the original's line."),
    quantityRefundable: decimal("The quantity that can still be given back.")
  }, ["itemIndex", "originalLineIndex", "quantity", "quantityOriginal", "quantityRefundable"]),
  additionalProperties: true
})

/** Codes whose body has more members than the code: the name of the schema, and the members. */
const withFacts: Readonly<Record<string, { readonly codes: ReadonlyArray<ErrorCode>; readonly facts: Readonly<Record<string, JsonSchema>>; readonly optional?: ReadonlyArray<string> }>> = {
  ScopeError: { codes: ["INSUFFICIENT_SCOPE"], facts: { scope: text("The scope the credential lacks.") } },
  ModuleError: { codes: ["MODULE_NOT_LICENSED"], facts: { module: oneOfTexts("The module that is not enabled.", ["advance", "email"]) } },
  TaxLabelError: { codes: ["TAX_LABEL_NOT_CURRENT", "TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT"], facts: { invalidLabels, details: labelPlaces }, optional: ["details"] },
  KeyReusedError: {
    codes: ["IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST", "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT"],
    facts: { operationId }
  },
  UnreadableError: { codes: ["FISCAL_DOCUMENT_UNREADABLE"], facts: { operationId: uuid("The document that cannot be read.") } },
  RefundLinesError: {
    codes: [
      "REFUND_ORIGINAL_LINE_NOT_FOUND",
      "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE",
      "REFUND_QUANTITY_EXCEEDS_ORIGINAL",
      "REFUND_CUMULATIVE_QUANTITY_EXCEEDED"
    ],
    facts: { details: refundFaults }
  },
  WorkflowReservedError: {
    codes: ["PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT", "PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED"],
    facts: { workflowId }
  },
  NothingReservedError: {
    codes: ["PFR_SANDBOX_NOT_CONFIGURED", "PFR_ENVIRONMENT_DISABLED", "RESTORE_IN_PROGRESS", "CURRENT_TAX_CONFIGURATION_UNAVAILABLE"],
    facts: { fiscalized: notFiscalized }
  }
}

const errorObject = (
  description: string,
  codes: ReadonlyArray<string>,
  facts: Readonly<Record<string, JsonSchema>>,
  optional: ReadonlyArray<string> = []
): JsonSchema => ({
  ...object(description, {
    code: oneOfTexts("Which rule; stable. The table of all codes says what to do.", codes),
    message: text("For people."),
    ...facts
  }, ["message", ...optional]),
  // Later versions may add members to a refusal.
  additionalProperties: true
})

const codesWithFacts = new Set(Object.values(withFacts).flatMap(({ codes }) => codes))
const plainCodes = (Object.keys(errorCatalogue) as ReadonlyArray<ErrorCode>).filter((code) => !codesWithFacts.has(code))

/** Error bodies. Source: Spec, Error bodies; Decisions §1. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  ErrorBody: oneOfObjects("A rule of the service or of the V-PFR refused; `code` says which.", "code", {
    ...Object.fromEntries(plainCodes.map((code) => [code, "PlainError"])),
    ...Object.fromEntries(Object.entries(withFacts).flatMap(([name, { codes }]) => codes.map((code) => [code, name])))
  }),
  PlainError: errorObject("A refusal without further facts.", plainCodes, {}),
  ...Object.fromEntries(Object.entries(withFacts).map(([name, { codes, facts, optional }]) => [
    name,
    errorObject("A refusal that names what it refused.", codes, facts, optional)
  ])),
  Problem: object("RFC 9457 problem: the shape of the request is wrong; every fault at once.", {
    type: text("Address of the page that explains it.", { format: "uri-reference" }),
    title: text("For people."),
    status: { type: "integer", enum: [422], description: "The HTTP status." },
    errors: {
      type: "object",
      description: "Messages by field: dotted PascalCase paths without indices, `totals` for the total check.",
      additionalProperties: list("What is wrong with the field.", text("One message."))
    },
    details: list("Each fault at its exact place.", object("One fault.", {
      pointer: text("RFC 6901 pointer into the body; empty for headers, query and the body as a whole."),
      message: text("What is wrong.")
    }))
  })
}
