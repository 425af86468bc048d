import type { ClaimedWebhook, WebhookOutcome, WebhookSender } from "@overa/domain"
import { Effect } from "effect"
import type { FaultyStore } from "./FaultyStore.ts"
import { Random } from "./Random.ts"
import type { World } from "./World.ts"

const minute = 60_000
const hour = 60 * minute
/** A pass that found nothing is repeated after a write, or after so long. */
const idleMillis = 5 * minute

/** An event that a receiver has taken, also where its sender heard nothing of that. */
export interface Arrival {
  readonly eventId: string
  readonly type: string
  readonly documentId: string | null
  readonly resourceId: string
}

type Step = <A, E>(name: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

const addresses = ["https://shop.example/events", "https://new.example/events"] as const

const answered = (statusCode: number): WebhookOutcome => ({ statusCode, answer: "", error: null, millis: 1 })
const silent: WebhookOutcome = { statusCode: null, answer: "", error: "no whole answer within 15000 ms", millis: 15_000 }

/**
 * A shop that has events sent to it, in some worlds: its receiver answers late, takes an event whose answer is lost and so gets it twice, never answers or
 * answers 500 for an hour, and moves to another address. Drawn apart, so that the documents of a world depend on none of it.
 */
export class SimulatedWebhooks {
  readonly isPlanned: boolean
  readonly arrivals: Array<Arrival> = []
  /** The events that existed when the world had come to rest, by id: each must have arrived. */
  due: ReadonlySet<string> = new Set()
  readonly #world: World
  readonly #store: FaultyStore
  readonly #random: Random
  readonly #late: number
  readonly #lost: number
  readonly #trouble: { readonly from: number; readonly outcome: WebhookOutcome } | null
  readonly #movesAt: number
  #answering: string = addresses[0]
  #quiet = { writes: -1, until: 0 }

  constructor(world: World, store: FaultyStore, seed: number) {
    this.#world = world
    this.#store = store
    const random = new Random(seed ^ 0x00e7_e475)
    this.#random = random
    this.isPlanned = store.behind.events !== null && random.chance(0.4)
    this.#late = random.chance(0.4) ? random.next() * 0.5 : 0
    this.#lost = random.chance(0.5) ? random.next() * 0.5 : 0
    const trouble = { from: world.now + random.between(0, 20) * minute, outcome: random.pick([answered(500), answered(302), silent]) }
    this.#trouble = random.chance(0.4) ? trouble : null
    this.#movesAt = random.chance(0.4) ? random.between(minute, 90 * minute) : 0
  }

  /** The owner enters the address, and in some worlds another one later. */
  get begin(): Effect.Effect<void> {
    const { events } = this.#store.behind
    if (!this.isPlanned || events === null) return Effect.void
    return Effect.andThen(events.open(addresses[0]), Effect.sync(() => {
      if (this.#movesAt > 0) this.#world.fork(Effect.andThen(this.#world.sleep(this.#movesAt), this.#move), this.#world.clock(0))
    }))
  }

  get #move(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#world.strike("webhook: moved")
      this.#answering = addresses[1]
      return this.#enterAddress()
    })
  }

  /** The owner enters it until it is stored, and again where a failover or a restore has brought the old one back. */
  #enterAddress(): Effect.Effect<void> {
    const { events } = this.#store.behind
    if (events === null) return Effect.void
    return Effect.catchTag(this.#store.aside(events.move(addresses[1])), "StoreUnavailable", () => Effect.andThen(this.#world.sleep(minute), Effect.suspend(() => this.#enterAddress())))
  }

  /** A worker's pass: what is due is sent, and nothing is waited for. */
  pass(step: Step): Effect.Effect<void> {
    const { events } = this.#store.behind
    if (!this.isPlanned || events === null) return Effect.void
    return Effect.gen({ self: this }, function*() {
      const { writes } = events
      if (this.#store.down || (writes.all === this.#quiet.writes && this.#world.now < this.#quiet.until)) return
      const claims = yield* Effect.orElseSucceed(this.#store.aside(events.claim), () => null)
      if (claims?.length === 0) this.#quiet = { writes: writes.all, until: this.#world.now + idleMillis }
      for (const claimed of claims ?? []) this.#world.fork(Effect.ignore(this.#send(claimed, step)), this.#world.clock(0))
    })
  }

  #send(claimed: ClaimedWebhook, step: Step) {
    const { events } = this.#store.behind
    if (events === null) return Effect.void
    const sender: WebhookSender["Service"] = { send: () => step("send an event", this.#receive(claimed)) }
    return events.send(claimed, sender, (commit) => step("conclude an event", this.#store.aside(commit)))
  }

  #receive({ body, endpoint, eventId }: ClaimedWebhook): Effect.Effect<WebhookOutcome> {
    return Effect.gen({ self: this }, function*() {
      const { now } = this.#world
      yield* this.#world.sleep(this.#random.between(5, 500))
      if (endpoint.url !== this.#answering) return this.#fail("old address", answered(404))
      if (this.#trouble !== null && now >= this.#trouble.from && now < this.#trouble.from + hour) return this.#fail("down for an hour", this.#trouble.outcome)
      this.#take(eventId, body)
      if (this.#random.chance(this.#lost)) {
        yield* this.#world.sleep(15_000)
        return this.#fail("answer lost", silent)
      }
      if (this.#random.chance(this.#late)) {
        this.#world.strike("webhook: late")
        yield* this.#world.sleep(this.#random.between(5_000, 14_000))
      }
      return answered(200)
    })
  }

  #fail(fault: string, outcome: WebhookOutcome): WebhookOutcome {
    this.#world.strike(`webhook: ${fault}`)
    return outcome
  }

  #take(eventId: string, body: string): void {
    const { data, type } = JSON.parse(body) as { readonly type: string; readonly data: { readonly fiscalDocumentId: string | null; readonly resource: { readonly id: string } } }
    this.#world.strike("webhook: taken")
    this.#world.say(`the shop takes ${type} of ${data.resource.id.slice(0, 8)}, ${eventId.slice(0, 12)}`)
    this.arrivals.push({ eventId, type, documentId: data.fiscalDocumentId, resourceId: data.resource.id })
  }

  /** Everything is sealed and numbered, and the owner sees to it that the right address is stored. */
  get settle(): Effect.Effect<void> {
    const { events } = this.#store.behind
    if (!this.isPlanned || events === null) return Effect.void
    return Effect.gen({ self: this }, function*() {
      yield* events.catchUp
      this.due = new Set((yield* events.all).map(({ id }) => id))
      if (this.#answering === addresses[1]) yield* this.#enterAddress()
      this.#quiet = { writes: -1, until: 0 }
    })
  }

  /** Whether everything that was due has arrived. */
  get hasAll(): boolean {
    const arrived = new Set(this.arrivals.map(({ eventId }) => eventId))
    return !this.isPlanned || [...this.due].every((id) => arrived.has(id))
  }
}
