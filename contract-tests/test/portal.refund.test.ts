import { FiscalDocumentId, formatDecimal, OrganizationId, readOperation } from "@overa/domain"
import { assert, describe, it } from "vitest"
import { byHand, documentIn, refundEntries, seenIn } from "../src/portal/byHand.ts"
import { callShop, issueSale, refundAll } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { withRightDigit } from "../src/support/rightDigits.ts"

const { client, rowsOf, stage } = sharedPortal()
const { confirmed, count, draft, issue, preview, stored } = byHand({ client, rowsOf })

const owner = () => stage.session(stage.people.OWNER)

const read = (id: string) =>
  stage.run(readOperation({ organizationId: OrganizationId.make(stage.shop.organizationId), environment: "sandbox" }, FiscalDocumentId.make(id)))

const refundsOf = async (originalId: string): Promise<number> => (await rowsOf("select from refund_workflows where original_id = $1", [originalId])).length

const openRefund = async () => {
  const sale = await issueSale(stage)
  const session = await owner()
  return { sale, session, address: await draft(session, `/receipts/${sale.id}/refund`) }
}

describe("a refund by hand", () => {
  it("is shown as it would be signed, in several types of payment, and issued as that alone; its reason is kept with it", async () => {
    const { address, sale, session } = await openRefund()
    const entries = { ...refundEntries, "line-0": "2", "payment-1": "CASH", "amount-0": "1.000,00", "amount-1": "", reason: "купац се предомислио" }
    const before = await count()
    const shown = await preview(address, session, entries)
    for (const word of ["ОВО НИЈЕ ФИСКАЛНИ РАЧУН", "РЕФУНДАЦИЈА", "2.501,00", "1.501,00"]) assert.include(shown.text, word)
    for (const seen of ["", "0".repeat(64), seenIn((await preview(address, session, { ...entries, "line-0": "1" })).text)]) {
      assert.include((await client.send(address, session, { ...entries, seen })).text, "Ништа није издато")
    }
    assert.strictEqual(await count(), before)
    const id = await issue(address, session, entries)
    const { operation: { content, status } } = await read(id)
    assert.strictEqual(status, "FISCALIZED")
    assert.deepInclude(content, { invoiceType: "NORMAL", transactionType: "REFUND", metadata: { reason: "купац се предомислио" } })
    assert.deepStrictEqual(content.payments.map(({ amount, type }) => [type, formatDecimal(amount, 2)]), [["CARD", "1000.00"], ["CASH", "1501.00"]])
    assert.strictEqual(await refundsOf(sale.id), 1)
    // Cash brings the copy that the customer signs.
    assert.strictEqual((await rowsOf("select from operations where invoice_type = 'COPY' and transaction_type = 'REFUND'")).length, 1)
    const page = await client.get(`/receipts/${id}`, { session })
    assert.include(page.text, "купац се предомислио")
    assert.notInclude((await client.get(`/receipts/${id}/paper/official-text`, { session })).text, "предомислио")
    assert.include((await client.get(`/activity?text=${id}`, { session })).text, "рефундација: издато")
  })

  it("is one refund for one draft, however often and at once it is sent, and the draft is only an address of it", async () => {
    const { address, sale, session } = await openRefund()
    const form = { ...await confirmed(address, session, { ...refundEntries, "line-0": "3" }), proof: await client.proof(session) }
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.send(address, session, form)))
    assert.strictEqual(new Set(answers.map(({ location }) => documentIn(location))).size, 1, answers.map(({ text }) => text).join("\n"))
    for (const again of [await client.send(address, session, { ...form, "line-0": "1" }), await client.send(`${address}/entry`, session, form), await client.get(address, { session })]) {
      assert.strictEqual(documentIn(again.location), documentIn(answers[0]?.location ?? ""))
    }
    assert.strictEqual(await refundsOf(sale.id), 1)
    assert.include((await client.get(await draft(session, `/receipts/${sale.id}/refund`), { session })).text, "нема шта да се врати")
  })

  it("checks the buyer by the kind of identification, and finds earlier ones by a part of the number or the name", async () => {
    const { address, session } = await openRefund()
    const right = withRightDigit("10000321")
    const ask = (buyer: string, kind = "") => preview(address, session, { ...refundEntries, buyer, "buyer-kind": kind })
    const wrong: ReadonlyArray<readonly [string, string, string]> = [
      ["", "", "тражи идентификацију купца"], ["12345", "10", "тачно девет цифара"], ["12345", "11", "тачно тринаест цифара"], ["100000008", "12", "две тачке"],
      ["AB 123", "23", "без размака"], ["12345", "", "Изаберите врсту"], [right.slice(0, 8) + String((Number(right[8]) + 1) % 10), "10", `требало би да буде ${right[8]}`]
    ]
    for (const [buyer, kind, said] of wrong) {
      const answer = await ask(buyer, kind)
      assert.strictEqual(answer.status, 422, buyer)
      assert.include(answer.text, said)
      assert.include(answer.text, 'href="#field-buyer"')
    }
    const accepted: ReadonlyArray<readonly [string, string]> = [[right, ""], [right, "10"], ["0101990710009", ""], ["0101990710009", "11"], ["001234567", "20"], ["11:0101990710009", "10"], ["100000008:123", "12"]]
    for (const [buyer, kind] of accepted) assert.strictEqual((await ask(buyer, kind)).status, 200, `${kind} ${buyer}`)
    await refundAll(stage, await issueSale(stage, { quantity: 1 }))
    const found = await client.send(`${address}/entry`, session, { ...refundEntries, buyer: "01019907", act: "buyer" })
    assert.include(found.text, 'name="choose" value="11:0101990710009"')
    const chosen = await client.send(`${address}/entry`, session, { ...refundEntries, buyer: "01019907", choose: "11:0101990710009" })
    assert.match(chosen.text, /name="buyer"[^>]*value="0101990710009"/)
    assert.match(chosen.text, /<option[^>]*value="11"[^>]*selected|<option[^>]*selected[^>]*value="11"/)
    assert.include((await client.send(`${address}/entry`, session, { ...refundEntries, buyer: "нема таквог", act: "buyer" })).text, "нема међу ранијима")
  })

  it("says beside the field what is wrong, keeps every entry, and issues nothing", async () => {
    const { address, sale, session } = await openRefund()
    const wrong: ReadonlyArray<readonly [string, string, string]> = [
      ["line-0", "4", "line-0"], ["line-0", "две", "line-0"], ["line-0", "0", "line-0"], ["amount-0", "x", "amount-0"], ["amount-0", "9.999.999,00", "amount-0"], ["reason", "р".repeat(501), "reason"]
    ]
    for (const [name, value, at] of wrong) {
      const answer = await preview(address, session, { ...refundEntries, reason: "оштећено", [name]: value })
      assert.strictEqual(answer.status, 422, name)
      assert.include(answer.text, `href="#field-${at}"`, name)
      for (const entry of ['value="Ана"', 'value="10:100000008"']) assert.include(answer.text, entry, name)
      assert.strictEqual((await client.send(address, session, { ...refundEntries, [name]: value, seen: "x" })).status, 422, name)
    }
    assert.strictEqual(await refundsOf(sale.id), 0)
  })

  it("of a part gives back the money of the ledger to the para, and the last part exactly what is left", async () => {
    const { id } = await callShop<{ readonly id: string }>(stage, "/v1/fiscal-documents", {
      taxpayerId: stage.shop.taxpayerId, businessPremiseId: stage.shop.businessPremiseId, clientReference: "делови", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "c" },
      items: [{ name: "Сир", unitOfMeasure: "кг", quantity: 0.333, unitPrice: 10, taxLabels: ["A"] }], payments: [{ type: "CARD", amount: 3.33 }]
    })
    const session = await owner()
    const parts = []
    for (const quantity of ["0,111", "0,222"]) {
      const refund = await issue(await draft(session, `/receipts/${id}/refund`), session, { ...refundEntries, "line-0": quantity })
      parts.push((await read(refund)).operation.content.payments.map(({ amount }) => formatDecimal(amount, 2)))
    }
    assert.deepStrictEqual(parts, [["1.11"], ["2.22"]])
  })

  it("of another organization, of the other environment, or of nothing is a page that says so", async () => {
    const { address, sale, session } = await openRefund()
    const other = await stage.session(stage.people.OTHER)
    for (const path of [`/receipts/${sale.id}/refund`, address, `/receipts/${stage.shop.taxpayerId}/refund`]) assert.strictEqual((await client.get(path, { session: other })).status, 404, path)
    for (const path of [address, `${address}/entry`]) assert.strictEqual((await client.send(path, other, refundEntries)).status, 404, path)
    await client.send("/organization", session, { organization: stage.shop.organizationId, environment: "production" })
    assert.strictEqual((await client.get(address, { session })).status, 404)
    assert.strictEqual(await refundsOf(sale.id), 0)
  })

  it("whose outcome nobody knows says so, and no other draft gives the same back", async () => {
    const { address, sale, session } = await openRefund()
    const form = await confirmed(address, session, { ...refundEntries, "line-0": "3" })
    const { simulator } = stage.desk
    for (const fault of [{ fault: "search-unavailable" }, { fault: "sign-then-reset", times: 1 }] as const) await simulator.addFault(fault)
    const first = await client.send(address, session, form).finally(() => simulator.clearFaults())
    assert.strictEqual(documentIn((await client.send(address, session, form)).location), documentIn(first.location))
    assert.include((await client.get(first.location, { session })).text, "Ништа ново не шаљите")
    assert.include((await client.get(await draft(session, `/receipts/${sale.id}/refund`), { session })).text, "нема шта да се врати")
    assert.strictEqual(await refundsOf(sale.id), 1)
  })

  it("that was rejected is corrected and issued anew, once, under another key", async () => {
    const { address, sale, session } = await openRefund()
    await stage.desk.simulator.addFault({ fault: "reject", times: 1, modelState: [{ property: "payment[0].amount", errors: ["2804"] }] })
    const id = await issue(address, session, { ...refundEntries, "line-0": "2", reason: "оштећено" })
    assert.strictEqual((await stored(id))?.status, "REJECTED")
    const link = new RegExp(`href="[^"]*(/receipts/${sale.id}/refund/[0-9a-f-]{36})\\?from=${id}"`).exec((await client.get(`/receipts/${id}`, { session })).text)?.[1] ?? ""
    const shown = await client.get(`${link}?from=${id}`, { session })
    for (const entry of ['value="2"', 'value="оштећено"', 'value="100000008"', "ОВО НИЈЕ ФИСКАЛНИ РАЧУН"]) assert.include(shown.text, entry)
    const anew = await issue(link, session, { ...refundEntries, "line-0": "2", from: id })
    assert.strictEqual((await stored(anew))?.status, "FISCALIZED")
    assert.notStrictEqual((await stored(anew))?.key, (await stored(id))?.key)
    const after = await client.get(`/receipts/${id}`, { session })
    assert.include(after.text, `/receipts/${anew}`)
    assert.notInclude(after.text, "?from=")
  })
})
