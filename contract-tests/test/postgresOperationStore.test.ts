import { layerDatabase, layerOperationStore, layerUnresolvedOperations } from "@overa/adapter-postgres"
import { OperationStore, UnresolvedOperations } from "@overa/domain"
import { Effect, Layer, Redacted } from "effect"
import { concludeManyStatement, concludeStatement } from "../../adapters/postgres/src/operations/concludeStatement.ts"
import * as leases from "../../adapters/postgres/src/operations/leaseStatements.ts"
import { reserveManyStatement, reserveStatement } from "../../adapters/postgres/src/operations/reserve.ts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { documentsInDoubtContract } from "../src/ports/DocumentsInDoubt.contract.ts"
import { operationRedriveContract } from "../src/ports/OperationRedrive.contract.ts"
import { operationStoreContract } from "../src/ports/OperationStore.contract.ts"
import { operatorsDeedsContract } from "../src/ports/operatorsDeeds.contract.ts"
import { sameRequestIdContract } from "../src/ports/sameRequestId.contract.ts"
import { unresolvedOperationsContract } from "../src/ports/UnresolvedOperations.contract.ts"
import { activityAbout } from "../src/support/activityAbout.ts"
import { acknowledgeInPostgres } from "../src/support/acknowledgeInPostgres.ts"
import { after, mintPlace, noAnswer, notSent, sampleAnswer, sampleAttempt, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { isReadOverAll, recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()

const layer = () =>
  Layer.mergeAll(layerOperationStore, layerUnresolvedOperations).pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  )

operationStoreContract("PostgreSQL", layer)
operationRedriveContract("PostgreSQL", layer)
unresolvedOperationsContract("PostgreSQL", layer)
sameRequestIdContract("PostgreSQL", layer)
documentsInDoubtContract("PostgreSQL", layer, acknowledgeInPostgres(() => database.url))
operatorsDeedsContract("PostgreSQL", layer, (operation) => activityAbout(() => database, operation))

const using = <A>(body: (store: OperationStore["Service"]) => Effect.Effect<A, unknown>) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(Effect.service(OperationStore), body), layer()))

const usingUnresolved = <A>(body: (unresolved: UnresolvedOperations["Service"]) => Effect.Effect<A, unknown>) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(Effect.service(UnresolvedOperations), body), layer()))

const rowOf = async (sql: string, id: string): Promise<Record<string, unknown>> => {
  const client = await database.client()
  const { rows } = await client.query(sql, [id])
  return rows[0]
}

describe("PostgreSQL: what is searched for lies in columns of its own", () => {
  it("of the request and of the receipt", async () => {
    const operation = sampleOperation(mintPlace())
    const conclusion = signed(operation)
    await using((store) => Effect.andThen(store.reserve(sampleReservation(operation)), store.conclude(conclusion)))
    const row = await rowOf(
      `select client_reference, cashier_id, buyer_id, invoice_type, transaction_type, total_amount, invoice_number, pfr_time,
         extract(epoch from sdc_time) * 1000 as sdc_millis, signed_total, status
       from operations where operation_id = $1`,
      operation.id
    )
    assert.deepStrictEqual(
      { ...row, sdc_millis: Number(row["sdc_millis"]) },
      {
        client_reference: "порџбина-4711",
        cashier_id: "web",
        buyer_id: "10:101883300",
        invoice_type: "NORMAL",
        transaction_type: "SALE",
        total_amount: "251.00",
        invoice_number: conclusion.answer?.pfr.invoiceNumber,
        pfr_time: "2026-03-04T06:06:08.4551405+01:00",
        sdc_millis: Date.UTC(2026, 2, 4, 5, 6, 8, 455),
        signed_total: "251",
        status: "FISCALIZED"
      }
    )
  })

  it("what must be looked at is raised in the commit of the outcome, evidence and all", async () => {
    const operation = sampleOperation(mintPlace())
    const conclusion = noAnswer(operation, {
      answerText: "foreign\0answer",
      attention: [
        { kind: "FOREIGN_ANSWER", detail: "not ours", evidence: "foreign\0answer" },
        { kind: "ELEMENT_REFUSED", detail: "no evidence", evidence: null }
      ]
    })
    await using((store) => Effect.andThen(store.reserve(sampleReservation(operation)), store.conclude(conclusion)))
    const client = await database.client()
    const { rows } = await client.query(
      "select kind, detail, evidence, raised_at from attention where operation_id = $1 order by kind",
      [operation.id]
    )
    const raisedAt = new Date(after(1_500).epochMilliseconds)
    assert.deepStrictEqual(rows, [
      { kind: "ELEMENT_REFUSED", detail: "no evidence", evidence: null, raised_at: raisedAt },
      { kind: "FOREIGN_ANSWER", detail: "not ours", evidence: "foreign␀answer", raised_at: raisedAt }
    ])
    const attempt = await rowOf("select first_answer_text as answer_text from operations where operation_id = $1", operation.id)
    assert.deepStrictEqual(attempt, { answer_text: "foreign␀answer" })
  })

  it("a finding is raised once, however often it is met", async () => {
    const operation = sampleOperation(mintPlace())
    const item = { kind: "FOREIGN_ANSWER", detail: "search of attempt 1: another's", evidence: "the answer" }
    await using((store) => store.reserve(sampleReservation(operation)))
    await usingUnresolved((unresolved) =>
      Effect.forEach(Array.from({ length: 20 }), () =>
        unresolved.raise({ ...operation, operationId: operation.id }, [item, { ...item, evidence: "another answer" }], after(5)))
    )
    const client = await database.client()
    const { rows } = await client.query("select evidence from attention where operation_id = $1 order by evidence", [operation.id])
    assert.deepStrictEqual(rows, [{ evidence: "another answer" }, { evidence: "the answer" }])
  })

  it("an answer that no text can hold is kept with a later attempt too", async () => {
    const operation = sampleOperation(mintPlace())
    await using((store) =>
      Effect.gen(function*() {
        yield* store.reserve(sampleReservation(operation))
        yield* store.conclude(notSent(operation))
        const attempt = sampleAttempt(operation, { number: 2 })
        const transition = { from: "NOT_FISCALIZED", to: "SUBMITTING", at: after(9), cause: "redriven", actor: "api:host-a", attempt: 2 } as const
        assert.isTrue(yield* store.redrive({ operation: { ...operation, attempt: 2 }, attempt, transition, leaseMillis: 50_000 }))
        // Its answer was lost and it is sent again: it finds its own attempt.
        assert.isTrue(yield* store.redrive({ operation: { ...operation, attempt: 2 }, attempt, transition, leaseMillis: 50_000 }))
        yield* store.conclude(noAnswer(operation, { attempt: 2, answerText: "foreign\0answer" }))
      })
    )
    assert.deepStrictEqual(await rowOf("select answer_text, outcome from attempts where operation_id = $1 and number = 2", operation.id), {
      answer_text: "foreign␀answer",
      outcome: "NO_ANSWER"
    })
  })

  it("a number is unique within its environment: a sandbox receipt may bear a production one's", async () => {
    const sandbox = sampleOperation(mintPlace("sandbox"))
    const production = sampleOperation({ ...sandbox, environment: "production" })
    const answer = sampleAnswer()
    const outcomes = await using((store) =>
      Effect.forEach([sandbox, production], (operation) =>
        Effect.andThen(store.reserve(sampleReservation(operation)), store.conclude(signed(operation, { answer }))))
    )
    assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag), ["Applied", "Applied"])
  })

  it("a row that cannot be read is set aside and raised; what was due with it is claimed", async () => {
    const operations = Array.from({ length: 3 }, () => sampleOperation(mintPlace()))
    await using((store) =>
      Effect.forEach(operations, (operation) => Effect.andThen(store.reserve(sampleReservation(operation)), store.conclude(noAnswer(operation)))))
    const [first] = operations
    const client = await database.client()
    const own = "organization_id, environment, taxpayer_id, premise_id, client_id, key_role, key_target, fingerprint_version, fingerprint_digest, " +
      "invoice_type, transaction_type, client_reference, cashier_id, total_amount, created_at, status, revision, attempt, failure_code, updated_at, next_check_at, history"
    const { rows: [poisoned] } = await client.query(
      `insert into operations (operation_id, key, key_body, content, ${own})
       select gen_random_uuid(), key || '-poisoned', '{}', '{"invoiceType":"NONE"}', ${own} from operations where operation_id = $1 returning operation_id`,
      [first?.id]
    )
    const claiming = { limit: 10_000, leaseMillis: 60_000, actor: "worker:w", hostId: "w", at: after(6) }
    const claims = await usingUnresolved((unresolved) => unresolved.claimDue(claiming))
    const claimed = new Set(claims.map((claim) => claim.operation.id))
    for (const operation of operations) assert.isTrue(claimed.has(operation.id))
    assert.isFalse(claimed.has(poisoned.operation_id))
    const asItIs = "select status, next_check_at > now() + interval '59 minutes' and next_check_at < now() + interval '61 minutes' as in_an_hour from operations where operation_id = $1"
    assert.deepStrictEqual(await rowOf(asItIs, poisoned.operation_id), { status: "OUTCOME_UNKNOWN", in_an_hour: true })
    assert.deepStrictEqual(await rowOf("select kind, count(*)::int as count from attention where operation_id = $1 group by kind", poisoned.operation_id), {
      kind: "OPERATION_UNREADABLE",
      count: 1
    })
    await usingUnresolved((unresolved) => unresolved.claimDue(claiming))
  })

  it("outcomes that share a commit raise each what is its own, and one that has moved on raises nothing", async () => {
    const place = mintPlace()
    const operations = Array.from({ length: 30 }, () => sampleOperation(place))
    const moved = sampleOperation(place)
    const raising = (operation: typeof moved, index: number) =>
      noAnswer(operation, { attention: Array.from({ length: index % 3 }, (_, item) => ({ kind: "TAX_DIFFERS", detail: `${index}.${item}`, evidence: null })) })
    await using((store) =>
      Effect.gen(function*() {
        yield* Effect.forEach([...operations, moved], (operation) => store.reserve(sampleReservation(operation)), { concurrency: "unbounded" })
        yield* store.conclude(signed(moved))
        const conclusions = [...operations.map(raising), raising(moved, 2)]
        yield* Effect.forEach(conclusions, (conclusion) => Effect.exit(store.conclude(conclusion)), { concurrency: "unbounded" })
      })
    )
    const client = await database.client()
    const { rows } = await client.query(
      "select operation_id, array_agg(detail order by detail) as details from attention where organization_id = $1 group by operation_id",
      [place.organizationId]
    )
    const raised = new Map(rows.map((row) => [row.operation_id, row.details]))
    const expected = operations.flatMap(({ id }, index) =>
      index % 3 === 0 ? [] : [[id, Array.from({ length: index % 3 }, (_, item) => `${index}.${item}`)] as const]
    )
    assert.deepStrictEqual(raised, new Map(expected))
  })
})

describe("PostgreSQL: every statement the cases above ran fits a server that is split by organization", () => {
  // Sent only where no table is split.
  const shared = new Set([reserveManyStatement, concludeManyStatement])
  const lookedFor = new Set([
    leases.expiredLeases,
    leases.leasesOfEarlierBoots,
    leases.claimsOfEarlierBoots,
    leases.dueSearches,
    ...leases.organizationsWaitingFor
  ])

  it("both commits of a receipt are one plain statement each", () => {
    assert.isTrue(recorder.statements.has(reserveStatement))
    assert.isTrue(recorder.statements.has(concludeStatement))
    assert.match(reserveStatement, /^insert into operations/)
    assert.match(concludeStatement, /^update operations/)
  })

  it("names its organization, locks nothing of several, computes nothing twice", async () => {
    const statements = [...recorder.statements].filter((sql) => !shared.has(sql))
    assert.isAtLeast(statements.length, 20)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
  })

  it("reads over all organizations only where a worker looks for its work", async () => {
    const found: Array<string> = []
    for (const sql of recorder.statements) if (!shared.has(sql) && (await isReadOverAll(sql))) found.push(sql)
    assert.deepStrictEqual(found.toSorted(), [...lookedFor].toSorted())
  })
})
