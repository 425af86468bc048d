import { type ErrorCode, errorCatalogue, type RegistrationsPaused, type RequestFaults } from "@overa/domain"
import { factsJson } from "../json/factsJson.ts"
import type { Answer } from "./Operation.ts"
import { codeOfTag } from "./handlerErrors.ts"
import { problemDetails } from "./problemDetails.ts"
import { TransportRefusal } from "@overa/host-kit"
import { secondsUntil } from "../operations/keyedHeaders.ts"

/** Seconds after which repeating the same request makes sense (Spec, Client handling rules 2: 2, 5, 15 seconds). */
const retrySoonSeconds = "2"
/** Where something outside the caller's system must change first. */
const retryLaterSeconds = "60"

const registrationsPaused = "The organization tried too many tax identifiers that are taken; nothing was registered. Wait, or ask the operator."

/** The answer for a typed failure of an operation; null for an undeclared one, which is a fault of this service. */
export const errorAnswer = (error: unknown): Answer | null => {
  if (error instanceof TransportRefusal) return codeAnswer(error.code, error.message, error.facts, error.headers)
  if (!isTagged(error)) return null
  switch (error._tag) {
    case "RequestFaults":
      return problemDetails((error as RequestFaults).faults)
    case "StoreUnavailable":
    case "TaxConfigurationUnavailable":
      return codeAnswer(codeOfTag[error._tag], errorCatalogue[codeOfTag[error._tag]].meaning)
    case "RenderingUnavailable":
      return codeAnswer(codeOfTag.RenderingUnavailable, "Too many receipts are being drawn.", {}, { "Retry-After": retrySoonSeconds })
    case "RegistrationsPaused": {
      const { retryAfterSeconds } = error as RegistrationsPaused
      return codeAnswer("RATE_LIMITED", registrationsPaused, {}, { "Retry-After": String(retryAfterSeconds) })
    }
    default:
      return "code" in error && isErrorCode(error.code) ? refusalAnswer(error.code, error) : null
  }
}

const isTagged = (error: unknown): error is { readonly _tag: string } =>
  typeof error === "object" && error !== null && "_tag" in error

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === "string" && Object.hasOwn(errorCatalogue, code)

/** Members of every error object that are not facts of the refusal. */
const notFacts: ReadonlySet<string> = new Set(["_tag", "code", "message", "name", "stack", "cause"])

const refusalAnswer = (code: ErrorCode, refusal: object): Answer => {
  const facts = Object.fromEntries(
    Object.entries(refusal).filter(([name]) => !notFacts.has(name)).map(([name, fact]) => [name, factsJson(fact)])
  )
  const own = "message" in refusal && typeof refusal.message === "string" ? refusal.message : ""
  return codeAnswer(code, own === "" ? errorCatalogue[code].meaning : own, facts)
}

/** Refused before anything was reserved: these answers say explicitly that no receipt exists (Decisions §2). */
const saysNotFiscalized: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "PFR_SANDBOX_NOT_CONFIGURED",
  "PFR_ENVIRONMENT_DISABLED",
  "RESTORE_IN_PROGRESS",
  "CURRENT_TAX_CONFIGURATION_UNAVAILABLE"
])

/** The one refusal of 409 that ends by itself. */
export const waitsForAnother: ErrorCode = "PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT"

export const codeAnswer = (
  code: ErrorCode,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {}
): Answer => ({
  status: errorCatalogue[code].status,
  headers: { Link: `</docs/errors/${code}>; rel="help"`, ...retryAfter(code), ...whoseOutcome(code, facts), ...headers },
  json: { code, message, ...(saysNotFiscalized.has(code) ? { fiscalized: false } : {}), ...facts }
})

/** Whether this refund is allowed is known when the other one's outcome is: where and when to ask for that. */
const whoseOutcome = (code: ErrorCode, { workflowId }: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  code === waitsForAnother ? { "Retry-After": secondsUntil.ask, Location: `/v1/proforma-training-workflows/${String(workflowId)}` } : {}

const retryAfter = (code: ErrorCode): Readonly<Record<string, string>> => {
  const { retry, status } = errorCatalogue[code]
  if (status !== 503 && status !== 429) return {}
  if (retry === "same key") return { "Retry-After": retrySoonSeconds }
  return retry === "later" ? { "Retry-After": retryLaterSeconds } : {}
}
