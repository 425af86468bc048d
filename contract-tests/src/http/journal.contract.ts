import { readCsv } from "@overa/adapter-spreadsheets"
import { DateTime } from "effect"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient } from "../support/ApiClient.ts"
import type { ApiTarget, ClientCredential } from "./ApiTarget.ts"
import { sampleRefund } from "./sampleRefund.ts"
import { sampleSale } from "./sampleSale.ts"

interface Listed {
  readonly id: string
}

/** The journal's order. Two documents may be of one millisecond; then their ids decide. */
const latestFirst = <A extends Listed & { readonly createdAt: string }>(documents: ReadonlyArray<A>): ReadonlyArray<A> =>
  documents.toSorted((one, other) => (`${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? 1 : -1))

/** Journal, export and turnover over HTTP. Source: Decisions §5, Journal, reports, deliveries; Decisions §§10, 11. */
export const journalContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: journal`, () => {
    let api: ApiClient
    const mark = `ж-${randomUUID()}`
    // oxlint-disable-next-line typescript/no-explicit-any
    const sold: Array<any> = []
    // oxlint-disable-next-line typescript/no-explicit-any
    let refunded: any
    beforeAll(async () => {
      api = await ApiClient.of(await start())
      for (let at = 0; at < 5; at++) sold.push((await api.post("/v1/fiscal-documents", sampleSale(api.target, { clientReference: `=${mark} ${at}` }))).json)
      refunded = (await api.post("/v1/refund-workflows", sampleRefund(api.target, sold[0].id, { type: "CASH", clientReference: `${mark} повраћај` }))).json
    }, 180_000)
    const search = (query: Readonly<Record<string, string>>, credential?: ClientCredential) => api.get(`/v1/journal?${new URLSearchParams(query)}`, credential)
    const ids = async (query: Readonly<Record<string, string>>) => (await search(query)).json.items.map(({ id }: Listed) => id)
    const listed = () => latestFirst([...sold, refunded.refund, refunded.cashRefundCopy])
    const whole = () => listed().map(({ id }) => id)

    it("lists documents latest first, as a single read shows them, without pfrRejection", async () => {
      const page = await search({ text: mark })
      expect(page.json.items.map(({ id }: Listed) => id)).toEqual(whole())
      expect(page.json.nextCursor).toBeNull()
      for (const item of page.json.items) expect(item).toEqual((await api.get(`/v1/fiscal-documents/${item.id}`)).json)
    })

    it("goes on where the cursor of the same filters says", async () => {
      const first = (await search({ text: mark, pageSize: "3" })).json
      const second = (await search({ text: mark, pageSize: "3", cursor: first.nextCursor })).json
      const third = (await search({ text: mark, pageSize: "3", cursor: second.nextCursor })).json
      expect([...first.items, ...second.items, ...third.items].map(({ id }: Listed) => id)).toEqual(whole())
      expect(third.nextCursor).toBeNull()
    })

    it("takes a cursor for nothing but its own filters, organization and environment", async () => {
      const { nextCursor: cursor } = (await search({ text: mark, pageSize: "2" })).json
      const strange = [
        search({ text: `${mark} `, cursor }),
        search({ text: mark, transactionType: "SALE", cursor }),
        search({ cursor }),
        search({ text: mark, cursor }, api.target.other),
        search({ text: mark, cursor }, api.target.production),
        search({ text: mark, cursor: "AAAA" }),
        search({ text: mark, cursor: `${cursor}A` })
      ]
      for (const answer of await Promise.all(strange)) {
        expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["Cursor"]])
      }
    })

    it("finds by every filter, alone and with others", async () => {
      const [one] = sold
      const { businessPremiseId, taxpayerId } = api.target
      expect(await ids({ taxpayerId, businessPremiseId, text: mark })).toEqual(whole())
      expect(await ids({ clientReference: one.clientReference })).toEqual([one.id])
      expect(await ids({ pfrNumber: one.pfr.invoiceNumber })).toEqual([one.id])
      expect(await ids({ text: one.pfr.invoiceNumber.slice(0, -1), clientReference: one.clientReference })).toEqual([one.id])
      expect(await ids({ text: mark.toUpperCase().replace("Ж", "z"), invoiceType: "COPY" })).toEqual([refunded.cashRefundCopy.id])
      expect(await ids({ text: mark, transactionType: "REFUND", invoiceType: "NORMAL" })).toEqual([refunded.refund.id])
      expect(await ids({ text: mark, status: "REJECTED" })).toEqual([])
      expect((await api.get(`/v1/journal?text=${encodeURIComponent(mark)}&status=REJECTED&status=OUTCOME_UNKNOWN`)).json.items).toEqual([])
      expect((await api.get(`/v1/journal?text=${encodeURIComponent(mark)}&status=REJECTED&status=FISCALIZED`)).json.items.map(({ id }: { id: string }) => id))
        .toEqual(await ids({ text: mark }))
      expect(await ids({ text: mark, buyerId: "20:123456789" })).toEqual(whole().slice(0, 2))
      expect(await ids({ text: mark, cashierId: "web", pfrFrom: one.pfr.sdcTime, createdFrom: sold[1].createdAt })).toEqual(whole().slice(0, -1))
      expect(await ids({ text: mark, createdTo: sold[1].createdAt })).toEqual([one.id])
      expect(await ids({ text: mark, taxpayerId: randomUUID() })).toEqual([])
    })

    it("shows nothing of another organization or environment", async () => {
      for (const credential of [api.target.other, api.target.production]) {
        for (const query of [{ text: mark }, { pfrNumber: sold[0].pfr.invoiceNumber }, { clientReference: sold[0].clientReference }, { taxpayerId: api.target.taxpayerId, pfrFrom: sold[0].pfr.sdcTime }]) {
          expect((await search(query, credential)).json.items).toEqual([])
          const file = await api.get(`/v1/journal/export?${new URLSearchParams(query)}`, credential)
          expect((await readCsv(file.text, 10)).rows).toHaveLength(1)
        }
        const report = await api.get(`/v1/reports/turnover?taxpayerId=${api.target.taxpayerId}`, credential)
        expect(report.json.rows).toEqual([])
      }
    })

    it("whatever another organization or environment asks with the ids, numbers, times and cursors of these documents, it sees none of them", async () => {
      const { businessPremiseId, taxpayerId } = api.target
      const all = [refunded.refund, ...sold]
      const of = <A>(pick: (document: (typeof all)[number]) => A) => fc.constantFrom(...all.map(pick))
      const { nextCursor } = (await search({ text: mark, pageSize: "2" })).json
      const query = fc.record({
        taxpayerId: fc.constantFrom(taxpayerId, taxpayerId.toUpperCase()),
        businessPremiseId: fc.constant(businessPremiseId),
        status: fc.constant("FISCALIZED"),
        transactionType: fc.constantFrom("SALE", "REFUND"),
        clientReference: of(({ clientReference }) => clientReference),
        pfrNumber: of(({ pfr }) => pfr.invoiceNumber),
        text: fc.oneof(fc.constantFrom(mark, mark.slice(2, 9)), of(({ pfr }) => pfr.invoiceNumber.slice(0, 8)), of(({ id }) => id)),
        cashierId: fc.constant("web"),
        pfrFrom: of(({ pfr }) => pfr.sdcTime),
        createdFrom: of(({ createdAt }) => createdAt),
        pageSize: fc.constant("200"),
        cursor: fc.constant(nextCursor as string)
      }, { requiredKeys: [] })
      const ids = all.map(({ id }) => id)
      await fc.assert(fc.asyncProperty(query, fc.constantFrom("other", "production"), async ({ cursor, pageSize, ...filters }, whose) => {
        const asked = new URLSearchParams({ ...filters, ...(cursor === undefined ? {} : { cursor }), ...(pageSize === undefined ? {} : { pageSize }) })
        const page = await api.get(`/v1/journal?${asked}`, api.target[whose])
        expect(page.status).toBe(cursor === undefined ? 200 : 422)
        const file = await api.get(`/v1/journal/export?${new URLSearchParams(filters)}`, api.target[whose])
        expect(file.status).toBe(200)
        for (const id of ids) expect(page.text + file.text).not.toContain(id)
      }), { numRuns: 60 })
    }, 60_000)

    it("reports every fault of a query at once", async () => {
      const answer = await search({ status: "fiscalized", pfrFrom: "yesterday", createdTo: "2026-02-30T00:00:00Z", taxpayerId: "1", pageSize: "0" })
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.json.errors).toSorted()).toEqual(["PageSize", "Status", "TaxpayerId"])
      const times = await search({ pfrFrom: "yesterday", createdTo: "2026-02-30T00:00:00Z", cursor: "x" })
      expect(Object.keys(times.json.errors).toSorted()).toEqual(["CreatedTo", "PfrFrom"])
      expect((await search({ page: "2" })).json.errors).toEqual({ Page: ["is not a parameter of this operation"] })
    })

    it("names the + of an offset that arrived as a space", async () => {
      const answer = await api.get("/v1/journal?pfrFrom=2026-08-01T00:00:00+02:00&pfrTo=2026-09-01T00:00:00%2B02:00")
      expect(answer.json.errors).toEqual({ PfrFrom: ["must have its + written as %2B, because a + in an address is a space"] })
      expect((await search({ pfrFrom: "2026-08-01 00:00:00" })).json.errors.PfrFrom[0]).toMatch(/^must be a date-time/)
    })

    it.each(["comma", "semicolon"])("exports what the filters ask for, separated by %s", async (delimiter) => {
      const answer = await fetch(`${api.target.baseUrl}/v1/journal/export?${new URLSearchParams({ text: mark, delimiter })}`, { headers: { Authorization: `Bearer ${await api.token()}` } })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")])
        .toEqual([200, "text/csv; charset=utf-8", "attachment; filename=\"journal.csv\""])
      expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
      const text = bytes.toString()
      expect(text.split("\r\n").at(-1)).toBe("")
      expect(text.split("\r\n")[0]).toContain(delimiter === "comma" ? "id,createdAt" : "id;createdAt")
      const [head, ...rows] = (await readCsv(text, 100)).rows.map(({ cells }) => cells)
      const column = (title: string) => rows.map((row) => row[head?.indexOf(title) ?? -1])
      expect(column("id")).toEqual(whole())
      expect(column("clientReference").at(-1)).toBe(`'${sold[0].clientReference}`)
      expect(column("payment.CARD").slice(2)).toEqual(sold.map(() => "2401.00"))
      expect(column("payment.CASH").slice(0, 2)).toEqual(["2401.00", "2401.00"])
      const taxes = column(`tax.${api.target.labels.sandbox}`)
      // A test's tax authority may sign without naming a label.
      const signed = listed().map(({ pfr }) => pfr.totalTax)
      expect(taxes.map(Number)).toEqual(taxes.every((tax) => tax === "") ? signed.map(() => 0) : signed)
      expect(column("pfrNumber")).toEqual(listed().map(({ pfr }) => pfr.invoiceNumber))
      expect(column("pfrTime")).toEqual(listed().map(({ pfr }) => pfr.sdcTime))
    })

    it.each(["/v1/journal", "/v1/journal/export", "/v1/reports/turnover", "/v1/receipt-deliveries"])("%s takes the four times, and names each that is none", async (path) => {
      const names = ["pfrFrom", "pfrTo", "createdFrom", "createdTo"]
      const asked = (time: string) => `${path}?${new URLSearchParams(names.map((name) => [name, time]))}`
      expect((await api.get(asked("2026-08-01T00:00:00+02:00"))).status).toBe(200)
      const refused = await api.get(asked("yesterday"))
      expect([refused.status, Object.keys(refused.json.errors).toSorted()]).toEqual([422, ["CreatedFrom", "CreatedTo", "PfrFrom", "PfrTo"]])
    })

    it("the turnover of what was asked for at some time, whenever it was signed", async () => {
      const report = async (times: Readonly<Record<string, string>>) =>
        (await api.get(`/v1/reports/turnover?${new URLSearchParams({ taxpayerId: api.target.taxpayerId, ...times })}`)).json.rows.map(({ gross, receipts }: { gross: number; receipts: number }) => [receipts, gross])
      const [from, to] = [sold[1].createdAt, sold[4].createdAt]
      const asked = sold.filter(({ createdAt }) => createdAt >= from && createdAt < to).length
      expect(asked).toBeGreaterThan(0)
      expect(await report({ createdFrom: from, createdTo: to })).toEqual([[asked, 2401 * asked]])
      expect(await report({ createdFrom: from, createdTo: to, pfrFrom: "2100-01-01T00:00:00Z" })).toEqual([])
      expect(await report({ createdFrom: "2100-01-01T00:00:00Z" })).toEqual([])
    })

    it("the turnover of what was sold and given back, by every grouping", async () => {
      const from = sold[0].pfr.sdcTime
      // The upper bound is exclusive, and the copy may be signed in the refund's own millisecond.
      const to = DateTime.formatIso(DateTime.add(DateTime.makeUnsafe(refunded.refund.pfr.sdcTime), { milliseconds: 1 }))
      const report = async (...groupBy: ReadonlyArray<string>) =>
        (await api.get(`/v1/reports/turnover?${new URLSearchParams([["taxpayerId", api.target.taxpayerId], ["businessPremiseId", api.target.businessPremiseId], ["pfrFrom", from], ["pfrTo", to], ...groupBy.map((one): [string, string] => ["groupBy", one])])}`)).json.rows
      const [row] = await report()
      expect(row).toMatchObject({ group: {}, receipts: 6, gross: 9604, advanceApplied: 0 })
      expect(row.payments).toEqual([{ type: "CARD", amount: 12005 }, { type: "CASH", amount: -2401 }])
      const byType = await report("paymentType")
      expect(byType.map(({ gross, group, receipts }: { gross: number; group: object; receipts: number }) => [group, receipts, gross]))
        .toEqual([[{ paymentType: "CARD" }, 5, 12005], [{ paymentType: "CASH" }, 1, -2401]])
      for (const grouping of ["day", "month", "premise", "taxLabel", "cashier"]) {
        const rows = await report(grouping)
        expect(rows.reduce((sum: number, { gross }: { gross: number }) => sum + gross, 0)).toBe(9604)
        expect(Object.keys(rows[0].group)).toEqual([grouping])
      }
      expect(Object.keys((await report("taxLabel", "day", "paymentType"))[0].group)).toEqual(["taxLabel", "day", "paymentType"])
      expect((await api.get("/v1/reports/turnover?groupBy=week")).json.errors).toHaveProperty("GroupBy")
    })
  })
