import { type Act, type CopiedRefund, isUnresolved, type PutBack, type TriedRequest } from "@overa/domain"
import { Effect } from "effect"
import { enterBehindHorizon } from "../journal/enterBehindHorizon.ts"
import { readAttempts } from "../operations/readers.ts"
import { reserveInTransaction } from "../operations/reserve.ts"
import type { PgStatements } from "../PgDatabase.ts"
import type { PgFailure } from "../PgFailure.ts"
import { addAttempts, isUnsent, knownById, knownColumns, type KnownRow, lostOf } from "./addAttempts.ts"
import { keepAnswer } from "./keptAnswers.ts"
import { keepAttempts } from "./keptAttempts.ts"
import { isAnothers, keepKey } from "./keptKeys.ts"
import { concernedBy, concernsAnother, concernsNoOther } from "./lostBeside.ts"
import { ownerOf, type Taken } from "./Taken.ts"

type TakenKey = Extract<Taken, { readonly _tag: "Key" }>

/** $1 organization, $2 environment, $3 key: a document that the service makes of another one, as it may have made it again since under another id. */
const knownByKey = `select ${knownColumns} from operations
where organization_id = $1 and environment = $2 and key_role = 'INNER' and key = $3 for update`

const triedOf = (taken: Taken): TriedRequest | null =>
  taken._tag === "Key" ? taken.tried : { attempts: taken.attempts, fingerprint: taken.operation.boundKey.fingerprint.digest }

/** What is stored of it: the document that would be sent again, if there is one. A document of the service may have been made again under another id. */
const storedFor = Effect.fnUntraced(function*(tx: PgStatements, taken: Taken) {
  const { boundKey: { key }, environment, id, organizationId } = ownerOf(taken)
  const same = yield* tx.query<KnownRow>(knownById, [organizationId, id])
  const made = taken._tag === "Key" && taken.owner.boundKey.role === "INNER" ? yield* tx.query<KnownRow>(knownByKey, [organizationId, environment, key]) : []
  const all = [...same, ...made]
  return all.find(isUnsent) ?? all[0]
})

const isOfRow = (taken: Taken, tried: TriedRequest, row: KnownRow): boolean =>
  row.key === ownerOf(taken).boundKey.key && row.fingerprint_digest === tried.fingerprint

/** What is stored already: it is known only where its receipt is stored, or every attempt of which there may be one. */
const putBackKnown = Effect.fnUntraced(function*(tx: PgStatements, act: Act, taken: Taken, row: KnownRow): Effect.fn.Return<PutBack, PgFailure> {
  if (taken._tag === "Key" && !taken.mayBeSigned) return "KNOWN"
  if (taken.invoiceNumber !== null && row.invoice_number === taken.invoiceNumber) return "KNOWN"
  const [owner, tried] = [ownerOf(taken), triedOf(taken)]
  const stored = yield* readAttempts(tx, owner.organizationId, row.operation_id)
  const lost = tried === null ? null : lostOf(tried.attempts, stored)
  if (lost?.length === 0) return "KNOWN"
  if (lost === null && isUnresolved(row)) return "UNRESOLVED"
  if (tried === null || lost === null) return "UNSIGNED"
  if (!isOfRow(taken, tried, row)) {
    yield* keepAnswer(tx, { organizationId: owner.organizationId, id: row.operation_id }, taken, lost.map(({ requestId }) => requestId))
    return "UNSIGNED"
  }
  if (row.awaits_reference) return (yield* keepAttempts(tx, owner, { role: row.key_role, key: row.key }, tried, concernsNoOther)) ? "KEPT" : "KNOWN"
  yield* addAttempts(tx, act, owner.organizationId, row, { lost, stored })
  return "ATTEMPT_PUT_BACK"
})

/** What the proof of a copy says of its refund: it has a receipt, under that key. */
const refundOf = (copy: TakenKey, { id, invoiceNumber, key }: CopiedRefund): TakenKey => ({
  ...copy, owner: { ...copy.owner, id, boundKey: { ...copy.owner.boundKey, role: "REQUEST", key } }, copied: null, inCase: null, invoiceNumber, mayBeSigned: true, tried: null
})

/** The refund's own file may never be given: where the database is without it, its key is held; where it is here without its receipt, a person is told, and it is not sent. */
const keepSigned = Effect.fnUntraced(function*(tx: PgStatements, refund: TakenKey) {
  yield* keepKey(tx, refund.owner)
  const [row] = yield* tx.query<KnownRow>(knownById, [refund.owner.organizationId, refund.owner.id])
  // Of a lost one its own file says more: which receipt it gives back, or of which case it is.
  if (row !== undefined) yield* keepAnswer(tx, refund.owner, refund, [])
})

/** A document that the service makes of another one: its key is never held, so that it can still be made. */
const keepForLater = Effect.fnUntraced(function*(tx: PgStatements, taken: TakenKey) {
  const { mayBeSigned, owner, tried } = taken
  if (tried === null || !mayBeSigned) return "UNSIGNED" satisfies PutBack
  return (yield* keepAttempts(tx, owner, owner.boundKey, tried, yield* concernedBy(tx, owner.organizationId, taken))) ? "KEPT" as const : "KNOWN" as const
})

/** What was sent concerns later documents of the same advance case, and later refunds of the same receipt, beside its key. */
const keepForOthers = Effect.fnUntraced(function*(tx: PgStatements, taken: TakenKey) {
  const { mayBeSigned, owner, tried } = taken
  if (tried === null || !mayBeSigned) return
  const concerned = yield* concernedBy(tx, owner.organizationId, taken)
  if (concernsAnother(concerned)) yield* keepAttempts(tx, owner, owner.boundKey, tried, concerned)
})

const putBackLost = Effect.fnUntraced(function*(tx: PgStatements, act: Act, taken: Taken): Effect.fn.Return<PutBack, PgFailure> {
  if (taken._tag === "Key") {
    if (taken.owner.boundKey.role === "INNER") return yield* keepForLater(tx, taken)
    yield* keepForOthers(tx, taken)
    return yield* keepKey(tx, taken.owner)
  }
  const [first, ...others] = taken.attempts
  if (yield* isAnothers(tx, taken.operation)) return "KEY_TAKEN"
  if (!(yield* reserveInTransaction(tx, { ...taken, attempt: first, leaseMillis: 0 }))) return "KEY_TAKEN"
  yield* enterBehindHorizon(tx, taken.operation)
  const { organizationId } = taken.operation
  const [row] = yield* tx.query<KnownRow>(knownById, [organizationId, taken.operation.id])
  if (row !== undefined) yield* addAttempts(tx, act, organizationId, row, { lost: others, stored: [first] })
  return "PUT_BACK"
})

/** Restores an item as part of a larger commit. The caller lets no other item be restored meanwhile. */
export const putBackInTransaction = Effect.fnUntraced(function*(tx: PgStatements, act: Act, taken: Taken) {
  if (taken._tag === "Key" && taken.copied !== null) yield* keepSigned(tx, refundOf(taken, taken.copied))
  const row = yield* storedFor(tx, taken)
  // Whether the document is stored by now depends on the order of the files, so that an answer is kept in any case. An Advance Refund may have got a receipt since.
  if (taken._tag === "Key" && taken.tried === null && (taken.mayBeSigned || (row === undefined && taken.owner.boundKey.role === "INNER" && taken.inCase !== null))) {
    yield* keepAnswer(tx, { organizationId: taken.owner.organizationId, id: row?.operation_id ?? taken.owner.id }, taken, [])
  }
  if (row === undefined) return yield* putBackLost(tx, act, taken)
  // An ended restore holds the key already, and a row that only holds a key never becomes a document.
  if (row.status === "RECEIVED") {
    if (taken._tag === "Operation") return "KEY_HELD" as const
    yield* keepForOthers(tx, taken)
    return "KNOWN" as const
  }
  return yield* putBackKnown(tx, act, taken, row)
})
