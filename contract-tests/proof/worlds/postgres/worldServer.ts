import { layerDatabase, migrate } from "@overa/adapter-postgres"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { join } from "node:path"
import { startPostgresServer } from "../../../src/support/postgresServer.ts"
import type { WorldPlace } from "./WorldDatabase.ts"

/** A server for worlds, which does not wait for its disk. */
export interface WorldServer {
  /** A migrated database of its own for one process. */
  readonly database: (name: string) => Promise<WorldPlace>
  readonly destroy: () => Promise<void>
}

const template = "worlds_template"

/** A socket in its data directory costs a statement half of what the loopback does. Dead rows are removed between worlds, not during one. */
const settings = ["unix_socket_directories=.", "autovacuum=off", "wal_level=minimal", "max_wal_senders=0", "track_activities=off", "track_counts=off", "update_process_title=off"]

const inDatabase = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** Starts a server and migrates a database that the others are copied from. */
export const startWorldServer = async (): Promise<WorldServer> => {
  const server = await startPostgresServer("worlds", { durable: false, settings })
  await inDatabase(server.url("postgres"), `create database ${template}`)
  await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(server.url(template)), applicationName: "worlds" })))
  return {
    database: async (name) => {
      await inDatabase(server.url("postgres"), `create database ${name} template ${template}`)
      const dataDirectory = join(server.directory, "data")
      const url = new URL(server.url(name))
      url.searchParams.set("host", dataDirectory)
      return { url: url.toString(), dataDirectory }
    },
    destroy: () => server.destroy()
  }
}
