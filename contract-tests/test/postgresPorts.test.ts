import type { ActPorts, OversightPorts } from "@overa/adapter-postgres"
import { CredentialActs, AttentionOversight, BrandingStore, ElementActs, InstallationOversight, OperationStore, OrganizationActs, type OrganizationId, RecordActs, TaxpayerActs, TenancyDirectory, type Tenant } from "@overa/domain"
import { Effect, ManagedRuntime, Option } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { administrationContract } from "../src/ports/Administration.contract.ts"
import { anothersIdentifiersContract } from "../src/ports/anothersIdentifiers.contract.ts"
import { credentialActsContract } from "../src/ports/CredentialActs.contract.ts"
import { openShopContract } from "../src/ports/openShop.contract.ts"
import { securityElementsContract } from "../src/ports/SecurityElements.contract.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { plain } from "../src/support/plain.ts"
import { postgresPorts, testCredentialKey } from "../src/support/postgresPorts.ts"
import { sampleElement } from "../src/support/sampleElements.ts"
import { mintPlace, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

administrationContract("PostgreSQL", () => postgresPorts(database.url), testCredentialKey)
anothersIdentifiersContract("PostgreSQL", () => postgresPorts(database.url))
credentialActsContract("PostgreSQL", () => postgresPorts(database.url))
openShopContract("PostgreSQL", () => postgresPorts(database.url))
securityElementsContract("PostgreSQL", () => postgresPorts(database.url))

const act = { actor: "operator:ana", reason: "because" }

const withPorts = <A>(body: Effect.Effect<A, unknown, ActPorts | BrandingStore | OversightPorts | TenancyDirectory>, encryptionKeys?: string) => {
  const runtime = ManagedRuntime.make(postgresPorts(database.url, encryptionKeys === undefined ? {} : { encryptionKeys }))
  return runtime.runPromise(body).finally(() => runtime.dispose())
}

const newTaxpayer = {
  taxIdentifier: "111222333",
  name: "Firma",
  address: null,
  city: null,
  vatStatus: "IN_VAT",
  businessPremises: [{ puIdentifier: "1", name: "Shop", address: null, city: null }]
} as const

describe("PostgreSQL: what an auditor finds", () => {
  it("every act leaves one line with actor, reason, before and after, and no secret", async () => {
    const organizationId = await withPorts(Effect.gen(function*() {
      const organizationActs = yield* OrganizationActs
      const taxpayerActs = yield* TaxpayerActs
      const elementActs = yield* ElementActs
      const credentialActs = yield* CredentialActs
      const id = yield* organizationActs.createOrganization(act, "Revizija")
      const created = yield* taxpayerActs.createTaxpayer(act, id, "production", newTaxpayer)
      yield* taxpayerActs.changeTaxpayer(act, id, created.taxpayer.id, { vatStatus: "OUTSIDE_VAT" })
      const premiseId = created.premises[0]?.premise.id
      if (premiseId === undefined) return assert.fail("no premise")
      yield* elementActs.upload(act, id, premiseId, sampleElement({ tin: "111222333" }))
      yield* credentialActs.issueCredential(act, id, "production", ["fiscal:read"])
      return id
    }))
    const client = await database.client()
    const { rows } = await client.query(
      "select actor, act, before, after, reason from activity_log where organization_id = $1 order by at, act",
      [organizationId]
    )
    assert.deepStrictEqual(rows.map((row) => row.act).toSorted(), [
      "credential issued",
      "organization created",
      "security element uploaded",
      "taxpayer changed",
      "taxpayer created"
    ])
    const change = rows.find((row) => row.act === "taxpayer changed")
    assert.deepStrictEqual([change.actor, change.reason], ["operator:ana", "because"])
    assert.deepStrictEqual([JSON.parse(change.before), JSON.parse(change.after)], [{ vatStatus: "IN_VAT" }, { vatStatus: "OUTSIDE_VAT" }])
    assert.notInclude(JSON.stringify(rows), "PRIVATE KEY")
  })

  it("no table holds a key, a PAC or a client secret in the clear", async () => {
    const client = await database.client()
    const { rows } = await client.query(
      `select (select string_agg(secrets, '') from security_elements) || coalesce((select string_agg(secrets, '') from element_pool), '')
         || (select string_agg(secrets, '') from token_keys) as everything`
    )
    for (const secret of ["PRIVATE KEY", "AB12CD", "pem "]) assert.notInclude(rows[0].everything, secret)
  })
})

describe("PostgreSQL: the attention list", () => {
  it("shows what was raised until somebody acknowledges it, once and by name", async () => {
    const operation = sampleOperation(mintPlace())
    const runtime = ManagedRuntime.make(postgresPorts(database.url))
    await runtime.runPromise(Effect.gen(function*() {
      const recordActs = yield* RecordActs
      const attentionOversight = yield* AttentionOversight
      const store = yield* OperationStore
      yield* store.reserve(sampleReservation(operation))
      const attention = [{ kind: "TAX_DIFFERS", detail: "20.00 against 20.01", evidence: null }]
      yield* store.conclude(signed(operation, { attention }))
      const [item] = (yield* attentionOversight.openAttention(null, 1_000)).filter(({ operationId }) => operationId === operation.id)
      if (item === undefined) return assert.fail("nothing was raised")
      assert.deepStrictEqual([item.kind, item.detail], ["TAX_DIFFERS", "20.00 against 20.01"])
      yield* recordActs.acknowledge(act, item.id)
      assert.notInclude((yield* attentionOversight.openAttention(null, 1_000)).map(({ id }) => id), item.id)
      const again = yield* Effect.flip(recordActs.acknowledge(act, item.id))
      assert.strictEqual(again._tag, "ActRefused")
    })).finally(() => runtime.dispose())
  })

  it("gives an organization its own items, however many older ones others have", async () => {
    const client = await database.client()
    const [own, other] = [mintUuid() as OrganizationId, mintUuid() as OrganizationId]
    for (const [organizationId, age] of [[other, "2 days"], [own, "1 day"]]) {
      await client.query("insert into attention (organization_id, operation_id, kind, detail, raised_at) values ($1, $2, 'TAX_DIFFERS', 'x', now() - $3::interval)", [organizationId, mintUuid(), age])
    }
    await withPorts(Effect.gen(function*() {
      const { openAttention } = yield* AttentionOversight
      assert.deepStrictEqual((yield* openAttention(own, 1)).map((it) => it.organizationId), [own])
      const all = (yield* openAttention(null, 1_000)).map((it) => it.organizationId)
      assert.deepStrictEqual(all.filter((it) => it === own || it === other), [other, own])
    }))
  })
})

describe("PostgreSQL: branding", () => {
  it("keeps every version and shows it to its own tenant only", async () => {
    await withPorts(Effect.gen(function*() {
      const organizationActs = yield* OrganizationActs
      const taxpayerActs = yield* TaxpayerActs
      const store = yield* BrandingStore
      const directory = yield* TenancyDirectory
      const organizationId = yield* organizationActs.createOrganization(act, "Brend")
      const { taxpayer, premises } = yield* taxpayerActs.createTaxpayer(act, organizationId, "production", {
        ...newTaxpayer,
        taxIdentifier: "111222444"
      })
      const tenant: Tenant = { organizationId, environment: "production" }
      const first = { logo: null, contactLines: ["Књижара Зора", "zora.rs"], thankYouNote: "Хвала!" }
      const second = { logo: { mediaType: "image/png" as const, bytes: new Uint8Array([1, 2, 3]) }, contactLines: [], thankYouNote: null }
      const ids = [yield* store.save(act, tenant, taxpayer.id, first), yield* store.save(act, tenant, taxpayer.id, second)]
      assert.deepStrictEqual(plain(yield* store.find(tenant, ids[0] ?? "")), plain(first))
      assert.deepStrictEqual(Option.getOrThrow(yield* store.find(tenant, ids[1] ?? "")), second)
      assert.isTrue(Option.isNone(yield* store.find({ ...tenant, environment: "sandbox" }, ids[0] ?? "")))
      assert.isTrue(Option.isNone(yield* store.find(tenant, mintUuid())))
      assert.isTrue(Option.isNone(yield* store.find(tenant, "no uuid")))
      const premiseId = premises[0]?.premise.id
      if (premiseId === undefined) return assert.fail("no premise")
      const seen = Option.getOrThrow(yield* directory.premiseForIssuing(tenant, taxpayer.id, premiseId))
      assert.strictEqual(seen.brandingId, ids[1])
      assert.strictEqual(Option.getOrThrow(yield* store.current(tenant, taxpayer.id)).id, ids[1])
      assert.isTrue(Option.isNone(yield* store.current({ ...tenant, environment: "sandbox" }, taxpayer.id)))
      // Of two people who edit the same version, the second is refused.
      const late = yield* Effect.flip(store.save(act, tenant, taxpayer.id, first, ids[0]))
      assert.strictEqual(late._tag, "BrandingChanged")
      yield* store.save(act, tenant, taxpayer.id, first, ids[1])
      const lines = (yield* (yield* InstallationOversight).searchActivity({ organizationId, limit: 10 })).filter((line) => line.act === "branding changed")
      assert.deepStrictEqual(lines.map((line) => line.actor), [act.actor, act.actor, act.actor])
    }))
  })
})
