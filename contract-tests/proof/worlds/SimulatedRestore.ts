import type { StoredOperation } from "@overa/adapter-memory"
import { type FiscalDocumentId, mayHaveArrived, type PutBack } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { FaultyStore } from "./FaultyStore.ts"
import { type KeptItem, keptItem, ownerOf, requestIdsOf } from "./keptItems.ts"
import { plantInTakeBack } from "./plantedInTakeBack.ts"
import { Random } from "./Random.ts"
import type { Declared, SimulatedHost } from "./SimulatedHost.ts"
import { orderKeyOf } from "./SimulatedVpfr.ts"
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

/**
 * An operator who restores the database to an earlier point, takes back what callers have kept since, in any order, some of it twice and some never, and
 * ends the restore.
 */
export class SimulatedRestore {
  readonly faults: Array<string> = []
  readonly lost: Array<LostToRestore> = []
  /** When the database was restored: true time; null where it never was. */
  restoredAt: number | null = null
  readonly #kept: Array<KeptByCaller> = []
  readonly #keptForLater = new Set<string>()
  readonly #world: World
  readonly #store: FaultyStore
  readonly #hosts: ReadonlyArray<SimulatedHost>
  readonly #declared: Declared
  readonly #random: Random
  readonly #putBack: (item: KeptItem) => Effect.Effect<PutBack, unknown>

  constructor(world: World, store: FaultyStore, hosts: ReadonlyArray<SimulatedHost>, options: { readonly seed: number; readonly declared: Declared; readonly plantedBug: string | null }) {
    this.#world = world
    this.#store = store
    this.#hosts = hosts
    this.#declared = options.declared
    this.#random = new Random(options.seed ^ 0x0e57_04e5)
    this.#putBack = plantInTakeBack(options.plantedBug, store)
  }

  /** Whether this world has a restore: some have, where the store can be restored. They have no failovers. */
  get isPlanned(): boolean {
    return this.#isPlanned ??= this.#store.behind.restore !== null && this.#random.chance(0.3)
  }
  #isPlanned: boolean | null = null

  plan(): void {
    if (!this.isPlanned) return
    const random = this.#random
    const from = random.between(5_000, 4 * minute)
    const until = from + random.between(minute, 8 * minute)
    const ended = until + random.between(16, 40) * minute
    this.#at(from, Effect.sync(() => {
      const since = DateTime.toUtc(DateTime.makeUnsafe(this.#world.now))
      this.#at(until - from, this.#restore(this.#store.behind.mark(), since))
    }))
    for (let looks = random.between(1, 5); looks > 0; looks--) this.#at(random.between(from, until - 1), this.#callersKeep)
    this.#at(ended, this.#end)
  }

  #at(millis: number, effect: Effect.Effect<void>): void {
    this.#world.fork(Effect.andThen(this.#world.sleep(millis), effect), this.#world.clock(0))
  }

  /** Callers fetch proofs of their documents, or only keep the answers. */
  get #callersKeep(): Effect.Effect<void> {
    return Effect.andThen(Effect.suspend(() => this.#store.behind.look), Effect.sync(() => {
      for (const stored of this.#store.memory.byId.values()) {
        const kind = this.#random.weighted([[0.3, null], [0.5, "proof"], [0.2, "answer"]] as const)
        const item = kind === null ? null : keptItem(stored, kind)
        if (item !== null) this.#kept.push({ key: orderKeyOf(stored.operation.content), item, attempts: stored.attempts.length, isGiven: this.#random.chance(0.8) })
      }
    }))
  }

  #restore(point: WayBack, since: DateTime.Utc): Effect.Effect<void> {
    return Effect.gen({ self: this }, function*() {
      for (const host of this.#hosts) host.kill()
      this.restoredAt = this.#world.now
      const before = yield* this.#store.restore(point)
      this.#noteLost(before)
      const desk = this.#store.behind.restore
      if (desk === null) return
      this.#world.say(`the database is restored to ${DateTime.formatIso(since)}`)
      yield* Effect.orDie(desk.begin(act, since))
      this.#declared.restoring = true
      for (const host of this.#hosts) host.boot()
      for (const { item, isGiven } of this.#kept) {
        const often = isGiven ? this.#random.weighted([[0.8, 1], [0.2, 2]] as const) : 0
        for (let times = often; times > 0; times--) this.#at(this.#random.between(5_000, 15 * minute), this.#takeBack(item))
      }
    })
  }

  #noteLost(before: ReadonlyArray<StoredOperation>): void {
    for (const stored of before) {
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
      yield* this.#store.behind.look
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
      this.#declared.restoredAt = DateTime.toUtc(DateTime.makeUnsafe(this.#world.now))
      this.#world.say("the restore is ended")
      yield* this.#store.behind.mayGoBack(false)
      yield* this.#checkReadable
    })
  }

  /** Every case and every refund can be read, whatever was taken back. */
  get #checkReadable(): Effect.Effect<void> {
    return Effect.catchCause(this.#store.behind.lookAtAll, (cause) =>
      Effect.sync(() => {
        this.faults.push(`a refund or a case cannot be read: ${String(cause)}`)
      }))
  }

  /** Whether what callers kept and gave names every attempt that the restore lost of a document, or says that it may be signed. */
  isTakenBack({ isGone, key, requestIds, stored }: LostToRestore): boolean {
    const given = this.#kept.filter((kept) => kept.isGiven && kept.key === key)
    const named = new Set(given.flatMap(({ item }) => requestIdsOf(item)))
    const { attempts } = stored
    const isTold = given.some((kept) => kept.item._tag === "Key" && kept.item.tried === null && kept.attempts === attempts.length && (kept.item.mayBeSigned || isGone))
    return isTold || requestIds.every((id) => named.has(id))
  }
}
