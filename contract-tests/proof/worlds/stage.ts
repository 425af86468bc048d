import { DateTime, Effect } from "effect"
import { ElementCounters } from "./ElementCounters.ts"
import { FaultyStore } from "./FaultyStore.ts"
import { Random } from "./Random.ts"
import { SimulatedCases } from "./SimulatedCases.ts"
import { SimulatedCounterWatch } from "./SimulatedCounterWatch.ts"
import { SimulatedErasure } from "./SimulatedErasure.ts"
import { type Declared, type HostOptions, type PlantedBug, SimulatedHost } from "./SimulatedHost.ts"
import { SimulatedMail } from "./SimulatedMail.ts"
import { SimulatedOffers } from "./SimulatedOffers.ts"
import { SimulatedPlace } from "./SimulatedPlace.ts"
import { SimulatedRates } from "./SimulatedRates.ts"
import { SimulatedRefunds } from "./SimulatedRefunds.ts"
import { SimulatedRestore } from "./SimulatedRestore.ts"
import { SimulatedShop } from "./SimulatedShop.ts"
import { SimulatedVpfr } from "./SimulatedVpfr.ts"
import { SimulatedWebhooks } from "./SimulatedWebhooks.ts"
import type { StoreBehind } from "./StoreBehind.ts"
import { World } from "./World.ts"

/** Half of the runs begin shortly before a clock change of Europe/Belgrade, in both directions. */
const beginnings = ["2026-03-29T00:50:00Z", "2026-10-25T00:50:00Z", "2026-08-29T10:00:00Z", "2026-12-31T22:59:00Z"]

/** The pieces of one world. */
export interface Stage {
  readonly world: World
  readonly store: FaultyStore
  readonly vpfr: SimulatedVpfr
  readonly watch: SimulatedCounterWatch
  readonly hosts: ReadonlyArray<SimulatedHost>
  readonly shop: SimulatedShop
  readonly refunds: SimulatedRefunds
  readonly cases: SimulatedCases
  readonly offers: SimulatedOffers
  readonly restore: SimulatedRestore
  readonly webhooks: SimulatedWebhooks
  readonly rates: SimulatedRates
  readonly place: SimulatedPlace
  readonly mail: SimulatedMail
  readonly erasure: SimulatedErasure
}

/** The store of a world. */
export type MakeBehind = (world: World, plantedBug: PlantedBug | null) => StoreBehind | Promise<StoreBehind>

export const setStage = async (seed: number, plantedBug: PlantedBug | null, makeBehind: MakeBehind): Promise<Stage> => {
  const random = new Random(seed)
  const world = new World(random, DateTime.toEpochMillis(DateTime.makeUnsafe(random.pick(beginnings))))
  const store = new FaultyStore(world, await makeBehind(world, plantedBug))
  const counters = new ElementCounters(world, seed)
  const rates = new SimulatedRates(world.now, seed)
  if (rates.withdraws) world.meet("a label is withdrawn")
  const place = new SimulatedPlace(world, plantedBug)
  const vpfr = new SimulatedVpfr(world, counters, { place, rates, seed })
  const watch = new SimulatedCounterWatch(world, store, seed)
  vpfr.forgetsLeases = plantedBug === "forget-the-lease"
  // The two hosts' clocks may be five minutes apart.
  const error = random.between(0, 150_000)
  const declared: Declared = { restoring: false, restoredAt: null }
  const webhooks = new SimulatedWebhooks(world, store, seed)
  const hosts: Array<SimulatedHost> = []
  const erasure = new SimulatedErasure(world, store, seed)
  const mail = new SimulatedMail(world, vpfr, hosts, { plantedBug, seed, isAsked: erasure.isPlanned })
  const shared: Omit<HostOptions, "id" | "clockError"> = {
    plantedBug, place, mail, rates, declared, watchCounters: Effect.suspend(() => watch.pass), sendWebhooks: (step) => webhooks.pass(step)
  }
  hosts.push(
    new SimulatedHost(world, store, vpfr, { id: "host-a", clockError: -error, ...shared }),
    new SimulatedHost(world, store, vpfr, { id: "host-b", clockError: error, ...shared })
  )
  const shop = new SimulatedShop(world, vpfr, hosts)
  const refunds = new SimulatedRefunds(world, hosts)
  const cases = new SimulatedCases(world, hosts)
  const offers = new SimulatedOffers(world, hosts)
  const restore = new SimulatedRestore(world, store, hosts, { seed, declared, plantedBug, vpfr })
  shop.onReceipt = (order, documentId) => {
    refunds.consider(order, documentId)
    mail.consider(order, documentId)
  }
  shop.onNoReceipt = (order, documentId) => mail.considerEarly(order, documentId)
  return { world, store, vpfr, watch, hosts, shop, refunds, cases, offers, restore, webhooks, rates, place, mail, erasure }
}
