import { layerProductStore } from "@overa/adapter-memory"
import {
  type BuyerDetails,
  CompanyRegister,
  ElementContacts,
  Identifiers,
  InFlight,
  Installation,
  LicenseRegister,
  reconcileDue,
  sendDueDeliveries,
  sweepOrphans,
  TaxRates,
  TenancyDirectory,
  UnresolvedOperations
} from "@overa/domain"
import { Cause, DateTime, Effect, Exit, Fiber, Layer, Option } from "effect"
import type { FaultyStore } from "./FaultyStore.ts"
import type { PlantedInCases } from "./plantedInCases.ts"
import type { PlantedInClaims } from "./plantedInClaims.ts"
import type { PlantedInTakeBack } from "./plantedInTakeBack.ts"
import type { PlantedInStatements } from "./postgres/worldsOn.ts"
import type { PlantedInCounters } from "./SimulatedCounterWatch.ts"
import type { PlantedAtPlace } from "./checkPlace.ts"
import type { PlantedInMail } from "./plantedInMail.ts"
import { mailPorts } from "./faultyMail.ts"
import type { SimulatedMail } from "./SimulatedMail.ts"
import { secrets } from "./SimulatedShop.ts"
import type { SimulatedPlace } from "./SimulatedPlace.ts"
import type { SimulatedRates } from "./SimulatedRates.ts"
import type { SimulatedVpfr } from "./SimulatedVpfr.ts"
import type { World } from "./World.ts"

/** How likely a host crashes or is suspended at each step. */
export interface HostWeather {
  readonly dies: number
  readonly pauses: number
}

export const fairHost: HostWeather = { dies: 0, pauses: 0 }

export interface HostOptions {
  readonly id: string
  readonly clockError: number
  readonly plantedBug: PlantedBug | null
  readonly place: SimulatedPlace
  readonly mail: SimulatedMail
  readonly rates: SimulatedRates
  /** What the operator has declared. */
  readonly declared: Declared
  /** A worker's pass over the counters. */
  readonly watchCounters: Effect.Effect<void>
  /** A worker's pass over the webhooks; `step` is where this host may crash. */
  readonly sendWebhooks: (step: <A, E>(name: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>) => Effect.Effect<void>
}

/** The settings of an installation that a restore changes. */
export interface Declared {
  restoring: boolean
  restoredAt: DateTime.Utc | null
}

export type PlantedBug = "submit-before-commit" | "retry-after-timeout" | "forget-the-lease" | "todays-rates-alone" | "withdrawn-label-kept" | PlantedInCases | PlantedInClaims | PlantedInCounters | PlantedInStatements | PlantedInTakeBack | PlantedAtPlace | PlantedInMail

/** One process of the service: API and worker. Killing it freezes every fiber; booting makes a new process. */
export class SimulatedHost {
  weather: HostWeather = fairHost
  /** Between a worker's passes while nothing fails. */
  idleMillis = 120_000
  /** Workers that ended by a defect. */
  readonly workerFaults: Array<string> = []
  /** When it stood still: true time. */
  readonly pauses: Array<{ readonly from: number; readonly until: number }> = []
  readonly id: string
  readonly #world: World
  readonly #store: FaultyStore
  readonly #vpfr: SimulatedVpfr
  readonly #options: HostOptions
  #boot = 0
  #provide: (<A, E>(effect: Effect.Effect<A, E, HostServices>) => Effect.Effect<A, E>) | null = null

  constructor(world: World, store: FaultyStore, vpfr: SimulatedVpfr, options: HostOptions) {
    this.#world = world
    this.#store = store
    this.#vpfr = vpfr
    this.#options = options
    this.id = options.id
  }

  /** Whether a restore is declared, or was ended. */
  get isAfterRestore(): boolean {
    return this.#options.declared.restoring || this.#options.declared.restoredAt !== null
  }

  get isUp(): boolean {
    return this.#provide !== null
  }

  /** The process that runs now; null while none does. */
  get bootId(): string | null {
    return this.#provide === null ? null : `${this.id}-${this.#boot}`
  }

  kill(): void {
    if (this.#provide === null) return
    this.#world.strike("hostDies")
    this.#world.say(`${this.id} dies`)
    this.#provide = null
    this.#boot += 1
  }

  /** A port call of one process: a killed process never receives the answer, and may be killed or suspended before or after it. */
  #stepOf(boot: number) {
    const alive = () => this.#provide !== null && this.#boot === boot
    return <A, E>(name: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.suspend(() => {
        if (!alive()) return Effect.never
        const { random } = this.#world
        if (random.chance(this.weather.dies)) {
          this.#world.say(`${this.id} is about to ${name}`)
          this.kill()
          return Effect.never
        }
        // A suspension is most dangerous between the first commit and the first byte.
        const pauses = this.weather.pauses * (name === "submit" ? 8 : 1)
        const pause = random.chance(pauses) ? random.pick([random.between(1_000, 60_000), random.between(60_000, 60 * 60_000)]) : 0
        if (pause > 0) this.pauses.push({ from: this.#world.now, until: this.#world.now + pause })
        if (pause > 0) this.#world.strike("hostStandsStill")
        if (pause > 0) this.#world.say(`${this.id} stands still for ${Math.round(pause / 1000)} s before ${name}`)
        const stepped = pause > 0 ? Effect.andThen(this.#world.sleep(pause), Effect.suspend(() => alive() ? effect : Effect.never)) : effect
        return Effect.onExit(stepped, () => alive() ? Effect.void : Effect.never)
      })
  }

  boot(): void {
    if (this.#provide !== null) return
    const boot = this.#boot
    const step = this.#stepOf(boot)
    const bootId = `${this.id}-${boot}`
    const layer = hostLayer({
      world: this.#world,
      store: this.#store,
      vpfr: this.#vpfr,
      step,
      hostId: this.id,
      bootId,
      plantedBug: this.#options.plantedBug,
      place: this.#options.place,
      mail: this.#options.mail,
      rates: this.#options.rates,
      declared: this.#options.declared
    })
    const scope = Layer.build(layer)
    const context = Effect.runSync(Effect.scoped(scope))
    this.#provide = (effect) => Effect.provide(effect, context)
    this.#world.say(`${this.id} boots`)
    this.#watched(this.#workerLoops(bootId))
  }

  #watched(loop: Effect.Effect<void, never, HostServices>): void {
    const bootId = this.bootId ?? this.id
    this.#fork(loop).addObserver((exit) => {
      if (Exit.isFailure(exit)) this.workerFaults.push(`the worker of ${bootId} has ended: ${Cause.pretty(exit.cause)}`)
    })
  }

  #fork<A, E>(effect: Effect.Effect<A, E, HostServices>): Fiber.Fiber<A, E> {
    const provide = this.#provide
    if (provide === null) throw new Error(`${this.id} is down`)
    return this.#world.fork(provide(effect), this.#world.clock(this.#options.clockError))
  }

  readonly #workerLoops = (bootId: string) =>
    Effect.gen({ self: this }, function*() {
      const unresolved = yield* UnresolvedOperations
      const boot = this.#boot
      const host = { hostId: this.id, bootId }
      const endEarlier = Effect.gen(function*() {
        yield* unresolved.endLeasesOfEarlierBoots(host, `worker:${host.hostId}`, yield* DateTime.now)
      })
      // It has its own host's lock from the start: no other process starts under this name.
      yield* Effect.retry(endEarlier, { times: 20 }).pipe(Effect.ignore)
      if (this.#options.mail.isPlanned) this.#watched(this.#mailLoop(boot))
      while (this.#boot === boot && this.#provide !== null) {
        yield* Effect.ignore(sweepOrphans(100))
        yield* Effect.ignore(reconcileDue({ limit: 10, concurrency: 3 }))
        yield* this.#options.watchCounters
        yield* this.#options.sendWebhooks(this.#stepOf(boot))
        yield* this.#world.sleep(this.weather === fairHost ? this.idleMillis : 5_000)
      }
    })

  /** Messages are sent beside everything else: handing one over, and storing how that ended, may take minutes. */
  readonly #mailLoop = (boot: number) =>
    Effect.gen({ self: this }, function*() {
      while (this.#boot === boot && this.#provide !== null) {
        yield* this.#options.mail.pass(Effect.orElseSucceed(sendDueDeliveries({ limit: 10, concurrency: 2 }), () => null))
        yield* this.#world.sleep(this.weather === fairHost ? this.idleMillis : 20_000)
      }
    })

  /** The place of this world's documents. */
  get place(): SimulatedPlace {
    return this.#options.place
  }

  /** Runs an effect with this host's services, as an operator at this host would. */
  run(effect: Effect.Effect<unknown, never, HostServices>): void {
    if (this.#provide !== null) this.#fork(effect)
  }

  /** A caller's request: an exit, or silence when the host crashes first. */
  ask<A, E>(effect: Effect.Effect<A, E, HostServices>, heard: (exit: Exit.Exit<A, E>) => void): void {
    if (this.#provide !== null) this.#fork(effect).addObserver(heard)
  }
}

/** The services of a simulated host for its use cases. */
export type HostServices = Layer.Success<ReturnType<typeof hostLayer>>

/** What the company register says of every company. */
const registered = (taxIdentifier: string, resolvedAt: DateTime.Utc): BuyerDetails => ({
  legalName: secrets.company, taxIdentifier, registrationNumber: null, address: null, city: null, source: "NBS", resolvedAt
})

const notAsked = <A>(name: string): Effect.Effect<A> => Effect.die(`the simulation does not ask for ${name}`)

const hostLayer = (options: {
  readonly world: World
  readonly store: FaultyStore
  readonly vpfr: SimulatedVpfr
  readonly step: <A, E>(name: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  readonly hostId: string
  readonly bootId: string
  readonly plantedBug: PlantedBug | null
  readonly place: SimulatedPlace
  readonly mail: SimulatedMail
  readonly rates: SimulatedRates
  readonly declared: Declared
}) => {
  const { world, step, plantedBug } = options
  const stores = options.store.layer(step, { answersBeforeCommit: plantedBug === "submit-before-commit", plantedBug })
  const authority = options.vpfr.layer(step, { retriesAfterTimeout: plantedBug === "retry-after-timeout" })
  const ratesNow = (now: DateTime.Utc) => options.rates.history(now, plantedBug)
  const others = Layer.mergeAll(
    Layer.succeed(Identifiers, Identifiers.of({ uuid: Effect.sync(() => world.random.uuid()) })),
    Layer.succeed(CompanyRegister, CompanyRegister.of({ lookup: (taxIdentifier) => Effect.map(DateTime.now, (now) => Option.some(registered(taxIdentifier, now))) })),
    Layer.succeed(TaxRates, TaxRates.of({
      fresh: () => Effect.map(DateTime.now, ratesNow),
      known: () => Effect.map(DateTime.now, (now) => world.random.chance(0.8) ? ratesNow(now) : options.rates.findsNone(now)),
      doubt: () => Effect.void
    })),
    Layer.succeed(Installation, Installation.of({
      hostId: options.hostId,
      bootId: options.bootId,
      settings: () =>
        Effect.sync(() => ({ adapterConfigured: true, ...options.declared, trafficEnabled: true, esirNumber: "1/1.0", vatCategories: new Set<string>(), proformaReferences: false }))
    })),
    Layer.succeed(LicenseRegister, LicenseRegister.of({ license: () => Effect.sync(() => options.place.license) })),
    Layer.succeed(TenancyDirectory, TenancyDirectory.of({
      premiseForIssuing: () => Effect.sync(() => options.place.premise),
      taxpayers: () => Effect.sync(() => Option.toArray(Option.map(options.place.premise, ({ taxpayer }) => taxpayer))),
      businessPremises: () => notAsked("premises"),
      securityElements: () => Effect.sync(() => options.place.elements)
    })),
    InFlight.layer
  )
  const mail = mailPorts(options.store, step, options.mail)
  const contacts = ElementContacts.layer.pipe(Layer.provide(stores))
  return Layer.mergeAll(stores, authority, Layer.provideMerge(layerProductStore, others), contacts, mail)
}
