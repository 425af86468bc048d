/** What the hosts' database role can do, in case foreign code runs in a host. */
import { randomUUID } from "node:crypto"
import { decidedTables, grantRoles, hostPrivileges, layerDatabase, migrate, type Migration } from "@overa/adapter-postgres"
import { restApiConfig, startRestApi } from "@overa/rest-api"
import { ConfigProvider, Effect, Redacted } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, saleOf, tokenOf } from "./Ground.ts"
import { wholeInstallation, type WholeInstallation } from "../../src/support/wholeInstallation.ts"

const suffix = randomUUID().slice(0, 8)
const roles = { hosts: `overa_hosts_${suffix}`, reading: `overa_reading_${suffix}` }
let installation: WholeInstallation
let owner: pg.Client
let hosts: pg.Client
let reading: pg.Client

const urlOf = (role: string): string => {
  const url = new URL(installation.desk.database.url)
  url.username = role
  url.password = "role"
  return url.href
}

const connected = async (role: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: urlOf(role) })
  await client.connect()
  return client
}

beforeAll(async () => {
  installation = await wholeInstallation()
  await installation.stopHosts()
  owner = await installation.desk.database.client()
  for (const role of Object.values(roles)) await owner.query(`create role ${role} login password 'role'`)
  const granted = await installation.desk.admin(["schema", "grant", "--hosts", roles.hosts, "--reading", roles.reading])
  expect(granted.code, granted.err).toBe(0)
  hosts = await connected(roles.hosts)
  reading = await connected(roles.reading)
}, 120_000)

afterAll(async () => {
  await hosts.end()
  await reading.end()
  for (const role of Object.values(roles)) {
    await owner.query(`drop owned by ${role}`)
    await owner.query(`drop role ${role}`)
  }
  await installation.close()
})

const refusal = async (client: pg.Client, statement: string): Promise<string> =>
  client.query(statement).then(() => "done", (error: { readonly code?: string }) => error.code ?? "?")

const insufficientPrivilege = "42501"

describe("The hosts' role of the database", () => {
  it("serves a sale, a receipt and the operator's command, and migrates nothing", async () => {
    const environment = { ...installation.settings, DATABASE_URL: urlOf(roles.hosts) }
    const config = await Effect.runPromise(restApiConfig.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))))
    const api = await startRestApi(config, () => undefined)
    try {
      const rates = await (await fetch(`${installation.desk.simulator.controlUrl}/tax-rates`)).json() as {
        readonly sandbox: ReadonlyArray<{ readonly taxCategories: ReadonlyArray<{ readonly name: string; readonly taxRates: ReadonlyArray<{ readonly label: string }> }> }>
      }
      const label = rates.sandbox.at(-1)?.taxCategories.find(({ name }) => name === "VAT")?.taxRates[0]?.label ?? ""
      const ground = { url: api.url, shop: installation.shop, label }
      const token = await tokenOf(ground)
      const sold = await ask(api.url, token, "/v1/fiscal-documents", saleOf(ground))
      expect(sold.status, sold.text).toBe(201)
      const { id } = JSON.parse(sold.text) as { readonly id: string }
      expect((await ask(api.url, token, `/v1/operations/${id}`)).status).toBe(200)
      const issued = await installation.desk.admin(["credentials", "issue", installation.shop.organizationId, "--environment", "sandbox", "--reason", "try"], { environment })
      expect(issued.code, issued.err).toBe(0)
      const revoked = await installation.desk.admin(["token-keys", "add", "--reason", "try"], { environment })
      expect(revoked.code, revoked.err).toBe(0)
    } finally {
      await api.stop()
    }
  }, 60_000)

  it("owns nothing", async () => {
    const { rows } = await owner.query("select relname from pg_class where relowner = (select oid from pg_roles where rolname = $1)", [roles.hosts])
    expect(rows).toEqual([])
  })

  it.each([
    ["create table more (a int)"],
    ["create schema more"],
    ["create view more as select 1"],
    ["create function more() returns int language sql as 'select 1'"],
    ["drop table operations"],
    ["drop index operations_invoice_number_unique"],
    ["drop function refuse_change() cascade"],
    ["create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'"],
    ["alter table operations add column more int"],
    ["alter table operations disable trigger all"],
    ["drop trigger operations_history_kept on operations"],
    ["create rule r as on delete to transitions do instead nothing"],
    ["set session_replication_role = replica"],
    ["create role somebody"],
    ["copy operations to program 'cat'"]
  ])("cannot: %s", async (statement) => {
    expect([insufficientPrivilege, "42809", "0LP01"]).toContain(await refusal(hosts, statement))
  })

  it("deletes and empties no table but those whose rows go away in the course of things", async () => {
    const { rows } = await owner.query<{ name: string }>("select tablename::text as name from pg_tables where schemaname = current_schema() order by 1")
    const done: Array<string> = []
    for (const { name } of rows) {
      await hosts.query("begin")
      if (await refusal(hosts, `delete from ${name}`) === "done") done.push(name)
      await hosts.query("rollback")
      expect([name, await refusal(hosts, `truncate ${name}`)]).toEqual([name, insufficientPrivilege])
    }
    expect(done).toEqual(["counter_spans", "directory_taxpayers", "element_pool", "elsewhere_receipts", "journal_pending", "leaving_turns", "members", "month_mails", "noted_changes", "portal_devices", "portal_guesses", "portal_issuer_accounts", "portal_mail", "portal_passkeys", "portal_recovery_codes", "portal_resets", "portal_sent_forms", "portal_sessions", "saved_searches", "token_keys", "webhook_attempts", "webhook_messages"])
  })

  it.each([
    ["activity_log", "actor = 'nobody'"],
    ["transitions", "organization_id = organization_id"],
    ["journal_log_entries", "organization_id = organization_id"],
    ["journal_checkpoints", "note = note"],
    ["branding_versions", "organization_id = organization_id"],
    ["advance_documents", "organization_id = organization_id"],
    ["refund_entries", "organization_id = organization_id"],
    ["reference_keys", "pem = pem"],
    ["invoices", "content = '{}'"],
    ["payment_notes", "paid_on = null"],
    ["price_lists", "licence_fee = 0"],
    ["invoice_issuers", "details = '{}'"],
    ["licence_changes", "suspended = true"],
    ["schema_migrations", "digest = ''"]
  ])("changes nothing in %s", async (table, change) => {
    expect(await refusal(hosts, `update ${table} set ${change}`)).toBe(insufficientPrivilege)
  })

  it.each([
    ["what was asked", "content = content || ' '"],
    ["the body as received", "key_body_packed = '\\x00'"],
    ["what happened", "history = ''"],
    ["what happened, by going back", "revision = revision - 1"],
    ["a status by the way", "status = 'NOT_FISCALIZED'"],
    ["the answer of the V-PFR", "answer_text = '{}'"],
    ["what was read of the answer", "answer_facts = '{}'"],
    ["its number", "invoice_number = 'AAAAAAAA-AAAAAAAA-1'"],
    ["its time", "pfr_time = ''"],
    ["its total", "signed_total = 1"],
    ["the first attempt", "request_id = repeat('a', 32)"],
    ["what the log has taken", "sealed = -1"]
  ])("cannot change %s of a receipt that is stored", async (_what, change) => {
    const { rows } = await owner.query("select 1 from operations where status = 'FISCALIZED'")
    expect(rows.length).toBeGreaterThan(0)
    await hosts.query("begin")
    const refused = await refusal(hosts, `update operations set ${change} where status = 'FISCALIZED'`)
    await hosts.query("rollback")
    expect(["23001", "23514", "P0001", insufficientPrivilege]).toContain(refused)
  })

  it("has its grants decided for every table of the schema, and for no other", async () => {
    const { rows } = await owner.query<{ name: string }>("select tablename::text as name from pg_tables where schemaname = current_schema() order by 1")
    expect(rows.map(({ name }) => name)).toEqual([...decidedTables].toSorted())
  })

  it("may do exactly what is listed, with every table", async () => {
    const { rows } = await owner.query<{ name: string; privileges: ReadonlyArray<string> }>(
      `select t.tablename::text as name, array(select lower(privilege_type)::text from information_schema.role_table_grants
         where grantee = $1 and table_name = t.tablename and table_schema = current_schema()) as privileges
       from pg_tables t where schemaname = current_schema()`,
      [roles.hosts]
    )
    expect(rows.length).toBeGreaterThan(20)
    for (const { name, privileges } of rows) expect([name, privileges.toSorted()]).toEqual([name, hostPrivileges(name).toSorted()])
  })

  it("starts no host on a schema that lacks a step, and says who can help", async () => {
    const more: Migration = { number: 999_999, name: "more", statements: ["select 1"] }
    const error = await Effect.runPromise(Effect.flip(migrate([more])).pipe(
      Effect.provide(layerDatabase({ url: Redacted.make(urlOf(roles.hosts)), applicationName: "try" }))
    ))
    expect(error.message).toMatch(/^DATABASE_URL: this role may not change the schema, which lacks the steps 999999/)
  })
})

describe("The role that reads", () => {
  it("reads documents and the activity log, no secret, and changes nothing", async () => {
    expect(await refusal(reading, "select * from operations limit 1")).toBe("done")
    expect(await refusal(reading, "select * from activity_log limit 1")).toBe("done")
    for (const table of ["security_elements", "token_keys", "credentials", "people"]) {
      expect(await refusal(reading, `select * from ${table} limit 1`)).toBe(insufficientPrivilege)
    }
    expect(await refusal(reading, "update operations set status = 'FISCALIZED'")).toBe(insufficientPrivilege)
  })
})

it("grants are the owner's to give", async () => {
  const layer = layerDatabase({ url: Redacted.make(urlOf(roles.hosts)), applicationName: "try" })
  await expect(Effect.runPromise(grantRoles(roles).pipe(Effect.provide(layer)))).rejects.toThrow(/Only the owner of the schema/)
})
