import {
  type AdvanceCaseFilter,
  AdvanceCaseList,
  AdvanceCases,
  advancePartOf,
  type CaseOpened,
  type CaseReserved,
  dueAfterReservation,
  innerDocumentId,
  isCopyDue,
  type OpenedAdvanceCase,
  type Operation,
  type OrganizationId,
  type Redrive,
  type Reservation,
  storedAgainItems,
  type StoredAdvanceCase,
  type Tenant,
  type WorkflowId
} from "@overa/domain"
import { Effect, Layer, Option, Result } from "effect"
import { holdKey } from "./operations/heldKeys.ts"
import { raiseItems } from "./operations/raise.ts"
import { readKeyHolder } from "./operations/readers.ts"
import { redriveInTransaction } from "./operations/redrive.ts"
import { reserveInTransaction } from "./operations/reserve.ts"
import { type CasePlace, listCases } from "./workflows/listCases.ts"
import { holdUp } from "./restore/holdUp.ts"
import { keptOf } from "./restore/keptAttempts.ts"
import { placeHolderOf } from "./workflows/closings.ts"
import { SettledDocuments } from "./workflows/SettledDocuments.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { toStoreUnavailable } from "./PgFailure.ts"
import {
  caseById,
  caseByKey,
  caseParameters,
  type CaseRow,
  decodeCase,
  insertCase,
  insertDocuments,
  lockCase,
  readDocuments
} from "./workflows/caseRows.ts"

const findCase = Effect.fnUntraced(function*(statements: PgStatements, organizationId: OrganizationId, by: { readonly id: WorkflowId } | { readonly key: string }) {
  const [sql, value] = "id" in by ? [caseById, by.id] : [caseByKey, by.key]
  const [row] = yield* statements.query<CaseRow>(sql, [organizationId, value])
  return Option.map(Option.fromNullishOr(row), decodeCase)
})

/** Stores the case and its key, or answers with the earlier use of the key. */
const openCase = Effect.fnUntraced(function*(statements: PgStatements, opened: OpenedAdvanceCase) {
  const { organizationId, boundKey: { key } } = opened
  const inserted = yield* statements.query(insertCase, caseParameters(opened))
  if (inserted.length === 1) {
    yield* holdKey(statements, opened)
    return { _tag: "Opened" } satisfies CaseOpened
  }
  const existing = Option.getOrNull(yield* findCase(statements, organizationId, { key }))
  if (existing === null) return yield* Effect.die(new Error(`Advance case ${opened.id} exists under another key`))
  const answer: CaseOpened = existing.id === opened.id ? { _tag: "Opened" } : { _tag: "CaseKnown", existing }
  return answer
})

/** A cancellation that gives cash back also reserves the id of its copy, which is known already. */
const placesOf = (reservations: ReadonlyArray<Reservation>): ReadonlyArray<string> =>
  reservations.flatMap(({ operation }) =>
    advancePartOf(operation) === "CANCELLATION" && isCopyDue(operation) ? [operation.id, innerDocumentId(operation.id)] : [operation.id]
  )

/** Callers' keys first: when one is taken, nothing has been written yet. */
const keysFirst = (reservations: ReadonlyArray<Reservation>): ReadonlyArray<Reservation> =>
  [...reservations].sort((left, right) => left.operation.boundKey.role === right.operation.boundKey.role ? 0 : left.operation.boundKey.role === "REQUEST" ? -1 : 1)

/** $1 organization, $2 operation, $3 milliseconds. */
const dueAfter = `update operations set next_check_at = now() + $3::float8 * interval '1 millisecond' where organization_id = $1 and operation_id = $2`

/** Stores one document of a case; false when its key is taken and nothing was written. */
const reserveDocument = Effect.fnUntraced(function*(statements: PgStatements, reservation: Reservation) {
  const { operation } = reservation
  if (!(yield* reserveInTransaction(statements, reservation))) return false
  const millis = dueAfterReservation(operation)
  if (millis !== null) yield* statements.query(dueAfter, [operation.organizationId, operation.id, millis])
  return true
})

const keep = Effect.fnUntraced(function*(statements: PgStatements, opened: OpenedAdvanceCase, kept: ReadonlyArray<Reservation>) {
  for (const reservation of keysFirst(kept)) {
    if (yield* reserveDocument(statements, reservation)) continue
    const existing = yield* readKeyHolder(statements, reservation.operation)
    // The own operation, where this commit was sent before and its answer was lost.
    if (existing?.id === reservation.operation.id) continue
    const holder = existing ?? (yield* placeHolderOf(statements, opened.id, reservation.operation))
    return { _tag: "KeyTaken", existing: holder } satisfies CaseReserved
  }
  yield* statements.query(insertDocuments, [opened.organizationId, opened.id, placesOf(kept)])
  return { _tag: "Reserved", kept } satisfies CaseReserved
})

/** The document that is sent first of a closing or a cancellation: what gives money back, or a final sale alone. A payment depends on no lost document. */
const firstOf = (kept: ReadonlyArray<Reservation>): Reservation | undefined =>
  kept.find(({ operation }) => ["CLOSING_REFUND", "CANCELLATION"].includes(advancePartOf(operation))) ?? kept.find(({ operation }) => advancePartOf(operation) === "FINAL_SALE")

/**
 * What a restore lost of the case, and take-back has kept, may be signed already, under the same key or another one: the document that would be sent first is
 * held up. The caller hears that the key is taken, as if its earlier request had stored the documents.
 */
const unlessSigned = Effect.fnUntraced(function*(statements: PgStatements, reserved: CaseReserved) {
  const reservations = reserved._tag === "Reserved" ? reserved.kept : []
  const first = firstOf(reservations)
  const kept = first === undefined ? null : yield* keptOf(statements, first.operation)
  if (first === undefined || kept === null) return reserved
  yield* holdUp(statements, first, kept)
  const [caller = first] = keysFirst(reservations)
  const taken: CaseReserved = { _tag: "KeyTaken", existing: caller.operation }
  return taken
})

const lockedDocuments = Effect.fnUntraced(function*(statements: PgStatements, settled: SettledDocuments, { id, organizationId }: OpenedAdvanceCase) {
  yield* statements.query(lockCase, [organizationId, id])
  return yield* readDocuments(statements, settled, organizationId, id)
})

const reserveInCase = Effect.fnUntraced(function*<E>(
  statements: PgStatements,
  settled: SettledDocuments,
  opened: OpenedAdvanceCase,
  decide: (documents: ReadonlyArray<Operation>) => Result.Result<ReadonlyArray<Reservation>, E>
) {
  const decided = decide(yield* lockedDocuments(statements, settled, opened))
  if (Result.isFailure(decided)) return Result.fail(decided.failure)
  return Result.succeed(yield* unlessSigned(statements, yield* keep(statements, opened, decided.success)))
})

/** A failover may have lost the case together with its documents. */
const reserveAgain = Effect.fnUntraced(function*(statements: PgStatements, settled: SettledDocuments, opened: OpenedAdvanceCase, kept: ReadonlyArray<Reservation>) {
  const inserted = yield* statements.query(insertCase, caseParameters(opened))
  if (inserted.length === 1) yield* holdKey(statements, opened).pipe(Effect.catchTag("KeyIsHeld", () => Effect.void))
  yield* statements.query(lockCase, [opened.organizationId, opened.id])
  const reserved: CaseReserved = yield* keep(statements, opened, kept)
  if (reserved._tag === "KeyTaken") return reserved
  const documents = yield* readDocuments(statements, settled, opened.organizationId, opened.id)
  for (const { operation } of kept) {
    const items = storedAgainItems(operation, documents)
    if (items.length > 0) yield* raiseItems(statements, { ...operation, operationId: operation.id, at: operation.createdAt }, items)
  }
  return reserved
})

const redriveInCase = Effect.fnUntraced(function*<E>(
  statements: PgStatements,
  settled: SettledDocuments,
  opened: OpenedAdvanceCase,
  redrive: Redrive,
  decide: (documents: ReadonlyArray<Operation>) => Result.Result<void, E>
) {
  const decided = decide(yield* lockedDocuments(statements, settled, opened))
  return Result.isFailure(decided) ? Result.fail(decided.failure) : Result.succeed(yield* redriveInTransaction(statements, redrive))
})

/** Characters of content kept in memory: some thousands of receipts. */
const keptCharacters = 32 * 1_024 * 1_024

const make = Effect.gen(function*() {
  const { keyed, transaction } = yield* PgDatabase
  const settled = new SettledDocuments(keptCharacters)
  const find: AdvanceCases["Service"]["find"] = (organizationId, by) =>
    keyed.confirmed(findCase(keyed, organizationId, by).pipe(Effect.catch(toStoreUnavailable)), { organizationId })
  return AdvanceCases.of({
    open: Effect.fn("AdvanceCases.open")(function*(opened: OpenedAdvanceCase) {
      const answer = yield* transaction((statements) => openCase(statements, opened)).pipe(Effect.catchTag("KeyIsHeld", () => Effect.succeed(null)))
      if (answer !== null) return answer
      const existing = yield* readKeyHolder(keyed, opened).pipe(Effect.catch(toStoreUnavailable))
      // Rows of keys are never deleted, so the row that caused the conflict exists.
      return existing === null ? yield* Effect.die(new Error("a key is taken, but its holder does not exist")) : { _tag: "KeyTaken", existing } as const
    }, keyed.confirmed),
    get: Effect.fn("AdvanceCases.get")(function*(tenant: Tenant, id: WorkflowId) {
      const found = yield* findCase(keyed, tenant.organizationId, { id }).pipe(Effect.catch(toStoreUnavailable))
      if (Option.isNone(found) || found.value.environment !== tenant.environment) return Option.none<StoredAdvanceCase>()
      const documents = yield* readDocuments(keyed, settled, tenant.organizationId, id).pipe(Effect.catch(toStoreUnavailable))
      return Option.some<StoredAdvanceCase>({ opened: found.value, documents })
    }, keyed.confirmed),
    find: Effect.fn("AdvanceCases.find")(find),
    reserve: (opened, decide) => transaction((statements) => reserveInCase(statements, settled, opened, decide)),
    reserveAgain: (opened, kept) => transaction((statements) => reserveAgain(statements, settled, opened, kept)),
    redrive: (opened, redrive, decide) => transaction((statements) => redriveInCase(statements, settled, opened, redrive, decide))
  })
})

const listed = Effect.gen(function*() {
  const database = yield* PgDatabase
  return AdvanceCaseList.of({
    opened: Effect.fn("AdvanceCaseList.opened")(function*(tenant: Tenant, filter: AdvanceCaseFilter, place: CasePlace) {
      const { sql, values } = listCases(tenant, filter, place)
      return (yield* database.read<CaseRow>(sql, values)).map(decodeCase)
    }, database.keyed.confirmed)
  })
})

/** Advance cases and their list. Their documents are concluded through `PgOperationStore`, which stores what follows in the same commit. */
export const layerAdvanceCases: Layer.Layer<AdvanceCases | AdvanceCaseList, never, PgDatabase> = Layer.merge(
  Layer.effect(AdvanceCases, make),
  Layer.effect(AdvanceCaseList, listed)
)
