import { bindKey, type FiscalDocumentId, type KeyedRequest, type MailOutcome, type ReceiptDeliveryId, type ReceiptMail, requestDelivery, type RequestedDelivery } from "@overa/domain"
import { Effect, Exit } from "effect"
import type { FaultyStore } from "./FaultyStore.ts"
import { plantInRequests } from "./plantedInMail.ts"
import { Random } from "./Random.ts"
import { requestUnder, SimulatedCaller } from "./SimulatedCaller.ts"
import type { SimulatedHost } from "./SimulatedHost.ts"
import type { Order } from "./SimulatedShop.ts"
import type { SimulatedVpfr } from "./SimulatedVpfr.ts"
import type { World } from "./World.ts"

const minute = 60_000
/** While nothing was asked for, a worker looks for messages that wait for their next attempt this seldom: when all is calm, and before. */
const [calmIdleMillis, idleMillis] = [10 * minute, minute]

/** What the mail server does with one message. */
const deeds = ["taken", "taken, answer lost", "lost before the end", "later", "no", "down"] as const
export type MailDeed = (typeof deeds)[number]

/** A message at the mail server. */
export interface ReceivedMail {
  readonly deed: MailDeed
  readonly at: number
  readonly recipient: string
  readonly invoiceNumber: string
}

/** What a caller was told of a delivery that it has asked for. */
export interface HeardDelivery {
  readonly key: string
  /** The key under which the V-PFR knows the receipt. */
  readonly receiptKey: string
  readonly deliveryId: ReceiptDeliveryId
  /** Whether the V-PFR had signed the document by then. */
  readonly isReceipt: boolean
}

/** A delivery to be asked for, under a key of its own. */
interface Planned {
  readonly key: string
  readonly receiptKey: string
  readonly documentId: FiscalDocumentId
  readonly recipient: string
}

interface Surroundings {
  readonly seed: number
  readonly plantedBug: string | null
  /** Whether this world has receipts by mail in any case: where addresses are erased. */
  readonly isAsked: boolean
}

/** Buyers' mailboxes: few, so that one erasure concerns several deliveries. */
export const mailboxes = ["ana@kupci.example", "bojan@kupci.example"] as const

const outcomeOf = (deed: MailDeed): MailOutcome => {
  switch (deed) {
    case "taken":
      return { _tag: "Taken" }
    case "taken, answer lost":
      return { _tag: "MayBeTaken", reason: "no answer after the message" }
    case "lost before the end":
      return { _tag: "Deferred", reason: "the connection was lost", recipientNamed: true }
    case "later":
      return { _tag: "Deferred", reason: "451 later", recipientNamed: true }
    case "no":
      return { _tag: "Refused", reason: "550 no", recipientNamed: true }
    case "down":
      return { _tag: "Unreachable", reason: "no connection" }
  }
}

/** Nothing is asked for again after one of these. */
const finalRefusals = ["ReceiptDeliveryDocumentNotFiscalized", "FiscalDocumentNotFound", "IdempotencyKeyReusedWithDifferentRequest"]

/**
 * Shops that have receipts sent to their buyers, in some worlds: several requests at once, repeated later, some for documents that are no receipt; and a mail
 * server that takes messages whose answer is lost, puts them off, refuses them, or is down. Drawn apart, so that the documents of other worlds do not change.
 */
export class SimulatedMail {
  readonly isPlanned: boolean
  readonly heard: Array<HeardDelivery> = []
  /** Keys that were refused, by what. */
  readonly refused: Array<{ readonly key: string; readonly tag: string }> = []
  readonly received = new Map<string, Array<ReceivedMail>>()
  /** How often a worker was about to hand a message over, by delivery. */
  readonly begun = new Map<string, number>()
  readonly faults: Array<string> = []
  /** From here on the mail server takes everything. */
  isFair = false
  readonly plantedBug: string | null
  readonly #world: World
  readonly #vpfr: SimulatedVpfr
  readonly #caller: SimulatedCaller
  readonly #random: Random
  readonly #weather: ReadonlyArray<readonly [number, MailDeed]>
  readonly #considered = new Set<string>()
  #hasNews = false
  #nextPass = 0

  constructor(world: World, vpfr: SimulatedVpfr, hosts: ReadonlyArray<SimulatedHost>, { isAsked, plantedBug, seed }: Surroundings) {
    this.#world = world
    this.#vpfr = vpfr
    this.#caller = new SimulatedCaller(world, hosts)
    this.plantedBug = plantedBug
    const random = new Random(seed ^ 0x00ea_11e5)
    this.#random = random
    this.isPlanned = random.chance(0.3) || isAsked
    const sometimes = (most: number): number => (random.chance(0.5) ? random.next() * most : 0)
    this.#weather = [[sometimes(1.5), "taken, answer lost"], [sometimes(0.4), "lost before the end"], [sometimes(0.6), "later"], [sometimes(0.2), "no"], [sometimes(0.5), "down"], [0.4, "taken"]]
  }

  /** The settings that the shop has made. */
  begin(store: FaultyStore): Effect.Effect<void> {
    return this.isPlanned ? store.behind.mail.open : Effect.void
  }

  /** Some receipts are sent to their buyers. */
  consider(order: Order, documentId: string): void {
    if (!this.isPlanned || this.#considered.has(order.key) || !this.#random.chance(0.8)) return
    this.#considered.add(order.key)
    const random = this.#random
    const planned = { key: `mail-${order.key}`, receiptKey: order.key, documentId: documentId as FiscalDocumentId, recipient: random.pick(mailboxes) }
    for (let copies = random.between(1, 2); copies > 0; copies--) this.#caller.after(random.pick([0, 200, 60_000]), () => this.#ask(planned, 6))
    if (random.chance(0.5)) this.#caller.after(random.between(10, 90) * minute, () => this.#ask(planned, 3))
  }

  /** Some shops ask too early, or for what never becomes a receipt. */
  considerEarly(order: Order, documentId: string): void {
    const key = `early-mail-${order.key}`
    if (!this.isPlanned || this.#considered.has(key) || !this.#random.chance(0.5)) return
    this.#considered.add(key)
    this.#ask({ key, receiptKey: order.key, documentId: documentId as FiscalDocumentId, recipient: this.#random.pick(mailboxes) }, 0)
  }

  #later(planned: Planned, retryBudget: number): void {
    if (retryBudget > 0) this.#caller.after(this.#random.between(2_000, 90_000), () => this.#ask(planned, retryBudget - 1))
  }

  #requestOf({ documentId, key, recipient }: Planned, callerGone: AbortSignal): KeyedRequest {
    const target = "POST /v1/receipt-deliveries"
    const body = { fiscalDocumentId: documentId, recipient }
    return { ...requestUnder(key, target, callerGone), boundKey: bindKey({ key, target, body, received: JSON.stringify(body) }) }
  }

  #ask(planned: Planned, retryBudget: number): void {
    const again = () => this.#later(planned, retryBudget)
    const asked = { fiscalDocumentId: planned.documentId, recipient: planned.recipient, formats: null, locale: null }
    this.#hasNews = true
    this.#caller.ask({
      key: planned.key,
      effect: (callerGone) => plantInRequests(this.plantedBug)(requestDelivery(this.#requestOf(planned, callerGone), asked)),
      timeoutMillis: 60_000,
      heard: (exit) => this.#hear(planned, exit, retryBudget),
      gaveUp: again,
      nobodyThere: again
    })
  }

  #hear(planned: Planned, exit: Exit.Exit<RequestedDelivery, unknown>, retryBudget: number): void {
    this.#hasNews = true
    if (Exit.isSuccess(exit)) {
      const { delivery: { id, status } } = exit.value
      this.#world.say(`the shop hears ${status} for ${planned.key}`)
      this.#world.meet("receipts by mail")
      this.heard.push({ key: planned.key, receiptKey: planned.receiptKey, deliveryId: id, isReceipt: this.#vpfr.receiptsOf(planned.receiptKey).length > 0 })
      return
    }
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error as { readonly _tag?: string } | undefined
    const tag = failure?._tag ?? ""
    if (tag === "StoreUnavailable" || tag === "ReceiptDeliveryUnavailable") return this.#later(planned, retryBudget)
    if (finalRefusals.includes(tag)) this.refused.push({ key: planned.key, tag })
    else this.faults.push(`${planned.key}: ${JSON.stringify(exit)}`)
  }

  /** A worker's pass, where it may find something; `send` answers how much it found, null where the store failed. */
  pass<R>(send: Effect.Effect<number | null, never, R>): Effect.Effect<void, never, R> {
    return Effect.suspend(() => {
      if (!this.#hasNews && this.#world.now < this.#nextPass) return Effect.void
      this.#hasNews = false
      return Effect.map(send, (found) => {
        if (found !== 0) this.#hasNews = true
        this.#nextPass = this.#world.now + (this.isFair ? calmIdleMillis : idleMillis)
      })
    })
  }

  /** A worker has stored that it is about to hand a message over. */
  noteBegun(id: string): void {
    this.begun.set(id, (this.begun.get(id) ?? 0) + 1)
  }

  /** The mail server gets one message. */
  receive({ deliveryId, receipt, recipient }: ReceiptMail): Effect.Effect<MailOutcome> {
    return Effect.gen({ self: this }, function*() {
      yield* this.#world.sleep(this.#random.between(5, 3_000))
      const deed = this.isFair ? "taken" : this.#random.weighted(this.#weather)
      if (deed !== "taken") this.#world.strike(`mail: ${deed}`)
      this.#world.say(`the mail server has the receipt ${receipt.number} for ${recipient}: ${deed}`)
      this.received.set(deliveryId, [...this.received.get(deliveryId) ?? [], { deed, at: this.#world.now, recipient, invoiceNumber: receipt.number }])
      return outcomeOf(deed)
    })
  }
}
