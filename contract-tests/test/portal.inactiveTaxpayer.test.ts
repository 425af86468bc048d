import { assert, describe, it } from "vitest"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

describe("the catalogue of a taxpayer that is inactive", () => {
  it("is not offered for import or export, and its export is not found", async () => {
    const session = await stage.session(stage.people.OWNER)
    const path = `/catalogue/export/${stage.shop.taxpayerId}`
    assert.strictEqual((await client.get(path, { session })).status, 200)
    assert.include((await client.get("/catalogue", { session })).text, path)
    await rowsOf(`update taxpayers set status = 'inactive' where taxpayer_id = '${stage.shop.taxpayerId}'`)
    assert.strictEqual((await client.get(path, { session })).status, 404)
    const list = await client.get("/catalogue", { session })
    assert.strictEqual(list.status, 200)
    assert.notInclude(list.text, path)
    assert.notInclude((await client.get("/catalogue/import", { session })).text, stage.shop.taxpayerId)
  })
})
