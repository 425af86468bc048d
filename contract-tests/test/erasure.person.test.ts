import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { giveRole } from "../src/support/giveRole.ts"
import { type OperatorDesk, operatorDesk } from "../src/support/operatorDesk.ts"

let desk: OperatorDesk
const because = ["--reason", "ticket 12", "--json"]
const email = "pera@example.rs"

beforeAll(async () => {
  desk = await operatorDesk()
})
afterAll(() => desk.close())

/** Rows of every table that say a text anywhere. */
const tablesSaying = async (text: string): Promise<ReadonlyArray<string>> => {
  const client = await desk.database.client()
  const { rows } = await client.query("select table_name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1")
  const found: Array<string> = []
  for (const { table_name: table } of rows) {
    const { rowCount } = await client.query(`select from "${table}" t where strpos(t::text, $1) > 0 limit 1`, [text])
    if (rowCount !== 0) found.push(table)
  }
  return found
}

describe("`admin people erase`", () => {
  it("erases a person who has no role any more, from every table but the log of what was done", async () => {
    const environment = { OVERA_PORTAL_PASSWORD: "a long enough password 17" }
    const { json: added } = await desk.admin(["people", "add", email, "--name", "Пера Перић", ...because], { environment })
    const { json: organization } = await desk.admin(["organizations", "add", "Књижара", ...because])
    const client = await desk.database.client()
    await giveRole(client, organization.id, email, "OWNER")
    await client.query("insert into portal_sessions values ($1, $2, 'COMPLETE', null, null, now(), now(), '203.0.113.9', 'browser')", ["a".repeat(64), added.id])
    await client.query("insert into portal_guesses values ($1, 1, now()), ($2, 1, now())", [`password ${email} from 203.0.113.9`, `code ${added.id} on device`])
    await client.query("insert into invitations values (gen_random_uuid(), $1, $2, 'OWNER', $3, 'operator:ana', now(), now() + interval '1 day', null)", [organization.id, email, "b".repeat(64)])
    await client.query("insert into portal_passkeys (passkey_id, person_id, name, public_key, counter, transports, created_at) values ('k', $1, 'Перин телефон', 'x', 0, '{}', now())", [added.id])
    await client.query("insert into portal_devices values ($1, $2, 'Перин лаптоп', '203.0.113.9', now(), now(), null)", [added.id, "c".repeat(64)])
    await client.query("insert into portal_sent_forms values ($1, 'f', now())", [added.id])
    const erase = () => desk.admin(["people", "erase", email, "--yes", ...because])
    expect((await desk.admin(["people", "erase", email, ...because])).code).toBe(2)
    expect(await erase()).toMatchObject({ code: 2, err: expect.stringContaining("still has a role") })
    expect((await desk.admin(["organizations", "remove-member", organization.id, email, "--yes", ...because])).code).toBe(0)
    expect(await tablesSaying(email)).toEqual(["activity_log", "invitations", "people", "portal_guesses"])
    expect(await erase()).toMatchObject({ code: 0, json: { id: added.id } })
    expect([await tablesSaying(email), await tablesSaying("203.0.113.9"), await tablesSaying("Пера Перић"), await tablesSaying("Перин телефон"), await tablesSaying("Перин лаптоп")]).toEqual([["activity_log"], [], ["activity_log"], [], []])
    expect(await tablesSaying(added.id)).toEqual(["activity_log", "invitations", "people"])
    const { rows } = await client.query("select actor, subject, reason, before, after from activity_log where act = 'person erased'")
    expect(rows).toEqual([{ actor: expect.stringContaining("ana"), subject: added.id, reason: "ticket 12", before: null, after: null }])
    expect((await client.query("select count(*) from invitations where ended_at is null")).rows[0].count).toBe("0")
    expect(await erase()).toMatchObject({ code: 2, err: expect.stringContaining("There is no person") })
    expect((await desk.admin(["people", "add", email, "--name", "Други Пера", ...because], { environment })).json.id).not.toBe(added.id)
  })

  it("is refused where the person accepts an invitation at the same time", async () => {
    const [invited, environment] = ["mara@example.rs", { OVERA_PORTAL_PASSWORD: "a long enough password 18" }]
    expect((await desk.admin(["people", "add", invited, "--name", "Мара Марић", ...because], { environment })).code).toBe(0)
    const { json: organization } = await desk.admin(["organizations", "add", "Пекара", ...because])
    const [client, watching] = [await desk.database.client(), await desk.database.client()]
    await client.query("insert into invitations values (gen_random_uuid(), $1, $2, 'OWNER', $3, 'operator:ana', now(), now() + interval '1 day', null)", [organization.id, invited, "c".repeat(64)])
    await client.query("begin")
    await client.query("update invitations set ended_at = now() where email = $1", [invited])
    await client.query("insert into members values ($1, $2, 'OWNER', now())", [organization.id, invited])
    const erasing = desk.admin(["people", "erase", invited, "--yes", ...because])
    await expect.poll(async () => (await watching.query("select count(*)::int as count from pg_locks where not granted")).rows[0].count, { timeout: 20_000 }).toBeGreaterThan(0)
    await client.query("commit")
    expect(await erasing).toMatchObject({ code: 2, err: expect.stringContaining("still has a role") })
    expect(await tablesSaying(invited)).toEqual(["activity_log", "invitations", "members", "people"])
  })
})
