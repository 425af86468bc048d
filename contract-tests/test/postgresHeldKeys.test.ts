import { layerDatabase, layerOperationStore, migrate, migrations } from "@overa/adapter-postgres"
import { type KeyHolder, type OpenedAdvanceCase, OperationStore, type WorkflowId } from "@overa/domain"
import { Effect, Layer, Option, Redacted } from "effect"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { deliveryColumns, deliveryValues } from "../../adapters/postgres/src/rows/DeliveryRow.ts"
import { caseParameters, insertCase } from "../../adapters/postgres/src/workflows/caseRows.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { sampleDelivery } from "../src/support/sampleDeliveries.ts"
import { mintPlace, sampleOperation, sampleReservation, sampleTime } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

const firstStep = migrations.findIndex(({ name }) => name === "held keys")

const casesOf = (count: number): ReadonlyArray<OpenedAdvanceCase> =>
  Array.from({ length: count }, (_, index) => ({
    ...mintPlace(index % 2 === 0 ? "sandbox" : "production"),
    id: mintUuid() as WorkflowId,
    clientId: "svc-sbx-tests",
    boundKey: { role: "REQUEST", key: mintUuid(), target: "POST /v1/advance-cases", body: "{}", fingerprint: { version: 1, digest: `digest-${index}` } },
    clientReference: "WARDROBE-1",
    buyer: null,
    externalAdvance: null,
    createdAt: sampleTime
  }))

const placeholders = deliveryColumns.split(", ").map((_, index) => `$${index + 1}`).join(", ")
const insertDelivery = `insert into receipt_deliveries (${deliveryColumns}, due_at, waiting_since) values (${placeholders}, now(), now())`

/** The data of an earlier release, and the schema brought up to date over it. */
describe("the keys of cases and deliveries that an earlier release stored", () => {
  let database: ThrowawayDatabase
  let pool: pg.Pool
  const databaseLayer = () => layerDatabase({ url: Redacted.make(database.url), applicationName: "held keys" })
  const migrateTo = (steps: typeof migrations) => Effect.runPromise(Effect.provide(migrate(steps), databaseLayer()))
  const inStore = <A>(body: (store: OperationStore["Service"]) => Effect.Effect<A, unknown>) =>
    Effect.runPromise(Effect.provide(OperationStore.use(body), layerOperationStore.pipe(Layer.provide(databaseLayer()))))
  const holderOf = ({ boundKey, organizationId }: Pick<KeyHolder, "boundKey" | "organizationId">) =>
    inStore((store) => Effect.map(store.findByKey({ organizationId, role: "REQUEST", key: boundKey.key }), Option.getOrThrow))
  const [cases, deliveries] = [casesOf(4), [sampleDelivery(), sampleDelivery({ environment: "production" })]]

  beforeAll(async () => {
    database = await throwawayDatabase({ migrated: false })
    pool = new pg.Pool({ connectionString: database.url, max: 2 })
    await migrateTo(migrations.slice(0, firstStep))
    for (const opened of cases) await pool.query(insertCase, [...caseParameters(opened)])
    for (const delivery of deliveries) await pool.query(insertDelivery, [...deliveryValues(delivery)])
    await migrateTo(migrations)
  }, 120_000)
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  it("are held by the one index: what holds a key is found with its environment, target and fingerprint", async () => {
    for (const owner of [...cases, ...deliveries]) {
      const { boundKey, environment, id } = await holderOf(owner)
      const { fingerprint, target } = owner.boundKey
      assert.deepStrictEqual({ id, environment, target: boundKey.target, fingerprint: boundKey.fingerprint }, { id: owner.id, environment: owner.environment, target, fingerprint })
    }
  })

  it("are refused to a document, and a document's key stays its own when the step runs again", async () => {
    const [opened] = cases
    if (opened === undefined) throw new Error("no case")
    const sale = sampleReservation(sampleOperation(opened, { boundKey: opened.boundKey }))
    const reserved = await inStore((store) => store.reserve(sale))
    assert.strictEqual(reserved._tag === "KeyTaken" ? reserved.existing.id : reserved._tag, opened.id)
    const own = sampleReservation(sampleOperation(opened))
    await inStore((store) => store.reserve(own))
    for (const statement of migrations[firstStep + 1]?.statements ?? []) await pool.query(statement)
    assert.strictEqual((await holderOf(own.operation)).id, own.operation.id)
  })

  it("cannot become a document, nor be changed or deleted", async () => {
    const refusal = async (sql: string): Promise<string> =>
      pool.query(sql).then(() => "accepted", (error: { readonly constraint?: string }) => error.constraint ?? String(error))
    const row = `where operation_id = '${cases[0]?.id ?? ""}'`
    assert.strictEqual(await refusal(`update operations set environment = 'sandbox' ${row}`), "operations_request_immutable")
    assert.strictEqual(await refusal(`update operations set status = 'VALIDATED', revision = 1, history = 'x' ${row}`), "operations_environment_known")
    assert.strictEqual(await refusal(`update operations set attempt = 1 ${row}`), "operations_environment_known")
    assert.strictEqual(await refusal(`delete from operations ${row}`), "operations_kept")
  })
})
