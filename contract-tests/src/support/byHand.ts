import type pg from "pg"

/** Runs a statement as a person with all rights in the database can: the table's triggers are switched off, then on again. */
export const byHand = async (client: pg.Client, table: string, sql: string, parameters: ReadonlyArray<unknown> = []): Promise<void> => {
  await client.query(`alter table ${table} disable trigger user`)
  try {
    await client.query(sql, [...parameters])
  } finally {
    await client.query(`alter table ${table} enable trigger user`)
  }
}

/** Removes a document and its place in the log, as a restore to an earlier point does. */
export const forgetDocument = async (client: pg.Client, id: string): Promise<void> => {
  for (const table of ["attempts", "operations", "journal_log_entries"]) await byHand(client, table, `delete from ${table} where operation_id = $1`, [id])
}
