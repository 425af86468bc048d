import { ActRefused, type Attempt, type FiscalDocumentId, type KeyOwner, type Operation, type PutBack, RestoreActs, type TakeBack, type TriedRequest } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { holdKey } from "../operations/heldKeys.ts"
import { readAttempts } from "../operations/readers.ts"
import { redriveInTransaction } from "../operations/redrive.ts"
import { reserveInTransaction } from "../operations/reserveInTransaction.ts"
import type { PgStatements } from "../PgDatabase.ts"
import type { PgFailure } from "../PgFailure.ts"
import { utcOrNull } from "../rows/OperationRow.ts"
import { installationItself, recordActivity } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"

interface Declared {
  readonly restoring_since: Date | null
}

const declared = "select max(restoring_since) as restoring_since from environment_settings"
const locked = "select restoring_since from environment_settings order by environment for update"

const begin = ({ database }: ActTools): RestoreActs["Service"]["begin"] =>
  Effect.fn("RestoreActs.begin")(function*(act, since) {
    yield* database.transaction(Effect.fnUntraced(function*(tx) {
      const rows = yield* tx.query<Declared>(locked)
      if (rows.some((row) => row.restoring_since !== null)) {
        return yield* new ActRefused({ reason: "RESTORE_STATE_DIFFERS", detail: "A restore is declared already; end it first." })
      }
      yield* tx.query("update environment_settings set restoring_since = $1", [DateTime.toDateUtc(since)])
      const after = { since: DateTime.formatIso(since) }
      yield* recordActivity(tx, act, { organizationId: installationItself, act: "restore begun", subject: after.since, before: null, after })
    }))
  })

interface KnownRow {
  readonly operation_id: FiscalDocumentId
  readonly status: Operation["status"]
  readonly attempt: number
  readonly key: string
  readonly fingerprint_digest: string
  /** The final sale of an advance case whose Advance Refund has no receipt here yet; it is sent and compared with the reference to it. */
  readonly awaits_reference: boolean
}

const knownColumns = `operation_id, status, attempt, key, fingerprint_digest,
  coalesce(workflow_type = 'ADVANCE' and invoice_type = 'NORMAL' and late_reference is null, false) as awaits_reference`

/** $1 organization, $2 operation. */
const knownById = `select ${knownColumns} from operations where organization_id = $1 and operation_id = $2`

/** $1 organization, $2 environment, $3 key: a document that the service makes of another one, as it may have made it again since under another id. */
const knownByKey = `select ${knownColumns} from operations where organization_id = $1 and environment = $2 and key_role = 'INNER' and key = $3`

const hold = (tx: PgStatements, owner: KeyOwner) => holdKey(tx, owner).pipe(Effect.as(true), Effect.catchTag("KeyIsHeld", () => Effect.succeed(false)))

const deedOf = ({ boundKey, environment, id, organizationId }: KeyOwner, act: string) => ({
  organizationId, act, subject: id, before: null, after: { environment, idempotencyKey: boundKey.key }
})

type Taken = Exclude<TakeBack, { readonly _tag: "Nothing" }>

/** Whether it would be sent: when its request is repeated, or by the service itself. */
const isUnsent = ({ status }: KnownRow): boolean => status === "VALIDATED" || status === "NOT_FISCALIZED"

const ownerOf = (taken: Taken): KeyOwner => (taken._tag === "Key" ? taken.owner : taken.operation)

const triedOf = (taken: Taken): TriedRequest | null =>
  taken._tag === "Key" ? taken.tried : { attempt: taken.attempt, fingerprint: taken.operation.boundKey.fingerprint.digest }

/** What is stored of it: the document that would be sent again, if there is one. Its key may be held by its id, and the document itself have another id. */
const storedFor = Effect.fnUntraced(function*(tx: PgStatements, taken: Taken) {
  const { boundKey: { key }, environment, id, organizationId } = ownerOf(taken)
  const same = yield* tx.query<KnownRow>(knownById, [organizationId, id])
  const made = taken._tag === "Key" && taken.tried !== null ? yield* tx.query<KnownRow>(knownByKey, [organizationId, environment, key]) : []
  const all = [...same, ...made]
  return all.find(isUnsent) ?? all[0]
})

/**
 * Adds the attempt that the restore lost to a document that was not sent, or not fiscalized, before it: as a lease that has ended, so that the worker
 * searches for its receipt. Without it, the document would be signed a second time, by a repeated request or by the service itself. False where the
 * document has changed meanwhile.
 */
const addAttempt = (tx: PgStatements, organizationId: KeyOwner["organizationId"], attempt: Attempt, row: KnownRow) => {
  const number = row.attempt + 1
  return redriveInTransaction(tx, {
    operation: { organizationId, id: row.operation_id },
    attempt: { ...attempt, operationId: row.operation_id, number },
    transition: {
      from: row.status,
      to: "SUBMITTING",
      at: attempt.startedAt,
      cause: row.status === "VALIDATED" ? "reserved" : "redriven",
      actor: "api:restored",
      attempt: number
    },
    leaseMillis: 0
  })
}

/** What is stored already. Only a document that would be sent again when its request is repeated, or by the worker, needs more. */
const putBackKnown = Effect.fnUntraced(function*(tx: PgStatements, taken: Taken, row: KnownRow): Effect.fn.Return<PutBack, PgFailure> {
  if (!isUnsent(row) || (taken._tag === "Key" && !taken.mayBeSigned)) return "KNOWN"
  const [{ boundKey, organizationId }, tried] = [ownerOf(taken), triedOf(taken)]
  if (tried === null || row.awaits_reference || row.key !== boundKey.key || row.fingerprint_digest !== tried.fingerprint) return "UNSIGNED"
  const attempts = yield* readAttempts(tx, organizationId, row.operation_id)
  // An attempt that may have arrived is searched for before anything is sent again.
  if (attempts.some(({ requestId }) => requestId === tried.attempt.requestId)) return "KNOWN"
  return (yield* addAttempt(tx, organizationId, tried.attempt, row)) ? "ATTEMPT_PUT_BACK" : "UNSIGNED"
})

const putBackLost = Effect.fnUntraced(function*(tx: PgStatements, taken: Taken): Effect.fn.Return<PutBack, PgFailure> {
  const isNew = taken._tag === "Key" ? yield* hold(tx, taken.owner) : yield* reserveInTransaction(tx, { ...taken, leaseMillis: 0 })
  return isNew ? "PUT_BACK" : "KEY_TAKEN"
})

const putBack = ({ database }: ActTools): RestoreActs["Service"]["putBack"] =>
  Effect.fn("RestoreActs.putBack")(function*(act, taken) {
    return yield* database.transaction(Effect.fnUntraced(function*(tx): Effect.fn.Return<PutBack, ActRefused | PgFailure> {
      if ((yield* tx.query<Declared>(locked)).every((row) => row.restoring_since === null)) {
        return yield* new ActRefused({ reason: "RESTORE_STATE_DIFFERS", detail: "No restore is declared." })
      }
      const row = yield* storedFor(tx, taken)
      const result = row === undefined ? yield* putBackLost(tx, taken) : yield* putBackKnown(tx, taken, row)
      if (result !== "PUT_BACK" && result !== "ATTEMPT_PUT_BACK") return result
      const isOnlyKey = taken._tag === "Key" && result === "PUT_BACK"
      yield* recordActivity(tx, act, deedOf(ownerOf(taken), isOnlyKey ? "idempotency key held after a restore" : "operation taken back after a restore"))
      return result
    }))
  })

const end = ({ database }: ActTools): RestoreActs["Service"]["end"] =>
  Effect.fn("RestoreActs.end")(function*(act) {
    yield* database.transaction(Effect.fnUntraced(function*(tx) {
      const since = (yield* tx.query<Declared>(locked)).map((row) => row.restoring_since).find((at) => at !== null)
      if (since === undefined) return yield* new ActRefused({ reason: "RESTORE_STATE_DIFFERS", detail: "No restore is declared." })
      yield* tx.query("update environment_settings set restoring_since = null")
      const before = { since: since.toISOString() }
      yield* recordActivity(tx, act, { organizationId: installationItself, act: "restore ended", subject: before.since, before, after: null })
    }))
  })

/** The declaration of a restore. */
export const restoreActs = (tools: ActTools): RestoreActs["Service"] =>
  RestoreActs.of({
    begin: begin(tools),
    putBack: putBack(tools),
    end: end(tools),
    since: Effect.map(tools.database.read<Declared>(declared), ([row]) => utcOrNull(row?.restoring_since ?? null)).pipe(Effect.withSpan("RestoreActs.since"))
  })
