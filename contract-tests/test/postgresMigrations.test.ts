import { setTimeout } from "node:timers/promises"
import { layerDatabase, migrate, type Migration, MigrationChanged, migrationDigest, migrations, PgDatabase } from "@overa/adapter-postgres"
import { Effect, Exit, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

const made: Array<ThrowawayDatabase> = []
const emptyDatabase = async (): Promise<ThrowawayDatabase> => {
  const database = await throwawayDatabase({ migrated: false })
  made.push(database)
  return database
}
afterAll(() => Promise.all(made.map((database) => database.drop())))

const run = (database: ThrowawayDatabase, steps: ReadonlyArray<Migration> = migrations) =>
  Effect.runPromiseExit(
    Effect.provide(migrate(steps), layerDatabase({ url: Redacted.make(database.url), applicationName: "migrations" }))
  )

const applied = async (database: ThrowawayDatabase, steps?: ReadonlyArray<Migration>): Promise<ReadonlyArray<number>> => {
  const exit = await run(database, steps)
  if (Exit.isFailure(exit)) return assert.fail(String(exit.cause))
  return exit.value
}

const numbers = migrations.map(({ number }) => number)

describe("migrations", () => {
  let shared: ThrowawayDatabase
  beforeAll(async () => {
    shared = await emptyDatabase()
  })

  it("are numbered upward, none twice", () => {
    assert.deepStrictEqual(numbers, [...new Set(numbers)].toSorted((left, right) => left - right))
  })

  it("are applied once, in order, by however many hosts start together", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => applied(shared)))
    assert.deepStrictEqual(all.flat().toSorted((left, right) => left - right), numbers)
    assert.deepStrictEqual(await applied(shared), [])
  })

  it("refuse a database built by other statements than this release has", async () => {
    const [first, ...others] = migrations
    if (first === undefined) return assert.fail("no migrations")
    const changed = { ...first, statements: [...first.statements, "select 1"] }
    const exit = await run(shared, [changed, ...others])
    assert.isTrue(Exit.isFailure(exit) && exit.cause.reasons.some((reason) => reason._tag === "Fail" && reason.error instanceof MigrationChanged))
  })

  it("leave nothing behind when one of their statements fails, and can be run again", async () => {
    const database = await emptyDatabase()
    const broken: Migration = { number: 1, name: "broken", statements: ["create table half (id integer)", "select no_such_function()"] }
    assert.isTrue(Exit.isFailure(await run(database, [broken])))
    const client = await database.client()
    assert.strictEqual((await client.query("select to_regclass('half') as half")).rows[0].half, null)
    assert.deepStrictEqual(await applied(database), numbers)
  })

  it("keep what an earlier release stored", async () => {
    const database = await emptyDatabase()
    await applied(database, migrations.slice(0, 4))
    const client = await database.client()
    const organization = mintUuid()
    const taxpayer = mintUuid()
    await client.query("insert into organizations values ($1, 'Стара', now())", [organization])
    await client.query(
      `insert into taxpayers (organization_id, taxpayer_id, environment, tax_identifier, name, vat_status, created_at, updated_at)
       values ($1, $2, 'production', '100000001', 'Фирма', 'IN_VAT', now(), now())`,
      [organization, taxpayer]
    )
    assert.deepStrictEqual(await applied(database), numbers.slice(4))
    const kept = await client.query("select t.name, o.name as organization from taxpayers t join organizations o using (organization_id)")
    assert.deepStrictEqual(kept.rows, [{ name: "Фирма", organization: "Стара" }])
  })

  it("leave no index unfinished: one that a lock kept from being built would be taken for the finished one", async () => {
    const database = await emptyDatabase()
    await applied(database)
    const client = await database.client()
    const indexes = await client.query(`select c.relname, x.indisvalid from pg_index x join pg_class c on c.oid = x.indexrelid
      where c.relname like 'operations\\_%'`)
    assert.deepStrictEqual(indexes.rows.filter(({ indisvalid }) => indisvalid === false), [])
    assert.include(indexes.rows.map(({ relname }) => relname), "operations_invoice_number_unique")
  })

  it("never wait for a row lock, since the index builds of the host that migrates would wait for their snapshots", async () => {
    const database = await emptyDatabase()
    await applied(database)
    const [migrating, observer] = [await database.client(), await database.client()]
    await migrating.query("begin; select id from schema_lock where id = 1 for update")
    const others = Array.from({ length: 4 }, () => applied(database))
    const sessions = "select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'migrations'"
    await expect.poll(async () => (await observer.query(sessions)).rows[0].count).toBeGreaterThanOrEqual(8)
    for (let sample = 0; sample < 50; sample += 1) {
      assert.deepStrictEqual((await observer.query(`${sessions} and wait_event_type = 'Lock'`)).rows, [{ count: 0 }])
      await setTimeout(50)
    }
    await migrating.query("rollback")
    assert.deepStrictEqual(await Promise.all(others), [[], [], [], []])
  })

  it("end with statistics of every table, for the plans' sake", async () => {
    const client = await shared.client()
    const { rows } = await client.query(
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples < 0"
    )
    assert.deepStrictEqual(rows, [])
  })

  it("hold their transaction's connection for their own work only", async () => {
    const layer = layerDatabase({ url: Redacted.make(shared.url), applicationName: "one", maxConnections: 1 })
    const rows = await Effect.runPromise(Effect.provide(
      Effect.flatMap(Effect.service(PgDatabase), (database) => Effect.andThen(migrate(), database.read("select 1 as one"))),
      layer
    ))
    assert.deepStrictEqual(rows, [{ one: 1 }])
  })
})

/** Once applied somewhere, a migration may never change; a new need is a new migration. */
const frozen = {
  "1 tenancy": "0add5cc51830c62c7970890dfab0761ae9a2a6271feac14f0280a885935ece42",
  "2 security elements": "22d2846ae313aaa0e8fc774d72f5bb2d6713fe904974da9461aaea216942e68a",
  "3 access": "40d17250c87cfe613561a8b1eddb47063b23a894fd2938e3e6fc8bf99bafd54f",
  "4 installation": "c648b1012286d8579b02c68a29de7ade656e22fbc38643bc689a062a36ecc9a0",
  "5 operations": "44b4933d482239c876c0bbd2a3fd793d30a90d34437e2123f66a459fbbb0e9af",
  "6 payload storage": "bc9261090dcf55f4a4103278b4f4358b775854090563c81bc6816dfc08161e7a",
  "7 PFR time index": "646b01a92ebace17be303c24c4d30b6542f278713f149eb9a635737f88c410d6",
  "8 operations upkeep": "e27988e09af9a4faaebbb58e519113ba6c26979342af4d9a2577443bc0aa18ee",
  "10 operator's records": "fcce5d4870fa60b4a04ce643705ee0668f9659f1f6668111bff40e5086c379d4",
  "9 refunds": "fe5c100736b3aa0bb3278b7563cc27612be816329e70fc3835cb6f4d01a070a3",
  "11 one index for each key": "566610bc9310a5ebe552d9be51c664833318f0d20bcab23ac9e17de4d35b8822",
  "12 rejected copies": "c59cf1ef9b0e7a55f153714ff1f9d7d5e73b79ddbedd599575910cb2a8027677",
  "13 people": "ff2bd66a5ef8abe8c52f15d3a36d3b24279651198f7b8027fd3d4a032e0a709a",
  "14 products": "e34a24dc6155373589b93017391fa05601d080692655f77ae9ee0985eeabcbda",
  "15 folded operations": "5b6633441c21e9570a3a026777d6dc0576c25ae4efcacb7c3ebb22ffd65abf20",
  "16 folded operations, online": "cfab9fd339acad542d2a99c19c11903cfa9511d905dfc5f80401a73fd566bb9b",
  "17 receipt deliveries": "3a8a39afe812614c3b58ce9cc669a8bf026243f820ac4841603846b37fa29a77",
  "18 workflows": "7a4c727a78c530c2cf7c0ed47557c6518d5c58a009dec56b4efe3567d998a32a",
  "19 one document in flight for each advance case": "f86da3295f3290bff3c9c013a62749ffcdc162e963d3e0021afdb66d00aa715b",
  "20 journal": "edc1763ea4f237a3cb3ba55441e3bfb64ab184a732191cce88da2c49fbb45572",
  "21 journal, online": "5151ec4a10100728b50d6ad670612e17a675756e7dc69c32ecf8614feecc5e78"
}

describe("released migrations", () => {
  it.each(Object.entries(frozen))("%s is as it was released", (name, digest) => {
    const migration = migrations.find((candidate) => `${candidate.number} ${candidate.name}` === name)
    assert.strictEqual(migration === undefined ? "missing" : migrationDigest(migration), digest)
  })
})
