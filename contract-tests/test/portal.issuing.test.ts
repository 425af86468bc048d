import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { assert, describe, it } from "vitest"
import { byHand, refundEntries as refund, saleEntries } from "../src/portal/byHand.ts"
import { issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, rowsOf, stage } = sharedPortal()

const { confirmed, draft, issue, preview } = byHand({ client, rowsOf })

const documentOf = (location: string): string => /receipts\/([0-9a-f-]{36})/.exec(location)?.[1] ?? ""

describe("the cashier of a document issued in the portal", () => {
  it("is a name that the person chooses, shown before the document is issued and printed on it; never the sign-in address", async () => {
    const sale = await issueSale(stage)
    const session = await stage.session(stage.people.OWNER)
    const { email } = stage.people.OWNER
    const address = await draft(session, `/receipts/${sale.id}/refund`)
    const { cashier: _, ...nobody } = refund
    // Nothing is issued for a person who has chosen no name, and none that is an address.
    for (const cashier of [undefined, "", " ", email, `Ана ${email}`]) {
      const form = cashier === undefined ? {} : { cashier }
      assert.strictEqual((await client.send(`/receipts/${sale.id}/copy`, session, form)).status, 422, cashier)
      assert.strictEqual((await client.send(address, session, { ...nobody, ...form })).status, 422, cashier)
    }
    const shown = await preview(address, session, { ...refund, cashier: " Каса 2 " })
    assert.match(shown.text, /Касир: +Каса 2/)
    const issued = { location: `/receipts/${await issue(address, session, { ...refund, cashier: "Каса 2" })}` }
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
      const path = await draft(session, `/receipts/${sale.id}/refund`)
      const form = { ...await confirmed(path, session, refund), proof, form: crypto.randomUUID(), place }
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

  const operationsOf = (reference: string, kind: string) =>
    rowsOf<{ readonly id: string }>(
      "select operation_id as id, status, failure_code as failure from operations where client_reference = $1 and concat_ws(' ', invoice_type, transaction_type) = $2 order by created_at", [reference, kind])

  /** The only document of its kind is the one that the second submit was led to. */
  const assertOne = async (session: string, location: string, reference: string, kind: string) => {
    const id = documentOf(location)
    assert.deepStrictEqual(await operationsOf(reference, kind), [{ id, status: "FISCALIZED", failure: null }] as ReadonlyArray<object>)
    assert.notInclude((await client.get(place() + location, { session })).text, "одустала")
  }

  const submitTwice = async (path: string, session: string, form: Readonly<Record<string, string>>): Promise<string> => {
    const { location, status, text } = await twice(path, session, { ...form, proof: await client.proof(session), form: crypto.randomUUID(), place: place() })
    assert.strictEqual(status, 303, text)
    return location.split("?")[0] ?? ""
  }

  const draftTwice = async (page: string, session: string, entries: Readonly<Record<string, string>>): Promise<string> => {
    const address = await draft(session, page)
    return await submitTwice(address, session, await confirmed(address, session, entries))
  }

  it("a refund is one receipt, and nobody has given up", async () => {
    const session = await stage.session(stage.people.OWNER)
    const sale = await issueSale(stage, { reference: "two clicks" })
    await assertOne(session, await draftTwice(`/receipts/${sale.id}/refund`, session, refund), "two clicks", "NORMAL REFUND")
  })

  it("a copy is one receipt, and nobody has given up", async () => {
    const session = await stage.session(stage.people.OWNER)
    const sale = await issueSale(stage, { reference: "two clicks of a copy" })
    await assertOne(session, await submitTwice(`/receipts/${sale.id}/copy`, session, { cashier: "Ана" }), "two clicks of a copy", "COPY SALE")
  })

  it.each([["NORMAL", "NORMAL SALE"], ["PROFORMA", "PROFORMA SALE"], ["TRAINING", "TRAINING SALE"], ["ADVANCE", "ADVANCE SALE"]])("%s by hand is one document, and nobody has given up", async (kind, stored) => {
    const session = await stage.session(stage.people.OWNER)
    const reference = `two clicks by hand ${kind}`
    await assertOne(session, await draftTwice("/issue", session, { ...saleEntries(stage.shop.businessPremiseId, reference), kind }), reference, stored)
  })

  it("a further payment, a refund and the closing of an advance are one document each", async () => {
    const session = await stage.session(stage.people.OWNER)
    const reference = "two clicks of an advance"
    const entries = { ...saleEntries(stage.shop.businessPremiseId, reference), buyer: "20:123456789" }
    await issue(await draft(session, "/issue"), session, { ...entries, kind: "ADVANCE" })
    const [{ id }] = await rowsOf<{ readonly id: string }>("select case_id as id from advance_cases where client_reference = $1", [reference]) as [{ readonly id: string }]
    const second = documentOf(await draftTwice(`/advances/${id}/payment`, session, entries))
    assert.deepStrictEqual((await operationsOf(reference, "ADVANCE SALE")).map((row) => row.id).slice(1), [second])
    await assertOne(session, await draftTwice(`/advances/${id}/refund`, session, { buyer: "20:123456789", reason: "", cashier: "Ана" }), reference, "ADVANCE REFUND")
    await assertOne(session, await draftTwice(`/advances/${id}/closing`, session, { ...entries, "price-0": "500" }), reference, "NORMAL SALE")
    assert.strictEqual((await operationsOf(reference, "ADVANCE REFUND")).length, 2)
  })

  it("sending a failed document again sends it once", async () => {
    const session = await stage.session(stage.people.OWNER)
    await stage.desk.simulator.addFault({ fault: "refuse-connection" })
    const failed = await issueSale(stage, { reference: "two clicks again" }).finally(() => stage.desk.simulator.clearFaults())
    assert.strictEqual(failed.status, "NOT_FISCALIZED")
    await assertOne(session, await submitTwice(`/receipts/${failed.id}/again`, session, {}), "two clicks again", "NORMAL SALE")
    assert.strictEqual((await rowsOf("select from attempts where operation_id = $1 and outcome = 'SIGNED'", [failed.id])).length, 1)
  })
})
