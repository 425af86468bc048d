import { layerDatabase, layerJournalLog, layerJournalSealer, layerOperationStore, makeSecrets } from "@overa/adapter-postgres"
import { type FiscalDocumentId, JournalLog, JournalSealer, openCheckpoint, OperationStore, readVerifierKey } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Option, Redacted, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { byHand } from "../src/support/byHand.ts"
import { type OperatorDesk, operatorDesk } from "../src/support/operatorDesk.ts"
import { mintPlace, sampleContent, sampleOperation, sampleReservation, sampleTime, signed } from "../src/support/sampleOperations.ts"
import { issued, registerOrganization } from "../src/support/sealingStage.ts"

let desk: OperatorDesk
let worker: ManagedRuntime.ManagedRuntime<OperationStore | JournalLog | JournalSealer, unknown>
const place = mintPlace()

beforeAll(async () => {
  desk = await operatorDesk()
  const secrets = Result.getOrThrow(makeSecrets(Redacted.make(desk.environment["OVERA_SECRET_KEYS"] ?? "")))
  worker = ManagedRuntime.make(
    Layer.mergeAll(layerJournalLog(secrets), layerJournalSealer(secrets), layerOperationStore).pipe(
      Layer.provide(layerDatabase({ url: Redacted.make(desk.database.url), applicationName: "worker" }))
    )
  )
  await registerOrganization(await desk.database.client(), place.organizationId)
})
afterAll(async () => {
  await worker.dispose()
  await desk.close()
})

const sell = () => worker.runPromise(Effect.gen(function*() {
  const operation = yield* issued(place)
  yield* (yield* JournalSealer).seal({ limit: 1_000 })
  return operation
}))
const checkpoint = () => worker.runPromise(Effect.flatMap(Effect.service(JournalLog), (log) => log.checkpoint(place)))

describe("`admin journal`", () => {
  it("verify ends with 0 where all is as it was sealed, and says how much was compared", async () => {
    await sell()
    const answer = await desk.admin(["journal", "verify"])
    expect([answer.code, answer.err]).toEqual([0, ""])
    expect(answer.out).toContain("4 transitions in 1 logs: all as they were sealed.")
  })

  it("rotate-key signs with a new key from the next checkpoint on; earlier ones stay verifiable", async () => {
    const before = await checkpoint()
    const rotated = await desk.admin(["journal", "rotate-key", "--reason", "yearly rotation", "--json"])
    expect(rotated.code).toBe(0)
    await sell()
    const after = await checkpoint()
    expect(after.publicKey).toBe(rotated.json.key)
    expect(after.publicKey).not.toBe(before.publicKey)
    expect(after.origin).toBe(before.origin)
    const listed = (await desk.admin(["journal", "keys", "--json"])).json.items as ReadonlyArray<string>
    expect(listed).toEqual([after.publicKey, before.publicKey])
    const keys = listed.map((text) => readVerifierKey(text)).filter((key) => key !== null)
    for (const { note, origin, size } of [before, after]) expect(openCheckpoint(note, keys, origin)?.size).toBe(size)
    expect(openCheckpoint(before.note, keys.slice(0, 1), before.origin)).toBeNull()
    const activity = await desk.admin(["activity", "search"])
    expect(activity.out).toContain("journal key added")
    expect((await desk.admin(["journal", "verify"])).code).toBe(0)
  })

  it("rotate-key without a reason is refused, and nothing changes", async () => {
    const before = await desk.admin(["journal", "keys"])
    expect((await desk.admin(["journal", "rotate-key"])).code).toBe(2)
    expect((await desk.admin(["journal", "keys"])).out).toBe(before.out)
  })

  it("the log's keys are sealed again with the other secrets", async () => {
    const [old] = (desk.environment["OVERA_SECRET_KEYS"] ?? "").split(",")
    const environment = { ...desk.environment, OVERA_SECRET_KEYS: `two:${Buffer.alloc(32, 2).toString("base64")},${old}` }
    expect((await desk.admin(["secret-keys", "reseal", "--reason", "rotation"], { environment })).code).toBe(0)
    const only = { ...desk.environment, OVERA_SECRET_KEYS: `two:${Buffer.alloc(32, 2).toString("base64")}` }
    const opened = await desk.admin(["journal", "keys"], { environment: only })
    expect([opened.code, opened.out.trim().split("\n").length]).toEqual([0, 2])
    expect((await desk.admin(["secret-keys", "reseal", "--reason", "back"], { environment: { ...desk.environment, OVERA_SECRET_KEYS: `${old},two:${Buffer.alloc(32, 2).toString("base64")}` } })).code).toBe(0)
  })

  it("a buyer's details are erased after the term, and the document is still what was sealed", async () => {
    const details = {
      legalName: "Петар Петровић ПР", taxIdentifier: "101883300", registrationNumber: "12345678", address: "Његошева 1", city: "Београд", source: "NBS", resolvedAt: sampleTime
    } as const
    const operation = sampleOperation(place)
    const stored = await worker.runPromise(Effect.gen(function*() {
      const store = yield* OperationStore
      yield* store.reserve(sampleReservation(operation))
      yield* store.conclude(signed(operation, { buyerDetails: details }))
      yield* (yield* JournalSealer).seal({ limit: 1_000 })
      return yield* store.get(place, operation.id)
    }))
    expect(Option.getOrThrow(stored).buyerDetails?.legalName).toBe(details.legalName)
    const erase = (...more: ReadonlyArray<string>) => desk.admin(["buyers", "erase", place.organizationId, "10:101883300", "--json", "--yes", ...more])
    expect((await erase("--reason", "ticket 12")).code).toBe(2)
    expect((await erase("--reason", "ticket 12", "--older-than", "36000")).json).toEqual({ erased: 0 })
    expect((await erase("--older-than", "30")).code).toBe(2)
    const client = await desk.database.client()
    const kept = async () => (await client.query("select buyer_details from operations where operation_id = $1", [operation.id])).rows[0].buyer_details as string | null
    expect(await kept()).toContain("Петар")
    expect((await erase("--reason", "ticket 12", "--older-than", "30")).json).toEqual({ erased: 1 })
    expect(await kept()).toBeNull()
    const { out } = await desk.admin(["activity", "search", "erased"])
    expect(out).toContain("buyer's details erased")
    expect(out).not.toContain("Петар")
    expect((await desk.admin(["journal", "verify"])).code).toBe(0)
  })

  it("metadata and the cashier's name are erased with a term, a reason and a confirmation, and the log still verifies", async () => {
    const [erased, other] = [sampleOperation(place), sampleOperation(place, { content: { ...sampleContent(), clientReference: "another" } })]
    await worker.runPromise(Effect.gen(function*() {
      const store = yield* OperationStore
      for (const operation of [erased, other]) {
        yield* store.reserve(sampleReservation(operation))
        yield* store.conclude(signed(operation))
      }
      yield* (yield* JournalSealer).seal({ limit: 1_000 })
    }))
    const erase = (...more: ReadonlyArray<string>) => desk.admin(["metadata", "erase", place.organizationId, "--reference", "порџбина-4711", "--json", ...more])
    expect((await erase("--reason", "ticket 12", "--yes")).code).toBe(2)
    expect((await erase("--older-than", "30", "--yes")).code).toBe(2)
    expect((await erase("--older-than", "30", "--reason", "ticket 12")).code).toBe(2)
    expect((await erase("--older-than", "36000", "--reason", "ticket 12", "--yes")).json).toEqual({ erased: 0, unreadable: 0 })
    expect((await erase("--older-than", "30", "--reason", "ticket 12", "--yes")).json.erased).toBeGreaterThanOrEqual(1)
    const namesOf = async ({ id }: { readonly id: FiscalDocumentId }) =>
      Option.getOrThrow(await worker.runPromise(Effect.flatMap(OperationStore, (store) => store.get(place, id)))).content.cashier.displayName
    expect([await namesOf(erased), await namesOf(other)]).toEqual([null, "Ана"])
    const { out } = await desk.admin(["activity", "search", "metadata", "--json"])
    expect(out).toContain(erased.id)
    expect(out).toContain("ticket 12")
    expect(out).not.toContain("Ана")
    const verified = await desk.admin(["journal", "verify"])
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining("personal data was erased from")])
  })

  it("verify ends with 3 where something was changed, and names it", async () => {
    const operation = await sell()
    await byHand(await desk.database.client(), "operations", "update operations set cashier_id = 'somebody else' where operation_id = $1", [operation.id])
    const answer = await desk.admin(["journal", "verify"])
    expect(answer.code).toBe(3)
    expect(answer.out).toContain(operation.id)
    expect(answer.out).toContain("ROW_CHANGED")
    const { json } = await desk.admin(["journal", "verify", "--json"])
    expect(json.findings).toBe(4)
  })
})
