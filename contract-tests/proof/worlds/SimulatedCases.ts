import {
  addAdvancePayment,
  type AdvanceMutated,
  type AdvancePaymentRequest,
  cancelAdvanceSale,
  caseDocuments,
  caseStateOf,
  closeAdvanceCase,
  advanceSales,
  type FiscalDocumentId,
  type KeyedRequest,
  latestAdvance,
  type LineItem,
  openAdvanceCase,
  type PaymentType,
  presentAdvanceCase,
  type StoredAdvanceCase,
  totalAdvance,
  type WorkflowId
} from "@overa/domain"
import { BigDecimal, type Effect, Exit } from "effect"
import { businessPremiseId, taxpayerId } from "./place.ts"
import { requestUnder, SimulatedCaller } from "./SimulatedCaller.ts"
import type { HostServices, SimulatedHost } from "./SimulatedHost.ts"
import { saleOf } from "./SimulatedShop.ts"
import type { World } from "./World.ts"

/** A request with one key, the same each time it is sent. */
interface Ask {
  readonly key: string
  readonly effect: (request: KeyedRequest) => Effect.Effect<AdvanceMutated, { readonly _tag: string }, HostServices>
}

/** What a shop was told about a case. */
export interface HeardCase {
  readonly key: string
  readonly caseId: string
  readonly state: string
  readonly currentId: string | null
}

const repeatsOfRejected = 12

const decimal = (amount: number) => BigDecimal.fromBigInt(BigInt(amount))
const buyer = { id: "20:123456789", optionalField: null }
const cashier = { id: "Shop", displayName: null }
const minute = 60_000

const lineOf = (amount: number, label = "A"): LineItem => {
  const [line] = saleOf({ key: "", amount }).items
  if (line === undefined) throw new Error("an order has a line")
  return { ...line, quantity: decimal(1) as LineItem["quantity"], taxLabels: [label] }
}

/** An advance over one label or two; the goods may have another. */
interface Advance {
  readonly amounts: ReadonlyArray<readonly [amount: number, label: string]>
  readonly type: PaymentType
}

const paymentOf = (key: string, { amounts, type }: Advance): AdvancePaymentRequest => ({
  cashier,
  items: amounts.map(([amount, label]) => lineOf(amount, label)),
  payments: [{ type, amount: decimal(amounts.reduce((sum, [amount]) => sum + amount, 0)) }],
  paymentOccurredAt: null,
  clientReference: key,
  commercialFooter: null,
  metadata: null
})

const refusals = [
  "AdvanceCaseNotOpen",
  "AdvanceCaseCloseAlreadyReserved",
  "AdvancePaymentSuperseded",
  "AdvanceCancellationTargetNotLatest",
  // A failover lost the advance that the cancellation names.
  "ReferenceDocumentNotFound",
  "AdvanceCaseHasNoFiscalizedSale",
  "AdvanceCloseTotalMismatch",
  // A label was withdrawn: a payment with it, or the closing of a case whose latest advance is of the time after.
  "TaxLabelNotCurrent"
]

/** Shops that take advances, cancel some, and close; several requests at once, repeated as the contract advises. */
export class SimulatedCases {
  readonly heard: Array<HeardCase> = []
  readonly faults: Array<string> = []
  readonly #world: World
  readonly #caller: SimulatedCaller
  readonly #known = new Map<string, StoredAdvanceCase>()
  /** By key of a rejected closing: how often it is still repeated. */
  readonly #repeats = new Map<string, number>()

  constructor(world: World, hosts: ReadonlyArray<SimulatedHost>) {
    this.#world = world
    this.#caller = new SimulatedCaller(world, hosts)
  }

  /** Some worlds have cases: those of a furniture shop, with advances of different kinds. */
  plan(): void {
    const { random } = this.#world
    if (!random.chance(0.5)) return
    for (let index = random.between(1, 2); index > 0; index--) {
      const name = `case-${index}-${random.uuid().slice(0, 8)}`
      this.#caller.after(random.between(0, 2 * minute), () => this.#open(name))
    }
  }

  #open(name: string): void {
    this.#send({
      key: name,
      effect: (request) =>
        openAdvanceCase(request, { taxpayerId, businessPremiseId, clientReference: name, buyer, externalAdvance: null })
    }, 20, (stored) => this.#furnish(name, stored.opened.id))
  }

  #furnish(name: string, id: WorkflowId): void {
    const { random } = this.#world
    for (let number = random.between(1, 3); number > 0; number--) {
      const key = `pay-${number}-${name}`
      const amounts = random.pick([[[100, "A"]], [[250, "B"]], [[100, "B"], [70, "A"]]] satisfies Array<Advance["amounts"]>)
      const payment = paymentOf(key, { amounts, type: random.pick(["CARD", "CASH"]) })
      this.#several(random.between(0, 5 * minute), { key, effect: (request) => addAdvancePayment(request, id, payment) })
    }
    if (random.chance(0.5)) this.#caller.after(random.between(minute, 8 * minute), () => this.#cancel(name, id))
    for (let number = random.between(1, 2); number > 0; number--) {
      this.#caller.after(random.between(2 * minute, 12 * minute), () => this.#close(`close-${number}-${name}`, name, id, 3))
    }
  }

  #cancel(name: string, id: WorkflowId): void {
    const sale = this.#latestSale(name)
    if (sale === null) return
    const key = `cancel-${name}`
    const asked = { advanceSaleId: sale, cashier, buyer, clientReference: key, commercialFooter: null, metadata: null }
    this.#several(0, { key, effect: (request) => cancelAdvanceSale(request, id, asked) })
  }

  #latestSale(name: string): FiscalDocumentId | null {
    const stored = this.#known.get(name)
    return stored === undefined ? null : latestAdvance(advanceSales(caseDocuments(stored.documents)))?.id ?? null
  }

  /** Closes with the sum that the shop expects; if it is refused as wrong, the shop reads the case again and uses another key. */
  #close(key: string, name: string, id: WorkflowId, tries: number): void {
    const stored = this.#known.get(name)
    if (stored === undefined) return
    const advance = totalAdvance(advanceSales(caseDocuments(stored.documents)), null)
    const more = this.#world.random.pick([0, 50])
    const total = BigDecimal.sum(advance, decimal(more))
    const items = [{ ...lineOf(0), unitPrice: total as LineItem["unitPrice"] }]
    const ask: Ask = {
      key,
      effect: (request) =>
        closeAdvanceCase(request, id, {
          cashier,
          items,
          remainingPayments: [{ type: "CARD", amount: decimal(more) }],
          buyer: null,
          clientReference: key,
          commercialFooter: null,
          metadata: null
        })
    }
    this.#send(ask, 40, () => undefined, () => this.#later(2 * minute, () => this.#close(`again-${key}`, name, id, tries - 1), tries))
  }

  #later(millis: number, action: () => void, retryBudget: number): void {
    if (retryBudget > 0) this.#caller.after(this.#world.random.between(2_000, millis), action)
  }

  #several(from: number, ask: Ask): void {
    const { random } = this.#world
    for (let copies = random.between(1, 3); copies > 0; copies--) {
      this.#caller.after(from + random.pick([0, 5, 500, 20_000]), () => this.#send(ask, 10, () => undefined))
    }
  }

  #send(ask: Ask, retryBudget: number, done: (stored: StoredAdvanceCase) => void, mismatch: () => void = () => undefined): void {
    const again = () => this.#later(10 * minute, () => this.#send(ask, retryBudget - 1, done, mismatch), retryBudget)
    this.#caller.ask({
      key: ask.key,
      effect: (callerGone) => ask.effect(requestUnder(ask.key, "POST /v1/advance-cases", callerGone)),
      timeoutMillis: 180_000,
      heard: (exit) => this.#hear(ask, exit, again, done, mismatch),
      gaveUp: again,
      nobodyThere: again
    })
  }

  #hear(
    ask: Ask,
    exit: Exit.Exit<AdvanceMutated, unknown>,
    again: () => void,
    done: (stored: StoredAdvanceCase) => void,
    mismatch: () => void
  ): void {
    if (Exit.isSuccess(exit)) return this.#hearCase(ask, exit.value, again, done)
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error as { readonly _tag?: string } | undefined
    const tag = failure?._tag ?? ""
    if (tag === "StoreUnavailable" || tag === "AdvanceCaseNotFound") return again()
    if (tag === "AdvanceCloseTotalMismatch") return mismatch()
    if (tag === "AdvanceCaseNotOpen") return again()
    if (!refusals.includes(tag)) this.faults.push(`${ask.key}: ${JSON.stringify(exit)}`)
  }

  #hearCase(ask: Ask, { current: issued, stored }: AdvanceMutated, again: () => void, done: (stored: StoredAdvanceCase) => void): void {
    const state = caseStateOf(caseDocuments(stored.documents))
    const { current } = presentAdvanceCase(stored, issued)
    this.#world.say(`the shop hears ${state}, ${current?.status ?? "no document"}, for ${ask.key}`)
    const name = stored.opened.boundKey.key
    // Without a document the answer would be 201 or 200, whatever became of what was asked (advanceAnswer).
    if (current === null && ask.key !== name) this.faults.push(`${ask.key} was answered without its document`)
    if (stored.documents.length >= (this.#known.get(name)?.documents.length ?? 0)) this.#known.set(name, stored)
    this.heard.push({ key: ask.key, caseId: stored.opened.id, state, currentId: issued?.id ?? null })
    if (current?.retryable === true || current?.status === "VALIDATED") return again()
    if (current?.status === "REJECTED" && ask.key.includes("close-")) this.#repeatRejected(ask, name, stored.opened.id)
    done(stored)
  }

  /** A rejected closing is followed by one with another key, while the caller of the first one goes on repeating it. */
  #repeatRejected(ask: Ask, name: string, id: WorkflowId): void {
    const { random } = this.#world
    const left = this.#repeats.get(ask.key) ?? repeatsOfRejected
    this.#repeats.set(ask.key, left - 1)
    if (left === repeatsOfRejected) this.#caller.after(random.between(2_000, 60_000), () => this.#close(`again-${ask.key}`, name, id, 3))
    if (left > 0) this.#caller.after(random.between(2_000, 30_000), () => this.#send(ask, 0, () => undefined))
  }
}
