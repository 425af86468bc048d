import type { DataDirectory } from "../DataDirectory.ts"
import type { EnvironmentName } from "../EnvironmentName.ts"
import type { InvoiceType, TransactionType } from "../protocol/InvoiceRequest.ts"
import { DurableLog } from "./DurableLog.ts"

/** The part of a receipt that is kept in memory. */
export interface ReceiptSummary {
  readonly requestId: string | null
  readonly element: string
  readonly signer: string
  readonly invoiceNumber: string
  readonly totalCounter: number
  readonly transactionTypeCounter: number
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** Dinars with two decimals, a JSON number. */
  readonly totalAmount: string
  /** The PFR time as answered. */
  readonly signedAt: string
}

/** The part on disk: the bodies as transferred. */
export interface ReceiptBodies {
  readonly request: string
  readonly answer: string
}

export interface Counters {
  readonly total: number
  readonly ofKind: number
}

interface Located {
  readonly summary: ReceiptSummary
  readonly offset: number
  readonly length: number
}

const pairKey = (element: string, signer: string): string => `${element}/${signer}`

/** Every receipt that an environment has signed, and the counters that follow from them. */
export class ReceiptStore {
  readonly #log: DurableLog
  readonly #receipts: Array<Located> = []
  readonly #byRequest = new Map<string, Array<Located>>()
  readonly #byNumber = new Map<string, Located>()
  readonly #totals = new Map<string, number>()
  readonly #kinds = new Map<string, number>()

  private constructor(log: DurableLog) {
    this.#log = log
  }

  static async open(directory: DataDirectory, environment: EnvironmentName): Promise<ReceiptStore> {
    const store = new ReceiptStore(await DurableLog.open(directory.pathOf(`receipts-${environment}.ndjson`)))
    await store.#log.readAll((line, offset) => {
      const end = line.indexOf("\t")
      store.#index(JSON.parse(line.slice(0, end)), offset, Buffer.byteLength(line))
    })
    return store
  }

  #index(summary: ReceiptSummary, offset: number, length: number): void {
    const located = { summary, offset, length }
    this.#receipts.push(located)
    this.#byNumber.set(summary.invoiceNumber, located)
    if (summary.requestId !== null) {
      const earlier = this.#byRequest.get(summary.requestId)
      if (earlier === undefined) this.#byRequest.set(summary.requestId, [located])
      else earlier.push(located)
    }
    const pair = pairKey(summary.element, summary.signer)
    const kind = `${pair}/${summary.invoiceType}/${summary.transactionType}`
    this.#totals.set(pair, Math.max(this.#totals.get(pair) ?? 0, summary.totalCounter))
    this.#kinds.set(kind, Math.max(this.#kinds.get(kind) ?? 0, summary.transactionTypeCounter))
  }

  /** The next numbers of a pair, taken at once, so that concurrent receipts never share one (V-PFR §3, Counters). */
  takeCounters(element: string, signer: string, invoiceType: InvoiceType, transactionType: TransactionType): Counters {
    const pair = pairKey(element, signer)
    const kind = `${pair}/${invoiceType}/${transactionType}`
    const counters = { total: (this.#totals.get(pair) ?? 0) + 1, ofKind: (this.#kinds.get(kind) ?? 0) + 1 }
    this.#totals.set(pair, counters.total)
    this.#kinds.set(kind, counters.ofKind)
    return counters
  }

  /** Resolves once the receipt is on disk; it may not be reported before. */
  async keep(summary: ReceiptSummary, bodies: ReceiptBodies): Promise<void> {
    // Neither part can hold a raw tab: JSON escapes it.
    const line = `${JSON.stringify(summary)}\t${JSON.stringify(bodies)}`
    this.#index(summary, await this.#log.append(line), Buffer.byteLength(line))
  }

  /** The last receipt an element got for a RequestId (V-PFR §1.6, step 3). */
  async answerFor(element: string, requestId: string): Promise<string | null> {
    const found = this.#byRequest.get(requestId)?.findLast(({ summary }) => summary.element === element)
    return found === undefined ? null : (await this.#bodies(found)).answer
  }

  async bodiesOf(invoiceNumber: string): Promise<(ReceiptBodies & { readonly summary: ReceiptSummary }) | null> {
    const found = this.#byNumber.get(invoiceNumber)
    return found === undefined ? null : { summary: found.summary, ...(await this.#bodies(found)) }
  }

  async #bodies({ length, offset }: Located): Promise<ReceiptBodies> {
    const line = await this.#log.readLine(offset, length)
    return JSON.parse(line.slice(line.indexOf("\t") + 1))
  }

  latestOf(element: string): ReceiptSummary | undefined {
    return this.#receipts.findLast(({ summary }) => summary.element === element)?.summary
  }

  withRequestId(requestId: string): ReadonlyArray<ReceiptSummary> {
    return (this.#byRequest.get(requestId) ?? []).map(({ summary }) => summary)
  }

  all(): ReadonlyArray<ReceiptSummary> {
    return this.#receipts.map(({ summary }) => summary)
  }

  close(): Promise<void> {
    return this.#log.close()
  }
}
