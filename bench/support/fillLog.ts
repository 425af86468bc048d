import pg from "pg"

const logFiles = 128

/**
 * Gives a new server the log files of one that has run for long. A new log file is filled with zeros and flushed while every commit waits, some 50 ms
 * for each 16 MB; one that a checkpoint has freed is only renamed.
 */
export const fillLog = async (connectionString: string): Promise<void> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`alter system set min_wal_size = '${logFiles * 16}MB'`)
  await client.query(`alter system set max_wal_size = '${logFiles * 32}MB'`)
  await client.query("select pg_reload_conf()")
  for (let file = 0; file < logFiles; file++) {
    await client.query("select pg_logical_emit_message(true, 'bench', '')")
    await client.query("select pg_switch_wal()")
  }
  await client.query("checkpoint")
  await client.end()
}
