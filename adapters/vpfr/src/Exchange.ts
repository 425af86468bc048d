import type { Dispatcher } from "undici"
import { type Exchanged, type ExchangeTerms, type HttpRequest, largestAnswerTo } from "./httpExchange.ts"
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
