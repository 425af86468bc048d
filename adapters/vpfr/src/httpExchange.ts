/** A request as it goes over the wire, apart from the address. */
export interface HttpRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  /** Names and values in turn. */
  readonly headers: ReadonlyArray<string>
  readonly body: Buffer | null
}

/** How long, and for whom. */
export interface ExchangeTerms {
  /** The first byte leaves before this many milliseconds have passed since the call, or never. */
  readonly firstByteWithinMillis: number
  /** Milliseconds since the call. */
  readonly elapsedMillis: () => number
  /** Asked when the first byte leaves: how long the whole answer may take from then. */
  readonly answerWithinMillis: () => number
  /** Stops what has not begun to leave, nothing else. */
  readonly callerGone?: AbortSignal
}

/** What came of an exchange, as far as the wire can tell. */
export type Exchanged =
  | {
    readonly _tag: "Answered"
    readonly status: number
    readonly headers: Readonly<Record<string, unknown>>
    readonly body: Buffer
    /** False where only the closing of the connection marked the end: then nobody can say that it was the end. */
    readonly whole: boolean
  }
  /** Certainly no byte of the request was written. */
  | {
    readonly _tag: "NothingLeft"
    /** `tooLate`: a connection was not ready in time. `busy`: none was free in time. */
    readonly cause: "unreachable" | "tooLate" | "busy" | "callerGone" | "closed"
    readonly detail: string
  }
  /** At least one byte may have been written, and no answer came. */
  | { readonly _tag: "MayHaveLeft"; readonly detail: string }
