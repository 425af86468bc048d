import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type WholeInstallation, wholeInstallation } from "../src/support/wholeInstallation.ts"

/** How long an element is not used after its first refusal, and as long again for a machine under load. */
const withinMillis = 10_000

interface Answer {
  readonly status: number
  readonly json: { readonly id: string; readonly status: string; readonly failureCode?: string | null; readonly refund?: { readonly status: string } }
}

// A refusal of the element proves that nothing was signed, and it ends when the V-PFR accepts the element again: no other request must ask first.
describe("an element the V-PFR refused once", () => {
  let installation: WholeInstallation
  let token: string
  beforeAll(async () => {
    installation = await wholeInstallation()
    const { clientId, clientSecret } = installation.shop
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, scope: "fiscal:write refund:write fiscal:read" })
    const granted = await fetch(installation.api.authUrl, { method: "POST", body })
    token = (await granted.json() as { readonly access_token: string }).access_token
  })
  afterAll(() => installation.close())

  const post = async (path: string, key: string, body: unknown): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": key }
    const answer = await fetch(installation.api.url + path, { method: "POST", headers, body: JSON.stringify(body) })
    return { status: answer.status, json: await answer.json() as Answer["json"] }
  }
  const place = () => ({ taxpayerId: installation.shop.taxpayerId, businessPremiseId: installation.shop.businessPremiseId })
  const item = { name: "Књига", unitOfMeasure: "ком", quantity: 1, unitPrice: 100, taxLabels: ["A"] }
  const sell = (key: string) =>
    post("/v1/fiscal-documents", key, {
      ...place(), clientReference: key, invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" }, items: [item], payments: [{ type: "CASH", amount: 100 }]
    })
  const giveBack = (key: string, fiscalDocumentId: string) =>
    post("/v1/refund-workflows", key, {
      ...place(), clientReference: key, original: { source: "SVC", fiscalDocumentId }, cashier: { id: "web" }, buyer: { id: "20:123456789" },
      items: [{ ...item, originalLineIndex: 0 }], payments: [{ type: "CASH", amount: 100 }]
    })
  const refuseOnce = () => installation.desk.simulator.addFault({ fault: "status", code: 403, times: 1 })
  const signedSoFar = async () => (await (await fetch(`${installation.desk.simulator.controlUrl}/receipts?limit=0`)).json() as { readonly count: number }).count
  /** Repeats one request until it is answered with 2xx; how long that took. */
  const untilTaken = async (ask: (turn: number) => Promise<Answer>) => {
    const from = performance.now()
    for (let turn = 0; ; turn += 1) {
      const answer = await ask(turn)
      const millis = performance.now() - from
      if (answer.status < 300 || millis > 2 * withinMillis) return { answer, millis }
      await pause(250)
    }
  }

  it("is found accepted again by the very request that was refused, within one pause and with one receipt", async () => {
    await refuseOnce()
    const before = await signedSoFar()
    const first = await sell("refused-sale-0123456789")
    expect(first).toMatchObject({ status: 503, json: { status: "NOT_FISCALIZED", failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE" } })
    const { answer, millis } = await untilTaken(() => sell("refused-sale-0123456789"))
    expect(answer).toMatchObject({ json: { id: first.json.id, status: "FISCALIZED" } })
    expect(millis).toBeLessThan(withinMillis)
    expect(await signedSoFar()).toBe(before + 1)
  }, 60_000)

  it("is found accepted again by a refund alone, which then completes with its copy", async () => {
    const sold = await sell("sold-before-refusal-0123456789")
    expect(sold.json.status).toBe("FISCALIZED")
    await refuseOnce()
    const refused = await giveBack("refused-refund-0123456789-0", sold.json.id)
    expect(refused).toMatchObject({ status: 503, json: { status: "FAILED" } })
    // A refund that was never sent is final; the next one has another key.
    const { answer, millis } = await untilTaken((turn) => giveBack(`refused-refund-0123456789-${turn + 1}`, sold.json.id))
    expect(answer).toMatchObject({ status: 201, json: { status: "COMPLETED" } })
    expect(millis).toBeLessThan(withinMillis)
  }, 60_000)

  it("was raised for attention once each time, not at every try", async () => {
    const client = await installation.desk.database.client()
    const { rows } = await client.query("select kind, count(*)::int as count from attention group by kind")
    expect(rows.every(({ count }) => count <= 2)).toBe(true)
    expect(rows.length).toBeGreaterThan(0)
  })
})
