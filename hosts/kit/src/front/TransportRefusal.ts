import type { ErrorCode } from "@overa/domain"

/** A request refused before any use case runs: path, token, scope, rate, size, media type, JSON (Decisions §1). */
export class TransportRefusal<Code extends ErrorCode = ErrorCode> {
  readonly _tag = "TransportRefusal"
  readonly code: Code
  readonly message: string
  /** Further members of the body. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(refusal: {
    readonly code: Code
    readonly message: string
    readonly facts?: Readonly<Record<string, unknown>>
    readonly headers?: Readonly<Record<string, string>>
    /** The rest of the request will not be read: the connection ends with the answer. */
    readonly closes?: boolean
  }) {
    this.code = refusal.code
    this.message = refusal.message
    this.facts = refusal.facts ?? {}
    this.headers = { ...refusal.headers, ...(refusal.closes === true ? { Connection: "close" } : {}) }
  }
}
