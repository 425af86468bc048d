import { Effect } from "effect"
import type { Random } from "../Random.ts"
import type { World } from "../World.ts"
import type { Writes } from "./Writes.ts"

/** A worker's passes are so far apart, whatever was written: drawn anew after each pass, so that they fall into all moments. */
const [leastMillis, mostMillis] = [60_000, 600_000]

/** After a pass that found nothing, the next one without a write comes after ten minutes, and then ever later. */
const soonestMillis = 600_000

/**
 * Workers look for work every few seconds, nearly always in vain. A pass that found nothing is not repeated before something else is written, or before
 * enough time has gone by: a world would take five times as long, and the skipped passes read what the one before has read.
 */
export class Quiet {
  readonly #world: World
  readonly #writes: Writes
  readonly #random: Random
  /** The writes of these passes themselves. */
  #own = 0
  #version = -1
  #since = 0
  #until = 0
  /** No pass before this moment. */
  #next = -Infinity

  constructor(world: World, writes: Writes, random: Random) {
    this.#world = world
    this.#writes = writes
    this.#random = random
  }

  /** Runs a pass outside of the world, as one piece of work that answers how much it found: if it may find something, or where it must be made. */
  run<E>(pass: Effect.Effect<number, E>, must: boolean): Effect.Effect<void, E> {
    return Effect.suspend(() => {
      if (!must && !this.#isDue()) return Effect.void
      this.#next = this.#world.now + this.#random.between(leastMillis, mostMillis)
      return this.#world.outside(Effect.suspend(() => {
        const before = this.#writes.all
        return Effect.map(pass, (found) => {
          this.#own += this.#writes.all - before
          this.#passed(found)
        })
      }))
    })
  }

  /** What others have written. */
  get #others(): number {
    return this.#writes.all - this.#own
  }

  #isDue(): boolean {
    const { now } = this.#world
    return now >= this.#next && (this.#others !== this.#version || now >= this.#until)
  }

  #passed(found: number): void {
    const { now } = this.#world
    if (found > 0 || this.#others !== this.#version) this.#since = now
    this.#version = this.#others
    // What was too young for a pass that found something is found by the next one.
    this.#until = found > 0 ? now : now + Math.max(soonestMillis, now - this.#since)
  }
}
