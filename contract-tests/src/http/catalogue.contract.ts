import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget, ClientCredential } from "./ApiTarget.ts"
import { sampleRefund } from "./sampleRefund.ts"
import { sampleSale } from "./sampleSale.ts"

const header = "sku,name,gtin,unitOfMeasure,grossUnitPrice,taxLabels,isActive"

/** Products over HTTP. Source: Spec, Catalogue operations; Decisions §11. */
export const catalogueContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: catalogue`, () => {
    let api: ApiClient
    let taxpayerId: string
    beforeAll(async () => {
      api = await ApiClient.of(await start())
      taxpayerId = api.target.taxpayerId
    })
    const product = (change: object = {}) => ({
      taxpayerId,
      sku: newKey(),
      gtin: "8600000000015",
      name: "Шећер",
      unitOfMeasure: "kom",
      grossUnitPrice: 120.5,
      taxLabels: ["Ђ", "Е"],
      ...change
    })
    const create = (change: object = {}) => api.post("/v1/products", product(change))
    const put = async (id: string, body: unknown) => api.send({ method: "PUT", path: `/v1/products/${id}`, token: await api.token(), body })
    const list = (query: string, credential?: ClientCredential) => api.get(`/v1/products${query}`, credential)
    const importFile = async (body: string, of = taxpayerId) =>
      api.send({ method: "POST", path: `/v1/products/import?taxpayerId=${of}`, token: await api.token(), body, headers: { "Content-Type": "text/csv; charset=utf-8" } })
    const exported = async (of = taxpayerId) => {
      const answer = await fetch(`${api.target.baseUrl}/v1/products/export?taxpayerId=${of}`, { headers: { Authorization: `Bearer ${await api.token()}` } })
      return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    const registered = async (): Promise<string> => {
      const registration = { taxIdentifier: String(Math.floor(1e8 + Math.random() * 9e8)), name: "Нова", vatStatus: "IN_VAT", businessPremises: [{ puIdentifier: randomUUID().slice(0, 8), name: "Веб" }] }
      return (await api.post("/v1/taxpayers", registration)).json.id
    }

    it("makes a product, reads it, replaces it whole", async () => {
      const asked = product()
      const made = await api.post("/v1/products", asked)
      expect(made.status).toBe(201)
      expect(made.json).toMatchObject({ ...asked, isActive: true })
      expect(made.headers.get("location")).toBe(`/v1/products/${made.json.id}`)
      expect((await api.get(`/v1/products/${made.json.id}`)).text).toBe(made.text)
      const { taxpayerId: _taxpayer, gtin: _gtin, ...rest } = asked
      const replaced = await put(made.json.id, { ...rest, name: "Брашно", grossUnitPrice: 0, isActive: false })
      expect(replaced.status).toBe(200)
      expect(replaced.json).toMatchObject({ id: made.json.id, taxpayerId, gtin: null, name: "Брашно", grossUnitPrice: 0, isActive: false, createdAt: made.json.createdAt })
      expect((await api.get(`/v1/products/${made.json.id}`)).text).toBe(replaced.text)
    })

    it("[proves:CATALOGUE_SKU_ALREADY_EXISTS] refuses a sku that another product of the taxpayer has, active or not", async () => {
      const first = (await create()).json
      const again = await create({ sku: first.sku })
      expect([again.status, again.json.code, again.json.sku, again.json.productId]).toEqual([409, "CATALOGUE_SKU_ALREADY_EXISTS", first.sku, first.id])
      expect(again.json).not.toHaveProperty("rows")
      const { id, taxpayerId: _taxpayer, createdAt: _created, updatedAt: _updated, ...content } = (await create()).json
      expect((await put(id, { ...content, sku: first.sku })).json.code).toBe("CATALOGUE_SKU_ALREADY_EXISTS")
    })

    it("[proves:PRODUCT_NOT_FOUND] answers 404 to a product that is not there, whatever is asked of it", async () => {
      const { taxpayerId: _taxpayer, ...content } = product()
      for (const id of [randomUUID(), "17", "import"]) {
        const read = await api.get(`/v1/products/${id}`)
        expect([read.status, read.json.code]).toEqual([404, "PRODUCT_NOT_FOUND"])
        const replaced = await put(id, { ...content, isActive: true })
        expect([replaced.status, replaced.json.code]).toEqual([404, "PRODUCT_NOT_FOUND"])
      }
    })

    it("reports every fault of a product's body at once; the taxpayer of a product never changes", async () => {
      const wrong = await create({ sku: "", gtin: "8,6E+12", name: "x".repeat(501), unitOfMeasure: null, grossUnitPrice: 0.001, taxLabels: ["Ђ", "Ђ"], colour: 1 })
      expect(wrong.status).toBe(422)
      expect(Object.keys(wrong.json.errors).toSorted()).toEqual(["Colour", "GrossUnitPrice", "Gtin", "Name", "Sku", "TaxLabels", "UnitOfMeasure"])
      const made = (await create()).json
      for (const other of [randomUUID(), api.target.other.taxpayerId]) {
        const moved = await put(made.id, { ...product(), isActive: true, taxpayerId: other })
        expect([moved.status, Object.keys(moved.json.errors)]).toEqual([422, ["TaxpayerId"]])
      }
      const another = await put(made.id, { ...product(), isActive: true, id: randomUUID() })
      expect([another.status, Object.keys(another.json.errors)]).toEqual([422, ["Id"]])
      expect((await api.get(`/v1/products/${made.id}`)).json).toEqual(made)
    })

    it("takes a product back exactly as it was read, however it was made", async () => {
      const own = await registered()
      await importFile(`${header}\nA-1,Цев,,м,840,Ђ,false\n`, own)
      const [imported] = (await list(`?taxpayerId=${own}`)).json.items
      for (const read of [(await create()).json, imported]) {
        const replaced = await put(read.id, read)
        expect([replaced.status, { ...replaced.json, updatedAt: read.updatedAt }]).toEqual([200, read])
      }
    })

    it("demands a unit of a file's products as of every other", async () => {
      const own = await registered()
      const refused = await importFile(`${header}\nA-1,Цев,,,840,Ђ,true\n`, own)
      expect([refused.status, refused.json.errors]).toEqual([422, { "Rows[2].UnitOfMeasure": ["must not be empty"] }])
      expect((await list(`?taxpayerId=${own}`)).json.items).toEqual([])
    })

    it("[proves:TAXPAYER_NOT_FOUND] makes, imports and exports nothing for another's taxpayer", async () => {
      for (const other of [randomUUID(), api.target.other.taxpayerId, api.target.production.taxpayerId]) {
        const answers = [await create({ taxpayerId: other }), await importFile(`${header}\na,n,,kom,1,Ђ,true\n`, other), await api.get(`/v1/products/export?taxpayerId=${other}`)]
        for (const answer of answers) expect([answer.status, answer.json.code]).toEqual([404, "TAXPAYER_NOT_FOUND"])
      }
    })

    it("lists newest first, page by page, by taxpayer, activity and text", async () => {
      const own = await registered()
      const mark = randomUUID()
      const made = []
      for (const text of ["Шећер", "brašno", "ŠEĆER u kocki", "secer vanilin"]) {
        made.push((await create({ taxpayerId: own, name: `${text} ${mark}` })).json)
        // Within one millisecond the order is by id.
        await pause(2)
      }
      const ids = made.map(({ id }) => id).toReversed()
      const { items } = (await list(`?taxpayerId=${own}`)).json
      expect(items.map(({ id }: { id: string }) => id)).toEqual(ids)
      expect(items[0]).toEqual(made[3])
      const first = (await list(`?taxpayerId=${own}&pageSize=3`)).json
      expect([first.items.length, first.nextCursor]).toEqual([3, ids[2]])
      const second = (await list(`?taxpayerId=${own}&pageSize=3&cursor=${first.nextCursor}`)).json
      expect([second.items.map(({ id }: { id: string }) => id), second.nextCursor]).toEqual([[ids[3]], null])
      const found = async (query: string) => (await list(query)).json.items.map(({ id }: { id: string }) => id)
      expect(await found(`?search=${encodeURIComponent("шећер")}&taxpayerId=${own}`)).toEqual([ids[0], ids[1], ids[3]])
      expect(await found(`?search=SECER%20U&taxpayerId=${own}`)).toEqual([ids[1]])
      expect(await found(`?search=${mark.slice(0, 20)}`)).toEqual(ids)
      expect(await found(`?search=${made[1].sku}`)).toEqual([ids[2]])
      const { id, taxpayerId: _taxpayer, createdAt: _created, updatedAt: _updated, ...content } = made[0]
      await put(id, { ...content, isActive: false })
      expect(await found(`?taxpayerId=${own}&isActive=false`)).toEqual([ids[3]])
      expect(await found(`?taxpayerId=${own}&isActive=true`)).toEqual(ids.slice(0, 3))
      expect(await found(`?taxpayerId=${randomUUID()}`)).toEqual([])
      expect((await list(`?search=${mark}`, api.target.other)).json.items).toEqual([])
    })

    it.each([
      ["taxpayerId=17", /taxpayerId must be a UUID/],
      ["isActive=yes", /isActive must be true or false/],
      ["pageSize=0", /^pageSize /],
      ["pageSize=201", /^pageSize /],
      ["cursor=abc", /cursor must be a UUID/],
      [`cursor=${randomUUID()}`, /cursor must be the nextCursor/],
      [`search=${"x".repeat(201)}`, /search must have at most 200/],
      ["search=", /search must not be empty/],
      ["page=2&isActive=1", /isActive.*page|page.*isActive/],
      ["isActive=true&isActive=false", /isActive must be given once/]
    ])("[proves:INVALID_QUERY] refuses the list's query %s", async (query, message) => {
      const answer = await list(`?${query}`)
      expect([answer.status, answer.json.code]).toEqual([400, "INVALID_QUERY"])
      expect(answer.json.message).toMatch(message)
    })

    it("imports a file, exports it byte for byte as it is written, and imports the export", async () => {
      const own = await registered()
      const file = `${header}\n'=1+1,"Брашно, T-500",8600000000022,ком,129.99,Е|Ђ,true\nA-1,"Цев 5""",,м,840.00,Ђ,false\na-1,Кафа,,kom,0.00,Ђ,true\n`
      const imported = await importFile(file, own)
      expect([imported.status, imported.json]).toEqual([200, { created: 3, updated: 0, total: 3 }])
      const first = await exported(own)
      expect([first.status, first.headers.get("content-type"), first.bytes.toString()]).toEqual([200, "text/csv; charset=utf-8", file])
      expect((await importFile(first.bytes.toString(), own)).json).toEqual({ created: 0, updated: 3, total: 3 })
      expect((await exported(own)).bytes.equals(first.bytes)).toBe(true)
      expect((await list(`?taxpayerId=${own}&search=%3D1`)).json.items[0].sku).toBe("=1+1")
    })

    it("reads a Serbian Excel's file: byte-order mark, sep= line, semicolons, decimal comma, trailing rows", async () => {
      const own = await registered()
      const file = "\uFEFFsep=;\r\nSKU;Name;GTIN;unitOfMeasure;grossUnitPrice;taxLabels;isActive\r\n001;\"Хлеб\r\nбели\";;kom;120,50;Ђ;TRUE\r\n;;;;;;\r\n"
      const refused = await importFile(file, own)
      expect(refused.status).toBe(422)
      expect(refused.json.errors["Rows[2].Name"][0]).toMatch(/control characters.*; the cell has: Хлеб/s)
      expect((await importFile(file.replace("\r\nбели", " бели"), own)).json).toEqual({ created: 1, updated: 0, total: 1 })
      expect((await exported(own)).bytes.toString()).toBe(`${header}\n001,Хлеб бели,,kom,120.50,Ђ,true\n`)
    })

    it("names every wrong cell of a file and imports nothing of it", async () => {
      const own = await registered()
      const answer = await importFile(`${header}\nok,n,,kom,1,Ђ,true\n\nb,,8.60012E+12,kom,"1.234,50",Ђ|Ђ,maybe\n=A1,n,,kom,1,Ђ,true\n`, own)
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.json.errors).toSorted()).toEqual(["Rows[4].GrossUnitPrice", "Rows[4].Gtin", "Rows[4].IsActive", "Rows[4].Name", "Rows[4].TaxLabels", "Rows[5].Sku"])
      expect(answer.json.errors["Rows[4].GrossUnitPrice"][0]).toMatch(/without separators of thousands; the cell has: 1\.234,50/)
      expect(answer.json.details.map(({ pointer }: { pointer: string }) => pointer)).toContain("/rows/4/gtin")
      expect((await exported(own)).bytes.toString()).toBe(`${header}\n`)
    })

    it("a sku twice in a file is a conflict", async () => {
      const answer = await importFile(`${header}\nT,n,,kom,1,Ђ,true\nU,n,,kom,1,Ђ,true\nT,m,,kom,1,Ђ,true\n`)
      expect([answer.status, answer.json.code, answer.json.sku, answer.json.rows]).toEqual([409, "CATALOGUE_SKU_ALREADY_EXISTS", "T", [2, 4]])
    })

    it("[proves:CATALOGUE_IMPORT_TOO_MANY_ROWS,CATALOGUE_IMPORT_HEADERS_INVALID] refuses too many rows and other headers", async () => {
      const rows = (count: number) => Array.from({ length: count }, (_, at) => `s${at},n,,kom,1,Ђ,true\n`).join("")
      const many = await importFile(`${header}\n${rows(1001)}`)
      expect([many.status, many.json.code, many.json.limit]).toEqual([422, "CATALOGUE_IMPORT_TOO_MANY_ROWS", 1000])
      const other = await importFile("sifra;naziv\n1;a\n")
      expect([other.status, other.json.code, other.json.missing.length, other.json.unexpected]).toEqual([422, "CATALOGUE_IMPORT_HEADERS_INVALID", 7, ["sifra", "naziv"]])
      expect(other.json.message).toContain("`unexpected`")
      const own = await registered()
      expect((await importFile(`${header}\n${rows(1000)}`, own)).json).toEqual({ created: 1000, updated: 0, total: 1000 })
    }, 30_000)

    it("tells of a file in Windows-1250 how to save it, and takes no file over 5 MB", async () => {
      const send = async (body: Uint8Array) =>
        fetch(`${api.target.baseUrl}/v1/products/import?taxpayerId=${taxpayerId}`, {
          method: "POST",
          headers: { "Content-Type": "text/csv", Authorization: `Bearer ${await api.token()}` },
          body: new Uint8Array(body)
        })
      const ansi = await send(Buffer.concat([Buffer.from(`${header}\n1,`), Buffer.from([0x8a, 0x65, 0xe6, 0x65, 0x72]), Buffer.from(",,kom,1,A,true\n")]))
      expect(ansi.status).toBe(422)
      expect((await ansi.json() as { errors: { Body: Array<string> } }).errors.Body[0]).toMatch(/Windows-1250; save it as “CSV UTF-8/)
      const fits = Buffer.alloc(5_000_000, "\n")
      fits.write(`${header}\nFIVE-MB,n,,kom,1,Ђ,true\n`)
      expect((await send(fits)).status).toBe(200)
      const larger = await send(Buffer.concat([fits, Buffer.from("\n")]))
      expect([larger.status, (await larger.json() as { code: string }).code]).toEqual([413, "REQUEST_TOO_LARGE"])
    }, 60_000)

    it("a line may name a product of its taxpayer, which fills no field; another's is a fault of the line, and issues nothing", async () => {
      const sale = sampleSale(api.target)
      const made = (await create({ name: "Другачији назив", grossUnitPrice: 1 })).json
      const naming = (catalogProductId: string) => ({ ...sale, items: sale.items.map((item) => ({ ...item, catalogProductId })) })
      const issued = await api.post("/v1/fiscal-documents", naming(made.id.toUpperCase()))
      expect(issued.status).toBe(201)
      const path = `/v1/fiscal-documents/${issued.json.id}`
      expect(issued.json.pfr.journal).not.toContain("Другачији")
      const theirs = (await api.post("/v1/products", { ...product(), taxpayerId: api.target.other.taxpayerId }, { credential: api.target.other })).json
      for (const id of [randomUUID(), theirs.id]) {
        const key = newKey()
        const refused = await api.post("/v1/fiscal-documents", naming(id), { key })
        expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ["Items.CatalogProductId"]])
        expect(refused.json.details[0].pointer).toBe("/items/0/catalogProductId")
        // The key was not taken.
        expect((await api.post("/v1/fiscal-documents", naming(made.id), { key })).status).toBe(201)
      }
      const external = { source: "EXTERNAL", pfrNumber: "ABCD1234-ABCD1234-15", pfrTime: "2026-01-05T10:00:00+01:00", invoiceType: "NORMAL", transactionType: "SALE" }
      const copy = await api.post("/v1/fiscal-documents", { ...naming(randomUUID()), invoiceType: "COPY", buyer: { id: "20:123456789" }, reference: external })
      expect(Object.keys(copy.json.errors)).toEqual(["Items.CatalogProductId"])
      const refund = sampleRefund(api.target, issued.json.id)
      const given = await api.post("/v1/refund-workflows", { ...refund, items: refund.items.map((item: object) => ({ ...item, catalogProductId: theirs.id })) })
      expect([given.status, Object.keys(given.json.errors)]).toEqual([422, ["Items.CatalogProductId"]])
      // Deactivation and later changes leave the receipt unchanged, and an inactive product can still be named.
      const before = (await api.get(path)).text
      const { id, taxpayerId: _taxpayer, createdAt: _created, updatedAt: _updated, ...content } = made
      await put(id, { ...content, name: "Нешто треће", isActive: false })
      expect((await api.get(path)).text).toBe(before)
      expect((await api.post("/v1/fiscal-documents", naming(id))).status).toBe(201)
    })
  })
