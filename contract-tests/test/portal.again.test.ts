import { FiscalDocumentId } from "@overa/domain"
import { draftAnew } from "@overa/portal"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { byHand, documentIn, refundEntries, saleEntries, seenIn } from "../src/portal/byHand.ts"
import { callShop, issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, rowsOf, stage } = sharedPortal()
const { confirmed, count, draft, stored } = byHand({ client, rowsOf })

const owner = () => stage.session(stage.people.OWNER)

const during = async <A>(faults: ReadonlyArray<Parameters<typeof stage.desk.simulator.addFault>[0]>, work: () => Promise<A>): Promise<A> => {
  for (const fault of faults) await stage.desk.simulator.addFault(fault)
  return await work().finally(() => stage.desk.simulator.clearFaults())
}

const unreachable = [{ fault: "refuse-connection" }] as const
const rejecting = [{ fault: "reject", times: 1, modelState: [{ property: "items[0].labels[0]", errors: ["2310"] }] }] as const
const silent = [{ fault: "search-unavailable" }, { fault: "sign-then-reset", times: 1 }] as const

const byHandDuring = async (faults: ReadonlyArray<Parameters<typeof stage.desk.simulator.addFault>[0]>, entries: Readonly<Record<string, string>>): Promise<string> => {
  const session = await owner()
  const address = await draft(session, "/issue")
  const form = await confirmed(address, session, entries)
  return documentIn((await during(faults, () => client.send(address, session, form))).location)
}

const entriesOf = (reference: string, kind = "NORMAL") => ({ ...saleEntries(stage.shop.businessPremiseId, reference), kind })

const signedAttempts = async (id: string): Promise<number> => (await rowsOf("select from attempts where operation_id = $1 and outcome = 'SIGNED'", [id])).length

describe("a document that was not signed", () => {
  it.each(["NORMAL", "PROFORMA", "TRAINING", "ADVANCE"])("is sent again under its own key, by hand: %s", async (kind) => {
    const session = await owner()
    const id = await byHandDuring(unreachable, entriesOf(`again ${kind}`, kind))
    assert.strictEqual((await stored(id))?.status, "NOT_FISCALIZED")
    assert.include((await client.get(`/receipts/${id}`, { session })).text, `/receipts/${id}/again`)
    const before = await count()
    assert.include((await client.get(`/receipts/${id}/again`, { session })).text, "не може да настане други рачун")
    assert.strictEqual((await client.send(`/receipts/${id}/again`, session)).location, `/receipts/${id}`)
    assert.deepInclude(await stored(id), { status: "FISCALIZED", type: kind })
    assert.strictEqual(await count(), before)
    assert.include(await activity(), `portal:${stage.people.OWNER.email} document sent again ${id}`)
    // A receipt is not sent again, whatever is asked for.
    await client.send(`/receipts/${id}/again`, session)
    assert.strictEqual(await signedAttempts(id), 1)
    assert.strictEqual((await client.get(`/receipts/${id}/again`, { session })).location, `/receipts/${id}`)
    assert.notInclude((await client.get(`/receipts/${id}`, { session })).text, "/again")
  })

  it("is sent only once the activity log says who asked for it", async () => {
    const session = await owner()
    const id = await byHandDuring(unreachable, entriesOf("not noted"))
    // As where the statement takes too long: the store is not available for this line alone.
    await rowsOf("create function no_line() returns trigger language plpgsql as $$ begin raise exception 'too long' using errcode = '57014'; end $$")
    await rowsOf("create trigger no_line before insert on activity_log for each row when (new.act = 'document sent again') execute function no_line()")
    await client.send(`/receipts/${id}/again`, session)
    await rowsOf("drop trigger no_line on activity_log")
    assert.deepStrictEqual([(await stored(id))?.status, await signedAttempts(id)], ["NOT_FISCALIZED", 0])
    await client.send(`/receipts/${id}/again`, session)
    assert.strictEqual((await stored(id))?.status, "FISCALIZED")
  })

  it("may be the shop's: its copy, its sale; the shop's own retry then finds the receipt", async () => {
    const session = await owner()
    const sale = await issueSale(stage, { reference: "shop's" })
    const copy = await during(unreachable, () => callShop<{ readonly id: string }>(stage, `/v1/fiscal-documents/${sale.id}/copies`, { cashier: { id: "web" } }))
    assert.strictEqual((await stored(copy.id))?.status, "NOT_FISCALIZED")
    await client.send(`/receipts/${copy.id}/again`, session)
    assert.deepInclude(await stored(copy.id), { status: "FISCALIZED", type: "COPY" })
    const lost = await during(unreachable, () => issueSale(stage, { reference: "shop's" }))
    // Others of the same reference are named before it is sent.
    assert.include((await client.get(`/receipts/${lost.id}/again`, { session })).text, sale.number)
    await client.send(`/receipts/${lost.id}/again`, session)
    assert.strictEqual((await stored(lost.id))?.status, "FISCALIZED")
  })

  it("stays unsent while the V-PFR cannot be reached", async () => {
    const session = await owner()
    const id = await byHandDuring(unreachable, entriesOf("still closed"))
    await during(unreachable, () => client.send(`/receipts/${id}/again`, session))
    assert.strictEqual((await stored(id))?.status, "NOT_FISCALIZED")
    assert.strictEqual(await signedAttempts(id), 0)
  })

  it("that is a refund is issued anew, because its key answers the same for ever", async () => {
    const session = await owner()
    const sale = await issueSale(stage, { reference: "refund again" })
    const address = await draft(session, `/receipts/${sale.id}/refund`)
    const form = await confirmed(address, session, refundEntries)
    const id = documentIn((await during(unreachable, () => client.send(address, session, form))).location)
    assert.strictEqual((await stored(id))?.status, "NOT_FISCALIZED")
    const page = await client.get(`/receipts/${id}`, { session })
    assert.notInclude(page.text, "/again")
    assert.include(page.text, `/receipts/${sale.id}/refund/${draftAnew(FiscalDocumentId.make(id))}?from=${id}`)
  })
})

describe("a document that the V-PFR rejected", () => {
  it("is corrected and issued anew: the same lines, another key, and never twice, whoever does it", async () => {
    const entries = { ...entriesOf("rejected"), "discount-0": "10", buyer: "10:100000008", "quantity-0": "1,5" }
    const id = await byHandDuring(rejecting, entries)
    assert.strictEqual((await stored(id))?.status, "REJECTED")
    const [one, other] = [await owner(), await stage.session(stage.people.ADMINISTRATOR)]
    assert.strictEqual((await client.send(`/receipts/${id}/again`, one)).location, `/receipts/${id}`)
    assert.strictEqual((await stored(id))?.status, "REJECTED")
    const links = await Promise.all([one, other].map(async (session) => /href="[^"]*(\/issue\/[0-9a-f-]{36}\?from=[0-9a-f-]{36})"/.exec((await client.get(`/receipts/${id}`, { session })).text)?.[1] ?? ""))
    assert.strictEqual(links[0], links[1])
    const [address = ""] = (links[0] ?? "").split("?")
    const shown = await client.get(links[0] ?? "", { session: one })
    for (const entry of ['value="Свеска"', 'value="1,5"', 'value="120,00"', 'value="10,00"', 'value="100000008"', 'value="rejected"', `name="from" value="${id}"`]) assert.include(shown.text, entry)
    assert.notStrictEqual(seenIn(shown.text), "")
    const before = await count()
    const forms = await Promise.all([one, other].map(async (session) => ({ session, form: { ...await confirmed(address, session, { ...entries, from: id }), proof: await client.proof(session) } })))
    const answers = await Promise.all(forms.map(({ form, session }) => client.send(address, session, form)))
    const anew = new Set(answers.map(({ location }) => documentIn(location)))
    assert.strictEqual(anew.size, 1, answers.map(({ text }) => text).join("\n"))
    assert.strictEqual(await count(), before + 1)
    const [successor = ""] = anew
    assert.deepInclude(await stored(successor), { status: "FISCALIZED", type: "NORMAL" })
    assert.include((await client.get(`/receipts/${id}`, { session: one })).text, `/receipts/${successor}`)
    // Its draft is only an address of the new receipt now.
    assert.strictEqual(documentIn((await client.get(links[0] ?? "", { session: one })).location), successor)
  })

  it("is issued anew in its own draft alone, and by nobody of another organization", async () => {
    const id = await byHandDuring(rejecting, entriesOf("own draft"))
    const session = await owner()
    const before = await count()
    const own = `/issue/${draftAnew(FiscalDocumentId.make(id))}`
    for (const path of [`/issue/${randomUUID()}?from=${id}`, `${own}?from=x`, `${own}?from=${randomUUID()}`]) assert.strictEqual((await client.get(path, { session })).status, 404, path)
    assert.strictEqual((await client.send(`/issue/${randomUUID()}`, session, { ...entriesOf("own draft"), from: id, seen: "x" })).status, 404)
    assert.strictEqual((await client.get(`${own}?from=${id}`, { session: await stage.session(stage.people.OTHER) })).status, 404)
    assert.strictEqual(await count(), before)
  })
})

describe("a document whose outcome nobody knows", () => {
  it("is neither sent again nor issued anew: every way leads to its own page", async () => {
    const session = await owner()
    const id = await byHandDuring(silent, entriesOf("unknown"))
    assert.strictEqual((await stored(id))?.status, "OUTCOME_UNKNOWN")
    const page = (await client.get(`/receipts/${id}`, { session })).text
    for (const way of ["/again", "?from="]) assert.notInclude(page, way)
    const before = await count()
    const own = `/issue/${draftAnew(FiscalDocumentId.make(id))}`
    const form = { ...entriesOf("unknown"), from: id }
    const tries = [
      await client.get(`/receipts/${id}/again`, { session }), await client.send(`/receipts/${id}/again`, session), await client.get(`${own}?from=${id}`, { session }),
      await client.send(`${own}/entry`, session, { ...form, act: "preview" }), await client.send(own, session, { ...form, seen: "0".repeat(64) })
    ]
    for (const { location } of tries) assert.strictEqual(location, `/receipts/${id}`)
    assert.strictEqual(await count(), before)
    assert.deepStrictEqual(await rowsOf("select attempt from operations where operation_id = $1", [id]), [{ attempt: 1 }])
  })

  it("also where it was rejected while its page was open, and is in doubt since", async () => {
    const session = await owner()
    const id = await byHandDuring(rejecting, entriesOf("in doubt"))
    const own = `/issue/${draftAnew(FiscalDocumentId.make(id))}`
    const form = await confirmed(own, session, { ...entriesOf("in doubt"), from: id })
    const before = await count()
    // As an item of the attention list leaves it: there may be a receipt that the document does not have.
    await rowsOf("update operations set in_doubt = true where operation_id = $1", [id])
    assert.strictEqual((await client.send(own, session, form)).location, `/receipts/${id}`)
    assert.strictEqual(await count(), before)
  })
})
