import {
  type FiscalDocumentId,
  type Issued,
  issueProformaTraining,
  type LineItem,
  type ProformaTrainingRequest,
  type ProformaTrainingStatus,
  proformaTrainingStatus,
  retryableOf
} from "@overa/domain"
import { BigDecimal, Exit } from "effect"
import { businessPremiseId, taxpayerId } from "./place.ts"
import { requestUnder, SimulatedCaller } from "./SimulatedCaller.ts"
import type { SimulatedHost } from "./SimulatedHost.ts"
import { saleOf } from "./SimulatedShop.ts"
import type { World } from "./World.ts"

/** A proforma or training document that a shop wants, under one key; a refund names the sale it gives back. */
export interface PlannedOffer {
  readonly key: string
  readonly invoiceType: "PROFORMA" | "TRAINING"
  readonly amounts: ReadonlyArray<number>
  readonly source: FiscalDocumentId | null
}

/** What a shop was told about one. */
export interface HeardOffer {
  readonly planned: PlannedOffer
  readonly workflowId: string
  readonly status: ProformaTrainingStatus
}

/** A refund that was refused because another one has the source. */
export interface RefusedOffer {
  readonly planned: PlannedOffer
  readonly workflowId: string
  readonly isDone: boolean
}

const minute = 60_000
const three = BigDecimal.fromBigInt(3n)

const linesOf = ({ amounts }: PlannedOffer): ReadonlyArray<LineItem> => amounts.flatMap((amount) => saleOf({ key: "", amount }).items)

const requestOf = (planned: PlannedOffer): ProformaTrainingRequest => {
  const items = linesOf(planned)
  const total = BigDecimal.sumAll(items.map(({ unitPrice }) => BigDecimal.multiply(three, unitPrice)))
  return {
    taxpayerId,
    businessPremiseId,
    clientReference: planned.key,
    invoiceType: planned.invoiceType,
    transactionType: planned.source === null ? "SALE" : "REFUND",
    cashier: { id: "Shop", displayName: null },
    buyer: planned.source === null ? null : { id: "20:123456789", optionalField: null },
    items,
    payments: [{ type: "OTHER", amount: total }],
    reference: planned.source === null ? null : { source: "SVC", fiscalDocumentId: planned.source },
    commercialFooter: null,
    metadata: null
  }
}

/** Shops that issue proforma and training documents, and refund each several times at once. */
export class SimulatedOffers {
  readonly heard: Array<HeardOffer> = []
  readonly refused: Array<RefusedOffer> = []
  readonly faults: Array<string> = []
  readonly #world: World
  readonly #caller: SimulatedCaller
  readonly #considered = new Set<string>()

  constructor(world: World, hosts: ReadonlyArray<SimulatedHost>) {
    this.#world = world
    this.#caller = new SimulatedCaller(world, hosts)
  }

  /** Some worlds have such documents. */
  plan(): void {
    const { random } = this.#world
    if (!random.chance(0.4)) return
    for (let index = random.between(1, 2); index > 0; index--) {
      const planned: PlannedOffer = {
        key: `offer-${index}-${random.uuid().slice(0, 8)}`,
        invoiceType: random.pick(["PROFORMA", "TRAINING"]),
        amounts: random.pick([[100], [100, 250], [250, 100]]),
        source: null
      }
      this.#several(random.between(0, 4 * minute), planned)
    }
  }

  /** The refunds of a signed proforma or training sale: several keys at once for one source, which is given back once. */
  #giveBack(offer: PlannedOffer, source: FiscalDocumentId): void {
    const { random } = this.#world
    if (offer.source !== null || this.#considered.has(offer.key)) return
    this.#considered.add(offer.key)
    if (!random.chance(0.8)) return
    for (let rival = random.between(1, 3); rival > 0; rival--) {
      this.#several(random.pick([0, 10, 2_000, 60_000]), { ...offer, key: `back-${rival}-${offer.key}`, source })
    }
  }

  #several(from: number, planned: PlannedOffer): void {
    const { random } = this.#world
    for (let copies = random.between(1, 3); copies > 0; copies--) {
      this.#caller.after(from + random.pick([0, 5, 500, 20_000]), () => this.#send(planned, 6))
    }
    // A caller that repeats its key much later.
    if (random.chance(0.4)) this.#caller.after(from + random.between(20 * minute, 90 * minute), () => this.#send(planned, 3))
  }

  #later(planned: PlannedOffer, retryBudget: number): void {
    if (retryBudget > 0) this.#caller.after(this.#world.random.between(2_000, 60_000), () => this.#send(planned, retryBudget - 1))
  }

  #send(planned: PlannedOffer, retryBudget: number): void {
    const again = () => this.#later(planned, retryBudget)
    this.#caller.ask({
      key: planned.key,
      effect: (callerGone) => issueProformaTraining(requestUnder(planned.key, "POST /v1/proforma-training-workflows", callerGone), requestOf(planned)),
      timeoutMillis: 120_000,
      heard: (exit) => this.#hear(planned, exit, retryBudget),
      gaveUp: again,
      nobodyThere: again
    })
  }

  #hear(planned: PlannedOffer, exit: Exit.Exit<Issued, { readonly _tag: string; readonly workflowId?: string }>, retryBudget: number): void {
    if (Exit.isSuccess(exit)) return this.#hearDocument(planned, exit.value, retryBudget)
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
    switch (failure?._tag) {
      case "StoreUnavailable":
        return this.#later(planned, retryBudget)
      case "ProformaTrainingWorkflowReservationConflict":
      case "ProformaTrainingSourceAlreadyRefunded":
        this.refused.push({ planned, workflowId: failure.workflowId ?? "", isDone: failure._tag === "ProformaTrainingSourceAlreadyRefunded" })
        return this.#later(planned, retryBudget)
      // A failover may have lost the sale that this refund names, or its outcome.
      case "ReferenceDocumentNotFound":
      case "ReferenceDocumentNotFiscalized":
        return
      default:
        this.faults.push(`${planned.key}: ${JSON.stringify(exit)}`)
    }
  }

  #hearDocument(planned: PlannedOffer, { operation }: Issued, retryBudget: number): void {
    const status = proformaTrainingStatus(operation.status)
    this.#world.say(`the shop hears ${status} for ${planned.key}`)
    this.heard.push({ planned, workflowId: operation.workflow?.id ?? "none", status })
    if (status === "COMPLETED") this.#giveBack(planned, operation.id)
    if (retryableOf(operation.status, operation.failureCode)) this.#later(planned, retryBudget)
  }
}
