import { ActRefused, type KeyOwner, type PutBack, RestoreActs } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgFailure } from "../PgFailure.ts"
import { utcOrNull } from "../rows/OperationRow.ts"
import { tellKept } from "../restore/keptAnswers.ts"
import { holdKept } from "../restore/keptKeys.ts"
import { putBackInTransaction } from "../restore/putBack.ts"
import { ownerOf } from "../restore/Taken.ts"
import { tellSentRefunds } from "../restore/lostRefunds.ts"
import { tellCases } from "../restore/tellCases.ts"
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

const deedOf = ({ boundKey, environment, id, organizationId }: KeyOwner, act: string) => ({
  organizationId, act, subject: id, before: null, after: { environment, idempotencyKey: boundKey.key }
})

const taken = "operation taken back after a restore"
const kept = "attempts kept after a restore"

/** The acts that change something, as the activity log names them. */
const deeds: Readonly<Record<"Operation" | "Key", Partial<Record<PutBack, string>>>> = {
  Operation: { PUT_BACK: taken, ATTEMPT_PUT_BACK: taken, KEPT: kept },
  Key: { PUT_BACK: "idempotency key kept after a restore", ATTEMPT_PUT_BACK: taken, KEPT: kept }
}

const putBack = ({ database }: ActTools): RestoreActs["Service"]["putBack"] =>
  Effect.fn("RestoreActs.putBack")(function*(act, item) {
    return yield* database.transaction(Effect.fnUntraced(function*(tx): Effect.fn.Return<PutBack, ActRefused | PgFailure> {
      if ((yield* tx.query<Declared>(locked)).every((row) => row.restoring_since === null)) {
        return yield* new ActRefused({ reason: "RESTORE_STATE_DIFFERS", detail: "No restore is declared." })
      }
      const result = yield* putBackInTransaction(tx, act, item)
      const deed = deeds[item._tag][result]
      if (deed !== undefined) yield* recordActivity(tx, act, deedOf(ownerOf(item), deed))
      return result
    }))
  })

const end = ({ database }: ActTools): RestoreActs["Service"]["end"] =>
  Effect.fn("RestoreActs.end")(function*(act) {
    yield* database.transaction(Effect.fnUntraced(function*(tx) {
      const since = (yield* tx.query<Declared>(locked)).map((row) => row.restoring_since).find((at) => at !== null)
      if (since === undefined) return yield* new ActRefused({ reason: "RESTORE_STATE_DIFFERS", detail: "No restore is declared." })
      yield* holdKept(tx)
      yield* tellKept(tx)
      yield* tellCases(tx)
      yield* tellSentRefunds(tx, since)
      yield* tx.query("update environment_settings set restoring_since = null, restored_at = now()")
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
