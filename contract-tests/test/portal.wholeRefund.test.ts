import { FiscalDocumentId, OrganizationId, readDocument } from "@overa/domain"
import { assert, beforeAll, describe, it } from "vitest"
import { byHand, documentIn, saleEntries } from "../src/portal/byHand.ts"
import { issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const portal = sharedPortal()
const { client, stage } = portal
const { confirmed, count, draft, issue, preview, stored } = byHand(portal)

const entries = { buyer: "123456789", "buyer-kind": "20", cashier: "Ана", reason: "одустао" }
let session: string

beforeAll(async () => {
  session = await stage.session(stage.people.OWNER)
})

const issued = async (kind: "PROFORMA" | "TRAINING", reference: string) =>
  issue(await draft(session, "/issue"), session, { ...saleEntries(stage.shop.businessPremiseId, reference), kind, "payment-0": kind === "PROFORMA" ? "OTHER" : "CARD" })

const read = (id: string) => stage.run(readDocument({ organizationId: OrganizationId.make(stage.shop.organizationId), environment: "sandbox" }, FiscalDocumentId.make(id)))

describe("a proforma or training document is given back by hand", () => {
  it.each(["PROFORMA", "TRAINING"] as const)("whole, as it was previewed, to the buyer (%s)", async (kind) => {
    const sale = await issued(kind, `whole ${kind}`)
    assert.include((await client.get(`/receipts/${sale}`, { session })).text, `/receipts/${sale}/whole-refund"`)
    const address = await draft(session, `/receipts/${sale}/whole-refund`)
    const before = await count()
    const shown = await preview(address, session, entries)
    for (const word of ["РЕФУНДАЦИЈА", "120,00", "Свеска"]) assert.include(shown.text, word)
    assert.strictEqual(await count(), before)
    const refund = await issue(address, session, entries)
    assert.deepInclude(await stored(refund), { status: "FISCALIZED", type: kind, kind: "REFUND" })
    const { content } = await read(refund)
    assert.deepInclude(content, { metadata: { reason: "одустао" } })
    assert.deepStrictEqual([content.buyer?.id, content.reference?.fiscalDocumentId], ["20:123456789", sale])
    const log = (await client.get("/activity", { session })).text
    for (const word of [kind === "PROFORMA" ? "рефундација предрачуна: издато" : "рефундација за обуку: издато", content.clientReference, "Owner Петровић"]) assert.include(log, word)
    assert.notInclude((await client.get(`/receipts/${refund}`, { session })).text, "/whole-refund\"")
    const again = await preview(await draft(session, `/receipts/${sale}/whole-refund`), session, entries)
    assert.deepStrictEqual([again.status, again.text.includes("већ враћен у целини")], [422, true])
  })

  it("is one document for one draft, however often and at once it is sent", async () => {
    const sale = await issued("PROFORMA", "at once")
    const address = await draft(session, `/receipts/${sale}/whole-refund`)
    const form = { ...await confirmed(address, session, entries), proof: await client.proof(session) }
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.send(address, session, form)))
    assert.strictEqual(new Set(answers.map(({ location }) => documentIn(location))).size, 1, answers.map(({ text }) => text).join("\n"))
    assert.strictEqual(await count(), before + 1)
  })

  it("is refused beside its field without a buyer, and with a reason that is too long; nothing is stored", async () => {
    const sale = await issued("PROFORMA", "faults")
    const before = await count()
    for (const [change, words] of [[{ buyer: "", "buyer-kind": "" }, "Рефундација тражи идентификацију купца."], [{ reason: "а".repeat(501) }, "Разлог има највише 500 знакова."]] as const) {
      const answer = await preview(await draft(session, `/receipts/${sale}/whole-refund`), session, { ...entries, ...change })
      assert.deepStrictEqual([answer.status, answer.text.includes(words)], [422, true])
    }
    assert.strictEqual(await count(), before)
  })

  it("is not there for a receipt, for a refund, or for somebody who only reads", async () => {
    const [sale, proforma] = [(await issueSale(stage)).id, await issued("PROFORMA", "others")]
    assert.strictEqual((await client.get(`/receipts/${sale}/whole-refund`, { session })).status, 404)
    assert.notInclude((await client.get(`/receipts/${sale}`, { session })).text, "/whole-refund")
    const reader = await stage.session(stage.people.ACCOUNTANT)
    assert.strictEqual((await client.get(`/receipts/${proforma}/whole-refund`, { session: reader })).status, 403)
    assert.notInclude((await client.get(`/receipts/${proforma}`, { session: reader })).text, "/whole-refund")
  })
})
