import { ActRefused, type KeyOwner, type PutBack, RestoreActs, type TakeBack } from "@overa/domain"
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
  readonly status: string
  readonly attempt: number
  readonly key: string
  readonly fingerprint_digest: string
}

const known = "select status, attempt, key, fingerprint_digest from operations where organization_id = $1 and operation_id = $2"

const hold = (tx: PgStatements, owner: KeyOwner) => holdKey(tx, owner).pipe(Effect.as(true), Effect.catchTag("KeyIsHeld", () => Effect.succeed(false)))

const deedOf = ({ boundKey, environment, id, organizationId }: KeyOwner, act: string) => ({
  organizationId, act, subject: id, before: null, after: { environment, idempotencyKey: boundKey.key }
})

type Taken = Exclude<TakeBack, { readonly _tag: "Nothing" }>

/**
 * Adds the attempt that the restore lost to a sale that was not fiscalized before it, as a lease that has ended: the worker searches for its receipt.
 * Without it, a repeated request would have the sale signed a second time. False where the sale has changed meanwhile.
 */
const addAttempt = (tx: PgStatements, { attempt, operation, transitions }: Extract<Taken, { readonly _tag: "Operation" }>, number: number) =>
  redriveInTransaction(tx, {
    operation,
    attempt: { ...attempt, number },
    transition: {
      from: "NOT_FISCALIZED",
      to: "SUBMITTING",
      at: attempt.startedAt,
      cause: "redriven",
      actor: transitions.at(-1)?.actor ?? "api:restored",
      attempt: number
    },
    leaseMillis: 0
  })

/** What is stored already. Only a document that would be sent again when its request is repeated, or by the worker, needs more. */
const putBackKnown = Effect.fnUntraced(function*(tx: PgStatements, taken: Taken, row: KnownRow): Effect.fn.Return<PutBack, PgFailure> {
  const isSentAgain = row.status === "NOT_FISCALIZED" || row.status === "VALIDATED"
  if (!isSentAgain || (taken._tag === "Key" && !taken.mayBeSigned)) return "KNOWN"
  if (taken._tag === "Key" || row.status !== "NOT_FISCALIZED") return "UNSIGNED"
  const { attempt, operation: { boundKey, id, organizationId } } = taken
  if (row.key !== boundKey.key || row.fingerprint_digest !== boundKey.fingerprint.digest) return "UNSIGNED"
  const attempts = yield* readAttempts(tx, organizationId, id)
  // An attempt that may have arrived is searched for before anything is sent again.
  if (attempts.some(({ requestId }) => requestId === attempt.requestId)) return "KNOWN"
  return (yield* addAttempt(tx, taken, row.attempt + 1)) ? "PUT_BACK" : "UNSIGNED"
})

const putBackLost = Effect.fnUntraced(function*(tx: PgStatements, taken: Taken): Effect.fn.Return<PutBack, PgFailure> {
  const isNew = taken._tag === "Key" ? yield* hold(tx, taken.owner) : yield* reserveInTransaction(tx, { ...taken, leaseMillis: 0 })
  return isNew ? "PUT_BACK" : "KEY_TAKEN"
})

const putBack = ({ database }: ActTools): RestoreActs["Service"]["putBack"] =>
  Effect.fn("RestoreActs.putBack")(function*(act, taken) {
    const owner: KeyOwner = taken._tag === "Key" ? taken.owner : taken.operation
    return yield* database.transaction(Effect.fnUntraced(function*(tx): Effect.fn.Return<PutBack, ActRefused | PgFailure> {
      if ((yield* tx.query<Declared>(locked)).every((row) => row.restoring_since === null)) {
        return yield* new ActRefused({ reason: "RESTORE_STATE_DIFFERS", detail: "No restore is declared." })
      }
      const [row] = yield* tx.query<KnownRow>(known, [owner.organizationId, owner.id])
      const result = row === undefined ? yield* putBackLost(tx, taken) : yield* putBackKnown(tx, taken, row)
      if (result !== "PUT_BACK") return result
      yield* recordActivity(tx, act, deedOf(owner, taken._tag === "Key" ? "idempotency key held after a restore" : "operation taken back after a restore"))
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
