import { Effect } from "effect"
import { fairStore, type FaultyStore } from "./FaultyStore.ts"
import type { Violation } from "./FinishedRun.ts"
import { Random } from "./Random.ts"
import { fairHost, type SimulatedHost } from "./SimulatedHost.ts"
import { operatorLooks } from "./SimulatedOperator.ts"
import type { Order, SimulatedShop } from "./SimulatedShop.ts"
import type { SimulatedVpfr } from "./SimulatedVpfr.ts"
import { fairWeather, type Weather } from "./Weather.ts"
import type { World } from "./World.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Continued {
  readonly world: World
  readonly store: FaultyStore
  readonly vpfr: SimulatedVpfr
  readonly hosts: ReadonlyArray<SimulatedHost>
  readonly shop: SimulatedShop
  /** The orders of the world's first minutes. */
  readonly orders: ReadonlyArray<Order>
  /** What is wrong when all has come to rest. */
  readonly look: () => Promise<ReadonlyArray<Violation>>
}

/** The days on which something happens again: always the eighth, when the search for the first attempts has ended, and others up to three months. */
const daysOf = (random: Random): ReadonlyArray<number> => [8, random.between(9, 30), random.between(31, 60), random.between(61, 92)]

/** Half an hour in which answers are lost and hosts crash while old keys are repeated and new receipts asked for; then hours in which all comes to rest. */
const unrest = async ({ hosts, look, orders, shop, store, vpfr, world }: Continued, random: Random, name: string): Promise<ReadonlyArray<Violation>> => {
  const start = world.now
  const at = (millis: number, effect: Effect.Effect<void>) => world.fork(Effect.andThen(world.sleep(millis), effect), world.clock(0))
  vpfr.weather = { ...fairWeather, answerLost: 0.4, requestLost: 0.3, searchFails: 0.7 } satisfies Weather
  store.weather = { ...fairStore, failsAfter: 0.05 }
  for (const host of hosts) host.idleMillis = 4 * minute
  for (const order of [...orders, { key: `${name}-${random.uuid().slice(0, 8)}`, amount: 100 }]) at(random.between(0, 5 * minute), Effect.sync(() => shop.send(order, 3)))
  // Both are started anew, so that their workers look for work from now on.
  for (const host of hosts) {
    at(random.between(0, 5 * minute), Effect.sync(() => host.kill()))
    at(6 * minute, Effect.sync(() => host.boot()))
  }
  for (let looks = 4; looks > 0; looks--) at(random.between(20 * minute, 90 * minute), Effect.suspend(() => operatorLooks(world, random.pick(hosts), store, vpfr)))
  await world.runUntil(start + 30 * minute)
  vpfr.weather = fairWeather
  store.weather = fairStore
  await world.runUntil(start + 3 * hour)
  for (const host of hosts) {
    host.weather = fairHost
    host.idleMillis = 12 * hour
  }
  return (await look()).map((violation) => `${name}: ${violation}`)
}

/** Three months after the world's first hours; workers look for work twice a day while nothing happens. Answers what was wrong on the way. */
export const laterMonths = async (stage: Continued, seed: number): Promise<ReadonlyArray<Violation>> => {
  const random = new Random(seed ^ 0x0add_da75)
  const start = stage.world.now
  const wrong: Array<Violation> = []
  for (const on of daysOf(random)) {
    // Also shortly before midnight, where days, months and clocks change.
    await stage.world.runUntil(start + on * day + random.between(0, 23) * hour)
    wrong.push(...await unrest(stage, random, `day-${on}`))
  }
  await stage.world.runUntil(start + 93 * day)
  return wrong
}
