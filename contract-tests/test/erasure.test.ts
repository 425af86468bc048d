import { layerIdentifiers } from "@overa/adapter-identity"
import { layerAdministration, layerDatabase, layerJournalAudit, layerJournalLog, layerJournalSealer, layerOperationStore, makeSecrets } from "@overa/adapter-postgres"
import {
  type Act, ErasureActs, erasureText, JournalActs, JournalAudit, JournalLog, JournalSealer, type Operation, OperationHistory, OperationStore, readErasure, readVerifierKey, signedNote, signNote
} from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Option, Redacted, Result } from "effect"
import { hash, randomBytes } from "node:crypto"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { byHand } from "../src/support/byHand.ts"
import {
  mintPlace, noAnswer, notSent, rejected, sampleAttempt, sampleContent, sampleOperation, sampleReservation, signed
} from "../src/support/sampleOperations.ts"
import { encryptionKeys, registerOrganization } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

type Ports = ErasureActs | JournalActs | JournalAudit | JournalLog | JournalSealer | OperationStore | OperationHistory
type Place = ReturnType<typeof mintPlace>

const act: Act = { actor: "operator:ana", reason: "ticket 12" }
const body = "{\"clientReference\":\"порџбина-4711\",\"cashier\":{\"id\":\"web\",\"displayName\":\"Ана\"},\"metadata\":{\"phone\":\"0641234567\"},\"items\":[{\"quantity\":1.250}]}"
const leftBody = "{\"clientReference\":\"порџбина-4711\",\"cashier\":{\"id\":\"web\"},\"items\":[{\"quantity\":1.250}]}"

let database: ThrowawayDatabase
let client: pg.Client
let ports: ManagedRuntime.ManagedRuntime<Ports, unknown>

beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
  const secrets = Result.getOrThrow(makeSecrets(encryptionKeys))
  const layers = Layer.mergeAll(
    layerAdministration(secrets, Redacted.make(randomBytes(32))).pipe(Layer.provide(layerIdentifiers)),
    layerJournalAudit(secrets), layerJournalLog(secrets), layerJournalSealer(secrets), layerOperationStore
  )
  ports = ManagedRuntime.make(layers.pipe(Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "erasure" }))))
})
afterAll(async () => {
  await ports.dispose()
  await database.drop()
})

const run = <A, E>(effect: Effect.Effect<A, E, Ports>): Promise<A> => ports.runPromise(effect)
const seal = () => run(Effect.flatMap(JournalSealer, (sealer) => sealer.seal({ limit: 10_000 })))
const stored = async (place: Place, { id }: Pick<Operation, "id">) => Option.getOrThrow(await run(Effect.flatMap(OperationStore, (store) => store.get(place, id))))

const asked = (place: Place, clientReference = "порџбина-4711"): Operation => {
  const operation = sampleOperation(place, { content: { ...sampleContent(), clientReference } })
  return { ...operation, boundKey: { ...operation.boundKey, body } }
}

type End = (operation: Operation) => Parameters<OperationStore["Service"]["conclude"]>[0]

const issue = (operation: Operation, end: End = signed) =>
  run(Effect.gen(function*() {
    const store = yield* OperationStore
    yield* store.reserve(sampleReservation(operation))
    yield* store.conclude(end(operation))
    return operation
  }))

/** A second attempt of what was not sent. */
const redrive = (operation: Operation) => {
  const attempt = sampleAttempt(operation, { number: 2 })
  const transition = { from: "NOT_FISCALIZED", to: "SUBMITTING", at: attempt.startedAt, cause: "redriven", actor: "api:host-a", attempt: 2 } as const
  return run(Effect.gen(function*() {
    const store = yield* OperationStore
    yield* store.redrive({ operation: { ...operation, status: "SUBMITTING", attempt: 2 }, attempt, transition, leaseMillis: 50_000 })
    yield* store.conclude(signed(operation, { attempt: 2 }))
  }))
}

/** A tenant with receipts in the log. */
const stage = async (count = 2) => {
  const place = mintPlace()
  await registerOrganization(client, place.organizationId)
  const operations: Array<Operation> = []
  for (let at = 0; at < count; at += 1) operations.push(await issue(asked(place)))
  await seal()
  const [first = assert.fail("no document")] = operations
  const erase = (changes: { readonly clientReference?: string; readonly olderThanDays?: number } = {}) =>
    run(Effect.flatMap(ErasureActs, (acts) => acts.eraseRequestData(act, place.organizationId, { clientReference: null, olderThanDays: 30, ...changes })))
  const verify = async () => {
    const reports = await run(Effect.flatMap(JournalAudit, (audit) => audit.verify))
    const report = reports.find(({ organizationId }) => organizationId === place.organizationId) ?? assert.fail("no report")
    return { erased: report.erased, found: report.findings.map(({ documentId, kind }): readonly [string, string | null] => [kind, documentId]) }
  }
  const activity = async (): Promise<ReadonlyArray<{ readonly actor: string; readonly reason: string; readonly documents: ReadonlyArray<string> }>> =>
    (await client.query("select actor, reason, after from activity_log where organization_id = $1 and act = 'metadata erased' order by at", [place.organizationId]))
      .rows.map(({ actor, after, reason }) => ({ actor, reason, documents: JSON.parse(after).documents }))
  return { place, operations, first, erase, verify, activity }
}

const notesOf = async (operations: ReadonlyArray<Pick<Operation, "id">>): Promise<ReadonlyArray<string>> =>
  (await client.query("select erased_note from operations where operation_id = any ($1::uuid[]) order by operation_id", [operations.map(({ id }) => id)])).rows.map((row) => row.erased_note)

const noteOf = async (operation: Pick<Operation, "id">): Promise<string> => (await notesOf([operation]))[0] ?? assert.fail("no document")

describe("personal data of requests is erased", () => {
  it("from a document, which is still what was sealed and says so; others keep theirs", async () => {
    const { activity, erase, first, place, verify } = await stage(1)
    const other = await issue(asked(place, "another"))
    await seal()
    const before = await run(Effect.flatMap(JournalLog, (log) => log.entriesOf(place, first.id)))
    assert.deepStrictEqual(await erase({ clientReference: "порџбина-4711" }), { erased: 1, unreadable: 0 })
    const left = await stored(place, first)
    assert.deepStrictEqual([left.content.metadata, left.content.cashier], [null, { id: "web", displayName: null }])
    assert.deepStrictEqual({ ...left.content, metadata: first.content.metadata, cashier: first.content.cashier }, first.content)
    assert.deepStrictEqual([left.boundKey.body, left.boundKey.fingerprint], [leftBody, first.boundKey.fingerprint])
    assert.strictEqual(readErasure(left.boundKey.erasure ?? "")?.request.sealed, hash("sha256", body))
    const untouched = await stored(place, other)
    assert.deepStrictEqual([untouched.boundKey.body, untouched.boundKey.erasure, untouched.content.cashier.displayName], [body, undefined, "Ана"])
    assert.deepStrictEqual(await run(Effect.flatMap(JournalLog, (log) => log.entriesOf(place, first.id))), before)
    assert.deepStrictEqual(await verify(), { erased: 1, found: [] })
    assert.deepStrictEqual(await activity(), [{ ...act, documents: [first.id] }])
  })

  it("nowhere in the row it can be found any more", async () => {
    const { erase, first } = await stage(1)
    await erase()
    const { rows: [row] } = await client.query("select o::text as whole, key_body_packed from operations o where operation_id = $1", [first.id])
    for (const secret of ["Ана", "0641234567"]) {
      assert.notInclude(row.whole, secret)
      assert.notInclude((await stored(first, first)).boundKey.body, secret)
      assert.notInclude(Buffer.from(row.key_body_packed ?? []).toString("utf8"), secret)
    }
  })

  it("once: a repetition and two at the same time erase nothing twice", async () => {
    const { activity, erase, operations } = await stage(3)
    const both = await Promise.all([erase(), erase()])
    assert.strictEqual(both.reduce((sum, { erased }) => sum + erased, 0), 3)
    const notes = await notesOf(operations)
    assert.deepStrictEqual(await erase(), { erased: 0, unreadable: 0 })
    assert.deepStrictEqual(await notesOf(operations), notes)
    assert.deepStrictEqual((await activity()).flatMap(({ documents }) => documents).toSorted(), operations.map(({ id }): string => id).toSorted())
  })

  it("only after the term, and only what the log has in full and nobody works on", async () => {
    const { erase, place, verify } = await stage(1)
    assert.strictEqual((await erase({ olderThanDays: 36_000 })).erased, 0)
    assert.strictEqual((await erase()).erased, 1)
    const ends: ReadonlyArray<readonly [End, isErased: boolean]> = [[rejected, true], [notSent, true], [noAnswer, false]]
    const documents = await Promise.all(ends.map(async ([end, isErased]) => [await issue(asked(place), end), isErased] as const))
    const sending = asked(place)
    await run(Effect.flatMap(OperationStore, (store) => store.reserve(sampleReservation(sending))))
    assert.strictEqual((await erase()).erased, 0)
    await seal()
    assert.strictEqual((await erase()).erased, 2)
    for (const [document, isErased] of [...documents, [sending, false]] as const) {
      assert.strictEqual((await stored(place, document)).boundKey.erasure !== undefined, isErased)
    }
    assert.deepStrictEqual((await verify()).found, [])
  })

  it("from a document that is sent again afterwards: its further transitions are sealed, and all of them fit", async () => {
    const { erase, place, verify } = await stage(1)
    const again = await issue(asked(place), (operation) => notSent(operation, { nextCheckAfterMillis: null }))
    await seal()
    assert.strictEqual((await erase()).erased, 2)
    await redrive(again)
    await seal()
    const partly = await issue(asked(place), (operation) => notSent(operation, { nextCheckAfterMillis: null }))
    await seal()
    await redrive(partly)
    assert.strictEqual((await erase()).erased, 0)
    await seal()
    assert.strictEqual((await stored(place, again)).status, "FISCALIZED")
    assert.deepStrictEqual(await verify(), { erased: 2, found: [] })
  })

  it("with its line in the activity log, or not at all; what was erased before an end stays, and a repetition erases the rest", async () => {
    const { activity, erase, verify } = await stage(503)
    await client.query(`create function refuse_second() returns trigger language plpgsql as $$ begin
      if new.act = 'metadata erased' and exists (select from activity_log where organization_id = new.organization_id and act = new.act) then raise exception 'the end'; end if;
      return new; end $$`)
    await client.query("create trigger refuse_second before insert on activity_log for each row execute function refuse_second()")
    try {
      await erase().then(() => assert.fail("it was not ended"), () => undefined)
    } finally {
      await client.query("drop trigger refuse_second on activity_log")
      await client.query("drop function refuse_second")
    }
    assert.deepStrictEqual((await activity()).map(({ documents }) => documents.length), [500])
    assert.deepStrictEqual(await verify(), { erased: 500, found: [] })
    assert.deepStrictEqual(await erase(), { erased: 3, unreadable: 0 })
    assert.deepStrictEqual((await activity()).map(({ documents }) => documents.length), [500, 3])
    assert.deepStrictEqual(await verify(), { erased: 503, found: [] })
  }, 60_000)

  it("from large requests a few at a time, from all of them", async () => {
    const { activity, erase, operations, place, verify } = await stage(1)
    const large: Array<Operation> = []
    for (let at = 0; at < 7; at += 1) {
      const operation = asked(place)
      const notes = randomBytes(600_000).toString("hex")
      large.push(await issue({ ...operation, boundKey: { ...operation.boundKey, body: JSON.stringify({ metadata: { notes } }) } }))
    }
    await seal()
    assert.deepStrictEqual(await erase(), { erased: 8, unreadable: 0 })
    const commits = (await activity()).map(({ documents }) => documents)
    assert.isAtLeast(commits.length, 2)
    assert.isAtMost(Math.max(...commits.map((documents) => documents.length)), 5)
    assert.sameMembers(commits.flat(), [...operations, ...large].map(({ id }): string => id))
    assert.deepStrictEqual(await verify(), { erased: 8, found: [] })
  })

  it("not from a row that cannot be read: it stays, and is counted", async () => {
    const { erase, first, verify } = await stage(2)
    await byHand(client, "operations", "update operations set key_body = '', key_body_packed = '\\x00' where operation_id = $1", [first.id])
    assert.deepStrictEqual(await erase(), { erased: 1, unreadable: 1 })
    assert.deepStrictEqual(await verify().then(({ found }) => [...new Set(found.map(([kind, id]) => `${kind} ${id}`))]), [`ROW_CHANGED ${first.id}`])
  })
})

describe("the company register's details of buyers are erased", () => {
  it("from any number of documents, some hundred by one commit with its line in the activity log", async () => {
    const { operations, place } = await stage(503)
    await byHand(client, "operations", "update operations set buyer_details = '{}' where organization_id = $1", [place.organizationId])
    const erase = () => run(Effect.flatMap(ErasureActs, (acts) => acts.eraseBuyerDetails(act, place.organizationId, { buyerId: null, olderThanDays: 30 })))
    assert.strictEqual(await erase(), 503)
    assert.strictEqual(await erase(), 0)
    const { rows } = await client.query("select after from activity_log where organization_id = $1 and act = 'buyer''s details erased' order by at", [place.organizationId])
    const commits = rows.map(({ after }): ReadonlyArray<string> => JSON.parse(after).documents)
    assert.deepStrictEqual(commits.map((documents) => documents.length), [500, 3, 0])
    assert.sameMembers(commits.flat(), operations.map(({ id }): string => id))
    assert.strictEqual((await client.query("select from operations where organization_id = $1 and buyer_details is not null", [place.organizationId])).rowCount, 0)
  }, 60_000)
})

describe("a change cannot be passed off as an erasure", () => {
  const name = async (): Promise<string> => (await client.query("select name from journal_keys order by number limit 1")).rows[0].name

  it("the database refuses a change of content or body without an erasure, a second one, and one undone", async () => {
    const { erase, first, operations } = await stage(2)
    const change = (set: string, id: string) => client.query(`update operations set ${set} where operation_id = $1`, [id])
    const refused = async (set: string, id: string) => assert.match(await change(set, id).then(() => "done", (error: Error) => error.message), /is refused/, set)
    for (const set of ["content = replace(content, 'Књига', 'Свеска')", "key_body = '{}', key_body_packed = null", "content = '{}', erased_note = null"]) await refused(set, first.id)
    await refused("total_amount = 1, erased_note = 'x'", first.id)
    await erase()
    for (const set of ["erased_note = null", "erased_note = 'x'", "content = '{}', erased_note = 'x'", "key_body = '{}', key_body_packed = null"]) await refused(set, operations[1]?.id ?? "")
  })

  // What a person who owns the database does to an erased row.
  it.each([
    ["the content", "content = replace(content, 'Књига', 'Свеска')"],
    ["the body", "key_body = '{}', key_body_packed = null"],
    ["the total", "total_amount = total_amount + 1"],
    ["the buyer", "buyer_id = '10:100000008'"],
    ["the reference", "client_reference = 'another'"],
    ["the premise", "premise_id = gen_random_uuid()"],
    ["the fingerprint", "fingerprint_digest = '1234'"],
    ["the note", "erased_note = replace(erased_note, 'erasure', 'Erasure')"],
    ["the time of the erasure", "erased_note = regexp_replace(erased_note, '\\n20\\d\\d-', E'\\n2019-')"],
    ["the erasure itself", "erased_note = null"],
    ["the answer", "answer_text = answer_text || ' '"]
  ])("of a document that was erased from: %s", async (_what, set) => {
    const { erase, first, verify } = await stage()
    await erase()
    await byHand(client, "operations", `update operations set ${set} where operation_id = $1`, [first.id])
    const { found } = await verify()
    assert.deepStrictEqual([...new Set(found.map(([kind, id]) => `${kind} ${id}`))], [`ROW_CHANGED ${first.id}`])
  })

  it("of a document with another's note", async () => {
    const { erase, first, operations, verify } = await stage()
    await erase()
    await byHand(client, "operations", "update operations set erased_note = $2 where operation_id = $1", [first.id, await noteOf(operations[1] ?? first)])
    assert.include((await verify()).found.map(([kind, id]) => `${kind} ${id}`), `ROW_CHANGED ${first.id}`)
  })

  it("of a document that was not erased from, with a note by another key, or a signature made up, that names the digests of the log", async () => {
    const { first, place, verify } = await stage()
    const { rows: [row] } = await client.query("select * from operations where operation_id = $1", [first.id])
    const [entry] = (await run(Effect.flatMap(JournalLog, (log) => log.entriesOf(place, first.id))))?.entries ?? []
    const { record, request } = JSON.parse(entry?.leaf ?? "{}")
    const content = (row.content as string).replace("Књига", "Свеска")
    const left = {
      request: hash("sha256", "{}"),
      record: hash("sha256", JSON.stringify([
        row.taxpayer_id, row.premise_id, row.client_id, row.key_role, row.key, row.key_target, row.fingerprint_version, row.fingerprint_digest, row.invoice_type, row.transaction_type,
        row.client_reference, row.cashier_id, row.buyer_id, row.total_amount, row.workflow_type, row.workflow_id, row.created_at.toISOString(), content
      ]))
    }
    const text = erasureText({
      origin: `${await name()}/${place.organizationId}/${place.environment}`,
      documentId: first.id,
      at: "2026-11-01T10:00:00.000Z",
      request: { sealed: request, left: left.request },
      record: { sealed: record, left: left.record }
    })
    const [known = ""] = await run(Effect.flatMap(JournalLog, (log) => log.verifierKeys))
    const namedAsKnown = signedNote(text, readVerifierKey(known) ?? assert.fail("no key"), randomBytes(64))
    for (const note of [signNote(text, await name(), randomBytes(32)), namedAsKnown]) {
      await byHand(client, "operations", "update operations set content = $2, key_body = '{}', key_body_packed = null, erased_note = $3 where operation_id = $1", [first.id, content, note])
      assert.deepStrictEqual(await verify(), { erased: 1, found: [["ROW_CHANGED", first.id]] })
    }
  })

  it("of a document that was changed before it was erased from, even if the note then gets the digests of the log", async () => {
    const { erase, first, place, verify } = await stage()
    const [entry] = (await run(Effect.flatMap(JournalLog, (log) => log.entriesOf(place, first.id))))?.entries ?? []
    const sealed = JSON.parse(entry?.leaf ?? "{}")
    await byHand(client, "operations", "update operations set content = replace(content, 'Књига', 'Свеска'), key_body = $2, key_body_packed = null where operation_id = $1", [first.id, body])
    assert.strictEqual((await erase()).erased, 2)
    const found = async () => [...new Set((await verify()).found.map(([kind, id]) => `${kind} ${id}`))]
    assert.deepStrictEqual(await found(), [`ROW_CHANGED ${first.id}`])
    const note = await noteOf(first)
    const stated = readErasure(note) ?? assert.fail("no erasure")
    await byHand(client, "operations", "update operations set erased_note = $2 where operation_id = $1", [
      first.id, note.replace(stated.record.sealed, sealed.record).replace(stated.request.sealed, sealed.request)
    ])
    assert.deepStrictEqual(await found(), [`ROW_CHANGED ${first.id}`])
  })

  it("a note by an earlier key of the log stays valid", async () => {
    const { erase, verify } = await stage()
    await erase()
    await run(Effect.flatMap(JournalActs, (acts) => acts.rotateKey(act)))
    assert.deepStrictEqual(await verify(), { erased: 2, found: [] })
  })
})
