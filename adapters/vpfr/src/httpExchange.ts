/** A request as it goes over the wire, apart from the address. */
export interface HttpRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  /** Names and values alternating. */
  readonly headers: ReadonlyArray<string>
  readonly body: Buffer | null
  /** Size in bytes of the document that a request without a body is about: the answer is about that long. */
  readonly documentBytes?: number
}

/** For comparison: a signed answer to a document of some items has about ten kilobytes. */
const anyAnswerBytes = 1_048_576
/** The journal repeats every name, in lines of forty characters, and a server may write each letter as six. */
const answerBytesOfOne = 6

/** The longest answer that is read: everything that the contract allows in a document comes back in its answer. */
export const largestAnswerTo = ({ body, documentBytes }: Pick<HttpRequest, "body" | "documentBytes">): number =>
  anyAnswerBytes + answerBytesOfOne * (documentBytes ?? body?.length ?? 0)

/** The time limits of a request, and its caller. */
export interface ExchangeTerms {
  /** The first byte is sent before this many milliseconds have passed since the call, or never. */
  readonly firstByteWithinMillis: number
  /** Milliseconds since the call. */
  readonly elapsedMillis: () => number
  /** Called when the first byte is sent: how long the whole answer may take from then. */
  readonly answerWithinMillis: () => number
  /** Stops what has not begun to be sent, nothing else. */
  readonly callerGone?: AbortSignal
}

/** The result of an exchange, as far as the wire shows it. */
export type Exchanged =
  | {
    readonly _tag: "Answered"
    readonly status: number
    readonly headers: Readonly<Record<string, unknown>>
    readonly body: Buffer
    /** How many bytes the answer may have, also once it is unpacked. */
    readonly largest?: number
    /** False where the body had no length and ended with the connection: it may have been cut off. */
    readonly whole: boolean
  }
  /** Certainly no byte of the request was written. */
  | {
    readonly _tag: "NothingLeft"
    /** `tooLate`: a connection was not ready in time. `busy`: none was free in time. */
    readonly cause: "unreachable" | "tooLate" | "busy" | "callerGone" | "closed"
    /** Where the way to the V-PFR ended, when it is `unreachable`. */
    readonly phase?: "name" | "connection" | "certificate" | "tls" | "cut"
    readonly detail: string
  }
  /** At least one byte may have been written, and no answer came. */
  | { readonly _tag: "MayHaveLeft"; readonly detail: string }
