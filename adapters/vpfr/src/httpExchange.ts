/** A request as it goes over the wire, apart from the address. */
export interface HttpRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  /** Names and values in turn. */
  readonly headers: ReadonlyArray<string>
  readonly body: Buffer | null
  /** Bytes of the document a request without one of its own is about: its answer is as long as that document's. */
  readonly documentBytes?: number
}

/** A signed answer to a document of some items has some ten kilobytes. */
const anyAnswerBytes = 1_048_576
/** The journal repeats every name, in lines of forty characters, and a server may write each letter as six. */
const answerBytesOfOne = 6

/** How long an answer may be: what the contract lets into a document comes back in its answer, and must be read. */
export const largestAnswerTo = ({ body, documentBytes }: Pick<HttpRequest, "body" | "documentBytes">): number =>
  anyAnswerBytes + answerBytesOfOne * (documentBytes ?? body?.length ?? 0)

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
    readonly detail: string
  }
  /** At least one byte may have been written, and no answer came. */
  | { readonly _tag: "MayHaveLeft"; readonly detail: string }
