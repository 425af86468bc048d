import { layerCounterWatch, layerDatabase } from "@overa/adapter-postgres"
import { CounterWatch, OperationStore } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintPlace, noAnswer, sampleAnswer, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { registerOrganization, type SealingWorker, sealingWorker } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
let client: pg.Client
let worker: SealingWorker
let watches: ReadonlyArray<ManagedRuntime.ManagedRuntime<CounterWatch, unknown>>

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  worker = sealingWorker(database, "worker")
  watches = ["one", "two"].map((name) =>
    ManagedRuntime.make(layerCounterWatch.pipe(Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: name }))))
  )
})
afterAll(async () => {
  for (const watch of watches) await watch.dispose()
  await worker.close()
  await database.drop()
})

/** An organization with one element. The samples carry a time long ago; here they were sent now. */
const element = async () => {
  const place = mintPlace()
  await registerOrganization(client, place.organizationId)
  const jid = place.taxpayerId.slice(-8).toUpperCase()
  const number = (counter: number) => `${jid}-${jid}-${counter}`
  const send = () => worker.run(Effect.gen(function*() {
    const operation = sampleOperation(place)
    yield* (yield* OperationStore).reserve(sampleReservation(operation, { attempt: { jid } }))
    return operation
  }))
  const sign = (operation: Awaited<ReturnType<typeof send>>, counter: number) =>
    worker.run(Effect.flatMap(Effect.service(OperationStore), (store) => store.conclude(signed(operation, { answer: sampleAnswer(number(counter)) }))))
  const issue = async (counter: number) => sign(await send(), counter)
  const lose = async () => {
    const operation = await send()
    await worker.run(Effect.flatMap(Effect.service(OperationStore), (store) => store.conclude(noAnswer(operation))))
    return operation
  }
  const check = async () => {
    await worker.seal()
    await Promise.all(watches.map((watch) => watch.runPromise(Effect.flatMap(Effect.service(CounterWatch), (it) => it.check))))
    const { rows } = await client.query<{ readonly detail: string }>(
      "select detail from attention where organization_id = $1 and kind = 'COUNTER_GAP' order by raised_at, detail",
      [place.organizationId]
    )
    return rows.map(({ detail }) => /^counters? ([\d to]+) of/.exec(detail)?.[1]?.trim())
  }
  const kept = async () => Number((await client.query("select count(*) from counter_spans where organization_id = $1", [place.organizationId])).rows[0].count)
  return { place, send, sign, issue, lose, check, kept }
}

describe("Counters of an element", () => {
  it("that follow each other raise nothing and leave nothing behind, wherever they began", async () => {
    const { check, issue, kept } = await element()
    for (const counter of [41, 42, 43]) await issue(counter)
    assert.deepStrictEqual(await check(), [])
    await issue(44)
    assert.deepStrictEqual(await check(), [])
    assert.strictEqual(await kept(), 0)
  })

  it("with a gap raise it by the next receipt, once, whoever checks and how often", async () => {
    const { check, issue } = await element()
    await issue(7)
    await check()
    await issue(9)
    assert.deepStrictEqual(await check(), ["8"])
    await issue(14)
    assert.deepStrictEqual(await check(), ["8", "10 to 13"])
    await issue(15)
    assert.deepStrictEqual(await check(), ["8", "10 to 13"])
  })

  it("wait for a receipt that is still in doubt, and raise nothing when it is found", async () => {
    const { check, issue, lose, sign } = await element()
    await issue(1)
    const unknown = await lose()
    await issue(3)
    assert.deepStrictEqual(await check(), [])
    await issue(4)
    assert.deepStrictEqual(await check(), [])
    await sign(unknown, 2)
    assert.deepStrictEqual(await check(), [])
    await issue(5)
    assert.deepStrictEqual(await check(), [])
  })

  it("raise the gap when what was in doubt turns out to be none of it", async () => {
    const { check, issue, lose } = await element()
    await issue(1)
    const unknown = await lose()
    await issue(3)
    assert.deepStrictEqual(await check(), [])
    await worker.run(Effect.flatMap(Effect.service(OperationStore), (store) =>
      store.conclude({ ...noAnswer(unknown), event: "confirmedNotIssued", actor: "operator:ana", failureCode: "OPERATOR_CONFIRMED_NOT_ISSUED", attemptOutcome: null, nextCheckAfterMillis: null })))
    assert.deepStrictEqual(await check(), ["2"])
  })

  it("do not wait for what was sent only afterwards", async () => {
    const { check, issue, send } = await element()
    await issue(1)
    await issue(3)
    await worker.seal()
    await send()
    assert.deepStrictEqual(await check(), ["2"])
  })

  it("wait for what was on its way before, until it has come to rest", async () => {
    const { check, issue, send, sign } = await element()
    await issue(1)
    const underway = await send()
    await issue(3)
    assert.deepStrictEqual(await check(), [])
    await sign(underway, 2)
    assert.deepStrictEqual(await check(), [])
  })

  it("of elements and organizations are apart", async () => {
    const [one, other] = [await element(), await element()]
    await one.issue(1)
    await other.issue(5)
    await other.issue(6)
    await one.issue(2)
    assert.deepStrictEqual([await one.check(), await other.check()], [[], []])
  })
})
