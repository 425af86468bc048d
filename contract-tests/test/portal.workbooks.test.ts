import { randomUUID } from "node:crypto"
import { strToU8, zipSync } from "fflate"
import { assert, describe, it } from "vitest"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { accessToken } from "../src/support/accessToken.ts"

const { client, rowsOf, stage } = sharedPortal()

const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`
const columns = ["sku", "name", "gtin", "unitOfMeasure", "grossUnitPrice", "taxLabels", "isActive"]
const header = `<row r="1">${columns.map(text).join("")}</row>`
const product = (row: string, { price = "10", sku = "S-1" } = {}) => `<row r="${row}">${text(sku)}${text("Чај")}<c/>${text("ком")}<c><v>${price}</v></c>${text("A")}<c><v>1</v></c></row>`

const workbook = (rows: string, shared = ""): Uint8Array<ArrayBuffer> => new Uint8Array(zipSync({
  "xl/workbook.xml": strToU8(`<workbook xmlns:r="o"><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>`),
  "xl/_rels/workbook.xml.rels": strToU8(`<Relationships><Relationship Id="rId1" Target="worksheets/s.xml"/></Relationships>`),
  "xl/sharedStrings.xml": strToU8(`<sst><si><t>${shared}</t></si></sst>`),
  "xl/worksheets/s.xml": strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`)
}))

/** Uploads a file of products as the browser does. */
const upload = async (bytes: Uint8Array<ArrayBuffer>, name = "a.xlsx") => {
  const session = await stage.session(stage.people.OWNER)
  const proof = await client.proof(session)
  const { place } = await client.get("/catalogue/import", { session, exactly: true })
  const body = new FormData()
  for (const [field, value] of [["proof", proof], ["form", randomUUID()], ["taxpayer", stage.shop.taxpayerId]] as const) body.set(field, value)
  body.set("file", new Blob([bytes]), name)
  const answer = await fetch(`${client.origin}${place}/catalogue/import`, { method: "POST", body, redirect: "manual", headers: { origin: client.origin, cookie: `overa-session=${session}` } })
  return { status: answer.status, text: await answer.text() }
}

const numberWrong = "Број реда или ћелије у датотеци није исправан. Отворите датотеку у Excel-у или LibreOffice-у и сачувајте је поново."
const noPrice = "Цена је број, нпр. 1234,50, без тачака између хиљада."

describe("a workbook of products that no spreadsheet writes", () => {
  it.each(["Infinity", "2000000"])("has its row numbered %s named, with what to do, and the portal goes on", async (number) => {
    const ours = await upload(workbook(header + product(number) + product("3", { sku: "S-2" })))
    assert.strictEqual(ours.status, 422)
    assert.include(ours.text, numberWrong)
    const foreign = await upload(workbook(`<row r="1">${text("Шифра")}${text("Назив")}</row><row r="${number}">${text("S-1")}</row><row r="3">${text("S-2")}</row>`))
    assert.strictEqual(foreign.status, 422)
    assert.include(foreign.text, `Ред 2: ${numberWrong}`)
    assert.include((await upload(workbook(header + product("2")))).text, "Шта увоз мења")
  })

  it("has too many empty rows between products told as such, wherever the far row stands", async () => {
    for (const rows of [product("1048576"), product("1048576") + product("3", { sku: "S-2" })]) {
      const { status, text: page } = await upload(workbook(header + rows))
      assert.strictEqual(status, 422)
      assert.include(page, "Између производа је превише празних редова")
    }
  })

  it("has too much text told as such, before a form would have to carry it", async () => {
    const rows = `<row>${text("S-1")}<c t="s"><v>0</v></c></row>`.repeat(90)
    const { status, text: page } = await upload(workbook(`<row>${text("Шифра")}${text("Назив")}</row>${rows}`, "&quot;".repeat(30_000)))
    assert.strictEqual(status, 422)
    assert.include(page, "Датотека има превише текста; поделите је.")
  })
})

describe("a number with more digits than any price", () => {
  const endless = "1e400000000"

  it("is a fault of its cell: in a workbook, in CSV to the portal", async () => {
    for (const file of [
      await upload(workbook(header + product("2", { price: endless }))),
      await upload(new TextEncoder().encode(`${columns.join(",")}\nS-1,Чај,,ком,${endless},A,true\n`), "a.csv")
    ]) {
      assert.strictEqual(file.status, 422)
      assert.include(file.text, noPrice)
    }
  })

  it("is refused by the API, in a body and in a file", async () => {
    const { taxpayerId } = stage.shop
    const authorization = `Bearer ${await accessToken(stage.api, stage.shop)}`
    const sent = async (path: string, type: string, body: string) => {
      const answer = await fetch(stage.api.url + path, { method: "POST", body, headers: { authorization, "content-type": type, "idempotency-key": randomUUID() } })
      return { status: answer.status, keys: Object.keys(((await answer.json()) as { readonly errors?: object }).errors ?? {}) }
    }
    const json = JSON.stringify({ taxpayerId, sku: "S-1", name: "Чај", unitOfMeasure: "ком", grossUnitPrice: 0, taxLabels: ["A"] }).replace(":0,", `:${endless},`)
    assert.deepStrictEqual(await sent("/v1/products", "application/json", json), { status: 422, keys: ["GrossUnitPrice"] })
    const csv = `${columns.join(",")}\nS-1,Чај,,ком,${endless},A,true\n`
    assert.deepStrictEqual(await sent(`/v1/products/import?taxpayerId=${taxpayerId}`, "text/csv", csv), { status: 422, keys: ["Rows[2].GrossUnitPrice"] })
    assert.deepStrictEqual(await rowsOf("select sku from products"), [])
  })

  it("is a fault of its field where a person searches by it", async () => {
    const session = await stage.session(stage.people.OWNER)
    for (const name of ["amountFrom", "amountTo"]) {
      const answer = await client.get(`/receipts?${name}=${endless}`, { session })
      assert.strictEqual(answer.status, 422, name)
      assert.include(answer.text, `href="#field-${name}"`)
    }
  })
})
