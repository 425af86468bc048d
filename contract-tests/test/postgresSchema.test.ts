import { documentTransitions, nextStatus, statusesBefore, type DocumentEvent, type DocumentStatus } from "@overa/domain"
import { Result } from "effect"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { concludeManyStatement, concludeStatement, statusAfter } from "../../adapters/postgres/src/operations/concludeStatement.ts"
import * as leases from "../../adapters/postgres/src/operations/leaseStatements.ts"
import * as readers from "../../adapters/postgres/src/operations/readers.ts"
import * as redrives from "../../adapters/postgres/src/operations/redriveStatement.ts"
import { leafAttempts, leafTransitions } from "../../adapters/postgres/src/journal-log/leafRows.ts"
import { entriesFrom, leafRowsById, miscounted, tenantsWithoutLog } from "../../adapters/postgres/src/journal-log/auditStatements.ts"
import { entriesOfDocument, lastCheckpoint, leafRowById, movedRows, pageEnd, sweptRows, tilesAt } from "../../adapters/postgres/src/journal-log/logStatements.ts"
import { nextEntries } from "../../adapters/postgres/src/journal-log/numberEvents.ts"
import { eventsFrom, lastEvent } from "../../adapters/postgres/src/PgEventFeed.ts"
import { snapshot } from "../../adapters/postgres/src/PgCounterWatch.ts"
import { lateOperations, nextBatch } from "../../adapters/postgres/src/PgJournalUpkeep.ts"
import { addPending } from "../../adapters/postgres/src/journal/receiptsFoundSince.ts"
import { claim as claimMessages } from "../../adapters/postgres/src/webhooks/PgWebhookOutbox.ts"
import { takeNotes } from "../../adapters/postgres/src/events/notedRows.ts"
import { claimPersonMails } from "../../adapters/postgres/src/people/PgPersonMails.ts"
import { refundsOfSource, workflowInTenant } from "../../adapters/postgres/src/PgProformaTraining.ts"
import { caseById, caseByKey, documentsById, lockCase, placesOf } from "../../adapters/postgres/src/workflows/caseRows.ts"
import { closingsOfCase } from "../../adapters/postgres/src/workflows/closings.ts"
import { waitingFinalSale } from "../../adapters/postgres/src/workflows/settleAdvance.ts"
import { reserveManyStatement, reserveStatement } from "../../adapters/postgres/src/operations/reserve.ts"
import { layerDatabase, layerOperationStore } from "@overa/adapter-postgres"
import { OperationStore } from "@overa/domain"
import { Effect, Layer, Redacted } from "effect"
import { mintPlace, sampleConclusion, sampleOperation, sampleReservation } from "../src/support/sampleOperations.ts"
import { globalTables } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
let client: pg.Client
const operation = sampleOperation(mintPlace())

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  const layer = Layer.provide(layerOperationStore, layerDatabase({ url: Redacted.make(database.url), applicationName: "schema" }))
  await Effect.runPromise(Effect.provide(
    Effect.flatMap(Effect.service(OperationStore), (store) => store.reserve(sampleReservation(operation))),
    layer
  ))
  await client.query(
    `insert into attempts (organization_id, operation_id, number, request_id, element_id, jid, host_id, boot_id, started_at, knows_first)
     select organization_id, operation_id, 2, repeat('2', 32), element_id, jid, sender_host, sender_boot, started_at, true
     from operations where operation_id = $1`,
    [operation.id]
  )
})
afterAll(() => database.drop())

const refusal = async (sql: string, params: ReadonlyArray<unknown> = []): Promise<string> => {
  try {
    await client.query(sql, [...params])
  } catch (cause) {
    return String((cause as { readonly constraint?: string }).constraint)
  }
  return "accepted"
}

describe("the schema can be split by organization", () => {
  it("every primary key, unique constraint and foreign key begins with organization_id", async () => {
    const { rows } = await client.query(
      `select c.relname as table, i.relname as index, a.attname as first
       from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
         join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
       where x.indisunique and n.nspname = 'public'
       union all
       select k.conrelid::regclass::text, k.conname, a.attname from pg_constraint k
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1] where k.contype = 'f'`
    )
    assert.isAtLeast(rows.length, 20)
    assert.deepStrictEqual(rows.filter((row) => !globalTables.has(row.table) && row.first !== "organization_id"), [])
  })

  it("the tables said to be global are those whose primary key does not begin with organization_id", async () => {
    const { rows } = await client.query<{ readonly name: string }>(
      `select c.relname as name from pg_class c join pg_index x on x.indrelid = c.oid and x.indisprimary
         join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname <> 'organization_id'
       union select relname from pg_class where relname in ('schema_migrations', 'schema_lock')`
    )
    assert.deepStrictEqual(rows.map(({ name }) => name).toSorted(), [...globalTables].toSorted())
  })

  it("uses no sequence, enum type or trigger that waits for the commit", async () => {
    const sequences = await client.query("select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace")
    const enums = await client.query("select typname from pg_type where typtype = 'e'")
    const deferred = await client.query("select conname from pg_constraint where condeferrable and connamespace = 'public'::regnamespace")
    assert.deepStrictEqual([...sequences.rows, ...enums.rows, ...deferred.rows], [])
  })

  it("names every constraint by what it holds, none by the server's habit", async () => {
    const { rows } = await client.query(
      `select conname from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
         and conname ~ '(_check\\d*|_key\\d*|_pkey|_fkey\\d*)$'`
    )
    assert.deepStrictEqual(rows, [])
  })
})

describe("what is stored cannot be rewritten", () => {
  const id = operation.id
  it.each([
    ["operations_body_immutable", `update operations set content = '{}' where operation_id = '${id}'`],
    ["operations_request_immutable", `update operations set key = 'another-key-of-mine' where operation_id = '${id}'`],
    ["operations_body_immutable", `update operations set key_body_packed = null where operation_id = '${id}'`],
    ["operations_body_immutable", `update operations set content = '{}', erased_note = null where operation_id = '${id}'`],
    ["operations_first_attempt_immutable", `update operations set request_id = repeat('0', 32) where operation_id = '${id}'`],
    ["operations_first_attempt_immutable", `update operations set sender_host = 'another' where operation_id = '${id}'`],
    ["operations_history_kept", `update operations set history = '' where operation_id = '${id}'`],
    ["operations_history_kept", `update operations set history = replace(history, 'api:', 'operator:') where operation_id = '${id}'`],
    ["operations_history_kept", `update operations set history = 'x' || history where operation_id = '${id}'`],
    ["operations_history_kept", `update operations set revision = revision - 1 where operation_id = '${id}'`],
    ["operations_history_kept", `update operations set status = 'OUTCOME_UNKNOWN', failure_code = 'OUTCOME_UNKNOWN' where operation_id = '${id}'`],
    [
      "attempts_know_the_first",
      `insert into attempts (organization_id, operation_id, number, request_id, element_id, jid, host_id, boot_id, started_at)
       select organization_id, operation_id, 3, repeat('3', 32), element_id, jid, sender_host, sender_boot, started_at
       from operations where operation_id = '${id}'`
    ],
    ["operations_kept", `delete from operations where operation_id = '${id}'`],
    ["operations_kept", "truncate operations"],
    ["transitions_append_only", `update transitions set actor = 'nobody' where operation_id = '${id}'`],
    ["transitions_append_only", "delete from transitions where false"],
    ["transitions_append_only", "truncate transitions"],
    ["attempts_identity_immutable", `update attempts set request_id = repeat('0', 32) where operation_id = '${id}'`],
    ["attempts_kept", "delete from attempts"],
    ["attention_kept", "delete from attention"],
    ["activity_log_append_only", "update activity_log set actor = 'nobody'"],
    ["activity_log_append_only", "delete from activity_log"]
  ])("%s refuses: %s", async (constraint, sql) => {
    assert.strictEqual(await refusal(sql), constraint)
  })
})

describe("what cannot be true cannot be stored", () => {
  const set = (columns: string) => `update operations set revision = revision + 1, ${columns} where operation_id = '${operation.id}'`
  it.each([
    ["operations_receipt_has_answer", set("status = 'FISCALIZED'")],
    ["operations_receipt_has_answer", set("status = 'FISCALIZED', answer_text = '{}', answer_facts = '{}'")],
    ["operations_only_receipts_have_numbers", set("invoice_number = 'A-A-1'")],
    ["operations_rejection_where_rejected", set("status = 'REJECTED', failure_code = 'PFR_VALIDATION_REJECTED'")],
    ["operations_failure_code_fits", set("status = 'NOT_FISCALIZED'")],
    ["operations_failure_code_fits", set("status = 'OUTCOME_UNKNOWN', failure_code = 'PFR_UNAVAILABLE'")],
    ["operations_failure_code_fits", set("failure_code = 'OUTCOME_UNKNOWN'")],
    ["operations_work_is_leased", set("lease_until = null")],
    ["operations_sealed_within_history", set("sealed = revision + 2")],
    ["operations_first_outcome_known", set("first_outcome = 'PERHAPS'")],
    ["operations_first_search_whole", set("first_search_at = now()")],
    ["operations_first_attempt_counted", set("attempt = 0")],
    ["operations_attempt_counted", set("status = 'NOT_FISCALIZED', failure_code = 'PFR_UNAVAILABLE', attempt = -1")]
  ])("%s refuses: %s", async (constraint, sql) => {
    assert.strictEqual(await refusal(sql), constraint)
  })
})

describe("the database and the domain agree on the life of a document", () => {
  const statuses = Object.keys(documentTransitions) as Array<DocumentStatus>

  it("each event leads to one status only, as the statement assumes", () => {
    for (const row of Object.values(documentTransitions)) {
      for (const [event, to] of Object.entries(row)) assert.strictEqual(statusAfter(event as DocumentEvent), to)
    }
    assert.isTrue(Result.isSuccess(nextStatus("SUBMITTING", "signed")))
    assert.include(statusesBefore("signed"), "OUTCOME_UNKNOWN")
  })

  it("the trigger lets exactly the domain's moves through", async () => {
    const { rows } = await client.query(
      `select pg_get_triggerdef(oid) as text from pg_trigger where tgname = 'operations_transition_allowed'`
    )
    const allowed = [...String(rows[0].text).matchAll(/'([A-Z_]+) ([A-Z_]+)'/g)].map(([, from, to]) => `${from} ${to}`)
    // An event that leaves the status as it is (a closing that is given up) is no move to the trigger.
    const moves = statuses.flatMap((from) => Object.values(documentTransitions[from]).filter((to) => to !== from).map((to) => `${from} ${to}`))
    assert.deepStrictEqual([...new Set(allowed)].toSorted(), [...new Set(moves)].toSorted())
  })
})

describe("a rejection is final for whoever asked", () => {
  it.each([["REQUEST", "operations_transition_allowed"], ["INNER", "accepted"]] as const)("a rejected %s document is sent again: %s", async (role, verdict) => {
    const plain = sampleOperation(mintPlace())
    const rejected = { ...plain, boundKey: { ...plain.boundKey, role } }
    const layer = Layer.provide(layerOperationStore, layerDatabase({ url: Redacted.make(database.url), applicationName: "schema" }))
    await Effect.runPromise(Effect.provide(
      Effect.gen(function*() {
        const store = yield* OperationStore
        yield* store.reserve(sampleReservation(rejected))
        yield* store.conclude(
          sampleConclusion(rejected, { event: "rejected", attemptOutcome: "REJECTED", failureCode: "PFR_VALIDATION_REJECTED", rejection: { items: [] } })
        )
      }),
      layer
    ))
    const again = `update operations set status = 'SUBMITTING', revision = revision + 1, failure_code = null, rejection = null, lease_until = now(), attempt = 2
      where operation_id = '${rejected.id}'`
    assert.strictEqual(await refusal(again), verdict)
  })
})

/** The plan that is kept for a statement on the connections of keyed statements (docs/adr/0030). */
const keyedPlan = async (sql: string): Promise<string> => {
  await client.query("set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set plan_cache_mode = force_generic_plan")
  const parameters = Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  await client.query(`prepare kept as ${sql}`)
  try {
    const given = parameters === 0 ? "" : `(${Array.from({ length: parameters }, () => "null").join(", ")})`
    const { rows } = await client.query({ text: `explain execute kept ${given}`, rowMode: "array" })
    return rows.flat().join("\n")
  } finally {
    await client.query("deallocate kept")
  }
}

describe("plans that outlive a small table", () => {
  const { firstAttemptStatement, laterAttemptStatement } = redrives
  const { operationById, operationByKey } = readers
  const statements = { reserveStatement, reserveManyStatement, concludeStatement, concludeManyStatement, firstAttemptStatement, laterAttemptStatement, operationById, operationByKey, movedRows, pageEnd, sweptRows, miscounted, entriesFrom, leafRowById, leafRowsById, leafAttempts, leafTransitions, entriesOfDocument, lastCheckpoint, tilesAt, nextEntries, lastEvent, eventsFrom, ...leases, ...leases.organizationsWaitingFor }
  it.each(Object.entries(statements).filter((entry): entry is [string, string] => typeof entry[1] === "string"))("%s finds its rows by an index, whatever the table's size at planning", async (_name, sql) => {
    const plan = await keyedPlan(sql)
    assert.notInclude(plan, "Seq Scan")
    if (/update operations/.test(sql)) assert.match(plan, /Index Scan using operations_\w+ on operations/)
  })

  // A new organization has no statistics, so the planner takes a join with all its rows for a cheap one: half a million of them cost hours.
  it.each(Object.entries({ addPending, claimMessages, lateOperations, nextBatch, snapshot }))("%s looks up each row by its key, and joins none with all others", async (_name, sql) => {
    const plan = await keyedPlan(sql)
    assert.notMatch(plan, /Anti Join|Materialize/, plan)
    assert.match(plan, /SubPlan/)
  })

  it.each(Object.entries({ claimMessages, claimPersonMails, takeNotes }))("%s selects what it takes once, and finds it by its key", async (_name, sql) => {
    const plan = await keyedPlan(sql)
    assert.match(plan, /InitPlan/, plan)
    assert.notMatch(plan, /Semi Join|Materialize/, plan)
  })

  it("tenants without a log are found by one look for each, not by a join of all documents", async () => {
    const plan = await keyedPlan(tenantsWithoutLog)
    assert.notInclude(plan, "Semi Join")
    assert.match(plan, /Limit[^\n]*\n[^\n]*Index Only Scan using operations_journal on operations/, plan)
  })

  // One index only can find an operation or an attempt by its id, so that a small table cannot mislead the planner to another.
  const { claimDue, endClaim, endSearch, expireLeases } = leases
  it.each(Object.entries({ concludeStatement, concludeManyStatement, firstAttemptStatement, laterAttemptStatement, claimDue, endClaim, endSearch, expireLeases }))(
    "%s finds them by their whole key",
    async (_name, sql) => {
      const plan = await keyedPlan(sql)
      // Before 17 a list of ids is looked up one by one only where that looks cheaper, which it does not on an empty table; ANALYZE corrects it.
      const { rows: [server] } = await client.query("select current_setting('server_version_num')::int as version")
      if (Number(server?.version) < 170_000 && /operation_id = any/.test(sql)) return assert.match(plan, /Index Cond: \(organization_id = /)
      const found = [...plan.matchAll(/Index Scan using (\w+) on (?:operations|attempts)\b[^\n]*\n\s*Index Cond: (.*)/g)]
      assert.isNotEmpty(found, plan)
      for (const [, index, condition] of found) {
        assert.include(["operations_pk", "attempts_pk"], index)
        assert.match(condition ?? "", /organization_id = .*operation_id = /)
      }
    }
  )

  it.each(Object.entries({ placesOf, documentsById, waitingFinalSale, refundsOfSource, nextEntries, eventsFrom }))("%s finds each document of a workflow, a log or an event by its whole key", async (_name, sql) => {
    const plan = await keyedPlan(sql)
    const found = [...plan.matchAll(/Index Scan using (\w+) on operations\b[^\n]*\n\s*Index Cond: (.*)/g)]
    assert.isNotEmpty(found, plan)
    for (const [, index, condition] of found) {
      assert.strictEqual(index, "operations_pk")
      assert.match(condition ?? "", /organization_id = .*operation_id = /)
    }
  })

  it("the documents of a case's closings are found by their own index", async () => {
    assert.match(await keyedPlan(closingsOfCase), /Index Scan using operations_closings_in_case on operations[^\n]*\n\s*Index Cond: .*organization_id = .*workflow_id = /)
  })

  it.each([
    [{ caseById, lockCase }, "advance_cases_pk", /organization_id = .*case_id = /],
    [{ caseByKey }, "advance_cases_key_unique", /organization_id = .*key = /],
    [{ placesOf, waitingFinalSale }, "advance_documents_pk", /organization_id = .*case_id = /],
    [{ workflowInTenant }, "proforma_training_documents_pk", /organization_id = .*workflow_id = /],
    [{ refundsOfSource }, "proforma_training_by_source", /organization_id = .*source_id = /]
  ] as const)("%o: the workflow itself too", async (sqls, index, condition) => {
    for (const sql of Object.values(sqls)) {
      const plan = await keyedPlan(sql)
      const [, cond] = new RegExp(`Index Scan using ${index} on [^\\n]*\\n\\s*Index Cond: (.*)`).exec(plan) ?? []
      assert.match(cond ?? plan, condition)
    }
  })

  it("a second index that begins with the organization is a candidate only for the queries that name its columns", async () => {
    const { rows } = await client.query(
      `select i.relname as index from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
         join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
       where c.relname in ('operations', 'attempts', 'transitions', 'refund_lines', 'refund_workflows', 'refund_entries',
           'advance_cases', 'advance_documents', 'proforma_training_documents')
         and a.attname = 'organization_id' and not x.indisprimary and x.indpred is null`
    )
    assert.deepStrictEqual(rows, [])
  })
})
