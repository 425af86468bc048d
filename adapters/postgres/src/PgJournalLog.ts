import { consistencyRanges, emptyRoot, inclusionRanges, JournalLog, type LogPlace, type SignedCheckpoint, type StoreUnavailable, type Tenant, verifierKey } from "@overa/domain"
import { Effect, Layer } from "effect"
import { type JournalKeys, originOf, readJournalKeys, verifierKeysOf } from "./journal-log/JournalKeys.ts"
import { leavesOf, type LeafRow } from "./journal-log/leafRows.ts"
import * as sql from "./journal-log/logStatements.ts"
import { readExtras } from "./journal-log/readLeaves.ts"
import { readProofs } from "./journal-log/readTiles.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { type PgFailure, toStoreUnavailable } from "./PgFailure.ts"
import type { Secrets } from "./Secrets.ts"

interface EntryRow {
  readonly first_position: number
  readonly first_index: bigint
  readonly leaves: number
}

const reading = <A, R>(effect: Effect.Effect<A, PgFailure | StoreUnavailable, R>): Effect.Effect<A, StoreUnavailable, R> =>
  Effect.catchTag(effect, "PgFailure", toStoreUnavailable)

const checkpointOf = Effect.fnUntraced(function*(statements: PgStatements, tenant: Tenant, keys: JournalKeys) {
  const origin = originOf(keys.name, tenant)
  const [last] = yield* statements.query<{ readonly size: bigint; readonly note: string }>(sql.lastCheckpoint, [tenant.organizationId, tenant.environment])
  const note = last?.note ?? keys.sign({ origin, size: 0, root: emptyRoot })
  return { origin, size: Number(last?.size ?? 0), publicKey: verifierKey(keys.signerOf(note)), note } satisfies SignedCheckpoint
})

/** A document's leaves with their places, as far as the checkpoint's tree contains them. */
const placedLeaves = Effect.fnUntraced(function*(statements: PgStatements, tenant: Tenant, id: string, size: number) {
  const entries = yield* statements.query<EntryRow>(sql.entriesOfDocument, [tenant.organizationId, id, tenant.environment])
  const [row] = entries.length === 0 ? [] : yield* statements.query<LeafRow>(sql.leafRowById, [tenant.organizationId, id, tenant.environment])
  if (row === undefined) return []
  const leaves = leavesOf(row, (yield* readExtras(statements, tenant.organizationId, [row]))(id)) ?? []
  return entries.flatMap(({ first_index: first, first_position: position, leaves: count }) =>
    leaves.slice(position - 1, position - 1 + count).map((leaf, at) => ({ index: Number(first) + at, leaf }))
  ).filter(({ index }) => index < size)
})

const entriesOf = Effect.fnUntraced(function*(statements: PgStatements, tenant: Tenant, id: string, keys: JournalKeys) {
  const { note, origin, publicKey, size } = yield* checkpointOf(statements, tenant, keys)
  const leaves = yield* placedLeaves(statements, tenant, id, size)
  if (leaves.length === 0) return null
  const proofs = yield* readProofs(statements, tenant, leaves.map(({ index }) => inclusionRanges(index, size)))
  const place: LogPlace = {
    origin,
    publicKey,
    checkpoint: note,
    entries: leaves.map((leaf, at) => ({ ...leaf, inclusion: proofs[at] ?? [] }))
  }
  return place
})

const make = Effect.fnUntraced(function*(secrets: Secrets) {
  const database = yield* PgDatabase
  const statements = database.keyed
  return JournalLog.of({
    checkpoint: Effect.fn("JournalLog.checkpoint")(function*(tenant) {
      return yield* reading(checkpointOf(statements, tenant, yield* readJournalKeys(database, secrets)))
    }, statements.confirmed),
    consistency: Effect.fn("JournalLog.consistency")(function*(tenant, from, to) {
      const [proof] = yield* reading(readProofs(statements, tenant, [consistencyRanges(from, to)]))
      return proof ?? []
    }),
    entriesOf: Effect.fn("JournalLog.entriesOf")(function*(tenant, id) {
      return yield* reading(entriesOf(statements, tenant, id, yield* readJournalKeys(database, secrets)))
    }, statements.confirmed),
    verifierKeys: Effect.map(readJournalKeys(database, secrets), verifierKeysOf).pipe(Effect.withSpan("JournalLog.verifierKeys"))
  })
})

/** The logs for readers. */
export const layerJournalLog = (secrets: Secrets): Layer.Layer<JournalLog, never, PgDatabase> => Layer.effect(JournalLog, make(secrets))
