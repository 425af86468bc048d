import { MemoryOperations } from "@overa/adapter-memory"
import {
  layerAdministration,
  layerAdvanceCases,
  layerCounterWatch,
  layerDeliveryStore,
  layerJournalAudit,
  layerJournalSealer,
  layerJournalStore,
  layerJournalUpkeep,
  layerOperationStore,
  layerOversight,
  layerProformaTraining,
  layerRefundStore,
  layerUnresolvedOperations,
  makeSecrets,
  PgDatabase
} from "@overa/adapter-postgres"
import { AttentionOversight, CounterWatch, type FiscalDocumentId, Identifiers, JournalSealer, JournalUpkeep, RecordActs, RestoreActs, UnresolvedOperations } from "@overa/domain"
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { tenant } from "../place.ts"
import { Random } from "../Random.ts"
import type { CounterWitness, StoreBehind, StorePorts, WayBack } from "../StoreBehind.ts"
import type { World } from "../World.ts"
import { checkJournal } from "./checkJournal.ts"
import { eventsBehind, layerEvents } from "./eventsBehind.ts"
import { erasureBehind, layerMail, mailBehind } from "./personalBehind.ts"
import { planLateCommits } from "./lateCommits.ts"
import { Quiet } from "./Quiet.ts"
import { viewOperations, viewTransitions, viewWorkflows, withoutDoubt } from "./viewOf.ts"
import type { Rewrite, WorldDatabase } from "./WorldDatabase.ts"

const secrets = Result.getOrThrow(makeSecrets(Redacted.make(`world:${Buffer.alloc(32, 7).toString("base64")}`)))
const credentialKey = Redacted.make(new Uint8Array(32).fill(7))

/** The stores as one process has them: with batches and remembered operations of its own. */
const stores = Layer.mergeAll(layerUnresolvedOperations, layerRefundStore, layerAdvanceCases, layerProformaTraining).pipe(Layer.provideMerge(layerOperationStore))

/** What a worker does in passing. */
const passes = Layer.mergeAll(layerJournalSealer(secrets), layerJournalUpkeep, layerCounterWatch)

/** What a worker and an operator do besides. */
const upkeep = Layer.mergeAll(
  passes,
  layerJournalStore,
  layerJournalAudit(secrets),
  layerOversight,
  layerAdministration(secrets, credentialKey),
  layerEvents(secrets),
  layerDeliveryStore
)

const openOrganization = "insert into organizations (organization_id, name, created_at) values ($1, 'Shop', now())"
const countedFrom = "insert into counter_series (organization_id, environment, series, accounted_to) values ($1, $2, $3, $4)"
/** Series that were never checked, and the first counter that was noted for each. */
const beginnings = `select s.series, min(s.first_counter)::text as first from counter_spans s where s.organization_id = $1
and not exists (select from counter_series c where c.organization_id = s.organization_id and c.environment = s.environment and c.series = s.series
  and c.accounted_to is not null) group by s.series`

/** When the first lease in work ends, or the first check of a document that nobody has in work is due. */
const nextDue = `select extract(epoch from min(case when status in ('SUBMITTING', 'RECONCILING') then lease_until else greatest(next_check_at, lease_until) end))::float8 * 1000
  as millis from operations where next_check_at is not null or lease_until is not null`

/** Of the looks of which it is known that nothing is due, every so many reach the database all the same. */
const looksInVain = 41

/** The worker's looks for work, without most of those that cannot find any. */
const withoutIdleLooks = (world: World, database: WorldDatabase, service: PgDatabase["Service"]) => {
  let known = { version: -1, due: 0 }
  let inVain = 0
  const isIdle = Effect.gen(function*() {
    const version = database.writes.operations
    if (known.version !== version) {
      const [row] = yield* certain(service.query<{ readonly millis: number | null }>(nextDue))
      known = { version, due: row?.millis ?? Infinity }
    }
    if (world.now >= known.due) return false
    inVain += 1
    return inVain % looksInVain !== 0
  })
  const unlessIdle = <A, E>(nothing: A, look: Effect.Effect<A, E>): Effect.Effect<A, E> => Effect.flatMap(isIdle, (idle) => idle ? Effect.succeed(nothing) : look)
  return Layer.effect(
    UnresolvedOperations,
    Effect.map(UnresolvedOperations, (inner) =>
      UnresolvedOperations.of({
        ...inner,
        expireLeases: (actor, at, limit) => unlessIdle(0, inner.expireLeases(actor, at, limit)),
        claimDue: (claim) => unlessIdle([], inner.claimDue(claim))
      }))
  )
}

/** A world's failures come from its faulty store; PostgreSQL itself has none, so what fails here is a fault of the world. */
const certain = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> => Effect.orDie(effect)

/** PostgreSQL, with the product's own statements. */
export const postgresBehind = async (world: World, database: WorldDatabase, { rewrite, seed }: { readonly rewrite: Rewrite; readonly seed: number }): Promise<StoreBehind> => {
  await database.begin()
  const memory = MemoryOperations.empty()
  const service = database.service(world, rewrite)
  const provided = Layer.succeed(PgDatabase, service)
  const identifiers = Layer.succeed(Identifiers, Identifiers.of({ uuid: Effect.sync(() => world.random.uuid()) }))
  const workers = upkeep.pipe(Layer.provide([provided, identifiers]))
  const outside = database.serviceOutside(world, rewrite)
  const passing = passes.pipe(Layer.provide([Layer.succeed(PgDatabase, outside), identifiers]))
  const viewed = withoutDoubt(outside)
  const views = stores.pipe(Layer.provide(Layer.succeed(PgDatabase, viewed)))
  const build = <A>(layer: Layer.Layer<A>) => Effect.runPromise(Effect.scoped(Layer.build(layer)))
  const [asWorker, asViewer, inPass] = [await build(workers), await build(views), await build(passing)]
  let isBack = false
  const viewChanged = Effect.gen(function*() {
    const changed = yield* database.written(world)
    const gone = isBack ? [...memory.byId.keys()] : []
    isBack = false
    yield* viewOperations(memory, viewed, new Set([...gone, ...changed as ReadonlyArray<FiscalDocumentId>]))
  })
  const viewing = <E>(view: Effect.Effect<void, E, StorePorts>) => certain(world.outside(Effect.provide(view, asViewer)))
  const wayBackTo = (mark: number): WayBack =>
    certain(Effect.map(database.goBack(world, mark), () => {
      isBack = true
    }))
  const begins = (told: CounterWitness) =>
    Effect.map(outside.query<{ readonly series: string; readonly first: string }>(beginnings, [tenant.organizationId]), (rows) => {
      for (const { first, series } of rows) told.begins(series, Number(first) - 1)
    })
  /** One pass of the sealer and one of the journal's upkeep: how much they found. */
  const upkeepPass = Effect.gen(function*() {
    const { added } = yield* (yield* JournalSealer).seal({ limit: 1_000 })
    return added + (yield* (yield* JournalUpkeep).advance({ marginMillis: 120_000, limit: 1_000 }))
  })
  const checkPass = (told: CounterWitness) => Effect.andThen(certain(begins(told)), Effect.flatMap(CounterWatch, ({ check }) => check))
  const quiet = new Random(seed ^ 0x0001_e155)
  const [notes, checks] = [new Quiet(world, database.writes, quiet), new Quiet(world, database.writes, quiet)]
  planLateCommits(world, database, { random: new Random(seed ^ 0x01a7_ec03), seal: certain(Effect.asVoid(Effect.provide(upkeepPass, inPass))) })
  // Within the hour a worker has looked far behind the horizon too, for documents of a host whose clock was behind: a new worker looks there at once.
  const lastPasses = Effect.provide(Effect.repeat(upkeepPass, { until: (found) => found === 0 }), Layer.fresh(workers))
  return {
    memory,
    look: viewing(viewChanged),
    lookAtAll: viewing(Effect.andThen(viewChanged, Effect.andThen(viewTransitions(memory), viewWorkflows(memory, viewed)))),
    ports: () => Layer.provideMerge(withoutIdleLooks(world, database, service), stores).pipe(Layer.provide(provided), Layer.fresh),
    clocked: (effect) => world.holding(effect),
    mayGoBack: (may) => certain(database.watch(world, may)),
    mark: () => wayBackTo(database.mark()),
    restore: Context.get(asWorker, RestoreActs),
    acknowledge: (id, kind) =>
      Effect.gen(function*() {
        const acts = yield* RecordActs
        const items = yield* (yield* AttentionOversight).attentionOf(tenant.organizationId, id)
        for (const item of items) {
          if (item.kind === kind && item.acknowledgedAt === null) yield* Effect.catchTag(acts.acknowledge({ actor: "operator:ana", reason: "seen" }, item.id), "ActRefused", () => Effect.void)
        }
      }).pipe(Effect.provide(asWorker)),
    countFrom: (series, accountedTo) =>
      certain(Effect.andThen(
        service.query(openOrganization, [tenant.organizationId]),
        service.query(countedFrom, [tenant.organizationId, tenant.environment, series, accountedTo])
      )),
    noteCounters: (must) => notes.run(Effect.provide(upkeepPass, inPass), must),
    checkCounters: (told, must) => checks.run(Effect.provide(checkPass(told), inPass), must),
    mail: mailBehind(service.query, () => layerMail.pipe(Layer.provide([provided, identifiers]), Layer.fresh), asWorker),
    erasure: erasureBehind(service.query, asWorker),
    events: eventsBehind(world, database.writes, asWorker, Effect.asVoid(certain(lastPasses))),
    faults: certain(Effect.andThen(lastPasses, checkJournal(memory)).pipe(Effect.provide(asWorker)))
  }
}
