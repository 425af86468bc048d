import { assert, describe, it } from "vitest"
import { issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, stage } = sharedPortal()

const refund = { "line-0": "1", payment: "CARD", buyer: "10:100000008", total: "1.250,50" }

const documentOf = (location: string): string => /receipts\/([0-9a-f-]{36})/.exec(location)?.[1] ?? ""

describe("the cashier of a document issued in the portal", () => {
  it("is a name that the person chooses, shown before the document is issued and printed on it; never the sign-in address", async () => {
    const sale = await issueSale(stage)
    const session = await stage.session(stage.people.OWNER)
    const { email } = stage.people.OWNER
    // Nothing is issued for a person who has chosen no name, and none that is an address.
    for (const cashier of [undefined, "", " ", email, `Ана ${email}`]) {
      const form = cashier === undefined ? {} : { cashier }
      assert.strictEqual((await client.send(`/receipts/${sale.id}/copy`, session, form)).status, 422, cashier)
      assert.strictEqual((await client.send(`/receipts/${sale.id}/refund`, session, { ...refund, ...form })).status, 422, cashier)
    }
    const shown = await client.send(`/receipts/${sale.id}/refund/check`, session, { ...refund, cashier: " Каса 2 " })
    assert.match(shown.text, /Касир на рачуну<\/dt><dd>Каса 2</)
    const issued = await client.send(`/receipts/${sale.id}/refund`, session, { ...refund, cashier: "Каса 2" })
    // Chosen once, it is in the next form; a form of an earlier release names none and gets it too.
    assert.include((await client.get(`/receipts/${sale.id}/copy`, { session })).text, 'value="Каса 2"')
    const copied = await client.send(`/receipts/${sale.id}/copy`, session)
    for (const { location } of [issued, copied]) {
      const id = documentOf(location)
      const paper = await client.get(`/receipts/${id}/paper/official-text`, { session })
      assert.match(paper.text, /Касир: +Каса 2\r?\n/)
      assert.notInclude(paper.text, "@")
    }
    assert.include(await activity(), `portal:${email} cashier name chosen ${email}`)
  })
})
