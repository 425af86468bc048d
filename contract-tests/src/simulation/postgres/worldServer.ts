import { layerDatabase, migrate } from "@overa/adapter-postgres"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { startPostgresServer } from "../../support/postgresServer.ts"

/** A server for worlds, which does not wait for its disk. */
export interface WorldServer {
  /** A migrated database of its own for one process. */
  readonly database: (name: string) => Promise<string>
  readonly destroy: () => Promise<void>
}

const template = "worlds_template"

const inDatabase = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** Starts a server and migrates a database that the others are copied from. */
export const startWorldServer = async (): Promise<WorldServer> => {
  const server = await startPostgresServer("worlds", { durable: false })
  await inDatabase(server.url("postgres"), `create database ${template}`)
  await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(server.url(template)), applicationName: "worlds" })))
  return {
    database: async (name) => {
      await inDatabase(server.url("postgres"), `create database ${name} template ${template}`)
      return server.url(name)
    },
    destroy: () => server.destroy()
  }
}
