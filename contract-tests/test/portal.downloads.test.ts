import { assert, describe, it } from "vitest"
import { monthAddress } from "../src/portal/bookMonth.ts"
import { issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, stage } = sharedPortal()

const downloads = async () => (await activity()).filter((line) => line.includes(" file downloaded "))

describe("a file that a person downloads leaves a line in the activity log", () => {
  it("by the person, with the file's name; a page, and a picture or paper that a page shows, leave none", async () => {
    const sale = await issueSale(stage)
    const session = await stage.session(stage.people.OWNER)
    const month = monthAddress(stage, "/books")
    for (const path of [`/receipts/${sale.id}/paper/preview-png`, `/receipts/${sale.id}/paper/pdf-a4`, `/receipts/${sale.id}`, month]) {
      assert.strictEqual((await client.get(path, { session })).status, 200, path)
    }
    assert.deepStrictEqual(await downloads(), [])
    for (const path of [`/receipts/${sale.id}/paper/pdf-a4?save=yes`, monthAddress(stage, "/books/pdf"), monthAddress(stage, "/books/csv")]) {
      assert.strictEqual((await client.get(path, { session })).status, 200, path)
    }
    const lines = await downloads()
    assert.lengthOf(lines, 3)
    for (const [at, end] of [".pdf", ".pdf", ".csv"].entries()) {
      assert.isTrue(lines[at]?.startsWith(`portal:${stage.people.OWNER.email} file downloaded `), lines[at])
      assert.isTrue(lines[at]?.endsWith(end), lines[at])
    }
  })
})
