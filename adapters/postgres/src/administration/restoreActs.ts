import { ActRefused, RestoreActs } from "@overa/domain"
import { DateTime, Effect } from "effect"
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
    end: end(tools),
    since: Effect.map(tools.database.read<Declared>(declared), ([row]) => utcOrNull(row?.restoring_since ?? null)).pipe(Effect.withSpan("RestoreActs.since"))
  })
