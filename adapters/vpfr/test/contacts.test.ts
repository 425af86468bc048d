import { Effect } from "effect"
import { createServer } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { TaxRates } from "@overa/domain"
import { type ContactResult, VpfrContacts } from "@overa/adapter-vpfr"
import { ContactRecord, contactResult } from "../src/ContactRecord.ts"
import type { Exchanged } from "../src/Exchange.ts"
import { type Arrived, cuttingServer } from "./support/cuttingServer.ts"
import { clientCa, elementId, farEnd, invoice, jid, server } from "./support/farEnd.ts"
import { message } from "./support/httpMessage.ts"
import { authority } from "./support/throwawayCertificates.ts"

const open: Array<{ readonly close: () => Promise<void> }> = []
afterEach(async () => {
  for (const closable of open.splice(0).reverse()) await closable.close()
})

const answered = (status: number): Exchanged => ({ _tag: "Answered", status, headers: {}, body: Buffer.alloc(0), whole: true })
const nothingLeft = (cause: Extract<Exchanged, { readonly _tag: "NothingLeft" }>["cause"], phase?: "certificate"): Exchanged =>
  ({ _tag: "NothingLeft", cause, detail: cause, ...(phase === undefined ? {} : { phase }) })

describe("the result of a contact with the V-PFR", () => {
  it.each<[string, Exchanged, ContactResult | null]>([
    ["an answer", answered(200), "answered"],
    ["a rejection is an answer", answered(400), "answered"],
    ["a search that finds nothing is an answer", answered(404), "answered"],
    ["a refused element", answered(403), "refused"],
    ["a fault of the V-PFR", answered(500), "serverError"],
    ["a V-PFR that is too busy", answered(429), "serverError"],
    ["silence after the first byte", { _tag: "MayHaveLeft", detail: "silence" }, "noAnswer"],
    ["an untrusted certificate", nothingLeft("unreachable", "certificate"), "certificate"],
    ["no connection", nothingLeft("unreachable"), "connection"],
    ["a connection that was ready too late", nothingLeft("tooLate"), "late"],
    ["no free connection", nothingLeft("busy"), "busy"],
    ["a caller who left says nothing about the V-PFR", nothingLeft("callerGone"), null],
    ["a host that stops says nothing about the V-PFR", nothingLeft("closed"), null]
  ])("%s", (_name, exchanged, result) => {
    expect(contactResult(exchanged)).toBe(result)
  })
})

describe("the record of contacts", () => {
  it("counts from 0, and names the environment whose contacts fail until one is answered", () => {
    let now = 1_000
    const record = new ContactRecord(["sandbox", "production"], () => now)
    expect(record.counts.every(({ count }) => count === 0)).toBe(true)
    record.note("production", nothingLeft("unreachable", "certificate"))
    now = 2_000
    record.note("production", answered(503))
    record.note("sandbox", answered(200))
    expect(record.failing).toEqual([{ environment: "production", failures: 2, sinceMillis: 1_000, detail: "the V-PFR answered with status 503" }])
    expect(record.counts.filter(({ count }) => count > 0)).toEqual([
      { environment: "sandbox", result: "answered", count: 1 },
      { environment: "production", result: "certificate", count: 1 },
      { environment: "production", result: "serverError", count: 1 }
    ])
    record.note("production", nothingLeft("callerGone"))
    expect(record.failing).toHaveLength(1)
    record.note("production", answered(200))
    expect(record.failing).toEqual([])
  })
})

const askRates = Effect.flatMap(TaxRates, (rates) => Effect.exit(rates.fresh(invoice().tenant, elementId())))
const failing = Effect.map(VpfrContacts, (contacts) => contacts.failing)

describe("a failed contact", () => {
  it("with an untrusted root has a line in the log with its cause, is counted, and is known to the host", async () => {
    const end = await cuttingServer(server, { jid, ca: clientCa.certificate })
    const log: Array<unknown> = []
    const far = farEnd(end.url, { log, trustAnchors: authority("Another root").certificate })
    open.push(end, far)
    await far.run(askRates)
    expect(log).toContainEqual([
      "a contact with the V-PFR failed",
      { environment: "sandbox", jid, request: "GET /api/v3/status", result: "certificate", cause: expect.stringContaining("certificate is not trusted") }
    ])
    expect(await far.run(failing)).toMatchObject([{ environment: "sandbox", failures: 1 }])
  })

  it("is named as refused or as a fault of the V-PFR by its status, and ends with the next answer", async () => {
    const end = await cuttingServer(server, { jid, ca: clientCa.certificate })
    const log: Array<unknown> = []
    const far = farEnd(end.url, { log })
    open.push(end, far)
    const answer = (status: string) => {
      end.behaviour.onRequest = ({ socket }: Arrived) => void socket.write(message(status, "{}"))
    }
    answer("502 Bad Gateway")
    await far.run(askRates)
    expect(await far.run(failing)).toMatchObject([{ detail: "the V-PFR answered with status 502" }])
    answer("200 OK")
    await far.run(askRates)
    expect(await far.run(failing)).toEqual([])
    expect(log).toHaveLength(1)
  })

  it("at a port that nobody listens on is a failed connection", async () => {
    const nobody = createServer()
    await new Promise<void>((resolve) => nobody.listen(0, "127.0.0.1", resolve))
    const { port } = nobody.address() as { readonly port: number }
    await new Promise((resolve) => nobody.close(resolve))
    const log: Array<unknown> = []
    const far = farEnd(`https://127.0.0.1:${port}`, { log })
    open.push(far)
    await far.run(askRates)
    expect(log).toMatchObject([["a contact with the V-PFR failed", { result: "connection" }]])
  })
})
