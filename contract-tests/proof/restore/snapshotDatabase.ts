import pg from "pg"
import { throwawayDatabase, type ThrowawayDatabase } from "../../src/support/throwawayDatabase.ts"

const tablesOf = "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'schema\\_%' order by 1"

/** Rows copied by one statement. */
const atOnce = 500

/**
 * A backup taken while the database is written: all tables as of one moment, in a database of its own, like a dump in one snapshot. The copy has the
 * schema, its triggers and constraints.
 */
export const snapshotDatabase = async (url: string): Promise<ThrowawayDatabase> => {
  const copy = await throwawayDatabase()
  const [source, target] = [new pg.Client({ connectionString: url }), await copy.client()]
  await source.connect()
  try {
    await source.query("begin isolation level repeatable read, read only")
    const { rows: tables } = await source.query<{ readonly name: string }>(tablesOf)
    // Constraints and triggers were checked when the rows were first written, so they are not checked again.
    await target.query("set session_replication_role = replica")
    for (const { name } of tables) {
      await target.query(`delete from ${name}`)
      const { rows } = await source.query<{ readonly row: string }>(`select row_to_json(t)::text as row from ${name} t`)
      for (let at = 0; at < rows.length; at += atOnce) {
        const some = `[${rows.slice(at, at + atOnce).map(({ row }) => row).join(",")}]`
        await target.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1)`, [some])
      }
    }
    await target.query("reset session_replication_role")
    await source.query("commit")
  } finally {
    await Promise.all([source.end(), target.end()])
  }
  return copy
}
