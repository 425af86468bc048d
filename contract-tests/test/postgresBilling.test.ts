import { layerBillingAccounts, layerBillingTerms, layerDatabase, layerInvoices, migrate, migrations } from "@overa/adapter-postgres"
import { AccessActs, BillingAccounts, BillingTerms, Invoices, licensedDays, OrganizationActs, type OrganizationId } from "@overa/domain"
import { closeMonths } from "@overa/worker"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { billingContract } from "../src/ports/Billing.contract.ts"
import { at } from "../src/support/atInstant.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { arrangeMonth, monthToClose } from "../src/support/billedMonth.ts"
import { month, sampleInvoice, sampleIssuer } from "../src/support/sampleBilling.ts"
import { recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()

billingContract("PostgreSQL", () => ({
  layer: Layer.mergeAll(layerBillingTerms, layerBillingAccounts, layerInvoices).pipe(
    Layer.provide(recorder.layer),
    Layer.provide(layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" }))
  ),
  open: async (id, { buyer, licenseChanges }) => {
    const client = await database.client()
    await client.query("insert into organizations values ($1, $2, now())", [id, buyer.organizationName])
    if (buyer.taxIdentifier !== null) {
      const insertion = `insert into taxpayers (organization_id, taxpayer_id, environment, tax_identifier, name, address, city, vat_status, status, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, 'IN_VAT', $8, $9, now())`
      await client.query(insertion, [id, mintUuid(), "sandbox", mintUuid(), "Проба", null, null, "active", "2020-01-01"])
      await client.query(insertion, [id, mintUuid(), "production", mintUuid(), "Угашена", null, null, "inactive", "2021-01-01"])
      await client.query(insertion, [id, mintUuid(), "production", buyer.taxIdentifier, buyer.name, buyer.address, buyer.city, "active", "2022-01-01"])
      await client.query(insertion, [id, mintUuid(), "production", mintUuid(), "Млађа", null, null, "active", "2023-01-01"])
    }
    for (const change of licenseChanges) {
      await client.query("insert into licence_changes (organization_id, changed_at, starts_at, expires_at, suspended, modules) values ($1, $2, $3, $4, $5, $6)", [
        id,
        DateTime.toDateUtc(change.changedAt),
        DateTime.toDateUtc(change.startsAt),
        change.expiresAt === null ? null : DateTime.toDateUtc(change.expiresAt),
        change.suspended,
        change.modules
      ])
    }
  }
}))

describe("PostgreSQL: every statement of billing fits a server that is split by organization", () => {
  it("names its organization where it writes, and locks nothing over all", async () => {
    const statements = [...recorder.statements].filter((sql) => /invoice|price_lists|licence|taxpayers|payment_notes/.test(sql))
    assert.isAtLeast(statements.length, 12)
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
  })
})

const refusal = async (sql: string): Promise<string> => {
  const client = await database.client()
  return client.query(sql).then(() => "accepted", (cause: { readonly constraint?: string }) => String(cause.constraint))
}

describe("PostgreSQL: what is billed cannot be rewritten", () => {
  it.each(["licence_changes", "price_lists", "invoice_issuers", "invoices", "payment_notes"])("%s takes no change and no deletion", async (table) => {
    const client = await database.client()
    const { rows } = await client.query(`select count(*)::int as count from ${table}`)
    assert.isAbove(rows[0].count, 0)
    const column = { licence_changes: "suspended", price_lists: "valid_from", invoice_issuers: "details", invoices: "content", payment_notes: "reason" }[table]
    for (const sql of [`update ${table} set ${column} = ${column}`, `delete from ${table}`, `truncate ${table} cascade`]) {
      assert.match(await refusal(sql), /_append_only$/, sql)
    }
  })

  it.each([
    ["invoices_without_gap", "(2030, 2, 1, gen_random_uuid(), '2026-01', now(), 1, '{}')"],
    ["invoices_counted", "(2030, 2, null, gen_random_uuid(), '2026-01', now(), 1, '{}')"],
    ["invoices_counted", "(2030, 3, 1, gen_random_uuid(), '2026-01', now(), 1, '{}')"],
    ["invoices_counted", "(2030, 0, null, gen_random_uuid(), '2026-01', now(), 1, '{}')"],
    ["invoices_counted", "(2030, 1, 0, gen_random_uuid(), '2026-01', now(), 1, '{}')"],
    ["invoices_to_be_paid", "(2030, 1, null, gen_random_uuid(), '2026-01', now(), 0, '{}')"],
    ["invoices_for_a_month", "(2030, 1, null, gen_random_uuid(), '2026-13', now(), 1, '{}')"],
    ["invoices_pk", "(2098, 1, null, gen_random_uuid(), '2026-01', now(), 1, '{}')"]
  ])("%s refuses an invoice that leaves a gap or stands twice: %s", async (constraint, values) => {
    assert.strictEqual(await refusal(`insert into invoices (issue_year, number, number_before, organization_id, month, issued_at, total, content) values ${values}`), constraint)
  })

  it("payment_notes_alternate refuses two payments one after the other", async () => {
    assert.strictEqual(await refusal("insert into payment_notes values (2098, 1, 2, '2026-01-01', now(), 'x', 'x')"), "payment_notes_alternate")
  })
})

describe("PostgreSQL: billing beside the operator's acts", () => {
  const act = { actor: "operator:ana", reason: "договорено" }
  let own: ThrowawayDatabase
  let runtime: ManagedRuntime.ManagedRuntime<Layer.Success<ReturnType<typeof postgresPorts>>, unknown>
  beforeAll(async () => {
    own = await throwawayDatabase()
    runtime = ManagedRuntime.make(postgresPorts(own.url))
  })
  afterAll(async () => {
    await runtime.dispose()
    await own.drop()
  })

  it("keeps what a licence was: granted, suspended, resumed, granted anew, at one instant too", () => runtime.runPromise(Effect.gen(function*() {
    const acts = yield* AccessActs
    const accounts = yield* BillingAccounts
    const id = yield* (yield* OrganizationActs).createOrganization(act, "Организација")
    const from = DateTime.makeUnsafe("2026-11-05T10:00:00Z")
    yield* at("2026-11-05T10:00:00Z", acts.grantLicense(act, id, { startsAt: from, expiresAt: null, modules: ["advance"] }))
    yield* at("2026-11-10T10:00:00Z", acts.suspendLicense(act, id, true))
    yield* at("2026-11-20T10:00:00Z", acts.suspendLicense(act, id, false))
    yield* at("2026-11-25T10:00:00Z", acts.grantLicense(act, id, { startsAt: DateTime.makeUnsafe("2026-12-01T00:00:00Z"), expiresAt: null, modules: [] }))
    const days = licensedDays(yield* accounts.licenseChanges(id), month("2026-11"))
    // 5 to 10 and 20 to 25 November: from the 25th on the licence begins in December.
    assert.deepStrictEqual(days, { license: 12, modules: { advance: 12, email: 0 }, ofMonth: 30 })
    yield* at("2026-12-10T10:00:00Z", Effect.andThen(acts.suspendLicense(act, id, true), acts.suspendLicense(act, id, false)))
    assert.strictEqual(licensedDays(yield* accounts.licenseChanges(id), month("2026-12")).license, 31)
    yield* at("2026-12-10T10:00:00Z", acts.suspendLicense(act, id, true))
    assert.strictEqual(licensedDays(yield* accounts.licenseChanges(id), month("2027-01")).license, 0)
  })))

  it("knows a licence that a host of an earlier release granted", async () => {
    const client = await own.client()
    const id = mintUuid() as OrganizationId
    await client.query("insert into organizations values ($1, 'Стара', now())", [id])
    await client.query("insert into licences values ($1, '2026-10-20T10:00:00Z', null, false, '{}', '2026-10-20T10:00:00Z')", [id])
    const found = await runtime.runPromise(Effect.gen(function*() {
      const accounts = yield* BillingAccounts
      return [yield* accounts.unbilled(month("2026-10"), null, 100), licensedDays(yield* accounts.licenseChanges(id), month("2026-10")).license] as const
    }))
    assert.include(found[0], id)
    assert.strictEqual(found[1], 12)
  })

  it("two workers at once close a month for everybody: one invoice each, numbers without a gap", async () => {
    const client = await own.client()
    const month = monthToClose()
    const ids = Array.from({ length: 30 }, () => mintUuid())
    for (const id of ids) {
      await client.query("insert into organizations values ($1, 'Организација', now())", [id])
      await arrangeMonth(own, id, month)
    }
    const workers = await runtime.runPromise(Effect.gen(function*() {
      const terms = yield* BillingTerms
      yield* terms.changeIssuer(act, sampleIssuer, 0)
      const untilDone = (job: ReturnType<typeof closeMonths>) =>
        Effect.gen(function*() {
          let passes = 1
          while (yield* job.pass) passes += 1
          return passes
        })
      return yield* Effect.all([untilDone(closeMonths()), untilDone(closeMonths())], { concurrency: 2 })
    }))
    // Only the months from the first price list on are read.
    for (const passes of workers) assert.isAtLeast(passes, 2)
    const { rows } = await client.query("select organization_id, issue_year, number from invoices where month = $1 and organization_id = any($2) order by issue_year, number", [month, ids])
    assert.deepStrictEqual(rows.map((row) => row.organization_id).toSorted(), ids.toSorted())
    const gaps = await client.query("select 1 from invoices i where number > 1 and not exists (select from invoices b where b.issue_year = i.issue_year and b.number = i.number - 1)")
    assert.strictEqual(gaps.rowCount, 0)
    const log = await client.query("select count(*)::int as count from activity_log where act = 'invoice issued' and actor = 'worker:host-a' and organization_id = any($1) and after like $2", [ids, `%"month":"${month}"%`])
    assert.strictEqual(log.rows[0].count, ids.length)
  }, 60_000)

  it("writes each act into the log of whom it is about", async () => {
    const id = await runtime.runPromise(Effect.gen(function*() {
      const made = yield* (yield* OrganizationActs).createOrganization(act, "Дневник")
      const invoices = yield* Invoices
      const issued = yield* invoices.issue(act, made, sampleInvoice("2026-11"))
      if (issued._tag === "Issued") yield* invoices.notePayment({ ...act, reason: "извод 31" }, issued.invoice.id, "2026-12-05")
      return made
    }))
    const client = await own.client()
    const { rows } = await client.query("select act, reason from activity_log where organization_id = $1 order by at", [id])
    assert.deepStrictEqual(rows, [{ act: "organization created", reason: act.reason }, { act: "invoice issued", reason: act.reason }, { act: "invoice paid", reason: "извод 31" }])
  })
})

describe("PostgreSQL: an installation that is upgraded", () => {
  it("begins with the licences as they are: one in force from its start, a suspended one from its last change", async () => {
    const old = await throwawayDatabase({ migrated: false })
    try {
      const layer = layerDatabase({ url: Redacted.make(old.url), applicationName: "upgrade" })
      const before = migrations.findIndex(({ name }) => name === "billing")
      await Effect.runPromise(Effect.provide(migrate(migrations.slice(0, before)), layer))
      const client = await old.client()
      const [running, suspended] = [mintUuid(), mintUuid()]
      await client.query("insert into organizations values ($1, 'А', now()), ($2, 'Б', now())", [running, suspended])
      await client.query(
        `insert into licences values ($1, '2026-03-10T00:00:00Z', null, false, '{email}', '2026-11-10T00:00:00Z'),
           ($2, '2026-03-10T00:00:00Z', '2027-01-01T00:00:00Z', true, '{}', '2026-11-10T00:00:00Z')`,
        [running, suspended]
      )
      await Effect.runPromise(Effect.provide(migrate(), layer))
      const changes = await Effect.runPromise(Effect.provide(
        Effect.flatMap(BillingAccounts, (accounts) => Effect.forEach([running, suspended], (id) => accounts.licenseChanges(id as OrganizationId))),
        Layer.provide(layerBillingAccounts, layer)
      ))
      const daysOf = (of: string) => changes.map((all) => licensedDays(all, month(of)))
      assert.deepStrictEqual(daysOf("2026-11").map(({ license }) => license), [30, 0])
      assert.deepStrictEqual(daysOf("2026-03").map(({ license, modules }) => [license, modules.email]), [[22, 22], [0, 0]])
    } finally {
      await old.drop()
    }
  })
})
