import { FiscalDocumentId, formatDecimal, OrganizationId, readOperation } from "@overa/domain"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { callShop } from "../src/portal/issueSale.ts"
import { digestOf } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const entries = (): Readonly<Record<string, string>> => ({
  kind: "NORMAL", premise: stage.shop.businessPremiseId, reference: "по поруџбини 7", buyer: "", cashier: "Ана",
  "product-0": "", "name-0": "Мешена књига", "unit-0": "ком", "quantity-0": "2", "price-0": "1.250,50", "discount-0": "10", "labels-0": "A", "gtin-0": "86000000",
  "payment-0": "CARD", "amount-0": "1.000,00", "payment-1": "CASH", "amount-1": ""
})

const seenIn = (text: string): string => /name="seen" value="([0-9a-f]+)"/.exec(text)?.[1] ?? ""

const owner = () => stage.session(stage.people.OWNER)

/** A new draft's address; the page redirects to it. */
const newDraft = async (session: string): Promise<string> => (await client.get("/issue", { session })).location

const preview = async (address: string, session: string, form: Readonly<Record<string, string>>) => await client.send(`${address}/entry`, session, { ...form, act: "preview" })

const issued = async () => await rowsOf<{ readonly id: string }>("select operation_id as id from operations order by created_at")

describe("a receipt that a person issues by hand", () => {
  it("is previewed as it would be signed, and issued as that alone: discount, several payments, barcode and cashier", async () => {
    const session = await owner()
    const address = await newDraft(session)
    const form = entries()
    const shown = await preview(address, session, form)
    assert.strictEqual(shown.status, 200, shown.text)
    for (const word of ["ОВО НИЈЕ ФИСКАЛНИ РАЧУН", "2.250,90", "Мешена књига"]) assert.include(shown.text, word)
    assert.deepStrictEqual(await issued(), [])
    // Nothing is issued without the preview of exactly these entries.
    for (const seen of ["", "0".repeat(64), seenIn((await preview(address, session, { ...form, "quantity-0": "3" })).text)]) {
      const asked = await client.send(address, session, { ...form, seen })
      assert.include(asked.text, "Ништа није издато")
      assert.deepStrictEqual(await issued(), [])
    }
    const answer = await client.send(address, session, { ...form, seen: seenIn(shown.text) })
    assert.match(answer.location, /^\/receipts\/[0-9a-f-]{36}$/)
    const tenant = { organizationId: OrganizationId.make(stage.shop.organizationId), environment: "sandbox" } as const
    const { operation: { content, status } } = await stage.run(readOperation(tenant, FiscalDocumentId.make(answer.location.slice(10))))
    assert.strictEqual(status, "FISCALIZED")
    assert.deepInclude(content, { invoiceType: "NORMAL", transactionType: "SALE", clientReference: "по поруџбини 7", cashier: { id: "Ана", displayName: null } })
    const [line] = content.items
    assert.deepInclude(line, { name: "Мешена књига", unitOfMeasure: "ком", gtin: "86000000", taxLabels: ["A"] })
    const figures = [line?.quantity, line?.unitPrice, line?.unitPriceBeforeDiscount, ...content.payments.map(({ amount }) => amount)]
    assert.deepStrictEqual(figures.map((it) => it === undefined || it === null ? null : formatDecimal(it, 2)), ["2.00", "1125.45", "1250.50", "1000.00", "1250.90"])
    assert.deepStrictEqual(content.payments.map(({ type }) => type), ["CARD", "CASH"])
  })

  it("is one receipt for one draft, however often, late or changed it is sent, from two tabs and after a reload", async () => {
    const session = await owner()
    const address = await newDraft(session)
    const form = { ...entries(), seen: seenIn((await preview(address, session, entries())).text), proof: await client.proof(session) }
    const before = (await issued()).length
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.send(address, session, form)))
    assert.strictEqual(new Set(answers.map(({ location }) => location.split("?")[0])).size, 1, answers.map(({ location, text }) => location + text).join("\n"))
    const other = { ...form, "quantity-0": "5" }
    for (const again of [await client.send(address, session, form), await client.send(address, session, other), await client.send(`${address}/entry`, session, other), await client.get(address, { session })]) {
      assert.strictEqual(again.location.split("?")[0], answers[0]?.location.split("?")[0])
    }
    assert.strictEqual((await issued()).length, before + 1)
    // Another draft is another receipt.
    const next = await newDraft(session)
    assert.notStrictEqual(next, address)
    await client.send(next, session, { ...form, seen: seenIn((await preview(next, session, entries())).text) })
    assert.strictEqual((await issued()).length, before + 2)
  })

  it("may be a training document or a proforma, on the same way", async () => {
    const session = await owner()
    for (const [kind, title] of [["TRAINING", "ОБУКА"], ["PROFORMA", "ПРЕДРАЧУН"]] as const) {
      const address = await newDraft(session)
      const form = { ...entries(), kind }
      const shown = await preview(address, session, form)
      assert.strictEqual(shown.status, 200)
      assert.include(shown.text.toUpperCase(), title)
      const { location } = await client.send(address, session, { ...form, seen: seenIn(shown.text) })
      const [row] = await rowsOf<{ readonly type: string; readonly status: string }>("select invoice_type as type, status from operations where operation_id = $1", [location.slice(10)])
      assert.deepStrictEqual(row, { type: kind, status: "FISCALIZED" })
    }
  })

  it("takes products by barcode, code or name, counts the same one up, and loses no entry", async () => {
    const session = await owner()
    const product = await callShop<{ readonly id: string }>(stage, "/v1/products", {
      taxpayerId: stage.shop.taxpayerId, sku: "K-7", gtin: "8600000012345", name: "Свеска А5", unitOfMeasure: "ком", grossUnitPrice: 99.9, taxLabels: ["A"]
    })
    const address = await newDraft(session)
    const found = await client.send(`${address}/entry`, session, { ...entries(), act: "find", find: "8600000012345" })
    for (const entry of [`name="product-1" value="${product.id}"`, 'value="Свеска А5"', 'value="99,90"', 'value="1.250,50"', 'value="Ана"']) assert.include(found.text, entry)
    const line = { "product-1": product.id, "name-1": "Свеска А5", "unit-1": "ком", "quantity-1": "1", "price-1": "99,90", "discount-1": "", "labels-1": "A", "gtin-1": "8600000012345" }
    const twice = await client.send(`${address}/entry`, session, { ...entries(), ...line, act: "find", find: "K-7" })
    assert.match(twice.text, /name="quantity-1"[^>]*value="2"/)
    assert.include((await client.send(`${address}/entry`, session, { ...entries(), act: "find", find: "нема га" })).text, "Нема таквог")
    const without = await client.send(`${address}/entry`, session, { ...entries(), ...line, remove: "0" })
    assert.notInclude(without.text, "Мешена књига</")
    assert.match(without.text, /name="name-0"[^>]*value="Свеска А5"/)
  })

  it("says in the reader's words what is wrong, beside the field, and issues nothing", async () => {
    const session = await owner()
    const address = await newDraft(session)
    const before = (await issued()).length
    const wrong: ReadonlyArray<readonly [string, string, string]> = [
      ["quantity-0", "две", "quantity-0"], ["price-0", "1.000", "price-0"], ["discount-0", "101", "price-0"], ["unit-0", "", "unit-0"], ["gtin-0", "12", "gtin-0"], ["labels-0", "", "labels-0"],
      ["buyer", "10:12", "buyer"], ["reference", "", "reference"], ["amount-0", "9.999.999,00", "amount"], ["cashier", "ana@primer.example", "cashier"], ["premise", randomUUID(), "premise"], ["premise", "", "premise"], ["premise", "x", "premise"]
    ]
    for (const [name, value, at] of wrong) {
      const answer = await preview(address, session, { ...entries(), [name]: value })
      assert.strictEqual(answer.status, 422, name)
      assert.include(answer.text, `href="#field-${at}`, name)
      assert.notMatch(answer.text, /must (?:be|have)|is required/, name)
      assert.strictEqual((await client.send(address, session, { ...entries(), [name]: value, seen: "x" })).status, 422, name)
    }
    assert.strictEqual((await issued()).length, before)
  })

  it("waits, filled in, where the session has ended while it was typed", async () => {
    const session = await owner()
    const address = await newDraft(session)
    const place = `/o/${stage.shop.organizationId}/sandbox`
    const { text } = await client.get(place + address, { session })
    const marks = Object.fromEntries(["author", "form", "proof", "place"].map((name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""]))
    await rowsOf("update portal_sessions set seen_at = now() - interval '31 minutes' where digest = $1", [digestOf(session)])
    const line = { "name-1": "Друга ставка", "unit-1": "ком", "quantity-1": "1", "price-1": "5", "labels-1": "A" }
    const kept = (await client.ask("POST", `${place + address}/entry`, { session, form: { ...entries(), ...line, ...marks, act: "preview" } })).cookies.get("kept") ?? ""
    const shown = await client.get(place + address, { session: await owner(), kept })
    for (const entry of ['value="Друга ставка"', 'value="1.250,50"', "прегледајте, па пошаљите"]) assert.include(shown.text, entry)
  })
})
