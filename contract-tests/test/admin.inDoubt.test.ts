import { AttentionOversight, OperationStore, UnresolvedOperations } from "@overa/domain"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { operatorDesk, type OperatorDesk } from "../src/support/operatorDesk.ts"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { after, mintPlace, notSent, sampleOperation, sampleReservation } from "../src/support/sampleOperations.ts"
import { registerOrganization } from "../src/support/sealingStage.ts"

let desk: OperatorDesk
beforeAll(async () => {
  desk = await operatorDesk()
}, 60_000)
afterAll(() => desk.close())

describe("an operator with a document in doubt", () => {
  it("sees what the store says, decides nothing, and acknowledges the item with the consequence told", async () => {
    const operation = sampleOperation(mintPlace())
    await registerOrganization(await desk.database.client(), operation.organizationId)
    const about = { organizationId: operation.organizationId, operationId: operation.id }
    const [item] = await Effect.runPromise(Effect.gen(function*() {
      const store = yield* OperationStore
      yield* store.reserve(sampleReservation(operation))
      yield* store.conclude(notSent(operation))
      yield* (yield* UnresolvedOperations).raise(about, [{ kind: "LOST_ATTEMPT", detail: "lost", evidence: null }], after(5))
      return yield* (yield* AttentionOversight).attentionOf(operation.organizationId, operation.id)
    }).pipe(Effect.provide(postgresPorts(desk.database.url))))
    const shown = await desk.admin(["unknown", "show", operation.id])
    expect(shown.out).toMatch(/status\s+OUTCOME_UNKNOWN/)
    expect(shown.out).toMatch(/in doubt\s+.*NOT_FISCALIZED/)
    const decided = await desk.admin(["unknown", "decide", operation.id, "not-issued", "--reason", "nothing there", "--yes"])
    expect([decided.code, decided.err]).toEqual([2, expect.stringContaining("acknowledge the item first")])
    const acknowledged = await desk.admin(["attention", "acknowledge", item?.id ?? "", "--reason", "the portal has no such receipt"])
    expect(acknowledged.out).toContain("may be sent again")
    expect((await desk.admin(["unknown", "show", operation.id])).out).toMatch(/status\s+NOT_FISCALIZED/)
  }, 60_000)
})
