import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { assert, describe, it } from "vitest"
import { issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, rowsOf, stage } = sharedPortal()

const refund = { "line-0": "1", payment: "CARD", buyer: "10:100000008", total: "1.250,50" }

const documentOf = (location: string): string => /receipts\/([0-9a-f-]{36})/.exec(location)?.[1] ?? ""

describe("the cashier of a document issued in the portal", () => {
  it("is a name that the person chooses, shown before the document is issued and printed on it; never the sign-in address", async () => {
    const sale = await issueSale(stage)
    const session = await stage.session(stage.people.OWNER)
    const { email } = stage.people.OWNER
    // Nothing is issued for a person who has chosen no name, and none that is an address.
    for (const cashier of [undefined, "", " ", email, `Ана ${email}`]) {
      const form = cashier === undefined ? {} : { cashier }
      assert.strictEqual((await client.send(`/receipts/${sale.id}/copy`, session, form)).status, 422, cashier)
      assert.strictEqual((await client.send(`/receipts/${sale.id}/refund`, session, { ...refund, ...form })).status, 422, cashier)
    }
    const shown = await client.send(`/receipts/${sale.id}/refund/check`, session, { ...refund, cashier: " Каса 2 " })
    assert.match(shown.text, /Касир на рачуну<\/dt><dd>Каса 2</)
    // The way back to the entry loses nothing.
    const back = await client.send(`/receipts/${sale.id}/refund/check`, session, { ...refund, buyer: "11:0101990710009", cashier: "Каса 2", edit: "yes" })
    for (const entry of ['name="line-0"', 'value="1"', 'value="11:0101990710009"', 'value="Каса 2"']) assert.include(back.text, entry)
    assert.notInclude(back.text, 'role="alert"')
    const issued = await client.send(`/receipts/${sale.id}/refund`, session, { ...refund, cashier: "Каса 2" })
    // Chosen once, it is in the next form; a form of an earlier release names none and gets it too.
    assert.include((await client.get(`/receipts/${sale.id}/copy`, { session })).text, 'value="Каса 2"')
    const copied = await client.send(`/receipts/${sale.id}/copy`, session)
    for (const { location } of [issued, copied]) {
      const id = documentOf(location)
      const paper = await client.get(`/receipts/${id}/paper/official-text`, { session })
      assert.match(paper.text, /Касир: +Каса 2\r?\n/)
      assert.notInclude(paper.text, "@")
    }
    assert.include(await activity(), `portal:${email} cashier name chosen ${email}`)
  })
})

/** Sends a form and leaves before it is answered, as a browser does whose person clicks again. */
const sendAndLeave = async (path: string, session: string, form: Readonly<Record<string, string>>): Promise<void> => {
  const { host, hostname, port } = new URL(client.origin)
  const body = new URLSearchParams(form).toString()
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${client.origin}\r\nCookie: overa-session=${session}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  const socket = connect(Number(port), hostname)
  socket.on("error", () => undefined)
  await once(socket, "connect")
  await new Promise<void>((resolve) => void socket.write(head + body, () => resolve()))
  socket.destroy()
}

describe("a form of a document that is submitted twice within some milliseconds", () => {
  it("issues one receipt, although the browser leaves the first request", async () => {
    const session = await stage.session(stage.people.OWNER)
    const proof = await client.proof(session)
    for (let round = 0; round < 6; round++) {
      const sale = await issueSale(stage)
      const place = `/o/${stage.shop.organizationId}/sandbox`
      const form = { "line-0": "1", payment: "CARD", buyer: "10:100000008", cashier: "Ана", total: "1.250,50", proof, form: crypto.randomUUID(), place }
      const path = `/receipts/${sale.id}/refund`
      await sendAndLeave(place + path, session, form)
      // The person's second click is the last one: it is answered with the receipt.
      const answer = await client.ask("POST", place + path, { session, form })
      assert.strictEqual(answer.status, 303, answer.text)
      const shown = await client.get(place + answer.location, { session })
      assert.include(shown.text, "Фискализован")
      assert.strictEqual((await rowsOf("select from refund_workflows where original_id = $1", [sale.id])).length, 1)
    }
  }, 60_000)
})

/** Nothing is stored meanwhile, so that every request of `work` arrives before the first one is carried out. */
const whileNothingIsStored = async <A>(work: () => Promise<A>): Promise<A> => {
  const holder = new pg.Client({ connectionString: stage.desk.database.url })
  await holder.connect()
  try {
    await holder.query("begin")
    await holder.query("lock table operations in share row exclusive mode")
    const done = work()
    await wait(300)
    await holder.query("commit")
    return await done
  } finally {
    await holder.end()
  }
}

describe("two submits of one form, 15 ms apart, whose first is left before anything is stored", () => {
  const place = () => `/o/${stage.shop.organizationId}/sandbox`

  const twice = (path: string, session: string, form: Readonly<Record<string, string>>) =>
    whileNothingIsStored(async () => {
      await sendAndLeave(place() + path, session, form)
      await wait(15)
      return await client.ask("POST", place() + path, { session, form })
    })

  /** The only document of its kind is the one that the second submit was led to. */
  const assertOneReceipt = async (session: string, location: string, reference: string, transactionType: "SALE" | "REFUND") => {
    const rows = await rowsOf(
      "select operation_id as id, status, failure_code as failure from operations where client_reference = $1 and transaction_type = $2 and invoice_type = 'NORMAL'", [reference, transactionType])
    assert.deepStrictEqual(rows, [{ id: documentOf(location), status: "FISCALIZED", failure: null }])
    assert.notInclude((await client.get(place() + location, { session })).text, "одустала")
  }

  it("a refund is one receipt, and nobody has given up", async () => {
    const session = await stage.session(stage.people.OWNER)
    const proof = await client.proof(session)
    const sale = await issueSale(stage, { reference: "two clicks" })
    const form = { "line-0": "1", payment: "CARD", buyer: "10:100000008", cashier: "Ана", total: "1.250,50", proof, form: crypto.randomUUID(), place: place() }
    const { location, status } = await twice(`/receipts/${sale.id}/refund`, session, form)
    assert.strictEqual(status, 303)
    await assertOneReceipt(session, location, "two clicks", "REFUND")
  })

  it("what is issued by hand is one receipt, and nobody has given up", async () => {
    const session = await stage.session(stage.people.OWNER)
    const { location: address } = await client.get("/issue", { session })
    const entries = {
      kind: "NORMAL", premise: stage.shop.businessPremiseId, reference: "two clicks by hand", buyer: "", cashier: "Ана",
      "product-0": "", "name-0": "Свеска", "unit-0": "ком", "quantity-0": "1", "price-0": "120", "discount-0": "", "labels-0": "A", "gtin-0": "", "payment-0": "CARD", "amount-0": ""
    }
    const { text } = await client.send(`${address}/entry`, session, { ...entries, act: "preview" })
    const seen = /name="seen" value="([0-9a-f]+)"/.exec(text)?.[1] ?? ""
    const form = { ...entries, seen, proof: await client.proof(session), form: crypto.randomUUID(), place: place() }
    const { location, status } = await twice(address, session, form)
    assert.strictEqual(status, 303)
    await assertOneReceipt(session, location.split("?")[0] ?? "", "two clicks by hand", "SALE")
  })
})

describe("the V-PFR on the operator's first page", () => {
  it("by element: what it signed and how fast, that it does not answer, that it answers again", async () => {
    const { simulator } = stage.desk
    const session = await stage.session(stage.people.OPERATOR)
    /** The cells of the first row. */
    const cells = async (): Promise<ReadonlyArray<string>> => {
      const { text } = await client.get("/operator", { session })
      const from = text.indexOf("id=\"vpfr\"")
      const card = text.slice(from, text.indexOf("</section>", from))
      const row = card.slice(card.indexOf("<tbody>"), card.indexOf("</tr>", card.indexOf("<tbody>")))
      return [...row.matchAll(/<td[^>]*><span>(.*?)<\/span><\/td>/gs)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, ""))
    }
    const before = Number((await cells())[5] ?? 0)
    assert.strictEqual((await issueSale(stage)).status, "FISCALIZED")
    const good = await cells()
    assert.include(good[0], "Књижара Зора")
    assert.strictEqual(good[3], "одговара")
    assert.match(good.slice(10).join(" "), /^\d+ ms \d+ ms$/)
    await simulator.addFault({ fault: "search-unavailable" })
    await simulator.addFault({ fault: "sign-then-reset", times: 1 })
    const lost = await issueSale(stage, { reference: "lost" }).finally(() => simulator.clearFaults())
    assert.strictEqual(lost.status, "OUTCOME_UNKNOWN")
    const bad = await cells()
    assert.deepStrictEqual([bad[3], bad[9]], ["не одговара", "1"])
    assert.strictEqual((await issueSale(stage, { reference: "again" })).status, "FISCALIZED")
    const again = await cells()
    assert.deepStrictEqual([again[3], again[5], again[9]], ["одговара поново", String(before + 3), "1"])
  })
})
