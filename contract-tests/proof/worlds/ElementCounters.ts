import { Random } from "./Random.ts"
import { type SimulatedElement, elements } from "./place.ts"
import type { World } from "./World.ts"

/** Who used a counter of an element: a document that this service sent, another system with the same element, or nobody. */
export type CounterUse = "ours" | "elsewhere" | "left out"

const minute = 60_000

/**
 * The counters of the elements at the V-PFR. It has a seed of its own, so that a world stays the world it was without it: other systems sign with the
 * elements too, and now and then the V-PFR leaves a number out.
 */
export class ElementCounters {
  /** By JID: the counter that the element's life here begins after. */
  readonly #begins = new Map<string, number>()
  readonly #uses = new Map<string, Array<CounterUse>>()
  /** By JID: when another system signs, earliest first. */
  readonly #elsewhere = new Map<string, Array<number>>()
  readonly #leavesOut: number
  readonly #random: Random
  readonly #world: World

  constructor(world: World, seed: number) {
    this.#world = world
    this.#random = new Random(seed ^ 0x5eed_c0de)
    this.#leavesOut = this.#random.chance(0.3) ? this.#random.next() * 0.3 : 0
    for (const { jid } of elements) {
      this.#begins.set(jid, this.#random.between(0, 5_000))
      this.#uses.set(jid, [])
      const times = this.#random.chance(0.4) ? this.#random.between(1, 4) : 0
      this.#elsewhere.set(jid, Array.from({ length: times }, () => world.now + this.#random.pick([10, 150]) * this.#random.next() * minute).toSorted((one, other) => one - other))
    }
  }

  #of<A>(map: ReadonlyMap<string, A>, jid: string): A {
    const value = map.get(jid)
    if (value === undefined) throw new Error(`${jid} is no element of this world`)
    return value
  }

  /** The counter of the last receipt before this world. */
  beginsAfter(jid: string): number {
    return this.#of(this.#begins, jid)
  }

  #use(jid: string, use: CounterUse): number {
    const uses = this.#of(this.#uses, jid)
    uses.push(use)
    const counter = this.beginsAfter(jid) + uses.length
    if (use === "ours") return counter
    this.#world.strike(use === "elsewhere" ? "receiptElsewhere" : "numberLeftOut")
    this.#world.say(use === "elsewhere" ? `another system signs ${jid} ${counter}` : `the V-PFR leaves ${jid} ${counter} out`)
    return counter
  }

  /** The counter of a receipt that is signed now. */
  next({ jid }: Pick<SimulatedElement, "jid">): number {
    const elsewhere = this.#of(this.#elsewhere, jid)
    while ((elsewhere[0] ?? Infinity) <= this.#world.now) {
      elsewhere.shift()
      this.#use(jid, "elsewhere")
    }
    if (this.#random.chance(this.#leavesOut)) this.#use(jid, "left out")
    return this.#use(jid, "ours")
  }

  /** What was used of an element, by counter. */
  usesOf(jid: string): ReadonlyMap<number, CounterUse> {
    return new Map(this.#of(this.#uses, jid).map((use, index) => [this.beginsAfter(jid) + index + 1, use]))
  }
}
