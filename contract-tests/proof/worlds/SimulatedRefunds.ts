import {
  documentsOf,
  type FiscalDocumentId,
  type PaymentType,
  type Quantity,
  type Refunded,
  type RefundRequest,
  refundSale,
  type RefundWorkflowStatus,
  refundWorkflowStatus
} from "@overa/domain"
import { BigDecimal, Exit } from "effect"
import { businessPremiseId, taxpayerId } from "./place.ts"
import { requestUnder, SimulatedCaller } from "./SimulatedCaller.ts"
import type { SimulatedHost } from "./SimulatedHost.ts"
import { type Order, saleOf } from "./SimulatedShop.ts"
import type { World } from "./World.ts"

/** A part of an order to refund, under a key of its own. */
export interface PlannedRefund {
  readonly key: string
  readonly order: Order
  readonly originalId: FiscalDocumentId
  /** In thousandths of a piece. */
  readonly thousandths: number
  readonly payment: PaymentType
}

export interface HeardRefund {
  readonly planned: PlannedRefund
  readonly workflowId: string
  readonly status: RefundWorkflowStatus
  readonly copyStatus: string | null
}

const decimal = BigDecimal.fromStringUnsafe

const requestOf = (planned: PlannedRefund): RefundRequest => {
  const [line] = saleOf(planned.order).items
  if (line === undefined) throw new Error("an order has a line")
  const quantity = decimal((planned.thousandths / 1_000).toFixed(3))
  const amount = BigDecimal.multiply(quantity, line.unitPrice)
  return {
    taxpayerId,
    businessPremiseId,
    clientReference: planned.key,
    original: { source: "SVC", fiscalDocumentId: planned.originalId },
    cashier: { id: "Shop", displayName: null },
    buyer: { id: "20:123456789", optionalField: null },
    items: [{ ...line, quantity: quantity as Quantity, originalLineIndex: 0 }],
    payments: [{ type: planned.payment, amount }],
    commercialFooter: null,
    metadata: null
  }
}

/** Shops that refund what they sold, in parts, in cash or by card, more than once and more than allowed. */
export class SimulatedRefunds {
  readonly planned: Array<PlannedRefund> = []
  readonly heard: Array<HeardRefund> = []
  readonly faults: Array<string> = []
  readonly #world: World
  readonly #caller: SimulatedCaller
  readonly #considered = new Set<string>()

  constructor(world: World, hosts: ReadonlyArray<SimulatedHost>) {
    this.#world = world
    this.#caller = new SimulatedCaller(world, hosts)
  }

  /** Some receipts are refunded, soon or later. */
  consider(order: Order, documentId: string): void {
    const { random } = this.#world
    if (this.#considered.has(order.key) || !random.chance(0.5)) return
    this.#considered.add(order.key)
    for (let parts = random.between(1, 3); parts > 0; parts--) {
      const planned: PlannedRefund = {
        key: `refund-${parts}-${order.key}`,
        order,
        originalId: documentId as FiscalDocumentId,
        thousandths: random.pick([500, 1_000, 1_500, 3_000]),
        payment: random.pick(["CASH", "CARD"])
      }
      this.planned.push(planned)
      for (let copies = random.between(1, 3); copies > 0; copies--) {
        this.#caller.after(random.pick([0, 5, 100, 5_000, 60_000]), () => this.#send(planned, 6))
      }
      if (random.chance(0.4)) this.#caller.after(random.between(20 * 60_000, 90 * 60_000), () => this.#send(planned, 3))
    }
  }

  /** Half of a piece is given back months later, by another key; what was sold may be given back whole by then. */
  giveBackLater(order: Order, documentId: string): void {
    const planned: PlannedRefund = { key: `refund-late-${order.key}`, order, originalId: documentId as FiscalDocumentId, thousandths: 500, payment: "CARD" }
    this.planned.push(planned)
    this.#send(planned, 3)
  }

  #later(planned: PlannedRefund, retryBudget: number): void {
    if (retryBudget > 0) this.#caller.after(this.#world.random.between(2_000, 15_000), () => this.#send(planned, retryBudget - 1))
  }

  #send(planned: PlannedRefund, retryBudget: number): void {
    const again = () => this.#later(planned, retryBudget)
    this.#caller.ask({
      key: planned.key,
      effect: (callerGone) => refundSale(requestUnder(planned.key, "POST /v1/refund-workflows", callerGone), requestOf(planned)),
      timeoutMillis: 120_000,
      heard: (exit) => this.#hear(planned, exit, retryBudget),
      gaveUp: again,
      nobodyThere: again
    })
  }

  #hear(planned: PlannedRefund, exit: Exit.Exit<Refunded, unknown>, retryBudget: number): void {
    if (Exit.isSuccess(exit)) {
      const { refund } = exit.value
      const status = refundWorkflowStatus(documentsOf(refund))
      this.#world.say(`the shop hears ${status} for ${planned.key}`)
      this.heard.push({ planned, workflowId: refund.id, status, copyStatus: refund.copy?.status ?? null })
      if (status === "COPY_PENDING" || status === "REFUND_PENDING") this.#later(planned, retryBudget)
      return
    }
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error as { readonly _tag?: string } | undefined
    if (failure?._tag === "StoreUnavailable") return this.#later(planned, retryBudget)
    const isRefusal = ["RefundQuantityExceedsOriginal", "RefundCumulativeQuantityExceeded", "RequestFaults", "ReferenceDocumentNotFound",
      "ReferenceDocumentNotFiscalized"].includes(failure?._tag ?? "")
    if (!isRefusal) this.faults.push(`${planned.key}: ${JSON.stringify(exit)}`)
  }
}
