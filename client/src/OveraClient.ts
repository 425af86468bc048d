import { type CompletedRefund, type FiscalDocument, type FiscalizedDocument, type Operation, type Operations, type Product, routes } from "./contract.ts"
import { DocumentRejected, NotIssued, OutcomeUnknown, OveraError, RefundNotCompleted, RequestRefused, ServiceUnavailable } from "./errors.ts"
import { issueOnce, type OrderMemory } from "./issueOnce.ts"
import { needGlobals } from "./needGlobals.ts"
import { pollPause, retryPause } from "./pauses.ts"
import { documentIn, isRefundWorkflow, readAnswer, refusalOf } from "./readAnswer.ts"
import { settle } from "./settle.ts"
import { platform, type Surroundings } from "./Surroundings.ts"
import { type ClientCredential, TokenKeeper } from "./TokenKeeper.ts"

export interface OveraClientOptions extends ClientCredential {
  readonly baseUrl: string
  /** Time of one whole attempt, in milliseconds. Default 60 s: a shorter one turns certain outcomes into unknown ones (Spec, rule 8). */
  readonly timeoutMillis?: number
  readonly surroundings?: Partial<Surroundings>
}

type OperationName = keyof Operations

interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly nextCursor: string | null
}

/** Operations that answer a list page by page. */
export type PagedName = { [Name in OperationName]: Operations[Name]["answer"] extends Page<unknown> ? Name : never }[OperationName]
type ItemOf<Name extends PagedName> = Operations[Name]["answer"] extends Page<infer A> ? A : never

/** The query may be left out where each of its members may be. */
type QueryInput<Query> = Query extends Readonly<Record<string, never>> ? object : object extends Query ? { readonly query?: Query } : { readonly query: Query }

/** The input of an operation; members that it does not use may be left out. */
export type Input<Name extends OperationName> =
  & (Operations[Name]["path"] extends Readonly<Record<string, never>> ? object : { readonly path: Operations[Name]["path"] })
  & QueryInput<Operations[Name]["query"]>
  & (Operations[Name]["body"] extends undefined ? object : { readonly body: Operations[Name]["body"] })

/** A request with its key, not sent yet. Store `key` with the order first: sending again is then safe in every case. */
export interface Prepared<A> {
  readonly key: string
  /** Sends, repeats while certainly nothing was issued, and answers the receipt. May be called again with the same effect. */
  readonly send: (signal?: AbortSignal) => Promise<A>
}

/** The operations on one advance case. Each answer is the whole case; a failure is about its `current` document. */
export interface AdvanceCaseCalls {
  readonly read: (signal?: AbortSignal) => Promise<Operations["readAdvanceCase"]["answer"]>
  readonly pay: (body: Operations["addAdvancePayment"]["body"], key?: string) => Prepared<Operations["addAdvancePayment"]["answer"]>
  readonly cancel: (body: Operations["cancelAdvanceSale"]["body"], key?: string) => Prepared<Operations["cancelAdvanceSale"]["answer"]>
  readonly close: (body: Operations["closeAdvanceCase"]["body"], key?: string) => Prepared<Operations["closeAdvanceCase"]["answer"]>
}

interface Sent {
  readonly response: Response
  readonly token: string
}

/**
 * A client of the service: keeps its token valid, repeats what may be repeated with the pauses of the contract, and never sends again while an
 * outcome is unknown.
 */
export class OveraClient {
  private readonly baseUrl: string
  private readonly timeoutMillis: number
  private readonly surroundings: Surroundings
  private readonly tokens: TokenKeeper

  /** @throws RuntimeIncomplete where the runtime lacks what the client uses and `surroundings` does not give it. */
  constructor(options: OveraClientOptions) {
    const { fetch, newKey } = options.surroundings ?? {}
    needGlobals([
      ...(fetch === undefined ? ["fetch"] : []), ...(newKey === undefined ? ["crypto.randomUUID"] : []),
      "AbortSignal.any", "AbortSignal.timeout", "URLSearchParams", "TextDecoder", "setTimeout"
    ])
    this.baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, "")
    this.timeoutMillis = options.timeoutMillis ?? 60_000
    this.surroundings = { ...platform, ...options.surroundings }
    this.tokens = new TokenKeeper(options, this.surroundings)
  }

  /** Prepares a Normal Sale under a key of its own, or under `key` when an earlier attempt left one. */
  sale(body: Operations["issueFiscalDocument"]["body"], key?: string): Prepared<FiscalizedDocument> {
    return this.prepare("issueFiscalDocument", { body }, key)
  }

  /**
   * Issues the one receipt of an order, however often it is called: the key is stored before anything is sent, an unknown outcome is awaited, and
   * after a rejection the next call uses a new key.
   */
  fiscalize(body: Operations["issueFiscalDocument"]["body"], memory: OrderMemory, signal?: AbortSignal): Promise<FiscalizedDocument> {
    return issueOnce(this, body, memory, signal)
  }

  /** A dry run of a sale: fails as the sale would, or answers its total, taxes and text. Nothing is issued or stored, and no key is needed. */
  dryRun(body: Operations["dryRunFiscalDocument"]["body"], signal?: AbortSignal): Promise<Operations["dryRunFiscalDocument"]["answer"]> {
    return this.call("dryRunFiscalDocument", { body }, signal)
  }

  /** A key that no request has used. */
  newKey(): string {
    return this.surroundings.newKey()
  }

  /** Prepares a copy of a document of this service. */
  copy(fiscalDocumentId: string, body: Operations["issueCopy"]["body"], key?: string): Prepared<FiscalizedDocument> {
    return this.prepare("issueCopy", { path: { fiscalDocumentId }, body }, key)
  }

  /** Prepares a refund of a receipt of this service, in full or in part. */
  refund(body: Operations["refundSale"]["body"], key?: string): Prepared<CompletedRefund> {
    return this.prepare("refundSale", { body }, key)
  }

  /** Prepares a proforma or training document, or its refund. */
  proformaOrTraining(
    body: Operations["issueProformaTraining"]["body"],
    key?: string
  ): Prepared<Operations["issueProformaTraining"]["answer"]> {
    return this.prepare("issueProformaTraining", { body }, key)
  }

  /** Prepares a case for payments in advance of one delivery; continue it with `advanceCase`. */
  openAdvanceCase(body: Operations["openAdvanceCase"]["body"], key?: string): Prepared<Operations["openAdvanceCase"]["answer"]> {
    return this.prepare("openAdvanceCase", { body }, key)
  }

  /** An advance case by its id, with all its operations. */
  advanceCase(advanceCaseId: string): AdvanceCaseCalls {
    const path = { advanceCaseId }
    return {
      read: (signal) => this.call("readAdvanceCase", { path }, signal),
      pay: (body, key) => this.prepare("addAdvancePayment", { path, body }, key),
      cancel: (body, key) => this.prepare("cancelAdvanceSale", { path, body }, key),
      close: (body, key) => this.prepare("closeAdvanceCase", { path, body }, key)
    }
  }

  /** Prepares the delivery of a receipt to its buyer. It is sent after the answer; `readReceiptDelivery` reads its outcome. */
  deliver(body: Operations["deliverReceipt"]["body"], key?: string): Prepared<Operations["deliverReceipt"]["answer"]> {
    return this.prepare("deliverReceipt", { body }, key)
  }

  /** Prepares any operation that takes a key. */
  prepare<Name extends OperationName>(name: Name, input: Input<Name>, key: string = this.surroundings.newKey()): Prepared<Operations[Name]["answer"]> {
    return { key, send: (signal) => this.issue(name, input, key, signal) }
  }

  /** Calls any operation that takes no key. */
  call<Name extends OperationName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Operations[Name]["answer"]> {
    return this.issue(name, input, null, signal)
  }

  /** Every product in a list, newest first; pages are fetched as the products are read. */
  async *products(query: Omit<Operations["listProducts"]["query"], "cursor"> = {}, signal?: AbortSignal): AsyncGenerator<Product, void, void> {
    yield* this.each("listProducts", { query }, signal)
  }

  /** Every element of a list; pages are fetched as the elements are read. */
  async *each<Name extends PagedName>(name: Name, input: Input<Name>, signal?: AbortSignal): AsyncGenerator<ItemOf<Name>, void, void> {
    const first = input as { readonly query?: object }
    for (let cursor: string | null | undefined = undefined; cursor !== null;) {
      const asked: object = cursor === undefined ? first : { ...first, query: { ...first.query, cursor } }
      const page = await this.call(name, asked as Input<Name>, signal) as Page<ItemOf<Name>>
      yield* page.items
      cursor = page.nextCursor
    }
  }

  /** Every document that a journal search finds, latest first; pages are fetched as the documents are read. */
  async *journal(query: Omit<Operations["searchJournal"]["query"], "cursor"> = {}, signal?: AbortSignal): AsyncGenerator<FiscalDocument, void, void> {
    yield* this.each("searchJournal", { query }, signal)
  }

  /** Imports a CSV file of products, all or nothing. */
  importProducts(taxpayerId: string, file: string, signal?: AbortSignal): Promise<Operations["importProducts"]["answer"]> {
    return this.call("importProducts", { query: { taxpayerId }, body: file }, signal)
  }

  /** A taxpayer's products as a CSV file that `importProducts` reads back. */
  async exportProducts(taxpayerId: string, signal?: AbortSignal): Promise<string> {
    return new TextDecoder().decode(await this.call("exportProducts", { query: { taxpayerId } }, signal))
  }

  /** Waits until an operation is no longer unknown: it is a receipt, or certainly not. */
  async untilResolved(operationId: string, signal?: AbortSignal): Promise<Operation> {
    for (let looks = 0;; looks++) {
      const operation = await this.call("readOperation", { path: { operationId } }, signal)
      if (["FISCALIZED", "REJECTED", "NOT_FISCALIZED"].includes(operation.status)) return operation
      await this.surroundings.wait(pollPause(looks), signal)
    }
  }

  /** Sends a prepared request and waits while its outcome is not known: answers the success, or fails when certainly nothing was issued. */
  settle<A>(prepared: Prepared<A>, signal?: AbortSignal): Promise<A> {
    return settle(this, prepared, signal)
  }

  private async issue<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    key: string | null,
    signal?: AbortSignal
  ): Promise<Operations[Name]["answer"]> {
    for (let attempts = 1;; attempts++) {
      const outcome = await this.attempt(name, input, key, signal).catch((error: unknown) => unavailable(error, signal))
      if (outcome instanceof ServiceUnavailable) {
        await this.pauseOrThrow(attempts, null, outcome, signal)
        continue
      }
      if (outcome.ok) return await readAnswer(outcome) as Operations[Name]["answer"]
      const failure = await failureOf(outcome)
      if (!mayRepeat(outcome, failure)) throw failure
      await this.pauseOrThrow(attempts, outcome.headers.get("Retry-After"), failure, signal)
    }
  }

  private async pauseOrThrow(attempts: number, retryAfter: string | null, failure: OveraError, signal?: AbortSignal): Promise<void> {
    const pause = retryPause(attempts, retryAfter)
    if (pause === null) throw failure
    await this.surroundings.wait(pause, signal)
  }

  /** One attempt; an expired token is replaced once and the same request sent again with the same key (Spec, Authentication 4). */
  private async attempt<Name extends OperationName>(name: Name, input: Input<Name>, key: string | null, signal?: AbortSignal) {
    const first = await this.transmit(name, input, key, signal)
    if (first.response.status !== 401) return first.response
    await first.response.body?.cancel()
    this.tokens.discard(first.token)
    return (await this.transmit(name, input, key, signal)).response
  }

  private async transmit(name: OperationName, input: object, key: string | null, signal?: AbortSignal): Promise<Sent> {
    const { body, path = {}, query = {} } = input as {
      readonly path?: Readonly<Record<string, string>>
      readonly query?: Readonly<Record<string, unknown>>
      readonly body?: unknown
    }
    const token = await this.tokens.token()
    const route = routes[name]
    const address = route.path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => encodeURIComponent(path[parameter] ?? ""))
    // A parameter that may be given several times is a list.
    const search = new URLSearchParams(Object.entries(query).flatMap(([parameter, value]) => [value].flat().map((one) => [parameter, String(one)]))).toString()
    const timeout = AbortSignal.timeout(this.timeoutMillis)
    const response = await this.surroundings.fetch(`${this.baseUrl}${address}${search === "" ? "" : `?${search}`}`, {
      method: route.method,
      headers: {
        Accept: "application/json",
        Authorization: `Bearer ${token}`,
        ...(key === null ? {} : { "Idempotency-Key": key }),
        ...(body === undefined ? {} : { "Content-Type": typeof body === "string" ? "text/csv" : "application/json" })
      },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      // Only files are texts; every JSON body is an object.
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    return { response, token }
  }
}

/** A caller that aborted gets its own reason back; a broken connection means that the service did not answer. */
const unavailable = (error: unknown, signal?: AbortSignal): ServiceUnavailable => {
  if (error instanceof ServiceUnavailable) return error
  if (error instanceof OveraError) throw error
  if (signal?.aborted === true) throw signal.reason
  return new ServiceUnavailable(null, "The service did not answer.", error)
}

/** The typed error of a failed answer. The document's status decides; the HTTP code only summarizes it. */
const failureOf = async (response: Response): Promise<OveraError> => {
  const body: unknown = await response.json().catch(() => null)
  if (isRefundWorkflow(body)) return new RefundNotCompleted(body)
  const document = documentIn(body)
  if (document === null) return refusalOf(response.status, body)
  switch (document.status) {
    case "REJECTED":
      return new DocumentRejected(document)
    case "NOT_FISCALIZED":
      return new NotIssued(document)
    // A receipt is never a failed answer, so one that says so is not accepted. A document that is ready and not sent yet is sent by repeating the
    // request.
    case "FISCALIZED":
    case "VALIDATED":
      return refusalOf(response.status, null)
    default:
      return new OutcomeUnknown(document)
  }
}

/**
 * Only a request that certainly issued nothing is repeated, and only if the answer says that repeating makes sense. The `Retry-After` of an unknown
 * outcome says when to ask, not when to send.
 */
const mayRepeat = (response: Response, failure: OveraError): boolean => {
  if (failure instanceof NotIssued) return failure.document.retryable
  if (failure instanceof RefundNotCompleted && failure.workflow.status.endsWith("_OUTCOME_UNKNOWN")) return false
  const says = failure instanceof RequestRefused || failure instanceof ServiceUnavailable || failure instanceof RefundNotCompleted
  return says && (response.status === 429 || response.status >= 500) && response.headers.has("Retry-After")
}
