import { type CounterGap, counterGaps } from "@overa/domain"
import { Effect } from "effect"
import type { ElementCounters } from "./ElementCounters.ts"
import type { FaultyStore } from "./FaultyStore.ts"
import { elements } from "./place.ts"
import { Random } from "./Random.ts"
import { seriesOf } from "./signedText.ts"
import type { World } from "./World.ts"

/** Bugs of the watch over the counters that the checks must find. */
export type PlantedInCounters = "waited-for-and-forgotten" | "any-doubt-hides-a-gap"

type Judge = typeof counterGaps

/** What was noted behind a gap that is waited for counts as accounted for, and the gap with it. */
const forgetful: Judge = (accountedTo, spans, doubts) => {
  const verdict = counterGaps(accountedTo, spans, doubts)
  return { ...verdict, accountedTo: Math.max(verdict.accountedTo, ...spans.map(({ last }) => last)) }
}

/** One document in doubt is taken for any number of missing receipts. */
const generous: Judge = (accountedTo, spans, doubts) => counterGaps(accountedTo, spans, doubts.flatMap((since) => Array.from({ length: 1_000 }, () => since)))

/** The rule of the gaps with one planted bug, or unchanged. */
export const judgeOf = (plantedBug: string | null): Judge => {
  if (plantedBug === "waited-for-and-forgotten") return forgetful
  return plantedBug === "any-doubt-hides-a-gap" ? generous : counterGaps
}

/**
 * The workers' passes over the counters, each one commit that is made or not. They are counted on from where the first element's counters were before
 * this world; counting of the second begins with its first receipt.
 */
export class SimulatedCounterWatch {
  /** By series: the counter after which counting began. */
  readonly begins = new Map<string, number>()
  /** Passes that waited for more receipts than documents were in doubt, in words. */
  readonly faults: Array<string> = []
  readonly #world: World
  readonly #store: FaultyStore
  readonly #random: Random

  constructor(world: World, store: FaultyStore, seed: number) {
    this.#world = world
    this.#store = store
    this.#random = new Random(seed ^ 0x0bad_cafe)
  }

  /** Counting goes on from where the first element's counters were before this world. */
  begin(counters: ElementCounters): Effect.Effect<void> {
    const [{ jid }] = elements
    const accountedTo = counters.beginsAfter(jid)
    this.begins.set(seriesOf(jid), accountedTo)
    return this.#store.behind.countFrom(seriesOf(jid), accountedTo)
  }

  /** What a worker does in passing: it notes, or it checks, or it comes to neither. */
  get pass(): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#store.down) return Effect.void
      const [notes, checks] = [this.#random.chance(0.8), this.#random.chance(0.8)]
      return Effect.andThen(notes ? this.#note(false) : Effect.void, checks ? this.#check(false) : Effect.void)
    })
  }

  /** Both, certainly: within a minute the worker has done them many times. */
  get passes(): Effect.Effect<void> {
    return Effect.andThen(this.#note(true), this.#check(true))
  }

  #note(must: boolean): Effect.Effect<void> {
    return Effect.orDie(this.#store.behind.noteCounters(must))
  }

  #check(must: boolean): Effect.Effect<void> {
    return Effect.orDie(this.#store.behind.checkCounters({
      begins: (series, after) => {
        this.begins.set(series, after)
      },
      raised: ({ first, last }: CounterGap) => this.#world.say(`counters ${first} to ${last} are raised as missing`),
      waits: (missing, doubts) => {
        if (missing > doubts) this.faults.push(`${missing} counters were missing, ${doubts} documents in doubt, and nobody was told`)
      }
    }, must))
  }
}
