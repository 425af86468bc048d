import { AdvanceCases, FiscalDocumentId, formatDecimal, OrganizationId, readOperation, sendAgain } from "@overa/domain"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { byHand, documentIn, saleEntries, seenIn } from "../src/portal/byHand.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()
const { confirmed, count, draft, issue, preview, stored } = byHand({ client, rowsOf })

const owner = () => stage.session(stage.people.OWNER)

/** A payment in advance: its amount and label; the name is the prescribed one. */
const paymentEntries = (reference: string, amount = "1.200,00") => ({ ...saleEntries(stage.shop.businessPremiseId, reference), kind: "ADVANCE", "name-0": "", "unit-0": "", "price-0": amount })

const read = async (id: string) =>
  (await stage.run(readOperation({ organizationId: OrganizationId.make(stage.shop.organizationId), environment: "sandbox" }, FiscalDocumentId.make(id)))).operation

const casesOf = async (reference: string) => (await rowsOf<{ readonly id: string }>("select case_id as id from advance_cases where client_reference = $1", [reference])).map(({ id }) => id)

const buyer = "20:123456789"

/** An advance opened by hand with its first payment. */
const opened = async (reference: string) => {
  const session = await owner()
  const first = await issue(await draft(session, "/issue"), session, { ...paymentEntries(reference), buyer })
  const [id = ""] = await casesOf(reference)
  return { session, first, id, page: `/advances/${id}` }
}

const totals = (documents: ReadonlyArray<Awaited<ReturnType<typeof read>>>) => documents.map(({ content }) => [content.invoiceType, content.transactionType, ...content.payments.map(({ amount, type }) => `${type} ${formatDecimal(amount, 2)}`)].join(" "))

/** Sends a document again, while another request sends it whole between this one's checks and its compare-and-set. */
const sentByTwo = (id: string) => {
  const tenant = { organizationId: OrganizationId.make(stage.shop.organizationId), environment: "sandbox" } as const
  const again = sendAgain(tenant, FiscalDocumentId.make(id), { clientId: "two", callerGone: new AbortController().signal })
  return stage.run(Effect.gen(function*() {
    const cases = yield* AdvanceCases
    const slower = AdvanceCases.of({ ...cases, redrive: (opened, redrive, decide) => Effect.andThen(Effect.promise(() => stage.run(again)), cases.redrive(opened, redrive, decide)) })
    return yield* Effect.provideService(again, AdvanceCases, slower)
  }))
}

describe("an advance by hand", () => {
  it("opens with its first payment, shown as it would be signed, under the prescribed name", async () => {
    const session = await owner()
    const address = await draft(session, "/issue?kind=ADVANCE")
    assert.match((await client.get(`${address}`, { session })).text, /<option[^>]*(?:selected[^>]*value="ADVANCE"|value="ADVANCE"[^>]*selected)/)
    const shown = await preview(address, session, { ...paymentEntries("ormar"), buyer })
    assert.strictEqual(shown.status, 200, shown.text)
    for (const word of ["ОВО НИЈЕ ФИСКАЛНИ РАЧУН", "АВАНС", "10: Аванс (A)", "1.200,00"]) assert.include(shown.text, word)
    assert.deepStrictEqual([await count(), await casesOf("ormar")], [0, []])
    assert.include((await client.send(address, session, { ...paymentEntries("ormar", "999"), buyer, seen: seenIn(shown.text) })).text, "Ништа није издато")
    assert.deepStrictEqual([await count(), await casesOf("ormar")], [0, []])
    const id = await issue(address, session, { ...paymentEntries("ormar"), buyer })
    assert.strictEqual((await casesOf("ormar")).length, 1)
    const { content, status } = await read(id)
    assert.strictEqual(status, "FISCALIZED")
    assert.deepInclude(content, { invoiceType: "ADVANCE", transactionType: "SALE", clientReference: "ormar", buyer: { id: buyer, optionalField: null } })
    assert.deepInclude(content.items[0], { name: "10: Аванс (A)", unitOfMeasure: null })
  })

  it("is one case and one receipt for one draft, however often and at once it is sent", async () => {
    const session = await owner()
    const address = await draft(session, "/issue")
    const form = { ...await confirmed(address, session, { ...paymentEntries("at once"), buyer }), proof: await client.proof(session) }
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.send(address, session, form)))
    assert.strictEqual(new Set(answers.map(({ location }) => documentIn(location))).size, 1, answers.map(({ text }) => text).join("\n"))
    for (const again of [await client.send(address, session, { ...form, "price-0": "5" }), await client.get(address, { session })]) assert.strictEqual(documentIn(again.location), documentIn(answers[0]?.location ?? ""))
    assert.deepStrictEqual([await count(), (await casesOf("at once")).length], [before + 1, 1])
  })

  it("takes further payments, gives the latest back, and is closed with what is left to pay; each previewed first", async () => {
    const { first, id, page, session } = await opened("whole")
    const next = await draft(session, `${page}/payment`)
    const shown = await preview(next, session, paymentEntries("whole", "800"))
    for (const word of ["АВАНС", "800,00", (await read(first)).answer?.pfr.invoiceNumber ?? "?"]) assert.include(shown.text, word)
    const second = await issue(next, session, paymentEntries("whole", "800"))
    assert.strictEqual((await read(second)).content.reference?.fiscalDocumentId, first)
    const back = await draft(session, `${page}/refund`)
    const given = { buyer: "123456789", "buyer-kind": "20", cashier: "Ана", reason: "одустао" }
    const shownBack = await client.get(back, { session })
    for (const word of ["РЕФУНДАЦИЈА", "800,00", (await read(second)).answer?.pfr.invoiceNumber ?? "?"]) assert.include(shownBack.text, word)
    const refund = await issue(back, session, given)
    assert.deepInclude((await read(refund)).content, { metadata: { reason: "одустао" } })
    assert.strictEqual((await read(refund)).content.reference?.fiscalDocumentId, second)
    assert.include((await client.get(page, { session })).text, "1.200,00 RSD")
    const closing = await draft(session, `${page}/closing`)
    const goods = { ...saleEntries(stage.shop.businessPremiseId, "whole"), "name-0": "Орман", "price-0": "5.000,00", "payment-0": "CASH" }
    const before = await count()
    const shownClosing = await preview(closing, session, goods)
    for (const word of ["Рефундација аванса", "Коначан рачун", "Орман", "3.800,00", "5.000,00", "1.200,00"]) assert.include(shownClosing.text, word)
    assert.strictEqual(await count(), before)
    const sale = await issue(closing, session, goods)
    const { rows } = { rows: await rowsOf<{ readonly id: string }>("select operation_id as id from operations where client_reference = 'whole' order by created_at, invoice_type") }
    const documents = await Promise.all(rows.map((row) => read(row.id)))
    assert.deepStrictEqual(totals(documents).toSorted(), [
      "ADVANCE REFUND CARD 1200.00", "ADVANCE REFUND CARD 800.00", "ADVANCE SALE CARD 1200.00", "ADVANCE SALE CARD 800.00", "NORMAL SALE CASH 3800.00"
    ])
    assert.isTrue(documents.every(({ status }) => status === "FISCALIZED"))
    assert.deepInclude(await stored(sale), { status: "FISCALIZED", type: "NORMAL" })
    const closed = await client.get(page, { session })
    assert.include(closed.text, "Затворен")
    for (const part of ["payment", "closing", "refund"]) assert.notInclude(closed.text, `${page}/${part}"`)
    assert.include((await client.get("/advances?state=CLOSED", { session })).text, page)
    assert.notInclude((await client.get("/advances?state=OPEN", { session })).text, `${page}"`)
    assert.include((await client.get(`/receipts/${sale}`, { session })).text, page)
    const { status } = await preview(await draft(session, `${page}/payment`), session, paymentEntries("whole"))
    assert.strictEqual(status, 422)
    assert.strictEqual((await rowsOf("select from advance_cases where case_id = $1", [id])).length, 1)
  })

  it("records a wire transfer of an earlier day, and says where a day or a sum is wrong", async () => {
    const session = await owner()
    const address = await draft(session, "/issue")
    const wire = { ...paymentEntries("transfer"), buyer, "payment-0": "WIRE_TRANSFER" }
    const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
    for (const [occurred, payment] of [[day(-2), "WIRE_TRANSFER"], [day(3), "CARD"], ["x", "WIRE_TRANSFER"]] as const) {
      const answer = await preview(address, session, { ...wire, occurred, "payment-0": payment })
      assert.strictEqual(answer.status, 422, occurred)
      assert.include(answer.text, "пренос на рачун", occurred)
    }
    const id = await issue(address, session, { ...wire, occurred: day(3) })
    assert.isNotNull((await read(id)).content.dateAndTimeOfIssue)
    const { page } = await opened("too little")
    const closing = await preview(await draft(session, `${page}/closing`), session, { ...saleEntries(stage.shop.businessPremiseId, "too little"), "price-0": "100" })
    assert.strictEqual(closing.status, 422)
    assert.include(closing.text, "мање од плаћеног аванса")
    // Exactly what was paid: nothing is left, and a payment of zero says so.
    const sale = await issue(await draft(session, `${page}/closing`), session, { ...saleEntries(stage.shop.businessPremiseId, "too little"), "price-0": "1200" })
    assert.deepStrictEqual((await read(sale)).content.payments.map(({ amount }) => formatDecimal(amount, 2)), ["0.00"])
  })

  it("whose payment was not sent can be sent again until another one follows; one that was rejected is issued anew in the same advance", async () => {
    const { page, session } = await opened("again")
    const { simulator } = stage.desk
    const failing = async (fault: Parameters<typeof simulator.addFault>[0]) => {
      const address = await draft(session, `${page}/payment`)
      const form = await confirmed(address, session, paymentEntries("again", "10"))
      await simulator.addFault(fault)
      return documentIn((await client.send(address, session, form).finally(() => simulator.clearFaults())).location)
    }
    const unsent = await failing({ fault: "refuse-connection" })
    assert.strictEqual((await stored(unsent))?.status, "NOT_FISCALIZED")
    const rejected = await failing({ fault: "reject", times: 1, modelState: [{ property: "items[0].labels[0]", errors: ["2310"] }] })
    const link = /href="[^"]*(\/advances\/[0-9a-f-]{36}\/payment\/[0-9a-f-]{36}\?from=[0-9a-f-]{36})"/.exec((await client.get(`/receipts/${rejected}`, { session })).text)?.[1] ?? ""
    const anew = await issue(link.split("?")[0] ?? "", session, { ...paymentEntries("again", "10"), from: rejected })
    assert.deepInclude(await stored(anew), { status: "FISCALIZED", type: "ADVANCE" })
    const late = await client.send(`/receipts/${unsent}/again`, session)
    assert.strictEqual(late.status, 422)
    assert.include(late.text, "После ове уплате аванса издата је друга")
    assert.strictEqual((await stored(unsent))?.status, "NOT_FISCALIZED")
    assert.deepStrictEqual(await casesOf("again"), [page.slice(10)])
  })

  it("whose document two people send again is answered with the receipt of the faster one, not with a rule that this receipt fulfils", async () => {
    const { page, session } = await opened("two again")
    const { simulator } = stage.desk
    const unsent = async (part: string, entries: Readonly<Record<string, string>>) => {
      const address = await draft(session, `${page}/${part}`)
      const form = await confirmed(address, session, entries)
      await simulator.addFault({ fault: "refuse-connection" })
      const id = documentIn((await client.send(address, session, form).finally(() => simulator.clearFaults())).location)
      assert.strictEqual((await stored(id))?.status, "NOT_FISCALIZED", part)
      return id
    }
    for (const [part, entries] of [["payment", paymentEntries("two again", "10")], ["refund", { buyer, reason: "", cashier: "Ана" }]] as const) {
      const id = await unsent(part, entries)
      assert.strictEqual((await sentByTwo(id)).status, "FISCALIZED", part)
      assert.strictEqual((await rowsOf("select from attempts where operation_id = $1 and outcome = 'SIGNED'", [id])).length, 1, part)
      assert.strictEqual((await stored(id))?.status, "FISCALIZED")
    }
  })

  it("whose payment nobody knows about takes nothing more, and issues nothing anew", async () => {
    const { page, session } = await opened("lost")
    const { simulator } = stage.desk
    const address = await draft(session, `${page}/payment`)
    const form = await confirmed(address, session, paymentEntries("lost", "10"))
    for (const fault of [{ fault: "search-unavailable" }, { fault: "sign-then-reset", times: 1 }] as const) await simulator.addFault(fault)
    const id = documentIn((await client.send(address, session, form).finally(() => simulator.clearFaults())).location)
    assert.strictEqual((await stored(id))?.status, "OUTCOME_UNKNOWN")
    const shown = (await client.get(page, { session })).text
    for (const part of ["payment", "closing", "refund"]) assert.notInclude(shown, `${page}/${part}"`)
    const before = await count()
    for (const part of ["payment", "closing"]) {
      const other = await draft(session, `${page}/${part}`)
      const answer = await preview(other, session, { ...paymentEntries("lost", "5000"), "name-0": "Орман", "unit-0": "ком" })
      assert.strictEqual(answer.status, 422, part)
      assert.include(answer.text, "чека исход", part)
      await client.send(other, session, { ...paymentEntries("lost", "5000"), seen: seenIn(answer.text) })
    }
    assert.strictEqual(await count(), before)
  })

  it("of another organization or of nothing is a page that says so", async () => {
    const { page } = await opened("foreign")
    const other = await stage.session(stage.people.OTHER)
    for (const path of [page, `${page}/payment`, `${page}/closing/${randomUUID()}`, `${page}/refund`, "/advances/x", `/advances/${randomUUID()}`]) {
      assert.strictEqual((await client.get(path, { session: other })).status, 404, path)
    }
    assert.notInclude((await client.get("/advances", { session: other })).text, "foreign")
    const support = await stage.session(stage.people.SUPPORT)
    const shown = await client.get(page, { session: support })
    assert.strictEqual(shown.status, 200)
    assert.notInclude(shown.text, `${page}/payment"`)
  })
})
