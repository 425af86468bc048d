import { bookBytes } from "@overa/adapter-spreadsheets"
import { BigDecimal, Effect } from "effect"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { asPerson, assertGood, click } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const header = "sku,name,gtin,unitOfMeasure,grossUnitPrice,taxLabels,isActive"
const csvOf = (...rows: ReadonlyArray<string>) => ({ name: "products.csv", mimeType: "text/csv", buffer: Buffer.from([header, ...rows].join("\r\n")) })

const linesOf = async (query: string): Promise<ReadonlyArray<string>> => (await rowsOf<{ readonly line: string }>(query)).map(({ line }) => line)

const acts = () => linesOf("select actor || ' ' || act as line from activity_log where act like 'product%' order by at")

const stored = () => linesOf("select sku || ' ' || name || ' ' || gross_unit_price || ' ' || is_active as line from products order by sku")

const productFields = { sku: "A-1", name: "Чај", gtin: "", unitOfMeasure: "ком", grossUnitPrice: "1250,50", taxLabels: "Ђ" }

describe.runIf(browserPath !== null)("the catalogue, in a real browser", () => {
  it.each([360, 1_280])("at %i px: a product is added, found in another script, changed; faults stand at their fields and nothing typed is lost", async (width) => {
    await asPerson(stage, stage.people.ADMINISTRATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/catalogue`)
      await assertGood(page)
      await click(page, "a[href$='/catalogue/new']")
      await page.fill("#field-sku", `ČAJ-${width}`)
      await page.fill("#field-name", `Шећер <b>${width}</b>`)
      await page.fill("#field-unitOfMeasure", "кг")
      await page.fill("#field-grossUnitPrice", "1.250,505")
      await page.fill("#field-taxLabels", "Ђ")
      await assertGood(page)
      await page.focus("main form button")
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      assert.include(await page.textContent("#field-grossUnitPrice-fault"), "1234,50")
      assert.strictEqual(await page.inputValue("#field-name"), `Шећер <b>${width}</b>`)
      await assertGood(page)
      await page.fill("#field-grossUnitPrice", "1250,50")
      await click(page, "main form button")
      assert.include(await page.textContent("[role=status]"), "Сачувано")
      await page.fill("#field-search", `secer <b>${width}`)
      await click(page, "main form button")
      assert.strictEqual(await page.locator("tbody tr").count(), 1)
      assert.include(await page.textContent("tbody"), "1.250,50")
      await assertGood(page)
      await click(page, "tbody a")
      await page.uncheck("#field-isActive-yes")
      await page.fill("#field-grossUnitPrice", "99")
      await click(page, "main form button")
      assert.include(await stored(), `ČAJ-${width} Шећер <b>${width}</b> 99.00 false`)
    }, { width })
    assert.deepStrictEqual((await acts()).slice(-2), ["product added", "product changed"].map((act) => `portal:${stage.people.ADMINISTRATOR.email} ${act}`))
  }, 60_000)

  it("a shop program's export has neither unit nor label: what is missing is named, and what is given for all is taken", async () => {
    const session = await stage.session(stage.people.OWNER)
    const csv = "Type,SKU,Name,Published,Regular price\nvariable,WOO,Мајица,1,\nvariation,WOO-S,Мајица - S,1,1450\n"
    const form = { taxpayer: stage.shop.taxpayerId, csv, readAs: "CSV", "column-1": "sku", "column-2": "name", "column-3": "isActive", "column-4": "grossUnitPrice" }
    const asked = await client.send("/catalogue/import/columns", session, form)
    assert.strictEqual(asked.status, 422)
    assert.include(asked.text, "Недостаје: Јединица мере, Пореске ознаке")
    const shown = await client.send("/catalogue/import/columns", session, { ...form, "fixed-unitOfMeasure": "ком", "fixed-taxLabels": "Ђ" })
    assert.strictEqual(shown.status, 200)
    assert.include(shown.text, "Мајица - S")
    assert.notInclude(shown.text, ">WOO<")
  })

  it("a taken SKU is refused at its field; a form sent twice at once adds one product", async () => {
    const session = await stage.session(stage.people.OWNER)
    const form = { ...productFields, taxpayer: stage.shop.taxpayerId, form: crypto.randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => client.send("/catalogue/new", session, form)))
    assert.deepStrictEqual(answers.map(({ location }) => location).toSorted(), ["/catalogue?done=already", "/catalogue?done=already", "/catalogue?done=saved"])
    assert.lengthOf((await stored()).filter((line) => line.startsWith("A-1 ")), 1)
    const again = await client.send("/catalogue/new", session, { ...form, form: crypto.randomUUID() })
    assert.strictEqual(again.status, 422)
    assert.include(again.text, "већ има други производ")
    const foreign = await client.send("/catalogue/new", await stage.session(stage.people.OTHER), { ...form, form: crypto.randomUUID(), sku: "B" })
    assert.strictEqual(foreign.status, 404)
  })

  it("two people who edit one product do not overwrite each other silently", async () => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/catalogue?search=A-1`)
      await click(page, "tbody a")
      await asPerson(stage, stage.people.ADMINISTRATOR, async (other) => {
        await other.page.goto(page.url())
        await other.page.fill("#field-name", "Чај од нане")
        await click(other.page, "main form button")
      })
      await page.fill("#field-name", "Чај зелени")
      await click(page, "main form button")
      assert.include(await page.textContent("[role=status]"), "Чај од нане")
      assert.strictEqual(await page.inputValue("#field-name"), "Чај зелени")
      await assertGood(page)
      await click(page, "main form button")
      assert.isTrue((await stored()).some((line) => line.startsWith("A-1 Чај зелени ")))
    })
  }, 60_000)

  it("a file is previewed, then imported as it was seen; nothing changes before", async () => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const before = await stored()
      await page.goto(`${stage.portal.url}/catalogue/import`)
      await assertGood(page)
      await page.setInputFiles("#field-file", csvOf("A-1,\"=HYPERLINK(1)\",,ком,10.00,Ђ,true", "'=A-2,<script>alert(1)</script>,860123,ком,10.00,Ђ|Е,true"))
      await click(page, "main form button")
      assert.include(await page.textContent("td.wrong"), "Ово је формула")
      assert.include(await page.textContent("tbody th"), "2")
      await page.setInputFiles("#field-file", csvOf("A-1,Чај црни,,ком,1.000,,можда", "\"A,2\",x,y,z,1,Ђ,true,extra"))
      await click(page, "main form button")
      assert.strictEqual(await page.locator("td.wrong").count(), 3)
      assert.include(await page.textContent("main"), "више ћелија")
      await assertGood(page)
      await page.setInputFiles("#field-file", csvOf("A-1,Чај црни,,ком,10.00,Ђ,true", "'=A-2,<script>alert(1)</script>,860123,ком,10.00,Ђ|Е,true"))
      await click(page, "main form button")
      const main = await page.textContent("main")
      for (const text of ["Чај зелени", "Чај црни", "1.250,50", "10,00", "=A-2", "<script>alert(1)</script>", "Нових: 1", "измењених: 1"]) assert.include(main, text)
      await assertGood(page)
      assert.deepStrictEqual(await stored(), before)
      const session = await stage.session(stage.people.ADMINISTRATOR)
      await client.send("/catalogue/new", session, { ...productFields, sku: "=A-2", taxpayer: stage.shop.taxpayerId })
      await click(page, "main form button")
      assert.include(await page.textContent("main"), "у међувремену променио")
      assert.include(await page.textContent("main"), "измењених: 2")
      await click(page, "main form button")
      assert.include(await page.textContent("[role=status]"), "Увезено је све")
      assert.include(await stored(), "=A-2 <script>alert(1)</script> 10.00 true")
    })
    assert.strictEqual((await acts()).at(-1), `portal:${stage.people.OWNER.email} products imported`)
  }, 60_000)

  it("what Excel in Serbia writes is imported: XLSX and Windows-1250, the person says which column is what", async () => {
    const xlsx = await Effect.runPromise(bookBytes([{
      name: "Cenovnik",
      titles: ["Šifra", "Naziv artikla", "Dobavljač", "JM", "MPC (RSD)", "Poreska oznaka", "Aktivan"],
      rows: [["X-1", "Ђумбир", "Зора д.о.о.", "кг", "2.399,99", "Ђ", "да"], ["X-2", "Cimet", null, "кг", BigDecimal.fromStringUnsafe("120.5"), "Е", "NETAČNO"]]
    }]))
    const old = Buffer.from([..."Naziv;Sifra;JM;Cena;Porez\r\nŠećer žuti;X-3;kom;1.250,50;A"].map((it) => ({ Š: 0x8a, "ć": 0xe6, ž: 0x9e })[it] ?? it.charCodeAt(0)))
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      for (const [name, buffer] of [["cenovnik.xlsx", Buffer.from(xlsx)], ["cenovnik.csv", old]] as const) {
        await page.goto(`${stage.portal.url}/catalogue/import`)
        await page.setInputFiles("#field-file", { name, mimeType: "application/octet-stream", buffer })
        await click(page, "main form button")
        await assertGood(page)
        await click(page, "main form button")
        await click(page, "main form button")
        assert.include(await page.textContent("[role=status]"), "Увезено је све", name)
      }
    }, { width: 360 })
    const lines = await stored()
    for (const line of ["X-1 Ђумбир 2399.99 true", "X-2 Cimet 120.50 false", "X-3 Šećer žuti 1250.50 true"]) assert.include(lines, line)
  }, 60_000)

  it("what is exported is imported again without a change; in it nothing is a formula", async () => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/catalogue`)
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Извези каталог")])
      const csv = readFileSync(await download.path())
      assert.include(csv.toString("utf8"), "'=A-2")
      await page.goto(`${stage.portal.url}/catalogue/import`)
      await page.setInputFiles("#field-file", { name: "products.csv", mimeType: "text/csv", buffer: csv })
      await click(page, "main form button")
      assert.include(await page.textContent("main"), "Нових: 0, измењених: 0")
      await page.goto(`${stage.portal.url}/catalogue/import`)
      await page.setInputFiles("#field-file", { name: "products.csv", mimeType: "text/csv", buffer: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]) })
      await click(page, "main form button")
      assert.include(await page.textContent("#field-file-fault"), "XLSX")
      await page.setInputFiles("#field-file", { name: "products.csv", mimeType: "text/csv", buffer: Buffer.from("sku,naziv\r\n1,2") })
      await click(page, "main form button")
      assert.strictEqual(await page.inputValue("#field-column-1"), "name")
      await assertGood(page)
      await click(page, "main form button")
      assert.include(await page.textContent("main .notice"), "Недостаје: Јединица мере, Цена са порезом, RSD, Пореске ознаке")
      await assertGood(page)
    }, { width: 360 })
    const foreign = await client.get(`/catalogue/export/${stage.shop.taxpayerId}`, { session: await stage.session(stage.people.OTHER) })
    assert.strictEqual(foreign.status, 404)
  }, 60_000)

  it("an Accountant looks and exports, and changes nothing", async () => {
    await asPerson(stage, stage.people.ACCOUNTANT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/catalogue`)
      assert.strictEqual(await page.locator("main a[href$='/catalogue/new'], tbody a").count(), 0)
      assert.strictEqual(await page.locator("main a[href*='/catalogue/export/']").count(), 1)
    }, { scripts: false })
  })
})
