import type { StoredOperation } from "@overa/adapter-memory"
import { type ChangedCase, type FiscalDocumentId, mayHaveArrived, type PutBack } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { FaultyStore } from "./FaultyStore.ts"
import { type KeptItem, keptItem, ownerOf, requestIdsOf } from "./keptItems.ts"
import { plantInTakeBack } from "./plantedInTakeBack.ts"
import { Random } from "./Random.ts"
import type { Declared, SimulatedHost } from "./SimulatedHost.ts"
import { orderKeyOf, type SimulatedVpfr } from "./SimulatedVpfr.ts"
import type { WayBack } from "./StoreBehind.ts"
import type { World } from "./World.ts"

const minute = 60_000
const act = { actor: "ana", reason: "the disk is lost" }

/** A file that a caller kept, and whether it was given to the operator. */
interface KeptByCaller {
  readonly key: string
  readonly item: KeptItem
  /** The document's attempts when the file was made. */
  readonly attempts: number
  readonly isGiven: boolean
}

/** What a restore lost of one document: the attempts that the restored database does not have. */
export interface LostToRestore {
  readonly key: string
  readonly stored: StoredOperation
  readonly requestIds: ReadonlyArray<string>
  /** Whether the document itself is lost. */
  readonly isGone: boolean
}

/** When things happen around a restore, in milliseconds after its point. */
interface Course {
  readonly restoredAfter: number
  /** After the restore. */
  readonly takenBackWithin: number
  /** After the restore. */
  readonly endedAfter: number
  readonly looks: number
}

interface Surroundings {
  readonly seed: number
  readonly declared: Declared
  readonly plantedBug: string | null
  readonly vpfr: SimulatedVpfr
}

/** Where no cash refund is sent, a hasty operator's point is here. */
const latestPoint = 6 * minute

/**
 * An operator who restores the database to an earlier point, takes back what callers have kept since, in any order, some of it twice and some never, and
 * ends the restore. In some worlds the point is the moment in which a cash refund is sent, the V-PFR cannot be searched meanwhile, and the operator ends the restore
 * before the refund has its outcome again: what was taken back of its copy then comes first.
 */
export class SimulatedRestore {
  readonly faults: Array<string> = []
  readonly lost: Array<LostToRestore> = []
  /** The RequestIds of all attempts that were made before the restore: the network may still deliver them after it. */
  readonly madeBefore = new Set<string>()
  /** When the database was restored: true time; null where it never was. */
  restoredAt: number | null = null
  /** When the restore was ended: true time. */
  endedAt = Number.POSITIVE_INFINITY
  readonly #kept: Array<KeptByCaller> = []
  readonly #keptForLater = new Set<string>()
  readonly #world: World
  readonly #store: FaultyStore
  readonly #hosts: ReadonlyArray<SimulatedHost>
  readonly #declared: Declared
  readonly #vpfr: SimulatedVpfr
  readonly #random: Random
  readonly #isHasty: boolean
  readonly #putBack: (item: KeptItem) => Effect.Effect<PutBack, unknown>

  constructor(world: World, store: FaultyStore, hosts: ReadonlyArray<SimulatedHost>, { declared, plantedBug, seed, vpfr }: Surroundings) {
    this.#world = world
    this.#store = store
    this.#hosts = hosts
    this.#declared = declared
    this.#vpfr = vpfr
    this.#random = new Random(seed ^ 0x0e57_04e5)
    // Drawn apart: the other restores stay as they were.
    this.#isHasty = new Random(seed ^ 0x0a57_e000).chance(0.4)
    this.#putBack = plantInTakeBack(plantedBug, store)
  }

  /** Whether this world has a restore: some have, where the store can be restored. They have no failovers. */
  get isPlanned(): boolean {
    return this.#isPlanned ??= this.#store.behind.restore !== null && this.#random.chance(0.3)
  }
  #isPlanned: boolean | null = null

  plan(): void {
    if (!this.isPlanned) return
    const random = this.#random
    if (this.#isHasty) return this.#planHasty()
    const from = random.between(5_000, 4 * minute)
    const until = from + random.between(minute, 8 * minute)
    const ended = until + random.between(16, 40) * minute
    this.#at(from, Effect.sync(() => this.#begin({ restoredAfter: until - from, takenBackWithin: 15 * minute, endedAfter: ended - until, looks: random.between(1, 5) })))
  }

  #planHasty(): void {
    const random = this.#random
    const takenBackWithin = random.between(10_000, 2 * minute)
    const course = { restoredAfter: random.between(minute, 6 * minute), takenBackWithin, endedAfter: takenBackWithin + random.between(1_000, 2 * minute), looks: random.between(2, 5) }
    let isBegun = false
    const begin = () => {
      if (isBegun) return
      isBegun = true
      this.#begin(course)
    }
    this.#vpfr.onCashRefund = begin
    this.#at(latestPoint, Effect.sync(begin))
  }

  /** This moment is the point to which the database will be restored. */
  #begin({ endedAfter, looks, restoredAfter, takenBackWithin }: Course): void {
    const since = DateTime.toUtc(DateTime.makeUnsafe(this.#world.now))
    this.#at(restoredAfter, this.#restore(this.#store.behind.mark(), since, takenBackWithin))
    for (let left = looks; left > 0; left--) this.#at(this.#random.between(0, restoredAfter - 1), this.#callersKeep)
    this.#at(restoredAfter + endedAfter, this.#end)
  }

  #at(millis: number, effect: Effect.Effect<void>): void {
    this.#world.fork(Effect.andThen(this.#world.sleep(millis), effect), this.#world.clock(0))
  }

  /** Callers fetch proofs of their documents, or only keep the answers. */
  get #callersKeep(): Effect.Effect<void> {
    return Effect.andThen(Effect.suspend(() => this.#store.look), Effect.sync(() => {
      for (const stored of this.#store.memory.byId.values()) {
        const kind = this.#random.weighted([[0.3, null], [0.5, "proof"], [0.2, "answer"]] as const)
        const item = kind === null ? null : keptItem(stored, kind)
        if (item !== null) this.#kept.push({ key: orderKeyOf(stored.operation.content), item, attempts: stored.attempts.length, isGiven: this.#random.chance(0.8) })
      }
    }))
  }

  #restore(point: WayBack, since: DateTime.Utc, takenBackWithin: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      for (const host of this.#hosts) host.kill()
      this.restoredAt = this.#world.now
      this.#world.meet(this.#isHasty ? "a restore that ends before its searches" : "a restore")
      const before = yield* this.#store.restore(point)
      this.#noteLost(before)
      const desk = this.#store.behind.restore
      if (desk === null) return
      this.#world.say(`the database is restored to ${DateTime.formatIso(since)}`)
      yield* Effect.orDie(desk.begin(act, since))
      this.#declared.restoring = true
      this.#vpfr.cannotBeSearched = this.#isHasty
      for (const host of this.#hosts) host.boot()
      for (const { item, isGiven } of this.#kept) {
        const often = isGiven ? this.#random.weighted([[0.8, 1], [0.2, 2]] as const) : 0
        for (let times = often; times > 0; times--) this.#at(this.#random.between(5_000, takenBackWithin), this.#takeBack(item))
      }
    })
  }

  #noteLost(before: ReadonlyArray<StoredOperation>): void {
    for (const stored of before) {
      for (const { requestId } of stored.attempts) this.madeBefore.add(requestId)
      const now = this.#store.memory.byId.get(stored.operation.id)
      const had = new Set(now?.attempts.map(({ requestId }) => requestId))
      const requestIds = stored.attempts.map(({ requestId }) => requestId).filter((id) => !had.has(id))
      if (now === undefined || requestIds.length > 0) this.lost.push({ key: orderKeyOf(stored.operation.content), stored, requestIds, isGone: now === undefined })
    }
  }

  #takeBack(item: KeptItem): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      const result = yield* Effect.orDie(this.#putBack(item))
      this.#world.strike(`taken back: ${result}`)
      this.#world.say(`an operator takes ${ownerOf(item).boundKey.key} back as ${item._tag}, attempts ${requestIdsOf(item).map((id) => id.slice(0, 8)).join()}: ${result}`)
      if (result === "KEPT") for (const id of requestIdsOf(item)) this.#keptForLater.add(id)
      yield* this.#store.look
      if (result === "KNOWN") this.#checkKnown(item)
    })
  }

  /** Known is what the service has: the receipt itself, or every attempt of which there may be one. */
  #checkKnown(item: KeptItem): void {
    const { boundKey: { key, role }, id } = ownerOf(item)
    const all = [...this.#store.memory.byId.values()]
    const stored = this.#store.memory.byId.get(id as FiscalDocumentId) ?? all.find(({ operation: { boundKey } }) => boundKey.role === role && boundKey.key === key)
    if (stored === undefined || stored.operation.answer?.pfr.invoiceNumber === item.invoiceNumber) return
    const searched = new Set(stored.attempts.filter((attempt) => mayHaveArrived(attempt) || attempt.outcome === "SIGNED").map(({ requestId }) => requestId))
    const unknown = requestIdsOf(item).filter((requestId) => !searched.has(requestId) && !this.#keptForLater.has(requestId))
    if (unknown.length > 0) this.faults.push(`${key}: taken back as KNOWN, and the service does not know ${unknown.join(", ")}`)
  }

  get #end(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      yield* this.#checkReadable
      yield* Effect.orDie(this.#store.behind.restore?.end(act) ?? Effect.void)
      this.#declared.restoring = false
      this.#vpfr.cannotBeSearched = false
      this.#declared.restoredAt = DateTime.toUtc(DateTime.makeUnsafe(this.#world.now))
      this.endedAt = this.#world.now
      this.#world.say("the restore is ended")
      yield* this.#store.behind.mayGoBack(false)
      yield* this.#checkReadable
      yield* this.#store.look
    })
  }

  /** Every case and every refund can be read, whatever was taken back. */
  get #checkReadable(): Effect.Effect<void> {
    return Effect.catchCause(this.#store.behind.lookAtAll, (cause) =>
      Effect.sync(() => {
        this.faults.push(`a refund or a case cannot be read: ${String(cause)}`)
      }))
  }

  /** The attempts and the number of a lost document, where it may be signed and a file that was given tells its advance case, or the receipt that it gave back. */
  namedForOthers(key: string): ReadonlySet<string> {
    const named = this.#kept.flatMap(({ isGiven, item, key: of }) => isGiven && of === key && item._tag === "Key" && item.mayBeSigned && (item.givesBack !== null || this.#tellsCase(item.inCase)) ? [item] : [])
    return new Set(named.flatMap((item) => [...requestIdsOf(item), ...(item.invoiceNumber === null ? [] : [item.invoiceNumber])]))
  }

  #tellsCase(inCase: ChangedCase | null): boolean {
    return inCase !== null && (inCase.referredId === null || this.#store.memory.byId.has(inCase.referredId))
  }

  /** Whether what callers kept and gave names every attempt that the restore lost of a document, or says that it may be signed; a copy says so of its refund. */
  isTakenBack({ isGone, key, requestIds, stored }: LostToRestore): boolean {
    const given = this.#kept.filter((kept) => kept.isGiven && kept.key === key)
    const named = new Set(given.flatMap(({ item }) => requestIdsOf(item)))
    const { attempts } = stored
    const isTold = given.some((kept) => kept.item._tag === "Key" && kept.item.tried === null && kept.attempts === attempts.length && (kept.item.mayBeSigned || isGone))
    const isCopied = this.#kept.some(({ isGiven, item }) => isGiven && item._tag === "Key" && item.copied?.id === stored.operation.id)
    return isTold || isCopied || (requestIds.length > 0 && requestIds.every((id) => named.has(id)))
  }
}
