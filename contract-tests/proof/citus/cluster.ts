import { layerDatabase, migrate } from "@overa/adapter-postgres"
import { Effect, Redacted } from "effect"
import pg from "pg"

/** The servers of a running cluster, the coordinator first: `postgres://user:password@host:port`. */
export type Nodes = readonly [coordinator: URL, ...workers: ReadonlyArray<URL>]

export const nodesFrom = (addresses: string | undefined): Nodes | undefined => {
  const [coordinator, ...workers] = (addresses ?? "").split(",").map((address) => address.trim()).filter((address) => address !== "").map((address) => new URL(address))
  return coordinator === undefined || workers.length === 0 ? undefined : [coordinator, ...workers]
}

/** The address of a database on one of the servers. */
export const databaseOn = (node: URL, database: string): string => Object.assign(new URL(node), { pathname: `/${database}` }).toString()

export const withClient = async <A>(url: string, use: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const notPropagated = "set citus.enable_create_database_propagation = off"

/** Creates a database on every server, joins them, and migrates: the last step of a migration distributes the tables. */
export const makeDatabase = async (nodes: Nodes, name: string): Promise<string> => {
  for (const node of nodes) {
    await withClient(databaseOn(node, "postgres"), async (client) => {
      await client.query(notPropagated)
      await client.query(`create database ${name}`)
    })
    await withClient(databaseOn(node, name), (client) => client.query("create extension citus"))
  }
  const [coordinator, ...workers] = nodes
  const url = databaseOn(coordinator, name)
  await withClient(url, async (client) => {
    await client.query("select citus_set_coordinator_host($1, $2)", [coordinator.hostname, Number(coordinator.port)])
    for (const worker of workers) await client.query("select citus_add_node($1, $2)", [worker.hostname, Number(worker.port)])
  })
  await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(url), applicationName: "citus" })))
  return url
}

export const dropDatabase = async (nodes: Nodes, name: string): Promise<void> => {
  const [coordinator, ...workers] = nodes
  await withClient(databaseOn(coordinator, name), async (client) => {
    for (const worker of workers) await client.query("select citus_remove_node($1, $2)", [worker.hostname, Number(worker.port)]).catch(() => undefined)
  }).catch(() => undefined)
  for (const node of nodes) {
    await withClient(databaseOn(node, "postgres"), async (client) => {
      await client.query(notPropagated)
      await client.query(`drop database if exists ${name} with (force)`)
    })
  }
}
