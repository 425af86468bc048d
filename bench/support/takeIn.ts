import { JournalUpkeep, type StoreUnavailable } from "@overa/domain"
import { Effect } from "effect"
import type pg from "pg"

/** The work of `takeIn`: entries and milliseconds. */
export interface TakenIn {
  readonly entries: number
  readonly millis: number
  readonly indexMillis: number
}

/** The logs of multiplied documents are said to be sealed up to now; sealing four leaves of each would take longer than everything else. */
const sayItIsSealed = `insert into journal_log_positions (organization_id, environment, moved_by, operation_id, cluster, swept_to, swept_at)
  select g.organization_id, 'sandbox', pg_current_xact_id(), first.id, c.system_identifier::text, first.id, now()
  from organizations g, pg_control_system() c, (select '00000000-0000-0000-0000-000000000000'::uuid as id) first
  on conflict do nothing`

/** Adds multiplied documents to the journal's tables, as the worker does, with the statistics of a database that has run for long. */
export const takeIn = async (
  client: pg.Client,
  run: (effect: Effect.Effect<number, StoreUnavailable, JournalUpkeep>) => Promise<number>
): Promise<TakenIn> => {
  await client.query(sayItIsSealed)
  await client.query("vacuum analyze operations")
  // Dropped and created again once the entries exist: updating the index row by row for so many entries takes hours.
  const { rows: [search] } = await client.query("select indexdef from pg_indexes where indexname = 'journal_entries_search'")
  await client.query("drop index journal_entries_search")
  const began = performance.now()
  const entries = await run(Effect.flatMap(Effect.service(JournalUpkeep), (upkeep) => upkeep.advance({ marginMillis: 0, limit: Number.MAX_SAFE_INTEGER })))
  const taken = performance.now()
  await client.query("set maintenance_work_mem = '1GB'")
  await client.query(search.indexdef)
  const indexed = performance.now()
  await client.query("vacuum analyze")
  return { entries, millis: taken - began, indexMillis: indexed - taken }
}
