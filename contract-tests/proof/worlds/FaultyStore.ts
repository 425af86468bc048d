import { isInDoubt, type MemoryOperations, type StoredOperation } from "@overa/adapter-memory"
import {
  AdvanceCases,
  type Concluded,
  type Conclusion,
  type FiscalDocumentId,
  type OpenedAdvanceCase,
  OperationHistory,
  OperationStore,
  ProformaTrainingDocuments,
  raisesDoubt,
  type Redrive,
  RefundStore,
  type Reservation,
  type Reserved,
  StoreUnavailable,
  UnresolvedOperations
} from "@overa/domain"
import { Effect, Layer } from "effect"
import { AskedUnder } from "./AskedUnder.ts"
import { DoubtWatch } from "./DoubtWatch.ts"
import { plantInCases } from "./plantedInCases.ts"
import { plantInClaims } from "./plantedInClaims.ts"
import { orderKeyOf } from "./SimulatedVpfr.ts"
import type { StoreBehind, WayBack } from "./StoreBehind.ts"
import type { World } from "./World.ts"

/** How likely the database fails, before or after its commit. */
export interface StoreWeather {
  readonly failsBefore: number
  readonly failsAfter: number
  /** The commit is applied only after the caller was told that its result is unknown. */
  readonly appliesLate: number
}

export const fairStore: StoreWeather = { failsBefore: 0, failsAfter: 0, appliesLate: 0 }

type Memory = MemoryOperations["Service"]

/** The most commits that a failover loses. */
export const longestStretch = 16

const lost = (committed: "no" | "unknown") => new StoreUnavailable({ committed, cause: "simulated" })

/** A case's own commit belongs to no document. */
const caseAsDocument = ({ id }: OpenedAdvanceCase): FiscalDocumentId => id as string as FiscalDocumentId

/** A commit that the standby may not have. */
interface Acknowledged {
  readonly name: string
  readonly id: FiscalDocumentId
  readonly wayBack: WayBack
}

/** One database behind all hosts, with latency, failures before and after commits, and failovers. */
export class FaultyStore {
  readonly behind: StoreBehind
  weather: StoreWeather = fairStore
  /** While true the store cannot be reached. */
  down = false
  /** Orders for which a failover lost the first commit of an attempt, with the process that made it: only that process still knows of the attempt. */
  readonly lostReservations = new Map<string, Set<string>>()
  /** The digests of the bodies to which keys were bound whose documents a failover lost. */
  readonly lostBodies = new Map<string, Set<string>>()
  /** Orders whose acknowledged outcome was lost by a failover: the search at the V-PFR must find it again. */
  readonly lostOutcomes = new Set<string>()
  /** Orders for which a failover lost an acknowledged item of the attention list: the process that raised it no longer has it. */
  readonly lostItems = new Set<string>()
  /** When an item was raised about a document that leaves it in doubt: true time, by its id. */
  readonly doubtSince = new Map<FiscalDocumentId, number>()
  readonly doubts: DoubtWatch
  /** Whether a failover or a restore has lost anything. */
  hasGoneBack = false
  /** Documents that were sent by a request under another document's key, in words. */
  readonly strangers: Array<string> = []
  readonly #world: World
  /** The last commits, oldest first; none after a failover. */
  #recent: Array<Acknowledged> = []
  #failoversAhead = 0
  /** Counts the restores: what began before one never reaches the restored database. */
  #era = 0

  constructor(world: World, behind: StoreBehind) {
    this.#world = world
    this.behind = behind
    this.doubts = new DoubtWatch(behind)
  }

  /** What is stored, as of the last look. */
  get memory(): Memory {
    return this.behind.memory
  }

  /** Brings the view up to date. */
  get look(): Effect.Effect<void> {
    return Effect.map(this.behind.look, () => this.doubts.note())
  }

  /** As many failovers are still to come. */
  expectFailovers(ahead: number): Effect.Effect<void> {
    this.#failoversAhead = ahead
    return this.behind.mayGoBack(ahead > 0)
  }

  /** The standby takes over without the last acknowledged commits, as an asynchronous one does: at most `most` of them. */
  failover(most: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#world.strike("failover")
      this.#world.meet("a failover")
      const lost = this.#recent.slice(-most)
      this.#world.say(`the database fails over and loses its last ${lost.length === 1 ? "commit" : `${lost.length} commits`}`)
      this.#recent = []
      const [first] = lost
      const losing = first === undefined ? Effect.void : this.#lose(lost, first.wayBack)
      return Effect.andThen(losing, this.expectFailovers(this.#failoversAhead - 1))
    })
  }

  #lose(lost: ReadonlyArray<Acknowledged>, wayBack: WayBack): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      yield* this.behind.look
      for (const { id, name } of lost) this.#world.say(`what is lost: ${name} of ${this.#keyOf(id)}`)
      const before = new Map(this.memory.byId)
      this.hasGoneBack = true
      yield* wayBack
      yield* this.behind.look
      for (const stored of before.values()) if (!this.memory.byId.has(stored.operation.id)) this.#loseDocument(stored)
      for (const { id, name } of lost) {
        const changed = before.get(id)
        if (changed !== undefined && name === "redrive") this.#loseAttempt(changed)
        if (changed !== undefined && name === "conclude") this.lostOutcomes.add(orderKeyOf(changed.operation.content))
        if (changed !== undefined && name === "raise") this.lostItems.add(orderKeyOf(changed.operation.content))
      }
    })
  }

  /**
   * The database is restored as it was at a point, while no process runs. Everything since is lost, with the processes that knew it; answers what was
   * stored before.
   */
  restore(point: WayBack): Effect.Effect<ReadonlyArray<StoredOperation>> {
    return Effect.gen({ self: this }, function*() {
      this.#world.strike("restore")
      this.#era += 1
      this.#recent = []
      this.hasGoneBack = true
      yield* this.behind.look
      const before = [...this.memory.byId.values()]
      yield* point
      yield* this.behind.look
      for (const stored of before) this.#loseSince(stored, this.memory.byId.get(stored.operation.id))
      return before
    })
  }

  #loseSince(before: StoredOperation, now: StoredOperation | undefined): void {
    const key = orderKeyOf(before.operation.content)
    if (now === undefined) {
      const { fingerprint: { digest }, key: bound } = before.operation.boundKey
      this.lostBodies.set(bound, (this.lostBodies.get(bound) ?? new Set()).add(digest))
    }
    if (now === undefined || now.attempts.length < before.attempts.length) this.lostReservations.set(key, new Set([...this.lostReservations.get(key) ?? [], "a lost future"]))
    else if (now.operation.status !== before.operation.status) this.lostOutcomes.add(key)
    if (now !== undefined && now.attention.length < before.attention.length) this.lostItems.add(key)
  }

  #loseDocument(stored: StoredOperation): void {
    const { fingerprint: { digest }, key } = stored.operation.boundKey
    this.lostBodies.set(key, (this.lostBodies.get(key) ?? new Set()).add(digest))
    this.#loseAttempt(stored)
  }

  #loseAttempt({ attempts, operation }: StoredOperation): void {
    const key = orderKeyOf(operation.content)
    const writers = this.lostReservations.get(key) ?? new Set()
    writers.add(attempts.at(-1)?.bootId ?? "nobody")
    this.lostReservations.set(key, writers)
  }

  #keyOf(id: FiscalDocumentId): string {
    const stored = this.memory.byId.get(id)
    return stored === undefined ? id : orderKeyOf(stored.operation.content)
  }

  #remember(name: string, id: FiscalDocumentId): void {
    this.#recent.push({ name, id, wayBack: this.behind.mark() })
    if (this.#recent.length > longestStretch) this.#recent.shift()
  }

  /** A commit with latency before and after it, and its possible failures. */
  commit<A>(name: string, id: FiscalDocumentId, work: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> {
    return Effect.gen({ self: this }, function*() {
      const { random } = this.#world
      const era = this.#era
      yield* this.#world.sleep(random.between(1, 20))
      if (era !== this.#era) return yield* lost("unknown")
      if (this.down || random.chance(this.weather.failsBefore)) {
        this.#world.strike(this.down ? "storeDown" : "storeFailsBefore")
        return yield* lost(random.chance(0.5) ? "no" : "unknown")
      }
      if (random.chance(this.weather.appliesLate)) {
        this.#world.strike("storeAppliesLate")
        const late = Effect.andThen(this.#world.sleep(random.between(100, 5_000)), Effect.suspend(() => era === this.#era ? Effect.ignore(work) : Effect.void))
        this.#world.fork(late, this.#world.clock(0))
        return yield* lost("unknown")
      }
      this.#remember(name, id)
      const done = yield* work
      yield* this.#world.sleep(random.between(1, 20))
      if (random.chance(this.weather.failsAfter)) {
        this.#world.strike("storeFailsAfter")
        return yield* lost("unknown")
      }
      return done
    })
  }

  /** An operator acknowledges the items of a kind about a document. */
  acknowledge(id: FiscalDocumentId, kind: string): Effect.Effect<void, StoreUnavailable> {
    return this.commit("acknowledge", id, this.behind.acknowledge(id, kind))
  }

  /** A request sends documents of its own key only. */
  #noteSender({ operation: { content: { clientReference }, id } }: Redrive): Effect.Effect<void> {
    return Effect.map(AskedUnder, (key) => {
      if (key !== null && key !== clientReference) this.strangers.push(`${id} of ${clientReference} was sent by the request ${key}`)
    })
  }

  /** A commit of a worker for which no document waits: a failover loses it with the commits around it. */
  aside<A>(work: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> {
    return Effect.suspend(() => {
      if (this.down || this.#world.random.chance(this.weather.failsBefore)) return lost("no")
      return Effect.flatMap(work, (done) => this.#world.random.chance(this.weather.failsAfter) ? lost("unknown") : Effect.succeed(done))
    })
  }

  #noteDoubt(id: FiscalDocumentId): void {
    const stored = this.memory.byId.get(id)
    this.doubts.note()
    if (stored !== undefined && isInDoubt(stored) && !this.doubtSince.has(id)) this.doubtSince.set(id, this.#world.now)
  }

  /** A read, with its latency. */
  read<A>(work: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> {
    return Effect.gen({ self: this }, function*() {
      const era = this.#era
      yield* this.#world.sleep(this.#world.random.between(1, 10))
      if (era !== this.#era || this.down || this.#world.random.chance(this.weather.failsBefore)) return yield* lost("no")
      return yield* work
    })
  }

  /** The stores as one host uses them. */
  layer(step: <A, E>(name: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>, options: { readonly answersBeforeCommit: boolean; readonly plantedBug: string | null }) {
    const { clocked } = this.behind
    const commit = <A>(name: string, id: FiscalDocumentId, work: Effect.Effect<A, StoreUnavailable>) =>
      step(name, this.commit(name, id, clocked(work)))
    const read = <A>(name: string, work: Effect.Effect<A, StoreUnavailable>) => step(name, this.read(clocked(work)))
    const operations = Layer.effect(
      OperationStore,
      Effect.gen({ self: this }, function*() {
        const inner = yield* OperationStore
        const reserve = (reservation: Reservation): Effect.Effect<Reserved, StoreUnavailable> =>
          commit("reserve", reservation.operation.id, inner.reserve(reservation))
        return OperationStore.of({
          ...inner,
          reserve: options.answersBeforeCommit
            // A planted bug: the answer "reserved" is given while the commit is still in flight.
            ? (reservation) => {
              this.#world.fork(Effect.ignore(reserve(reservation)), this.#world.clock(0))
              return step("reserve", Effect.succeed<Reserved>({ _tag: "Reserved" }))
            }
            : reserve,
          redrive: (redrive: Redrive) => Effect.andThen(this.#noteSender(redrive), commit("redrive", redrive.operation.id, this.doubts.around(redrive, inner.redrive(redrive)))),
          conclude: (conclusion: Conclusion): Effect.Effect<Concluded, StoreUnavailable> =>
            commit("conclude", conclusion.operationId, inner.conclude(conclusion)),
          expireLease: (operation, actor, at) => commit("expireLease", operation.operationId, inner.expireLease(operation, actor, at)),
          findByKey: (key) => read("findByKey", inner.findByKey(key)),
          get: (tenant, id) => read("get", inner.get(tenant, id))
        })
      })
    )
    const history = Layer.effect(
      OperationHistory,
      Effect.map(OperationHistory, (inner) =>
        OperationHistory.of({
          ...inner,
          attempts: (organizationId, id) => read("attempts", inner.attempts(organizationId, id))
        }))
    )
    const unresolved = Layer.effect(
      UnresolvedOperations,
      Effect.gen({ self: this }, function*() {
        const inner = yield* UnresolvedOperations
        const noting = <A>(id: FiscalDocumentId, work: Effect.Effect<A, StoreUnavailable>) => Effect.tap(work, () => Effect.andThen(this.behind.look, Effect.sync(() => this.#noteDoubt(id))))
        return UnresolvedOperations.of({
          expireLeases: (actor, at, limit) => read("expireLeases", inner.expireLeases(actor, at, limit)),
          endLeasesOfEarlierBoots: (host, actor, at) => read("endLeases", inner.endLeasesOfEarlierBoots(host, actor, at)),
          claimDue: (claim) => read("claimDue", Effect.map(inner.claimDue(claim), plantInClaims(options.plantedBug))),
          recordSearch: (search) => commit("recordSearch", search.operationId, inner.recordSearch(search)),
          makeDue: (elementId) => read("makeDue", inner.makeDue(elementId)),
          raise: (operation, items, at, lost) => {
            const raising = inner.raise(operation, items, at, lost)
            return commit("raise", operation.operationId, items.some(raisesDoubt) ? noting(operation.operationId, raising) : raising)
          }
        })
      })
    )
    // The refund's reservation is one commit of its own, so its inner store commits without further faults.
    const refunds = Layer.effect(
      RefundStore,
      Effect.gen(function*() {
        const inner = yield* RefundStore
        return RefundStore.of({
          ledger: (original) => read("ledger", inner.ledger(original)),
          reserve: (original, decide) => {
            const id = original.id
            return commit("reserve", id, inner.reserve(original, decide))
          },
          reserveAgain: (original, kept) => commit("reserve", original.id, inner.reserveAgain(original, kept)),
          get: (tenant, id) => read("getRefund", inner.get(tenant, id))
        })
      })
    )
    // The same for the commits of a case.
    const plant = plantInCases(options.plantedBug, this.memory)
    const cases = Layer.effect(
      AdvanceCases,
      Effect.gen({ self: this }, function*() {
        const inner = plant(yield* AdvanceCases)
        return AdvanceCases.of({
          open: (opened) => commit("open", caseAsDocument(opened), inner.open(opened)),
          get: (tenant, id) => read("getCase", inner.get(tenant, id)),
          find: (organizationId, by) => read("findCase", inner.find(organizationId, by)),
          reserve: (opened, decide) => commit("reserve", caseAsDocument(opened), inner.reserve(opened, decide)),
          reserveAgain: (opened, kept) => commit("reserve", caseAsDocument(opened), inner.reserveAgain(opened, kept)),
          redrive: (opened, redrive, decide) => Effect.andThen(this.#noteSender(redrive), commit("redrive", redrive.operation.id, this.doubts.around(redrive, inner.redrive(opened, redrive, decide))))
        })
      })
    )
    const offers = Layer.effect(
      ProformaTrainingDocuments,
      Effect.gen(function*() {
        const inner = yield* ProformaTrainingDocuments
        return ProformaTrainingDocuments.of({
          reserve: (reservation) => commit("reserve", reservation.operation.id, inner.reserve(reservation)),
          refundsOf: (tenant, id) => read("refundsOf", inner.refundsOf(tenant, id)),
          get: (tenant, id) => read("getOffer", inner.get(tenant, id))
        })
      })
    )
    return Layer.mergeAll(operations, history, unresolved, refunds, cases, offers).pipe(Layer.provide(this.behind.ports()))
  }
}
