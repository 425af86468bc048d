import type { ErrorCode, RequestFaults } from "@overa/domain"

/** Errors of ports, which have no code of their own, and the code that answers each. */
export const codeOfTag = {
  StoreUnavailable: "STORE_UNAVAILABLE",
  TaxConfigurationUnavailable: "CURRENT_TAX_CONFIGURATION_UNAVAILABLE",
  // The drawing queue is full; the receipt itself is not affected (Decisions §6, drawn off the event loop).
  RenderingUnavailable: "RATE_LIMITED"
} as const satisfies Readonly<Record<string, ErrorCode>>

/** Codes that every operation may answer; then those for credentials with an environment, and those for operations with a body. */
export const sharedCodes = ["UNAUTHENTICATED", "INSUFFICIENT_SCOPE", "CREDENTIAL_RESTRICTED_TO_PREMISES", "RATE_LIMITED", "INTERNAL_ERROR", "STORE_UNAVAILABLE"] as const
export const tenantCodes = ["CREDENTIAL_ENVIRONMENT_REQUIRED", "FISCAL_DOCUMENT_UNREADABLE"] as const
export const bodyCodes = ["MALFORMED_JSON", "REQUEST_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const

/** Codes that no operation declares itself. */
type Shared = (typeof sharedCodes | typeof tenantCodes | typeof bodyCodes)[number]

/** The code that answers an error of a handler: none for the 422 problem, a sentence for an error without an answer. */
export type CodeOf<E> = E extends RequestFaults ? never
  : E extends { readonly code: infer Code extends ErrorCode } ? Code
  : E extends { readonly _tag: infer Tag extends keyof typeof codeOfTag } ? (typeof codeOfTag)[Tag]
  : E extends { readonly _tag: infer Tag extends string } ? `${Tag} is answered with no code`
  : "an error without a tag is answered with no code"

/**
 * `Declaration`, where every code of the error channel `E` is among the declared `Code` or shared, and every declared one is in `E`.
 * Otherwise an object with the missing or the surplus codes.
 */
export type DeclaredAsAnswered<Declaration, E, Code extends ErrorCode> = [Exclude<CodeOf<E>, Code | Shared>] extends [never]
  ? [Exclude<Code, CodeOf<E>>] extends [never] ? Declaration : { readonly neverAnswered: Exclude<Code, CodeOf<E>> }
  : { readonly undeclared: Exclude<CodeOf<E>, Code | Shared> }
