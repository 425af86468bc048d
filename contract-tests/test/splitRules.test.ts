import { assert, describe, it } from "vitest"
import { isReadOverAll, splitOffences } from "../src/support/splitRules.ts"

const refused = async (sql: string): Promise<ReadonlyArray<string>> => (await splitOffences(sql)).map((offence) => offence.split(":")[0] ?? "")

describe("the rules for statements on split tables", () => {
  it.each([
    ["writes without naming the organization", "update operations set checks = 1 where operation_id = $1"],
    ["writes without naming the organization", "update operations o set checks = 1 from unnest($1::uuid[]) as m (organization_id) where o.organization_id = m.organization_id"],
    ["writes without naming the organization", "delete from members where person = $1"],
    ["writes without naming the organization", "insert into attempts (operation_id) values ($1)"],
    ["locks without naming the organization", "select 1 from operations where lease_until < now() for update skip locked"],
    ["locks without naming the organization", "select 1 from operations o join attempts a using (operation_id) where o.organization_id = $1 for update"],
    ["writes in a part of a statement", "with a as (insert into operations (organization_id) values ($1) returning 1) select 1 from operations where organization_id = $1"],
    ["an unsteady function in one value with a column", "update operations set lease_until = lease_until + (now() - created_at) where organization_id = $1"],
    ["an unsteady function in a case or coalesce", "update operations set lease_until = coalesce($2, now()) where organization_id = $1"],
    ["case with a subject", "update operations set status = case status when 'A' then 'B' else 'C' end where organization_id = $1"]
  ])("%s: %s", async (why, sql) => {
    assert.include(await refused(sql), why)
  })

  it.each([
    "insert into operations (organization_id, lease_until) values ($1, now() + $2 * interval '1 millisecond') on conflict do nothing",
    "update operations set lease_until = now() + $2 * interval '1 millisecond', revision = revision + 1 where organization_id = $1 and coalesce(lease_until, 'infinity') <= now()",
    "select 1 from operations o join attempts a on a.organization_id = o.organization_id where o.organization_id = $1 for update",
    "select organization_id from operations where lease_until <= now() order by lease_until limit $1",
    "update token_keys set secrets = $2 where kid = $1"
  ])("allow: %s", async (sql) => {
    assert.deepStrictEqual(await refused(sql), [])
  })

  it("know a read over all organizations", async () => {
    assert.isTrue(await isReadOverAll("select 1 from operations where lease_until <= now()"))
    assert.isFalse(await isReadOverAll("select 1 from operations where organization_id = $1"))
  })
})
