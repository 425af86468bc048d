import { monthOf, monthsLater } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrangeMonth, monthToClose } from "../src/support/billedMonth.ts"
import { type AdminAnswer, type OperatorDesk, operatorDesk } from "../src/support/operatorDesk.ts"

const because = ["--reason", "price list of the year"]
const month = monthToClose()
const next = monthsLater(monthOf(Effect.runSync(DateTime.now)), 1)
let desk: OperatorDesk
let organization: string

const run = async (...args: ReadonlyArray<string>): Promise<AdminAnswer> => {
  const answer = await desk.admin([...args, "--json"])
  expect({ code: answer.code, err: answer.err }).toEqual({ code: 0, err: "" })
  return answer
}

const amounts = (from: string, licence = "2190,50") =>
  ["--from", from, "--licence", licence, "--advance", "0", "--email", "300.10", "--document", "2.5", "--vat", "20"]
const company = [
  "--name", "Овера д.о.о.", "--address", "Немањина 4", "--city", "Београд", "--tax-identifier", "100000057", "--registration-number", "20000001",
  "--bank-account", "160-0000000000001-49"
]

beforeAll(async () => {
  desk = await operatorDesk()
  organization = (await run("organizations", "add", "Књижара \"Зора\" <b>", "--reason", "test")).json.id
})
afterAll(() => desk.close())

describe("the operator's command: billing", () => {
  it("begins with nothing", async () => {
    expect((await run("billing", "prices")).json).toEqual({ items: [] })
    expect((await run("billing", "issuer")).json).toBeNull()
    expect((await run("billing", "invoices")).json).toEqual({ items: [] })
    expect((await desk.admin(["billing", "prices"])).out).toContain("nothing is billed")
    expect((await desk.admin(["billing", "issuer"])).out).toContain("nothing is billed")
  })

  it("a month without prices, without an issuer or not over yet is not closed", async () => {
    const close = async (of: string) => (await desk.admin(["billing", "close", of, ...because, "--yes"])).err
    expect(await close(month)).toContain(`There is no price list for ${month}.`)
    await arrangeMonth(desk.database, organization, month)
    expect(await close(month)).toContain("Nobody is named as the issuer")
    await run("billing", "set-issuer", ...company, "--payment-days", "8", ...because)
    expect(await close(next)).toContain("a day after its end")
  })

  it("prices begin with a month to come and stand in the list", async () => {
    const made = await run("billing", "set-prices", ...amounts(next), ...because)
    expect(made.json).toEqual({ version: 2, validFrom: next })
    const { items } = (await run("billing", "prices")).json
    expect(items).toEqual([
      { version: 2, validFrom: next, licence: "2190.50", advance: "0.00", email: "300.10", document: "2.50", vatRate: "20.00" },
      { version: 1, validFrom: month, licence: "1990.00", advance: "500.00", email: "300.10", document: "2.50", vatRate: "20.00" }
    ])
  })

  it("the month is closed once, and its invoice is paid, found not paid, and paid", async () => {
    const before = await desk.admin(["billing", "close", month, ...because])
    expect(before).toMatchObject({ code: 2 })
    expect(before.err).toContain("cannot be changed or taken back")
    expect((await run("billing", "close", month, ...because, "--yes")).json).toEqual({ month, issued: 1 })
    expect((await run("billing", "close", month, ...because, "--yes")).json).toEqual({ month, issued: 0 })
    const { items } = (await run("billing", "invoices", "--organization", organization)).json
    expect(items).toMatchObject([{ organizationId: organization, buyer: "Књижара \"Зора\" <b>", month, total: "2748.12", paidOn: null }])
    const { number } = items[0]
    expect(number).toMatch(/^20\d{2}-000001$/)
    await run("billing", "paid", number, "--on", `${month}-28`, "--reason", "извод 31")
    expect((await run("billing", "invoices", "--unpaid")).json.items).toEqual([])
    expect((await desk.admin(["billing", "invoices"])).out).toContain(`${month}-28`)
    expect((await desk.admin(["billing", "paid", number, "--on", `${month}-28`, ...because])).err).toContain("is paid since")
    await run("billing", "not-paid", number, "--reason", "погрешан налог")
    expect((await run("billing", "invoices", "--unpaid")).json.items).toHaveLength(1)
    expect((await desk.admin(["billing", "not-paid", number, ...because])).err).toContain("is not paid")
  })

  it.each<readonly [name: string, args: () => ReadonlyArray<string>, sentence: RegExp]>([
    ["no reason", () => ["set-prices", ...amounts(next)], /Say why with --reason/],
    ["prices of a month that has begun", () => ["set-prices", ...amounts(month), ...because], /do not change/],
    ["a month that is none", () => ["set-prices", ...amounts("2026-13"), ...because], /is no month such as/],
    ["groups of thousands", () => ["set-prices", ...amounts(next, "1.990"), ...because], /--licence must be a number/],
    ["a negative price", () => ["set-prices", ...amounts(next, "-1"), ...because], /--licence must be a number/],
    ["a tax identifier with letters", () => ["set-issuer", ...company.with(7, "RS1"), ...because], /Not usable: --tax-identifier/],
    ["a name of two lines", () => ["set-issuer", ...company.with(1, "a\nb"), "--payment-days", "400", ...because], /Not usable: --name, --payment-days|Not usable: --payment-days, --name/],
    ["a number that is none", () => ["paid", "17", "--on", "2026-01-01", ...because], /is no invoice number/],
    ["an invoice that is not there", () => ["paid", "2026-999999", "--on", "2026-01-01", ...because], /There is no invoice/],
    ["a day that does not exist", () => ["paid", "2026-999999", "--on", "2026-02-30", ...because], /is no day up to today/],
    ["a day to come", () => ["paid", "2026-999999", "--on", "2099-01-01", ...because], /is no day up to today/]
  ])("refuses %s, and changes nothing", async (_name, args, sentence) => {
    const before = (await desk.admin(["activity", "--json"])).out
    const answer = await desk.admin(["billing", ...args()])
    expect(answer.err).toMatch(sentence)
    expect(answer.code).toBe(2)
    expect((await desk.admin(["activity", "--json"])).out).toBe(before)
  })

  it("each act stands in the activity log with who, what and why", async () => {
    const client = await desk.database.client()
    const { rows } = await client.query("select organization_id, act, actor, reason from activity_log order by at")
    const lineOf = (act: string) => rows.filter((row) => row.act === act)
    expect(lineOf("price list added")).toMatchObject([{ reason: because[1] }])
    expect(lineOf("issuer of invoices changed")).toMatchObject([{ reason: because[1] }])
    expect(lineOf("invoice issued")).toMatchObject([{ organization_id: organization, reason: because[1] }])
    expect(lineOf("invoice paid")).toMatchObject([{ organization_id: organization, reason: "извод 31" }])
    expect(lineOf("invoice found not paid")).toMatchObject([{ organization_id: organization, reason: "погрешан налог" }])
  })
})
