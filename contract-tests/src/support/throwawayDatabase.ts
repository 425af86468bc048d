import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { layerDatabase, migrate } from "@overa/adapter-postgres"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { inject } from "vitest"
import { type PostgresServer, startPostgresServer, urlOn } from "./postgresServer.ts"
import "./globalPostgres.ts"
import { withClient } from "./withClient.ts"

/** A migrated database for one test file. */
export interface ThrowawayDatabase {
  readonly url: string
  /** Plain SQL besides the adapter: to read, to prepare, to damage. */
  readonly client: () => Promise<pg.Client>
  readonly drop: () => Promise<void>
}

const template = "overa_template"

const askStarter = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1")
    socket.on("data", (chunk) => (answer += chunk.toString()))
    socket.on("end", () => (/^\d+$/.test(answer) ? resolve(answer) : reject(new Error(answer))))
    socket.on("error", reject)
  })


let own: Promise<PostgresServer> | undefined
let inUse = 0

/**
 * A server that already runs, for `npm run postgres-versions`: databases are created on it.
 * A database that already exists, for `npm run citus`: every test file shares it, and cases create their own organizations.
 */
const givenServer = process.env["OVERA_TEST_SERVER"]
const givenDatabase = process.env["OVERA_TEST_DATABASE"]

/** Whether each throw-away database is one of its own, so that one can be a copy of another. */
export const databasesAreOwn = givenDatabase === undefined

// Without the shared server (a run that did not set it up) this process starts one for itself.
const serverUrl = async (): Promise<(database: string) => string> => {
  if (givenServer !== undefined) return (database) => Object.assign(new URL(givenServer), { pathname: `/${database}` }).toString()
  const starter = inject("postgresStarterPort") as number | undefined
  if (starter !== undefined) {
    const port = await askStarter(starter)
    return (database) => urlOn(port, database)
  }
  own ??= startPostgresServer("own", { durable: false })
  return (await own).url
}

const migrateAt = (url: string): Promise<unknown> =>
  Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(url), applicationName: "template" })))

// Several test files begin at once; the first one builds the template, the others wait for it.
const ensureTemplate = (urlOf: (database: string) => string): Promise<void> =>
  withClient(urlOf("postgres"), async (client) => {
    await client.query("select pg_advisory_lock(1)")
    const known = await client.query("select 1 from pg_database where datname = $1 and datistemplate", [template])
    if (known.rowCount === 1) return
    await client.query(`drop database if exists ${template}`)
    await client.query(`create database ${template}`)
    await migrateAt(urlOf(template))
    await client.query(`alter database ${template} is_template true`)
  })

const connected = (url: string, release: () => Promise<void>): ThrowawayDatabase => {
  const clients: Array<pg.Client> = []
  return {
    url,
    client: async () => {
      const client = new pg.Client({ connectionString: url })
      client.on("error", () => undefined)
      await client.connect()
      clients.push(client)
      return client
    },
    drop: async () => {
      await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
      await release()
    }
  }
}

/**
 * Clones the migrated template (some 30 ms), or the database `copyOf`, to which nobody may be connected. Call `drop` when the file is done. One that is `kept`
 * is to be copied: it goes with its server.
 */
export const throwawayDatabase = async (
  options: { readonly migrated?: boolean; readonly copyOf?: ThrowawayDatabase; readonly kept?: boolean } = {}
): Promise<ThrowawayDatabase> => {
  if (givenDatabase !== undefined) return connected(givenDatabase, () => Promise.resolve())
  if (options.kept !== true) inUse += 1
  const urlOf = await serverUrl()
  const name = `test_${randomUUID().replaceAll("-", "")}`
  if (options.migrated !== false) await ensureTemplate(urlOf)
  const source = options.copyOf === undefined ? (options.migrated === false ? "template1" : template) : new URL(options.copyOf.url).pathname.slice(1)
  await withClient(urlOf("postgres"), (client) => client.query(`create database ${name} template ${source}`))
  return connected(urlOf(name), async () => {
    await withClient(urlOf("postgres"), (client) => client.query(`drop database ${name} with (force)`))
    inUse -= 1
    if (own !== undefined && inUse === 0) await stopOwn()
  })
}

const stopOwn = async (): Promise<void> => {
  const server = await own
  own = undefined
  await server?.destroy()
}
