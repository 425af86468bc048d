import { BigDecimal, Effect } from "effect"
import { fairStore } from "./FaultyStore.ts"
import type { Violation } from "./FinishedRun.ts"
import { Random } from "./Random.ts"
import { elements } from "./place.ts"
import { fairHost } from "./SimulatedHost.ts"
import { operatorLooks } from "./SimulatedOperator.ts"
import type { Order } from "./SimulatedShop.ts"
import type { Stage } from "./stage.ts"
import { fairWeather, type Weather } from "./Weather.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Continued extends Pick<Stage, "erasure" | "hosts" | "mail" | "place" | "refunds" | "shop" | "store" | "vpfr" | "world"> {
  /** The orders of the world's first minutes. */
  readonly orders: ReadonlyArray<Order>
  /** What is wrong when all has come to rest. */
  readonly look: () => Promise<ReadonlyArray<Violation>>
}

/** The days on which something happens again: always the eighth, when the search for the first attempts has ended, and others up to three months. */
const daysOf = (random: Random): ReadonlyArray<number> => [8, random.between(9, 30), random.between(31, 60), random.between(61, 92)]

/** With personal data where the world's other orders have some. */
const newOrder = ([one]: ReadonlyArray<Order>, key: string): Order => ({ key, amount: 100, isPersonal: one?.isPersonal === true })

/** Half an hour in which answers are lost and hosts crash while old keys are repeated and new receipts asked for; then hours in which all comes to rest. */
const unrest = async ({ hosts, look, mail, orders, shop, store, vpfr, world }: Continued, random: Random, name: string): Promise<ReadonlyArray<Violation>> => {
  const start = world.now
  const at = (millis: number, effect: Effect.Effect<void>) => world.fork(Effect.andThen(world.sleep(millis), effect), world.clock(0))
  mail.isFair = false
  vpfr.weather = { ...fairWeather, answerLost: 0.4, requestLost: 0.3, searchFails: 0.7 } satisfies Weather
  store.weather = { ...fairStore, failsAfter: 0.05 }
  for (const host of hosts) host.idleMillis = 4 * minute
  for (const order of [...orders, newOrder(orders, `${name}-${random.uuid().slice(0, 8)}`)]) at(random.between(0, 5 * minute), Effect.sync(() => shop.send(order, 3)))
  // Both are started anew, so that their workers look for work from now on.
  for (const host of hosts) {
    at(random.between(0, 5 * minute), Effect.sync(() => host.kill()))
    at(6 * minute, Effect.sync(() => host.boot()))
  }
  for (let looks = 4; looks > 0; looks--) at(random.between(20 * minute, 90 * minute), Effect.suspend(() => operatorLooks(world, random.pick(hosts), store, vpfr)))
  await world.runUntil(start + 30 * minute)
  vpfr.weather = fairWeather
  store.weather = fairStore
  mail.isFair = true
  await world.runUntil(start + 3 * hour)
  for (const host of hosts) {
    host.weather = fairHost
    host.idleMillis = 12 * hour
  }
  return (await look()).map((violation) => `${name}: ${violation}`)
}

/** What ends on the way, by the unrest in which it does: none of it in some worlds. */
interface Ends {
  readonly licence: number | null
  readonly certificate: number | null
}

const endsOf = (random: Random): Ends => {
  const [licence, certificate] = random.pick([[1, 2], [2, 3], [3, 1], [2, 1]] as const)
  return { licence: random.chance(0.6) ? licence : null, certificate: random.chance(0.6) ? certificate : null }
}

/**
 * The licence ends, or the active element's certificate, within the first minutes; within the next hours a person grants another licence, or activates another element.
 * Meanwhile shops ask for receipts and give money back.
 */
const endOf = (why: "licence ended" | "certificate ended", { orders, place, refunds, shop, store, world }: Continued, random: Random): void => {
  if (why === "certificate ended" && place.element !== elements[0]) return
  const at = (millis: number, act: () => void) => world.fork(Effect.andThen(world.sleep(millis), Effect.sync(act)), world.clock(0))
  const again = random.between(45 * minute, 2 * hour)
  at(random.between(0, 8 * minute), () => place.shut(why))
  at(again, () => {
    if (why === "certificate ended") place.element = elements[1]
    place.reopen(why)
  })
  for (let asked = 3; asked > 0; asked--) {
    const order = newOrder(orders, `order-while-${why.split(" ")[0]}-${asked}`)
    at(random.between(15 * minute, again), () => shop.send(order, 3))
    at(again + 10 * minute, () => shop.send(order, 3))
  }
  at(random.between(15 * minute, again), () => {
    for (const order of orders) {
      const sold = [...store.memory.byId.values()].find(({ operation }) => operation.content.clientReference === order.key && operation.status === "FISCALIZED")
      // Another body under the order's key may have been the one that was signed.
      const [line] = sold?.operation.content.items ?? []
      if (sold !== undefined && line !== undefined) refunds.giveBackLater({ ...order, amount: BigDecimal.toNumberUnsafe(line.unitPrice) }, sold.operation.id)
    }
  })
}

/** Orders that the V-PFR did not take at first: their shops come back with them days and months later, under the same keys. */
const putOffOrders = async ({ orders, shop, vpfr, world }: Continued): Promise<ReadonlyArray<Order>> => {
  const putOff = [1, 2, 3].map((number) => newOrder(orders, `order-put-off-${number}`))
  vpfr.weather = { ...fairWeather, unavailable: 3 } satisfies Weather
  for (const order of putOff) shop.send(order, 0)
  await world.runUntil(world.now + 10 * minute)
  vpfr.weather = fairWeather
  return putOff
}

const hasGivenUpSearch = ({ store }: Continued): boolean =>
  [...store.memory.byId.values()].some(({ nextCheckAt, operation: { status } }) => status === "OUTCOME_UNKNOWN" && nextCheckAt === null)

/** Three months after the world's first hours; workers look for work twice a day while nothing happens. Answers what was wrong on the way. */
export const laterMonths = async (before: Continued, seed: number): Promise<ReadonlyArray<Violation>> => {
  const random = new Random(seed ^ 0x0add_da75)
  const stage = { ...before, orders: [...before.orders, ...await putOffOrders(before)] }
  const start = stage.world.now
  const wrong: Array<Violation> = []
  const [ending, days] = [new Random(seed ^ 0x00e2_d500), daysOf(random)]
  const ends = endsOf(ending)
  for (const [index, on] of days.entries()) {
    // Also shortly before midnight, where days, months and clocks change.
    await stage.world.runUntil(start + on * day + random.between(0, 23) * hour)
    if (ends.licence === index) endOf("licence ended", stage, ending)
    if (ends.certificate === index) endOf("certificate ended", stage, ending)
    if (on > 7 && hasGivenUpSearch(stage)) stage.world.meet("an outcome that is unknown after seven days")
    wrong.push(...await unrest(stage, random, `day-${on}`))
    stage.world.fork(stage.erasure.endOfTerm, stage.world.clock(0))
  }
  await stage.world.runUntil(start + 93 * day)
  return wrong
}
