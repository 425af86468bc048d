import { type Operation, OperationStore, UnresolvedOperations } from "@overa/domain"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { retriedBy } from "../src/ports/operatorsDeeds.contract.ts"
import { activityAbout } from "../src/support/activityAbout.ts"
import { operatorDesk, type OperatorDesk } from "../src/support/operatorDesk.ts"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { after, mintPlace, noAnswer, notSent, sampleOperation, sampleReservation } from "../src/support/sampleOperations.ts"
import { registerOrganization } from "../src/support/sealingStage.ts"
import { withClient } from "../src/support/withClient.ts"

let desk: OperatorDesk
beforeAll(async () => {
  desk = await operatorDesk()
}, 60_000)
afterAll(() => desk.close())

const sql = (...statements: ReadonlyArray<string>) =>
  withClient(desk.database.url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })

/** Carries out an act while the session ends with its line of the log, as with a process that dies there. */
const withoutLog = async <A>(act: () => Promise<A>): Promise<A> => {
  await sql(
    "create function no_log() returns trigger language plpgsql as $$ begin raise exception 'gone' using errcode = '57P01'; end $$",
    "create trigger no_log before insert on activity_log for each row execute function no_log()"
  )
  try {
    return await act()
  } finally {
    await sql("drop trigger no_log on activity_log", "drop function no_log()")
  }
}

const using = <A>(body: Effect.Effect<A, unknown, OperationStore | UnresolvedOperations>) => Effect.runPromiseExit(Effect.provide(body, postgresPorts(desk.database.url)))

const linesAbout = (operation: Operation) => Effect.runPromise(activityAbout(() => desk.database, operation))

const statusOf = (operation: Operation): Promise<unknown> =>
  withClient(desk.database.url, async (client) => (await client.query("select status, attempt from operations where operation_id = $1", [operation.id])).rows[0])

const reserved = async (conclusion: typeof noAnswer): Promise<Operation> => {
  const operation = sampleOperation(mintPlace())
  await withClient(desk.database.url, (client) => registerOrganization(client, operation.organizationId))
  await using(OperationStore.use((store) => Effect.andThen(store.reserve(sampleReservation(operation)), store.conclude(conclusion(operation)))))
  return operation
}

describe("an operator's act and its line of the activity log are one commit", () => {
  it("a decision whose line could not be written was not taken, and is taken by its repetition", async () => {
    const operation = await reserved(noAnswer)
    const searches = [{ attempt: 1, finding: "NOTHING" as const }]
    const search = { organizationId: operation.organizationId, operationId: operation.id, at: after(71_000), actor: "worker:w", searches, nextCheckAfterMillis: null }
    await using(UnresolvedOperations.use((it) => it.recordSearch(search)))
    const decide = () => desk.admin(["unknown", "decide", operation.id, "not-issued", "--reason", "letter of the tax authority, ticket 88", "--yes"])
    expect((await withoutLog(decide)).code).not.toBe(0)
    expect(await statusOf(operation)).toEqual({ status: "OUTCOME_UNKNOWN", attempt: 1 })
    expect(await decide()).toMatchObject({ code: 0 })
    expect(await statusOf(operation)).toEqual({ status: "NOT_FISCALIZED", attempt: 1 })
    expect(await linesAbout(operation)).toEqual([{
      actor: expect.stringMatching(/^operator:/),
      act: "unknown outcome decided",
      reason: "letter of the tax authority, ticket 88",
      after: { decision: "CONFIRMED_NOT_ISSUED", status: "NOT_FISCALIZED", invoiceNumber: null }
    }])
  }, 60_000)

  it("an attempt that an operator has made is not begun without its line, and is begun by the repetition", async () => {
    const operation = await reserved(notSent)
    const retry = retriedBy(operation, 2, { actor: "operator:ana", reason: "the label is back", act: "rejected copy retried", after: { attempt: 2 } })
    const redrive = () => using(OperationStore.use((store) => store.redrive(retry)))
    expect(await withoutLog(redrive)).toMatchObject({ _tag: "Failure" })
    expect(await statusOf(operation)).toEqual({ status: "NOT_FISCALIZED", attempt: 1 })
    expect(await redrive()).toMatchObject({ _tag: "Success", value: true })
    expect(await redrive()).toMatchObject({ _tag: "Success", value: true })
    expect((await linesAbout(operation)).map(({ act, reason }) => [act, reason])).toEqual([["rejected copy retried", "the label is back"]])
  }, 60_000)
})
