import { layerDatabase, layerOperationStore, migrate, PgDatabase } from "@overa/adapter-postgres"
import { type OperationStore as Store, OperationStore } from "@overa/domain"
import { Effect, Exit, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { awaitStandby } from "../src/support/awaitedStandby.ts"
import { freePort } from "../src/support/freePort.ts"
import { type PostgresServer, startPostgresServer } from "../src/support/postgresServer.ts"
import { mintPlace, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { registerOrganization } from "../src/support/sealingStage.ts"
import { withClient } from "../src/support/withClient.ts"

let server: PostgresServer
const shop = mintPlace()

const standby = (names: "nobody" | "") => awaitStandby(server, names)

const rowsOf = (id: string) => withClient(server.url("postgres"), async (client) => (await client.query("select status from operations where operation_id = $1", [id])).rows as ReadonlyArray<{ readonly status: string }>)

const host = () =>
  ManagedRuntime.make(Layer.provideMerge(layerOperationStore, layerDatabase({ url: Redacted.make(server.url("postgres")), applicationName: "host", statementTimeoutMillis: 500 })))

const withHost = async <A>(use: (run: <B, E>(work: (store: Store["Service"]) => Effect.Effect<B, E>) => Promise<Exit.Exit<B, unknown>>) => Promise<A>): Promise<A> => {
  const runtime = host()
  try {
    return await use((work) => runtime.runPromiseExit(Effect.flatMap(OperationStore, work)))
  } finally {
    await runtime.dispose()
  }
}

beforeAll(async () => {
  server = await startPostgresServer("standby-lost", { durable: false })
  await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(server.url("postgres")), applicationName: "migrate" })))
  await withClient(server.url("postgres"), (client) => registerOrganization(client, shop.organizationId))
})
afterAll(() => server?.destroy())
beforeEach(() => standby(""))

describe("the synchronous standby is lost", () => {
  it("a first commit whose wait was cancelled is visible, and is not told as stored until the standby has it", () =>
    withHost(async (run) => {
      const operation = sampleOperation(shop)
      const key = { organizationId: operation.organizationId, ...operation.boundKey }
      await standby("nobody")
      expect(await run((store) => store.reserve(sampleReservation(operation)))).toMatchObject({ _tag: "Failure" })
      expect(await rowsOf(operation.id)).toHaveLength(1)
      for (const read of [
        (store: Store["Service"]) => Effect.asVoid(store.findByKey(key)),
        (store: Store["Service"]) => Effect.asVoid(store.get(operation, operation.id)),
        (store: Store["Service"]) => Effect.asVoid(store.reserve(sampleReservation(operation)))
      ]) expect(await run(read)).toMatchObject({ _tag: "Failure" })
      await standby("")
      expect(await run((store) => store.reserve(sampleReservation(operation)))).toEqual(Exit.succeed({ _tag: "Reserved" }))
      expect(await run((store) => Effect.map(store.findByKey(key), Option.isSome))).toEqual(Exit.succeed(true))
    }), 60_000)

  it("a receipt is not told as stored while only this server has it", () =>
    withHost(async (run) => {
      const operation = sampleOperation(shop)
      await run((store) => store.reserve(sampleReservation(operation)))
      await standby("nobody")
      const conclusion = signed(operation)
      for (let again = 0; again < 2; again += 1) expect(await run((store) => store.conclude(conclusion))).toMatchObject({ _tag: "Failure" })
      expect(await rowsOf(operation.id)).toEqual([{ status: "FISCALIZED" }])
      await standby("")
      expect(await run((store) => store.conclude(conclusion))).toMatchObject({ _tag: "Success", value: { _tag: "Applied" } })
    }), 60_000)

  it("a host that starts while the first of its servers is down uses the other one at once", async () => {
    const url = new URL(server.url("postgres"))
    const closed = await freePort()
    const both = `postgres://${url.username}:${url.password}@127.0.0.1:${closed},127.0.0.1:${url.port}/postgres`
    const runtime = ManagedRuntime.make(layerDatabase({ url: Redacted.make(both), applicationName: "host" }))
    const found = await runtime.runPromise(Effect.flatMap(PgDatabase, (database) => Effect.scoped(Effect.flatMap(database.maintenance, (session) => session.query("select 1 as found")))))
    await runtime.dispose()
    expect(found).toEqual([{ found: 1 }])
  })

  it("what was answered before is read without a commit", () =>
    withHost(async (run) => {
      const operation = sampleOperation(shop)
      await run((store) => store.reserve(sampleReservation(operation)))
      await standby("nobody")
      expect(await run((store) => Effect.map(store.get(operation, operation.id), Option.isSome))).toEqual(Exit.succeed(true))
    }), 60_000)
})
