import { assert, describe, it } from "vitest"
import { callShop, issueSale, refundAll } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { withRightDigit } from "../src/support/rightDigits.ts"

const { client, rowsOf, stage } = sharedPortal()

const right = withRightDigit("10000321")
const wrong = right.slice(0, 8) + String((Number(right[8]) + 4) % 10)
const digitNamed = (of: "ПИБ-а" | "баркода", expected: string | undefined = right[8]): string => `Последња цифра ${of} не одговара осталима: требало би да буде ${expected}.`
const barcode = { right: "8600000000011", wrong: "8600000000015" }

const taxpayer = { taxId: wrong, name: "Нова", vat: "IN_VAT", pu: "31", premise: "Веб", premiseAddress: "", premiseCity: "", address: "", city: "" }
const product = { sku: "", name: "Чај", gtin: barcode.right, unitOfMeasure: "ком", grossUnitPrice: "10", taxLabels: "A" }
const because = { reason: "уговор 17" }

const count = async (table: string): Promise<number> => (await rowsOf<{ readonly n: number }>(`select count(*)::int as n from ${table}`))[0]?.n ?? -1

describe("a tax identifier that a person enters", () => {
  it("is refused with the digit expected where the last one is another: own taxpayers, by the owner and by an operator", async () => {
    const owner = await stage.session(stage.people.OWNER)
    const operator = await stage.session(stage.people.OPERATOR)
    const before = await count("taxpayers")
    const asked = [["/setup/taxpayers/new", owner, taxpayer], [`/operator/organizations/${stage.shop.organizationId}/taxpayers/add`, operator, { ...taxpayer, ...because, environment: "sandbox" }]] as const
    for (const [path, session, form] of asked) {
      const refused = await client.send(path, session, form)
      assert.strictEqual(refused.status, 422, path)
      for (const said of [digitNamed("ПИБ-а"), "Проверите све цифре", 'href="#field-taxId"', `value="${wrong}"`]) assert.include(refused.text, said, path)
      assert.strictEqual(await count("taxpayers"), before, path)
    }
    assert.strictEqual((await client.send("/setup/taxpayers/new", owner, { ...taxpayer, taxId: right })).location, "/setup?done=taxpayer-added")
  })

  it("is refused in the operator's own details on invoices", async () => {
    const operator = await stage.session(stage.people.OPERATOR)
    const form = { ...because, seen: "0", name: "Овера", address: "Ул. 1", city: "Ниш", taxIdentifier: wrong, registrationNumber: "20000001", bankAccount: "160-1-49", email: "", paymentDays: "15", note: "" }
    const refused = await client.send("/operator/billing/issuer", operator, form)
    assert.strictEqual(refused.status, 422)
    assert.include(refused.text, digitNamed("ПИБ-а"))
    assert.strictEqual((await client.send("/operator/billing/issuer", operator, { ...form, taxIdentifier: right })).location, "/operator/billing?done=issuer-set")
  })

  it("is refused by the operator's command, which names the digit too", async () => {
    const add = (taxId: string) =>
      stage.desk.admin(["taxpayers", "add", stage.shop.organizationId, "--environment", "production", "--tax-id", taxId, "--name", "x", "--vat", "IN_VAT", "--pu", "1", "--premise", "x", "--reason", "contract"])
    const issuer = ["billing", "set-issuer", "--name", "x", "--address", "x", "--city", "x", "--tax-identifier", wrong, "--registration-number", "1", "--bank-account", "1", "--reason", "contract"]
    for (const answer of [await add(wrong), await stage.desk.admin(issuer)]) {
      assert.notStrictEqual(answer.code, 0)
      assert.include(answer.err, `The last digit of ${wrong} does not fit the others: it should be ${right[8]}.`)
    }
    assert.strictEqual((await add(right)).code, 0)
  })

  it("is refused as the buyer of what is issued by hand, alone and in each form that holds one; foreign and personal numbers have no such digit", async () => {
    const session = await stage.session(stage.people.OWNER)
    const { location } = await client.get("/issue", { session })
    const entries = {
      kind: "NORMAL", premise: stage.shop.businessPremiseId, reference: "7", cashier: "Ана", "product-0": "", "name-0": "Књига", "unit-0": "ком", "quantity-0": "1", "price-0": "10",
      "discount-0": "", "labels-0": "A", "gtin-0": "", "payment-0": "CARD", "amount-0": "", act: "preview"
    }
    const preview = (buyer: string, more = {}) => client.send(`${location}/entry`, session, { ...entries, buyer, ...more })
    for (const buyer of [wrong, `10:${wrong}`, `12:${wrong}:1`, `14:${wrong}`]) {
      const refused = await preview(buyer)
      assert.strictEqual(refused.status, 422, buyer)
      assert.include(refused.text, digitNamed("ПИБ-а"), buyer)
      const sent = await client.send(location, session, { ...entries, buyer, seen: "x" })
      assert.strictEqual(sent.status, 422, buyer)
    }
    for (const buyer of [right, `12:${right}:1`, "11:0101990710009", `40:${wrong}`, `13:${wrong}`]) assert.strictEqual((await preview(buyer)).status, 200, buyer)
    const both = await preview(wrong, { "price-0": "x" })
    for (const field of ["buyer", "price-0"]) assert.include(both.text, `href="#field-${field}"`)
    assert.strictEqual(await count("operations"), 0)
  })

  it("is refused as the buyer of a refund, unless the receipt itself was signed with it", async () => {
    const session = await stage.session(stage.people.OWNER)
    const refundForm = { "line-0": "1", "payment-0": "CARD", "amount-0": "", cashier: "Ана", act: "preview" }
    const sale = await issueSale(stage)
    const check = async (id: string, buyer: string) => client.send(`${(await client.get(`/receipts/${id}/refund`, { session })).location}/entry`, session, { ...refundForm, buyer })
    const refused = await check(sale.id, `10:${wrong}`)
    assert.strictEqual(refused.status, 422)
    assert.include(refused.text, digitNamed("ПИБ-а"))
    assert.strictEqual((await check(sale.id, `10:${right}`)).status, 200)
    const { businessPremiseId, taxpayerId } = stage.shop
    const signed = await callShop<{ readonly id: string }>(stage, "/v1/fiscal-documents", {
      taxpayerId, businessPremiseId, clientReference: "o", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "c" }, buyer: { id: `10:${wrong}` },
      items: [{ name: "Књига", unitOfMeasure: "ком", quantity: 1, unitPrice: 10, taxLabels: ["A"] }], payments: [{ type: "CARD", amount: 10 }]
    })
    assert.strictEqual((await check(signed.id, `10:${wrong}`)).status, 200)
    assert.strictEqual((await check(signed.id, `14:${wrong}`)).status, 422)
  })
})

describe("a barcode", () => {
  it("is refused with the digit expected in the catalogue's form; one that is stored so may stay, and is told of", async () => {
    const session = await stage.session(stage.people.OWNER)
    const add = (form: object) => client.send("/catalogue/new", session, { ...product, taxpayer: stage.shop.taxpayerId, ...form })
    const refused = await add({ sku: "G-1", gtin: barcode.wrong })
    assert.strictEqual(refused.status, 422)
    for (const said of [digitNamed("баркода", "1"), 'href="#field-gtin"', `value="${barcode.wrong}"`]) assert.include(refused.text, said)
    assert.strictEqual((await add({ sku: "G-1" })).location, "/catalogue?done=saved")
    // Through the API nothing changes: the contract knows no wrong check digit.
    const stored = await callShop<{ readonly id: string }>(stage, "/v1/products", {
      taxpayerId: stage.shop.taxpayerId, sku: "G-2", gtin: barcode.wrong, name: "Кафа", unitOfMeasure: "ком", grossUnitPrice: 10, taxLabels: ["A"]
    })
    const path = `/catalogue/${stored.id}`
    const opened = await client.get(path, { session })
    assert.include(opened.text, digitNamed("баркода", "1"))
    const seenAt = /name="seenAt" value="([^"]*)"/.exec(opened.text)?.[1] ?? ""
    const edit = (gtin: string) => client.send(path, session, { ...product, sku: "G-2", gtin, isActive: "yes", seenAt })
    assert.strictEqual((await edit("8600000000022")).status, 422)
    assert.strictEqual((await edit(barcode.wrong)).location, "/catalogue?done=saved")
    const { location } = await client.get("/issue", { session })
    const typed = {
      kind: "NORMAL", premise: stage.shop.businessPremiseId, reference: "7", cashier: "Ана", buyer: "", "name-0": "Кафа", "unit-0": "ком", "quantity-0": "1", "price-0": "10",
      "discount-0": "", "labels-0": "A", "gtin-0": barcode.wrong, "payment-0": "CARD", "amount-0": "", act: "preview"
    }
    const byHand = await client.send(`${location}/entry`, session, { ...typed, "product-0": "" })
    assert.strictEqual(byHand.status, 422)
    assert.include(byHand.text, 'href="#field-gtin-0"')
    const fromCatalogue = await client.send(`${location}/entry`, session, { ...typed, "product-0": stored.id })
    assert.strictEqual(fromCatalogue.status, 200)
    assert.include(fromCatalogue.text, "и тако се штампа")
  })

  it("is a warning in the preview of a file, product by product, and the file is imported whole", async () => {
    const session = await stage.session(stage.people.OWNER)
    const csv = `sku,name,gtin,unitOfMeasure,grossUnitPrice,taxLabels,isActive\nF-1,Чај,${barcode.right},ком,10,A,true\nF-2,Кафа,${barcode.wrong},ком,10,A,true\nF-3,Без,,ком,10,A,true\nF-4,Наша шифра,ИНТ-15,ком,10,A,true\n`
    const columns = Object.fromEntries(["sku", "name", "gtin", "unitOfMeasure", "grossUnitPrice", "taxLabels", "isActive"].map((name, at) => [`column-${at}`, name]))
    const shown = await client.send("/catalogue/import/columns", session, { taxpayer: stage.shop.taxpayerId, csv, readAs: "CSV", ...columns })
    assert.strictEqual(shown.status, 200, shown.text)
    assert.match(shown.text, /не одговара осталима: 1\./)
    assert.include(shown.text, `F-2: ${barcode.wrong} → последња цифра би била 1`)
    for (const sku of ["F-1", "F-3", "F-4"]) assert.notInclude(shown.text, `${sku}: `)
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(shown.text)?.[1] ?? ""
    const carried = field("csv").replaceAll("&quot;", '"').replaceAll("&#10;", "\n").replaceAll("&amp;", "&")
    const done = await client.send("/catalogue/import/confirm", session, { taxpayer: stage.shop.taxpayerId, csv: carried, seen: field("seen") })
    assert.strictEqual(done.location, "/catalogue?done=imported", done.text)
    const stored = await rowsOf<{ readonly sku: string; readonly gtin: string | null }>("select sku, gtin from products where sku like 'F-%' order by sku")
    assert.deepStrictEqual(stored.map(({ gtin }) => gtin), [barcode.right, barcode.wrong, null, "ИНТ-15"])
  })

  it("and a tax identifier with any digit are taken by the API as before", async () => {
    const sale = await issueSale(stage)
    assert.strictEqual(sale.status, "FISCALIZED")
    const made = await callShop<{ readonly taxIdentifier: string }>(stage, "/v1/taxpayers", {
      taxIdentifier: wrong, name: "Из програма", vatStatus: "IN_VAT", businessPremises: [{ puIdentifier: "9", name: "Веб" }]
    })
    assert.strictEqual(made.taxIdentifier, wrong)
    assert.isNotEmpty((await refundAll(stage, sale)).refundId)
  })
})
