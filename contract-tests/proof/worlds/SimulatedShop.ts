import { bindKey, type Dinars, type Issued, issueNormalSale, type KeyedRequest, type NormalSale, type Quantity, retryableOf } from "@overa/domain"
import { BigDecimal, Exit } from "effect"
import { businessPremiseId, taxpayerId } from "./place.ts"
import { requestUnder, SimulatedCaller } from "./SimulatedCaller.ts"
import type { SimulatedHost } from "./SimulatedHost.ts"
import type { SimulatedVpfr } from "./SimulatedVpfr.ts"
import type { World } from "./World.ts"

/** One sale for which a shop wants a receipt, under one key. */
export interface Order {
  readonly key: string
  readonly amount: number
  /** Whether the request names a cashier and a company, and has the buyer's telephone number among its metadata. */
  readonly isPersonal?: boolean
}

/** Personal data outside the signed record, which must be gone once it is erased. */
export const secrets = { cashier: "Ана Анић", telephone: "0641234567", company: "Зора д.о.о." } as const

const personal = { cashier: { id: "Shop", displayName: secrets.cashier }, metadata: { telephone: secrets.telephone } }
const impersonal = { cashier: { id: "Shop", displayName: null }, metadata: null }

/** What a caller was told, with the truth at that moment. */
export interface Heard {
  readonly order: Order
  readonly documentId: string
  readonly status: string
  readonly number: string | null
  /** Whether the document has the body that this caller sent. */
  readonly isOfItsBody: boolean
  readonly saidRetryable: boolean
  /** True time. */
  readonly heardAt: number
  /** The attempt whose outcome was answered. */
  readonly attempt: number
  readonly receiptsThen: number
  readonly wanderingThen: number
}

export const saleOf = (order: Order): NormalSale => ({
  _tag: "NormalSale",
  invoiceType: "NORMAL",
  transactionType: "SALE",
  taxpayerId,
  businessPremiseId,
  clientReference: order.key,
  ...(order.isPersonal === true ? personal : impersonal),
  buyer: order.isPersonal === true ? { id: "10:100000008", optionalField: null } : null,
  items: [{
    name: "Book",
    unitOfMeasure: "kom",
    // Three of them, so that they can be refunded in parts.
    quantity: BigDecimal.fromBigInt(3n) as Quantity,
    unitPrice: BigDecimal.fromBigInt(BigInt(order.amount)) as Dinars,
    unitPriceBeforeDiscount: null,
    gtin: null,
    catalogProductId: null,
    taxLabels: ["A"],
    originalLineIndex: null
  }],
  payments: [{ type: "CARD", amount: BigDecimal.fromBigInt(3n * BigInt(order.amount)) }],
  commercialFooter: null,
  reference: null
})

const bodyOf = (order: Order): string => JSON.stringify({ clientReference: order.key, amount: order.amount, ...(order.isPersonal === true ? personal : {}) })

const boundKeyOf = (order: Order) =>
  bindKey({
    key: order.key,
    target: "POST /v1/fiscal-documents",
    body: { clientReference: order.key, amount: BigDecimal.fromBigInt(BigInt(order.amount)), ...(order.isPersonal === true ? personal : {}) },
    received: bodyOf(order)
  })

/** Names a request's content; an erasure leaves it as it is. */
const digestOf = (order: Order): string => boundKeyOf(order).fingerprint.digest

/** The request as a host reads it; `differs` sends another body under the same key. */
const requestOf = (order: Order, callerGone: AbortSignal): KeyedRequest => ({
  ...requestUnder(order.key, "POST /v1/fiscal-documents", callerGone),
  boundKey: boundKeyOf(order)
})

/** The content; another amount where a caller sends something else under the same key. */
const sentFor = (order: Order, differs: boolean): Order => (differs ? { ...order, amount: order.amount + 1 } : order)

/** A caller that follows the contract: the same key until it is certain, a pause before each repetition, never a new request. */
export class SimulatedShop {
  readonly heard: Array<Heard> = []
  readonly conflicts: Array<{ readonly order: Order; readonly digest: string }> = []
  /** Unexpected failures: a defect anywhere is a finding. */
  readonly faults: Array<string> = []
  /** Called for each receipt that a caller is told of. */
  onReceipt: (order: Order, documentId: string) => void = () => undefined
  /** Called for each other document. */
  onNoReceipt: (order: Order, documentId: string) => void = () => undefined
  readonly #world: World
  readonly #vpfr: SimulatedVpfr
  readonly #caller: SimulatedCaller

  constructor(world: World, vpfr: SimulatedVpfr, hosts: ReadonlyArray<SimulatedHost>) {
    this.#world = world
    this.#vpfr = vpfr
    this.#caller = new SimulatedCaller(world, hosts)
  }

  /** Sends an order once and, as the contract advises, again. `retryBudget` counts the repetitions left. */
  send(order: Order, retryBudget: number, differs = false): void {
    const { random } = this.#world
    const sent = sentFor(order, differs)
    this.#caller.ask({
      key: order.key,
      effect: (callerGone) => issueNormalSale(requestOf(sent, callerGone), saleOf(sent)),
      timeoutMillis: 60_000,
      heard: (exit) => this.#hear(order, exit, retryBudget, differs),
      gaveUp: () => this.#later(order, retryBudget, random.between(100, 15_000), differs),
      nobodyThere: () => this.#later(order, retryBudget, random.between(2_000, 15_000), differs)
    })
  }

  #later(order: Order, retryBudget: number, millis: number, differs: boolean): void {
    if (retryBudget > 0) this.#caller.after(millis, () => this.send(order, retryBudget - 1, differs))
  }

  #hear(order: Order, exit: Exit.Exit<Issued, unknown>, retryBudget: number, differs: boolean): void {
    if (Exit.isSuccess(exit)) return this.#hearDocument(order, exit.value, retryBudget, differs)
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error as { readonly _tag?: string } | undefined
    if (failure?._tag === "IdempotencyKeyReusedWithDifferentRequest") {
      this.conflicts.push({ order, digest: digestOf(sentFor(order, differs)) })
    } else if (failure?._tag === "StoreUnavailable") {
      this.#later(order, retryBudget, this.#world.random.between(2_000, 15_000), differs)
    } else {
      this.faults.push(`${order.key}: ${JSON.stringify(exit)}`)
    }
  }

  #hearDocument(order: Order, issued: Issued, retryBudget: number, differs: boolean): void {
    const { operation } = issued
    const saidRetryable = retryableOf(operation.status, operation.failureCode)
    this.#world.say(`the shop hears ${operation.status} for ${order.key}`)
    this.heard.push({
      order,
      documentId: operation.id,
      status: operation.status,
      number: operation.answer?.pfr.invoiceNumber ?? null,
      isOfItsBody: operation.boundKey.fingerprint.digest === digestOf(sentFor(order, differs)),
      saidRetryable,
      heardAt: this.#world.now,
      attempt: operation.attempt,
      receiptsThen: this.#vpfr.receiptsOf(order.key).filter(({ isTooLate }) => !isTooLate).length,
      wanderingThen: this.#vpfr.wandering.get(order.key) ?? 0
    })
    if (operation.status === "FISCALIZED") this.onReceipt(sentFor(order, differs), operation.id)
    else this.onNoReceipt(order, operation.id)
    if (saidRetryable) this.#later(order, retryBudget, this.#world.random.between(2_000, 15_000), differs)
  }
}
