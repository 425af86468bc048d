import type { Dispatcher } from "undici"
import { failureBeforeFirstByte, NotStarted } from "./classifyTransportFailure.ts"

const contentEndIsKnown = (status: number, headers: Readonly<Record<string, unknown>>): boolean =>
  status === 204 || headers["content-length"] !== undefined ||
  /(?:^|,)\s*chunked\s*$/i.test(String(headers["transfer-encoding"] ?? ""))

/**
 * One request on the wire, from waiting to its single result. Only this class knows whether a byte can have been sent:
 *
 * undici calls `onRequestStart` synchronously right before it hands the first byte to the socket, and from nowhere else. Until that call nothing of
 * the request is written; when the call throws, nothing ever is. So `state` is `waiting` exactly as long as nothing can have been sent. A second
 * start, which would be a second submission, is refused in the same way.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  #state: "waiting" | "started" | "ended" = "waiting"
  #controller: Dispatcher.DispatchController | null = null
  #timer: NodeJS.Timeout | null = null
  #armed = false
  #status = 0
  #headers: Readonly<Record<string, unknown>> = {}
  #chunks: Array<Buffer> = []
  #size = 0
  readonly request: HttpRequest
  readonly #terms: ExchangeTerms
  readonly #largest: number
  readonly #onEnd: (exchanged: Exchanged) => void
  readonly #onCallerGone = () => this.#withdraw({ _tag: "NothingLeft", cause: "callerGone", detail: "the caller disconnected" })

  constructor(request: HttpRequest, terms: ExchangeTerms, onEnd: (exchanged: Exchanged) => void) {
    this.request = request
    this.#largest = largestAnswerTo(request)
    this.#terms = terms
    this.#onEnd = onEnd
  }

  /** Ends a request at once that must not be sent any more. */
  checkTerms(): void {
    const { callerGone, firstByteWithinMillis } = this.#terms
    if (callerGone?.aborted === true) this.#onCallerGone()
    else if (!(firstByteWithinMillis > 0)) this.#tooLate()
  }

  /** Starts the deadline of a waiting exchange. One that has started already has its own deadline and cannot be withdrawn. */
  arm(): void {
    if (this.#state !== "waiting") return
    const { callerGone, firstByteWithinMillis } = this.#terms
    callerGone?.addEventListener("abort", this.#onCallerGone, { once: true })
    this.#armed = true
    this.#timer = setTimeout(() => this.#tooLate(), Math.min(firstByteWithinMillis, 2 ** 31 - 1))
  }

  /** The channel closes: a request that was not started never will be. */
  refuse(): void {
    this.#withdraw({ _tag: "NothingLeft", cause: "closed", detail: "this host is closing the connection" })
  }

  get ended(): boolean {
    return this.#state === "ended"
  }

  #tooLate(): void {
    this.#withdraw({ _tag: "NothingLeft", cause: "tooLate", detail: "no connection was ready before the deadline of the first byte" })
  }

  #withdraw(result: Exchanged): void {
    if (this.#state === "waiting") this.#end(result)
  }

  #end(result: Exchanged): void {
    if (this.#state === "ended") return
    this.#state = "ended"
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#armed) this.#terms.callerGone?.removeEventListener("abort", this.#onCallerGone)
    this.#chunks = []
    this.#onEnd(result)
  }

  #giveUp(detail: string): void {
    const controller = this.#controller
    this.#end({ _tag: "MayHaveLeft", detail })
    // Destroys the socket: a late answer must never meet the next request.
    controller?.abort(new NotStarted(detail))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#state !== "waiting") throw new NotStarted("this exchange is over, or was started before")
    if (this.#terms.callerGone?.aborted === true) this.#onCallerGone()
    else if (this.#terms.elapsedMillis() >= this.#terms.firstByteWithinMillis) this.#tooLate()
    if (this.ended) throw new NotStarted("withdrawn before its first byte")
    this.#state = "started"
    this.#controller = controller
    if (this.#timer !== null) clearTimeout(this.#timer)
    const left = this.#terms.answerWithinMillis()
    this.#timer = setTimeout(() => this.#giveUp(`no whole answer within ${Math.round(left)} ms of the first byte`), left)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Readonly<Record<string, unknown>>): void {
    if (status < 200) return // an interim answer says nothing about the request
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state !== "started") return
    this.#size += chunk.length
    if (this.#size > this.#largest) return this.#giveUp(`the answer is larger than ${this.#largest} bytes`)
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#end({
      _tag: "Answered",
      status: this.#status,
      headers: this.#headers,
      largest: this.#largest,
      body: this.#chunks.length === 1 && this.#chunks[0] !== undefined ? this.#chunks[0] : Buffer.concat(this.#chunks),
      whole: contentEndIsKnown(this.#status, this.#headers)
    })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#state === "waiting") return this.#end(failureBeforeFirstByte(error))
    const after = this.#status === 0 ? "after the first byte" : `inside the answer with status ${this.#status}`
    this.#end({ _tag: "MayHaveLeft", detail: `the connection failed ${after}: ${error.message}` })
  }
}

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
