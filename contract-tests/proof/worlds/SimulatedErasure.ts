import { Effect } from "effect"
import type { FaultyStore } from "./FaultyStore.ts"
import { Random } from "./Random.ts"
import { mailboxes } from "./SimulatedMail.ts"
import type { Order } from "./SimulatedShop.ts"
import type { ErasureBehind } from "./StoreBehind.ts"
import type { World } from "./World.ts"

const minute = 60_000

/** What is kept in worlds of three months. */
export const termDays = 30

/** What is erased, in words, and the act. */
type Erasing = readonly [what: string, act: (desk: ErasureBehind) => ReturnType<ErasureBehind["recipients"]>]

/**
 * An operator who erases buyers' addresses, the telephone numbers and cashiers' names of requests, and what the company register says of a buyer: in some worlds,
 * while documents are sent, searched for and repeated, where the store has such acts. Drawn apart.
 */
export class SimulatedErasure {
  /** Whether this world's requests have personal data, some of which is erased. */
  readonly isPlanned: boolean
  readonly #world: World
  readonly #store: FaultyStore
  readonly #random: Random

  constructor(world: World, store: FaultyStore, seed: number) {
    this.#world = world
    this.#store = store
    this.#random = new Random(seed ^ 0x0e7a_5e00)
    this.isPlanned = store.behind.erasure !== null && this.#random.chance(0.35)
  }

  /** Acts at once, and while everything may still crash. */
  plan(orders: ReadonlyArray<Order>): void {
    if (!this.isPlanned) return
    const random = this.#random
    for (let acts = random.between(1, 5); acts > 0; acts--) {
      const erasing = random.pick<Erasing>([
        ["an address", (desk) => desk.recipients(mailboxes[0], 0)],
        ["all addresses", (desk) => desk.recipients(null, 0)],
        ["the data of a request", (desk) => desk.requests(orders[0]?.key ?? null, 0)],
        ["the data of all requests", (desk) => desk.requests(null, 0)],
        ["what the register says", (desk) => desk.buyers(0)]
      ])
      const millis = random.pick([random.between(minute, 15 * minute), random.between(15 * minute, 100 * minute)])
      this.#world.fork(Effect.andThen(this.#world.sleep(millis), this.#act("erasure", erasing)), this.#world.clock(0))
    }
  }

  /** The term is over for whatever is older. */
  get endOfTerm(): Effect.Effect<void> {
    const all: ReadonlyArray<Erasing> = [
      ["old addresses", (desk) => desk.recipients(null, termDays)],
      ["the data of old requests", (desk) => desk.requests(null, termDays)],
      ["what the register has long said", (desk) => desk.buyers(termDays)]
    ]
    return this.isPlanned ? Effect.forEach(all, (erasing) => this.#act("erasure at the end of a term", erasing), { discard: true }) : Effect.void
  }

  #act(met: string, [what, erasing]: Erasing): Effect.Effect<void> {
    const desk = this.#store.behind.erasure
    if (desk === null) return Effect.void
    return this.#store.aside(erasing(desk)).pipe(
      Effect.map((erased) => {
        this.#world.strike("erasure")
        this.#world.say(`an operator erases ${what}: from ${erased}`)
        if (erased > 0) this.#world.meet(`${met}: ${what}`)
      }),
      Effect.ignore
    )
  }
}
