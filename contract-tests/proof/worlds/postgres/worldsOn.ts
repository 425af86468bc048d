import { runSeed, type RunReport } from "../runSeed.ts"
import type { PlantedBug } from "../SimulatedHost.ts"
import { postgresBehind } from "./postgresBehind.ts"
import { WorldDatabase, type Rewrite, type WorldPlace } from "./WorldDatabase.ts"

/** Bugs in a statement that the checks must find. */
export type PlantedInStatements = "final-sale-not-due" | "doubt-switched-off" | "sealer-passes-running" | "event-untold" | "event-not-queued" | "taken-unheard" | "address-left" | "name-left" | "other-closing-sent" | "other-refund-sent"

/** A planted bug: the Advance Refund is a receipt, and its final sale is not due. */
const notDue: Rewrite = (sql) =>
  sql.includes("set late_reference = $3, next_check_at = $4") ? sql.replace("next_check_at = $4", "next_check_at = case when false then $4::timestamptz end") : sql

/** A planted bug: an open item that a receipt may exist changes nothing of what is told and sent. */
const noDoubt: Rewrite = (sql) => sql.replace("set in_doubt = $3 ", "set in_doubt = $3 and false ")

/** A planted bug: the sealer goes on behind a transaction that still runs. */
const passing: Rewrite = (sql) => sql.replace("pg_snapshot_xmin(s)::text as first", "pg_snapshot_xmax(s)::text as first")

/** A planted bug: what a search has found has no event. */
const untold: Rewrite = (sql) =>
  sql.startsWith("insert into events (organization_id, environment, sequence, type, at, operation_id, position)") ? `${sql} where many.type <> 'document.found'` : sql

/** A planted bug: an endpoint is moved on by one event more than it was given, now and then. */
const notQueued: Rewrite = (sql) =>
  sql.replace("update webhook_endpoints set sequence = $3 where", "update webhook_endpoints set sequence = $3 + case when $3::int8 % 7 = 0 then 1 else 0 end where")

/** A planted bug: an event counts as taken whatever was answered. */
const unheard: Rewrite = (sql) =>
  sql.replace("update webhook_messages m set status = ended.status,", "update webhook_messages m set status = case when ended.status = 'PENDING' then 'DELIVERED' else ended.status end,")

/** A planted bug: the request of a delivery keeps the erased address. */
const addressLeft: Rewrite = (sql) => sql.replace("set recipient = null, request_body = '',", "set recipient = null,")

/** A planted bug: the request of a document keeps the erased name in its content. */
const nameLeft: Rewrite = (sql) => sql.replace("set content = $3, key_body = $4,", "set content = case when false then $3::text else content end, key_body = $4,")

/** A planted bug: attempts that were taken back concern their own key alone. */
const otherClosing: Rewrite = (sql) => sql.replace("(k.case_id = o.workflow_id and", "(false and k.case_id = o.workflow_id and")

/** A planted bug: the same of refunds that were taken back. */
const otherRefund: Rewrite = (sql) => sql.replace("or k.gives_back = w.original_id)", "or (false and k.gives_back = w.original_id))")

const rewrites: Readonly<Record<PlantedInStatements, Rewrite>> = {
  "final-sale-not-due": notDue,
  "doubt-switched-off": noDoubt,
  "sealer-passes-running": passing,
  "event-untold": untold,
  "event-not-queued": notQueued,
  "taken-unheard": unheard,
  "address-left": addressLeft,
  "name-left": nameLeft,
  "other-closing-sent": otherClosing,
  "other-refund-sent": otherRefund
}

const unchanged: Rewrite = (sql) => sql

const rewriteOf = (plantedBug: PlantedBug | null): Rewrite => rewrites[plantedBug as PlantedInStatements] ?? unchanged

/** Worlds on PostgreSQL, one after another in one database. */
export interface PostgresWorlds {
  readonly run: (seed: number, plantedBug?: PlantedBug | null, months?: boolean) => Promise<RunReport>
  readonly close: () => Promise<void>
}

/** Opens a database of `startWorldServer` for this process alone. */
export const worldsOn = async (place: WorldPlace): Promise<PostgresWorlds> => {
  const database = await WorldDatabase.open(place)
  return {
    run: (seed, plantedBug = null, months = false) => runSeed(seed, plantedBug, (world) => postgresBehind(world, database, { rewrite: rewriteOf(plantedBug), seed }), undefined, months),
    close: () => database.close()
  }
}
