import { checkCounters, noteCounters } from "@overa/adapter-memory"
import { type CounterGap, counterGaps } from "@overa/domain"
import type { ElementCounters } from "./ElementCounters.ts"
import type { FaultyStore } from "./FaultyStore.ts"
import { elements, tenant } from "./place.ts"
import { Random } from "./Random.ts"
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

const judgeOf = (plantedBug: string | null): Judge => {
  if (plantedBug === "waited-for-and-forgotten") return forgetful
  return plantedBug === "any-doubt-hides-a-gap" ? generous : counterGaps
}

export const seriesOf = (jid: string): string => `${jid}-SIMULAO0`

/**
 * The workers' passes over the counters, each one commit that is made or not. They are counted on from where the first element's counters were before
 * this world; counting of the second begins with its first receipt.
 */
export class SimulatedCounterWatch {
  /** By series: the counter after which counting began. */
  readonly begins = new Map<string, number>()
  readonly #world: World
  readonly #store: FaultyStore
  readonly #random: Random
  readonly #judge: Judge

  constructor(world: World, store: FaultyStore, counters: ElementCounters, options: { readonly seed: number; readonly plantedBug: string | null }) {
    this.#world = world
    this.#store = store
    this.#random = new Random(options.seed ^ 0x0bad_cafe)
    this.#judge = judgeOf(options.plantedBug)
    const [{ jid }] = elements
    const accountedTo = counters.beginsAfter(jid)
    store.memory.counters.set(`${tenant.organizationId} ${tenant.environment} ${seriesOf(jid)}`, { accountedTo, spans: [] })
    this.begins.set(seriesOf(jid), accountedTo)
  }

  /** What a worker does in passing: it notes, or it checks, or it comes to neither. */
  pass(): void {
    if (this.#store.down) return
    if (this.#random.chance(0.8)) noteCounters(this.#store.memory, this.#world.now)
    if (this.#random.chance(0.8)) this.#check()
  }

  /** Both, certainly: within a minute the worker has done them many times. */
  passes(): void {
    noteCounters(this.#store.memory, this.#world.now)
    this.#check()
  }

  #check(): void {
    const { memory } = this.#store
    for (const [key, { accountedTo, spans }] of memory.counters) {
      const first = Math.min(...spans.map((span) => span.first))
      if (accountedTo === null && spans.length > 0) this.begins.set(key.slice(key.lastIndexOf(" ") + 1), first - 1)
    }
    checkCounters(memory, this.#world.now, (...judged) => {
      const verdict = this.#judge(...judged)
      for (const gap of verdict.gaps) this.#tell(gap)
      return verdict
    })
  }

  #tell({ first, last }: CounterGap): void {
    this.#world.say(`counters ${first} to ${last} are raised as missing`)
  }
}
