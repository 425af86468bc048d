import { shown } from "@overa/adapter-memory"
import { Effect, Fiber } from "effect"
import { calendarOf } from "./calendar.ts"
import { gapsOf } from "./checkCounters.ts"
import { excusedCases } from "./checkCases.ts"
import { checkErasure } from "./checkErasure.ts"
import { checkEvents } from "./checkEvents.ts"
import { checkMail } from "./checkMail.ts"
import { excusedRefunds } from "./checkRefunds.ts"
import { checkRun, checkSearched } from "./checkRun.ts"
import { excusedIn, type FinishedRun, type Violation } from "./FinishedRun.ts"
import { fairStore, type FaultyStore, longestStretch } from "./FaultyStore.ts"
import { laterMonths } from "./laterMonths.ts"
import { memoryBehind } from "./MemoryBehind.ts"
import { elements } from "./place.ts"
import { Random } from "./Random.ts"
import { seriesOf } from "./signedText.ts"
import { judgeOf } from "./SimulatedCounterWatch.ts"
import { fairHost, type PlantedBug } from "./SimulatedHost.ts"
import { operatorLooks } from "./SimulatedOperator.ts"
import type { Order } from "./SimulatedShop.ts"
import { type MakeBehind, setStage, type Stage } from "./stage.ts"
import { fairWeather } from "./Weather.ts"
import type { World } from "./World.ts"

export interface RunReport {
  readonly seed: number
  readonly violations: ReadonlyArray<Violation>
  readonly log: ReadonlyArray<string>
  readonly receipts: number
  readonly operations: number
  /** Gaps in elements' counters on the attention list. */
  readonly gaps: number
  readonly statuses: Readonly<Record<string, number>>
  /** Receipts at the V-PFR by invoice and transaction type. */
  readonly kinds: Readonly<Record<string, number>>
  /** What is excused, by what was lost: receipts of a key beyond its first one, and the sums of advance cases. A person is told of each. */
  readonly excused: Readonly<Record<string, number>>
  /** How often each failure occurred. */
  readonly faults: Readonly<Record<string, number>>
  /** What this world has met. */
  readonly met: ReadonlyArray<string>
  readonly simulatedMillis: number
}

const [minute, hour] = [60_000, 3_600_000]

/** Failures: each kind in some runs, frequent enough to occur together. */
const stormOf = (random: Random) => {
  const sometimes = (probability: number, strength: number) => (random.chance(probability) ? random.next() * strength : 0)
  return {
    vpfr: {
      unavailable: sometimes(0.4, 0.3),
      elementRefused: sometimes(0.2, 0.2),
      rejected: sometimes(0.3, 0.2),
      requestLost: sometimes(0.4, 0.5),
      requestLate: sometimes(0.4, 0.5),
      answerLost: sometimes(0.5, 0.6),
      answerLate: sometimes(0.3, 0.4),
      answerForeign: sometimes(0.3, 0.3),
      answerMangled: sometimes(0.3, 0.3),
      numberTwice: sometimes(0.3, 0.3),
      answersSwapped: sometimes(0.3, 1),
      searchFails: sometimes(0.5, 0.9)
    },
    store: { failsBefore: sometimes(0.4, 0.1), failsAfter: sometimes(0.4, 0.1), appliesLate: sometimes(0.3, 0.1) },
    host: { dies: sometimes(0.5, 0.03), pauses: sometimes(0.5, 0.03) }
  }
}

const inMemory: MakeBehind = (world, plantedBug) => memoryBehind(world, judgeOf(plantedBug))

const happens = (world: World, millis: number, effect: Effect.Effect<void>): void => {
  world.fork(Effect.andThen(world.sleep(millis), effect), world.clock(0))
}

const at = (world: World, millis: number, action: () => void): void => happens(world, millis, Effect.sync(action))

/** Orders, most of them sent more than once at once, some with another body under the same key. */
const planOrders = ({ erasure, world, shop, vpfr }: Stage): ReadonlyArray<Order> => {
  const all: Array<Order> = []
  const { random } = world
  const orders = random.between(1, 6)
  for (let index = 0; index < orders; index++) {
    const order = { key: `order-${index}-${random.uuid().slice(0, 8)}`, amount: random.pick([100, 100, 250]), isPersonal: erasure.isPlanned }
    all.push(order)
    const from = random.between(0, 5 * minute)
    for (let copy = random.between(1, 3); copy > 0; copy--) {
      at(world, from + random.pick([0, 1, 20, 500, 30_000]), () => shop.send(order, 6))
    }
    if (random.chance(0.2)) at(world, from + random.between(0, minute), () => shop.send(order, 1, true))
    // A caller that repeats its key much later.
    if (random.chance(0.4)) at(world, from + random.between(20 * minute, 90 * minute), () => shop.send(order, 3))
    // By then an operator has decided that the first attempt was not signed, where the network still keeps it.
    if (vpfr.keepsRequests) at(world, from + 95 * minute, () => shop.send(order, 3))
  }
  return all
}

/** A failover loses the last commit, or a stretch of them; often the store cannot be reached for a moment or, at worst, for longer than a lease. */
const planFailover = (world: World, store: FaultyStore, when: number, most: number): void => {
  const { random } = world
  const away = random.pick([0, random.between(20, 2_000), random.between(1_000, 90_000)])
  const goes = Effect.sync(() => {
    store.down = away > 0
  })
  happens(world, when, Effect.andThen(store.failover(most), goes))
  if (away > 0) {
    at(world, when + away, () => {
      store.down = false
    })
  }
}

/** Outages, failovers, crashes at any moment, starts, a replaced element, and an operator who acts in between. */
const planEvents = ({ world, store, vpfr, hosts, place, restore }: Stage, stretch: () => number): Effect.Effect<void> => {
  const { random } = world
  const soon = () => random.between(0, 8 * minute)
  for (let outages = random.between(0, 2); outages > 0; outages--) {
    const from = soon()
    at(world, from, () => {
      store.down = true
    })
    at(world, from + random.between(1_000, 2 * minute), () => {
      store.down = false
    })
  }
  const failovers = random.chance(0.4) ? random.between(1, 4) : 0
  const spared = restore.isPlanned ? failovers : 0
  for (let ahead = failovers; ahead > spared; ahead--) planFailover(world, store, soon(), stretch())
  for (let deaths = random.between(0, 3); deaths > 0; deaths--) at(world, soon(), () => random.pick(hosts).kill())
  for (let boots = 0; boots < 60; boots++) {
    const host = random.pick(hosts)
    at(world, random.between(0, 3 * hour), () => host.boot())
  }
  if (random.chance(0.3)) {
    at(world, soon(), () => {
      place.element = elements[1]
      world.meet("an element is replaced")
    })
  }
  for (let looks = 0; looks < 12; looks++) happens(world, random.between(10 * minute, 80 * minute), Effect.suspend(() => operatorLooks(world, random.pick(hosts), store, vpfr)))
  restore.plan()
  return restore.isPlanned ? store.behind.mayGoBack(true) : store.expectFailovers(failovers)
}

/** How many commits each failover loses: half of them one, the others up to sixteen. Drawn apart, so that nothing else in the world depends on it. */
const stretchesOf = (seed: number) => {
  const random = new Random(seed ^ 0x0fa1_10e5)
  return (): number => (random.chance(0.5) ? 1 : random.between(2, longestStretch))
}

/** In some worlds an operator releases the taxpayer, and makes it active again an hour or two later; shops go on asking. Drawn apart. */
const planRelease = ({ place, shop, world }: Stage, seed: number): void => {
  const random = new Random(seed ^ 0x0e1e_a5e0)
  if (!random.chance(0.15)) return
  const [from, lasts] = [random.between(minute, 40 * minute), random.between(20 * minute, 2 * hour)]
  at(world, from, () => place.shut("released"))
  at(world, from + lasts, () => place.reopen("released"))
  for (let asked = random.between(1, 3); asked > 0; asked--) at(world, from + random.between(0, lasts), () => shop.send({ key: `order-of-released-${asked}`, amount: 100 }, 6))
}

const calm = (stage: Stage): void => {
  stage.mail.isFair = true
  stage.vpfr.weather = fairWeather
  stage.store.weather = fairStore
  stage.store.down = false
  for (const host of stage.hosts) {
    host.weather = fairHost
    host.boot()
  }
}

/** Runs an effect in a world in which time does not go on. */
const inWorld = async <A>(world: World, effect: Effect.Effect<A>): Promise<A> => {
  const fiber = world.fork(effect, world.clock(0))
  await world.runUntil(world.now)
  return await Effect.runPromise(Fiber.join(fiber))
}

/** When all has come to rest, every event arrives: within two hours, or three days where it waits behind one of its document whose answers were lost. */
const lastEvents = async ({ webhooks, world }: Stage): Promise<void> => {
  await inWorld(world, webhooks.settle)
  for (let looks = 0; looks < 24 + 72 && !webhooks.hasAll; looks++) {
    await inWorld(world, webhooks.pass((_name, effect) => effect))
    await world.runUntil(world.now + (looks < 24 ? 6 * minute : hour))
  }
}

/** When all has come to rest: the next receipt of each element, and the worker's passes of the minute after it. */
const nextReceipts = async ({ place, shop, watch, world }: Stage): Promise<ReadonlyArray<string>> => {
  const keys: Array<string> = []
  for (const element of elements.filter(({ jid }) => place.isValid(jid))) {
    place.element = element
    const key = `next-of-${element.jid}`
    keys.push(key)
    shop.send({ key, amount: 100 }, 6)
    await world.runUntil(world.now + 5 * minute)
  }
  // Twice: the first one may come before the last receipt is old enough.
  await inWorld(world, watch.passes)
  await world.runUntil(world.now + 4 * minute)
  await inWorld(world, watch.passes)
  return keys
}

/**
 * One world from one seed: ten minutes with many failures, two hours in which everything may still crash, and a period without failures in which the
 * service must resolve everything; with `months`, three months more. Answers the broken guarantees.
 */
export const runSeed = async (
  seed: number,
  plantedBug: PlantedBug | null = null,
  makeBehind: MakeBehind = inMemory,
  stretch: () => number = stretchesOf(seed),
  months = false
): Promise<RunReport> => {
  const stage = await setStage(seed, plantedBug, makeBehind)
  const { world, store, vpfr, hosts } = stage
  await inWorld(world, Effect.andThen(stage.watch.begin(vpfr.counters), Effect.andThen(stage.mail.begin(store), stage.webhooks.begin)))
  const storm = stormOf(world.random)
  vpfr.weather = storm.vpfr
  store.weather = storm.store
  for (const host of hosts) {
    host.weather = storm.host
    host.boot()
  }
  const start = world.now
  const orders = planOrders(stage)
  await inWorld(world, planEvents(stage, stretch))
  stage.cases.plan()
  stage.offers.plan()
  stage.erasure.plan(orders)
  planRelease(stage, seed)
  await world.runUntil(start + 15 * minute)
  calm(stage)
  await world.runUntil(start + 6 * hour)
  const look = async () => {
    await inWorld(world, store.behind.look)
    return checkSearched({ now: world.now, store })
  }
  const onTheWay = months ? await laterMonths({ ...stage, orders, look }, seed) : []
  const lastOrders = await nextReceipts(stage)
  // Workers of later months look for messages twice a day.
  if (months && stage.mail.isPlanned) await world.runUntil(world.now + 13 * hour)
  await lastEvents(stage)
  await inWorld(world, store.behind.lookAtAll)
  // From here on nothing runs: the checks compare what callers would be told.
  for (const stored of store.memory.byId.values()) stored.operation = shown(stored)
  const statuses: Record<string, number> = {}
  for (const { operation } of store.memory.byId.values()) statuses[operation.status] = (statuses[operation.status] ?? 0) + 1
  const alive = new Set(hosts.flatMap(({ bootId }) => bootId ?? []))
  const run: FinishedRun = { ...stage, now: world.now, alive, lastOrders }
  const violations = [...onTheWay, ...world.defects, ...checkRun(run), ...await inWorld(world, store.behind.faults), ...await inWorld(world, checkEvents(run)), ...await inWorld(world, checkMail(run)), ...await inWorld(world, checkErasure(run))]
  for (const what of calendarOf(start, world.now)) world.meet(what)
  const faults = { ...world.faults }
  for (const host of hosts) host.kill()
  const kinds: Record<string, number> = {}
  for (const { content: { invoiceType, transactionType } } of vpfr.receipts) {
    const kind = `${invoiceType} ${transactionType}`
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  const gaps = elements.reduce((sum, { jid }) => sum + gapsOf(store, seriesOf(jid)).length, 0)
  const counted = { receipts: vpfr.receipts.length, operations: store.memory.byId.size, gaps, excused: { ...excusedIn(run), ...excusedCases(run), ...excusedRefunds(run) }, statuses, kinds, faults, met: [...world.met] }
  return { seed, violations, log: world.log, ...counted, simulatedMillis: world.now - start }
}
