import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type IssueElement, type RunningSimulator, startSimulator } from "../src/index.ts"
import type { Json } from "./support/Json.ts"
import { bakery, sale } from "./support/requests.ts"
import { VpfrClient } from "./support/VpfrClient.ts"

// Answers that others have published, beside the simulator's to such a request. What differs is named here, and listed in the README.

const published = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../../../domain/test/examples/published/answers/${name}.json`, import.meta.url), "utf8"))

const kindOf = (value: unknown): string => value === null ? "null" : typeof value

/** Each member with the kind of its value, in the order in which it stands: `invoiceResult.totalAmount number`. */
const membersOf = (value: Json, path = ""): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return [`${path} ${kindOf(value)}`]
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, path === "" ? name : `${path}.${name}`))
}

/** A text with every number and every identifier of eight made equal: what is left is its form. */
const formOf = (text: string): string => text.replaceAll(/\b[A-Za-z0-9]{8}(?=-)/g, "JID").replaceAll(/\d+/g, "9")

let simulator: RunningSimulator
const clients: Array<VpfrClient> = []
const clientOf = async (order: IssueElement): Promise<VpfrClient> => {
  const client = new VpfrClient(simulator, await simulator.issueElement(order))
  clients.push(client)
  return client
}

// A time whose milliseconds end with a zero, as in the published check.
beforeAll(async () => {
  simulator = await startSimulator({ now: () => Date.parse("2026-11-03T10:15:33.930Z") })
})
afterAll(async () => {
  for (const client of clients) client.close()
  await simulator.stop()
})

const saleOf = (quantity: number) => ({
  ...sale, options: {}, payment: [{ amount: quantity * 50, paymentType: 1 }],
  items: [{ name: "Artikl 1", quantity, unitPrice: 50, labels: ["F"], totalAmount: quantity * 50 }]
})
const copyOf = (source: Json, quantity: number) => ({ ...saleOf(quantity), invoiceType: 2, referentDocumentNumber: source.invoiceNumber, referentDocumentDT: source.sdcDateTime })

describe("published answers, member by member", () => {
  it("the public check: the same members in the same order, of the same kinds, and the time in the same form", async () => {
    const file = published("public-check")
    const client = await clientOf({ ...bakery, environment: "production" })
    const { json } = await client.submit({ ...sale, cashier: "Operater 1", items: [{ ...sale.items[0], labels: ["Ђ"] }] })
    const answer: Json = await (await fetch(json.verificationUrl, { headers: { accept: "application/json" } })).json()
    expect(membersOf(answer)).toEqual(membersOf(file))
    expect(answer.invoiceRequest.cashier).toBe(file.invoiceRequest.cashier)
    for (const name of ["invoiceNumber", "invoiceCounterExtension", "sdcTime"]) expect(formOf(answer.invoiceResult[name])).toBe(formOf(file.invoiceResult[name]))
    expect(answer.invoiceResult.sdcTime).toBe("2026-11-03T10:15:33.93Z")
  })

  it("a sale and a copy of Republika Srpska: its three members for pictures alone are not here, and its taxes are the same", async () => {
    const client = await clientOf(bakery)
    const source = (await client.submit(saleOf(2))).json
    const copy = (await client.submit(copyOf(source, 6))).json
    for (const [name, answer] of [["republika-srpska-sale", source], ["republika-srpska-copy", copy]] as const) {
      const file = published(name)
      const [here, there] = [membersOf(answer), membersOf(file)]
      expect(there.filter((member) => !here.includes(member))).toEqual(["invoiceImageHtml null", "invoiceImagePdfBase64 null", "invoiceImagePngBase64 null"])
      expect(here.filter((member) => !there.includes(member))).toEqual([])
      expect(answer.taxItems).toEqual(file.taxItems)
      for (const same of ["messages", "totalAmount", "invoiceCounterExtension"]) expect(answer[same]).toBe(file[same])
      for (const form of ["invoiceNumber", "invoiceCounter", "sdcDateTime"]) expect(formOf(answer[form])).toBe(formOf(file[form]))
    }
  })

  it("what an ESIR relayed of the sandbox: the same, but the word in messages; five members are the ESIR's own", async () => {
    const [file] = published("relayed-by-an-esir")
    const { json } = await (await clientOf(bakery)).submit(sale)
    const here = membersOf(json)
    expect(membersOf(file).filter((member) => !here.includes(member)))
      .toEqual(["orderID string", "merchantTin string", "fiscalizationDate string", "invoiceType string", "transactionType string"])
    for (const form of ["invoiceNumber", "invoiceCounter"]) expect(formOf(json[form])).toBe(formOf(file[form]))
    expect([file.messages, json.messages]).toEqual(["Success", "Успешно"])
  })
})
