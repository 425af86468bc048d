import { savedSearchLimits } from "@overa/domain"
import { assert, beforeAll, describe, it } from "vitest"
import { issueSale } from "../src/portal/issueSale.ts"
import { fieldsOf } from "../src/portal/filledForm.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const path = "/receipts/searches"
const search = "/receipts?text=order-7&status=FISCALIZED&sort=-amount"
let owner: string

beforeAll(async () => {
  owner = await stage.session(stage.people.OWNER)
  await issueSale(stage, { reference: "order-7" })
  await issueSale(stage, { reference: "order-8" })
})

/** Saves the search that a page shows, as its form does. */
const save = async (session: string, from: string, name: string) => {
  const { text } = await client.get(from, { session })
  const { name: _, ...fields } = fieldsOf(text, path) ?? assert.fail(`no form to save ${from}`)
  return await client.send(path, session, { ...fields, name })
}

const names = async (session: string) => [...(await client.get("/receipts", { session })).text.matchAll(/<li><a href="([^"]*\/receipts\?[^"]*)"[^>]*>([^<]*)<\/a><\/li>/g)]
  .map(([, href = "", name = ""]) => [name, href.replaceAll("&amp;", "&").replace(/^\/o\/[^/]+\/[^/]+/, "")] as const)

const ids = async () => (await rowsOf<{ readonly id: string }>("select search_id::text as id from saved_searches order by created_at")).map(({ id }) => id)

describe("a saved search of the receipts", () => {
  it("is saved under a name from the page of what was found, and one click opens it with the same conditions and order", async () => {
    assert.isNull(fieldsOf((await client.get("/receipts", { session: owner })).text, path), "nothing is searched for")
    const saved = await save(owner, `${search}&cursor=x`.replace("&cursor=x", ""), "Моје „седмице“ <b>")
    assert.strictEqual(saved.status, 303)
    assert.strictEqual(saved.location, "/receipts?text=order-7&status=FISCALIZED&sort=-amount&done=search-saved")
    const [[name, href] = ["", ""], ...more] = await names(owner)
    assert.deepStrictEqual([name, href, more], ["Моје „седмице“ &lt;b>", search, []])
    const opened = await client.get(href, { session: owner })
    assert.include(opened.text, "order-7")
    assert.notInclude(opened.text, "order-8")
    assert.match(opened.text, /aria-current="true"[^>]*>Моје/)
    assert.isNull(fieldsOf(opened.text, path), "it is saved already")
  })

  it("is the person's own, in this organization", async () => {
    const accountant = await stage.session(stage.people.ACCOUNTANT)
    assert.deepStrictEqual(await names(accountant), [])
    const [id = ""] = await ids()
    assert.strictEqual((await client.send(`${path}/${id}`, accountant, { name: "Туђа" })).status, 404)
    await client.send(`${path}/${id}/remove`, accountant)
    for (const session of [owner, await stage.session(stage.people.OWNER)]) assert.lengthOf(await names(session), 1)
    await stage.desk.admin(["organizations", "add-member", stage.otherOrganizationId, stage.people.OWNER.email, "--role", "OWNER", "--reason", "test"])
    const there = await client.get(`/o/${stage.otherOrganizationId}/sandbox/receipts`, { session: await stage.session(stage.people.OWNER), exactly: true })
    assert.notInclude(there.text, "Моје")
  })

  it("is renamed and deleted; a taken name, an empty one and one too long are refused beside the field", async () => {
    await save(owner, "/receipts?text=order-8", "Осмице")
    const [first = "", second = ""] = await ids()
    for (const name of ["", "  ", "x".repeat(savedSearchLimits.name + 1), "ОСМИЦЕ"]) {
      const refused = await client.send(`${path}/${first}`, owner, { name })
      assert.strictEqual(refused.status, 422, name)
      assert.match(refused.text, new RegExp(`id="field-name-${first}-fault"`))
    }
    assert.strictEqual((await save(owner, "/receipts?text=order-9", "осмице")).status, 422)
    assert.strictEqual((await client.send(`${path}/${first}`, owner, { name: "Седмице" })).location, `${path}?done=saved`)
    assert.deepStrictEqual((await names(owner)).map(([name]) => name), ["Осмице", "Седмице"])
    assert.strictEqual((await client.send(`${path}/${second}/remove`, owner)).location, `${path}?done=search-removed`)
    assert.deepStrictEqual((await names(owner)).map(([name]) => name), ["Седмице"])
  })

  it("keeps the conditions alone: no other parameter, no other address, and not more than the limit", async () => {
    for (const query of ["", "done=saved", "x=1", `text=${"a".repeat(savedSearchLimits.query)}`]) assert.strictEqual((await client.send(path, owner, { query, name: "Празна" })).status, 404, query.slice(0, 20))
    const kept = await client.send(path, owner, { query: "text=a&cursor=zz&done=saved&sort=//evil.example&as=text", name: "Чиста" })
    assert.strictEqual(kept.location, "/receipts?text=a&as=text&done=search-saved")
    await rowsOf("insert into saved_searches select organization_id, person_id, gen_random_uuid(), 'n' || i, query, now() from saved_searches, generate_series(1, $1::int) i where name = 'Чиста'", [savedSearchLimits.each])
    assert.include((await client.send(path, owner, { query: "text=b", name: "Превише" })).text, "Највише 30")
  })

  it("goes with its person", async () => {
    const { OWNER } = stage.people
    await rowsOf("delete from members where person = $1", [OWNER.email])
    const erased = await stage.desk.admin(["people", "erase", OWNER.email, "--yes", "--reason", "asked for"])
    assert.strictEqual(erased.code, 0, erased.err)
    assert.deepStrictEqual(await rowsOf("select 1 from saved_searches where person_id = $1", [OWNER.id]), [])
  })
})
