import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { expect, vi } from "vitest"
import type { PostgresServer } from "./postgresServer.ts"
import { withClient } from "./withClient.ts"

/** Whether commits wait: one that is not answered within a third of a second. */
const commitsWait = async (server: PostgresServer): Promise<boolean> => {
  const client = new pg.Client({ connectionString: server.url("postgres") })
  await client.connect()
  const { rows: [own] } = await client.query<{ readonly pid: number }>("select pg_backend_pid() as pid")
  const answered = client.query("select pg_logical_emit_message(true, 'probe', '')").then(() => false, () => false)
  const waits = await Promise.race([answered, pause(300, true)])
  await withClient(server.url("postgres"), (other) => other.query("select pg_cancel_backend($1)", [own?.pid]))
  await answered
  await client.end()
  return waits
}

/** Whether commits wait for a standby, which does not come. The server takes the setting up a moment later. */
export const awaitStandby = async (server: PostgresServer, names: "nobody" | ""): Promise<void> => {
  await withClient(server.url("postgres"), async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${names}'`)
    await client.query("select pg_reload_conf()")
  })
  await vi.waitFor(async () => expect(await commitsWait(server)).toBe(names === "nobody"), { timeout: 10_000, interval: 50 })
}
