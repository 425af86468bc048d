import { X509Certificate } from "node:crypto"
import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Element, type RunningSimulator, startSimulator } from "../src/index.ts"
import { faultNames } from "../src/faults/Fault.ts"
import { bakery, sale } from "./support/requests.ts"
import type { Json } from "./support/Json.ts"
import { VpfrClient } from "./support/VpfrClient.ts"

let simulator: RunningSimulator
let element: Element

beforeAll(async () => {
  simulator = await startSimulator()
  element = await simulator.issueElement(bakery)
})
afterAll(() => simulator.stop())

const control = async (method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly json: Json }> => {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
  const response = await fetch(simulator.controlUrl + path, text === undefined ? { method } : { method, headers: { "content-type": "application/json" }, body: text })
  return { status: response.status, json: await response.json() }
}

/** A request with headers that `fetch` does not let anybody write. */
const raw = (headers: Readonly<Record<string, string>>, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const url = new URL("/faults", simulator.controlUrl)
    const sent = request({ host: url.hostname, port: url.port, path: url.pathname, method: "POST", headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on("error", reject)
    sent.end(body)
  })

describe("The control is used by this machine's programs alone, not by pages that a browser has open", () => {
  const json = { "content-type": "application/json" }
  const hang = JSON.stringify({ fault: "hang", times: 1 })
  it.each([
    ["a host name that leads here", { ...json, host: "evil.example" }, hang, 403],
    ["a page of another origin", { ...json, origin: "https://evil.example" }, hang, 403],
    ["a page without an origin", { ...json, origin: "null" }, hang, 403],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, hang, 415],
    ["plain text", { "content-type": "text/plain" }, hang, 415],
    ["a body without a type", {}, hang, 415],
    ["a prototype", json, `{"__proto__":{"fault":"hang"},"fault":"hang"}`, 400],
    ["a field every object has", json, `{"fault":"hang","constructor":1}`, 400]
  ] as const)("%s is refused", async (_what, headers, body, status) => {
    expect(await raw(headers, body)).toBe(status)
    expect((await control("GET", "/faults")).json).toEqual({ faults: [] })
  })

  it("by any of its loopback names", async () => {
    const { port } = new URL(simulator.controlUrl)
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) expect(await raw({ ...json, host, origin: `http://${host}` }, hang)).toBe(201)
    await control("DELETE", "/faults")
  })
})

describe("Faults by control", () => {
  it("are set, listed with what is left of them, and lifted", async () => {
    const set = await control("POST", "/faults", { fault: "status", code: 500, times: 2 })
    expect(set).toMatchObject({ status: 201, json: { fault: "status", code: 500, times: 2, remaining: 2, struck: 0 } })
    const client = new VpfrClient(simulator, element)
    await client.submit(sale)
    expect((await control("GET", "/faults")).json.faults).toMatchObject([{ id: set.json.id, remaining: 1, struck: 1 }])
    expect((await control("DELETE", `/faults/${set.json.id}`)).json).toEqual({ cleared: 1 })
    expect((await client.submit(sale)).status).toBe(200)
    client.close()
    await control("POST", "/faults", { fault: "hang" })
    await control("POST", "/faults", { fault: "delay", ms: 5 })
    expect((await control("DELETE", "/faults")).json).toEqual({ cleared: 2 })
    expect((await control("GET", "/faults")).json).toEqual({ faults: [] })
  })

  it.each(faultNames.map((fault) => [fault] as const))("%s can be set", async (fault) => {
    const needed = fault === "delay" || fault === "clock-skew" ? { ms: 1 } : fault === "status" ? { code: 500 } : {}
    expect((await control("POST", "/faults", { fault, ...needed, times: 1 })).status).toBe(201)
    await control("DELETE", "/faults")
  })

  const bad: ReadonlyArray<readonly [unknown, RegExp]> = [
    ["{", /not valid JSON/],
    ["[]", /must be a JSON object/],
    [{}, /fault is required/],
    [{ fault: "explode" }, /fault must be one of refuse-connection/],
    [{ fault: "hang", time: 1 }, /time is not known here/],
    [{ fault: "hang", times: 0 }, /times must be a whole number/],
    [{ fault: "hang", times: 1.5 }, /times must be a whole number/],
    [{ fault: "hang", probability: 1.1 }, /probability must be a number from 0 to 1/],
    [{ fault: "hang", seed: 1 }, /seed is of use with probability only/],
    [{ fault: "hang", element: "x" }, /element must be a JID/],
    [{ fault: "hang", element: "Dt1Ov1o-" }, /element must be a JID/],
    [{ fault: "hang", environment: "test" }, /environment must be one of/],
    [{ fault: "hang", ms: 5 }, /ms belongs to delay and clock-skew/],
    [{ fault: "delay" }, /delay needs the field ms/],
    [{ fault: "delay", ms: -1 }, /cannot be negative/],
    [{ fault: "clock-skew" }, /clock-skew needs the field ms/],
    [{ fault: "status" }, /status needs the field code/],
    [{ fault: "status", code: 99 }, /code must be a whole number from 200/],
    [{ fault: "status", code: 500, contentType: "a\r\nb" }, /contentType must be a media type/],
    [{ fault: "reject", modelState: [] }, /modelState must be a list/],
    [{ fault: "reject", modelState: [{ property: "x" }] }, /modelState must be a list/],
    [{ fault: "wrong-amount", amount: 0.001 }, /at most two decimals/],
    [{ fault: "wrong-amount", amount: 0 }, /must differ from 0/],
    [{ fault: "refuse-connection", element: "AAAAAAAA" }, /cannot be aimed at an element/],
    [{ fault: "sign-then-hang", endpoint: "status" }, /strikes only where it belongs/]
  ]

  it.each(bad)("refuses %j and changes nothing", async (body, message) => {
    expect(await control("POST", "/faults", body)).toMatchObject({ status: 400, json: { error: expect.stringMatching(message) } })
    expect((await control("GET", "/faults")).json.faults).toEqual([])
  })

  it("knows which elements and faults there are", async () => {
    expect((await control("POST", "/faults", { fault: "hang", element: "AAAAAAAA" })).status).toBe(404)
    expect((await control("POST", "/faults", { fault: "hang", element: "Dt1Ov1o0" })).status).toBe(404)
    expect((await control("POST", "/elements", { ...bakery, sameKeyAs: "Dt1Ov1o0" })).status).toBe(404)
    expect((await control("DELETE", "/faults/77")).status).toBe(404)
    expect((await control("DELETE", "/faults/x")).status).toBe(404)
  })
})

describe("Elements by control", () => {
  it("are issued ready for use", async () => {
    const { json, status } = await control("POST", "/elements", { ...bakery, environment: "production", pfxFlavour: "modern" })
    expect(status).toBe(201)
    expect(Object.keys(json)).toEqual(expect.arrayContaining(["jid", "pfxBase64", "password", "pac", "certificatePem", "chainPem"]))
    const client = new VpfrClient(simulator, json as Element)
    const national = { ...sale, items: [{ ...sale.items[0], labels: ["Ђ"] }] }
    expect((await client.submit(national)).json).toMatchObject({ tin: "111911206", taxItems: [{ label: "Ђ", amount: 11.41, rate: 20 }] })
    client.close()
    expect((await control("GET", `/elements/${json.jid}`)).json).toEqual(json)
    expect((await control("GET", "/elements")).json.elements.map((each: Element) => each.jid)).toContain(json.jid)
    expect((await control("POST", `/elements/${json.jid}/revocation`)).json).toEqual({ jid: json.jid, revoked: true })
  })

  it.each([
    [{ ...bakery, tin: "1" }, /tin must be nine digits/],
    [{ ...bakery, environment: "x" }, /environment must be one of sandbox, production/],
    [{ ...bakery, businessName: "" }, /businessName must be a text/],
    [{ ...bakery, address: "a\nb" }, /address must not hold control characters/],
    [{ ...bakery, pfxFlavour: "x" }, /pfxFlavour must be one of modern, 3des, rc2-40/],
    [{ ...bakery, notBefore: "2026-01-01" }, /notBefore must be a date and time with offset/],
    [{ ...bakery, notBefore: "2026-01-02T00:00:00Z", notAfter: "2026-01-01T00:00:00Z" }, /notAfter must lie behind/],
    [{ environment: "sandbox" }, /businessName is required/]
  ])("refuses %j", async (body, message) => {
    const before = (await control("GET", "/elements")).json.elements.length
    expect(await control("POST", "/elements", body)).toMatchObject({ status: 400, json: { error: expect.stringMatching(message) } })
    expect((await control("GET", "/elements")).json.elements).toHaveLength(before)
  })

  it("answers 404 for an unknown one", async () => {
    expect((await control("GET", "/elements/AAAAAAAA")).status).toBe(404)
    expect((await control("POST", "/elements", { ...bakery, sameKeyAs: "AAAAAAAA" })).status).toBe(404)
    expect((await control("POST", "/elements/AAAAAAAA/revocation")).status).toBe(404)
  })
})

describe("Certificates, signers, rates, settings, receipts", () => {
  it("publishes roots and chains, different per environment", async () => {
    const { json } = await control("GET", "/ca")
    expect(json.sandbox.rootPem).toBe(simulator.trustAnchorsPem("sandbox"))
    expect(json.production.rootPem).not.toBe(json.sandbox.rootPem)
    expect(new X509Certificate(json.sandbox.rootPem).subject).toContain("СИМУЛАТОР")
  })

  it("publishes three signers per environment", async () => {
    const { json } = await control("GET", "/signers")
    for (const signer of [...json.sandbox, ...json.production]) {
      expect(signer).toMatchObject({ uid: expect.stringMatching(/^[A-Za-z0-9]{6}[Oo]0$/), modulusHex: expect.stringMatching(/^[0-9a-f]{512}$/), publicExponent: 65537 })
    }
    // The authority's sandbox signs with small letters, production in capitals.
    const smallLetters = (signers: ReadonlyArray<{ readonly uid: string }>) => signers.filter(({ uid }) => /[a-z]/.test(uid)).length
    expect([smallLetters(json.sandbox), smallLetters(json.production)]).toEqual([1, 0])
    expect([json.sandbox.length, json.production.length]).toEqual([3, 3])
  })

  it("puts a rate change into force at its time", async () => {
    const categories = [{ name: "VAT", categoryType: 0, taxRates: [{ label: "A", rate: 9 }, { label: "Q", rate: 12.5 }] }]
    const validFrom = new Date(Date.now() - 1000).toISOString()
    const { json, status } = await control("POST", "/tax-rates", { environment: "sandbox", validFrom, taxCategories: categories })
    expect([status, json.groupId]).toEqual([201, 10])
    const client = new VpfrClient(simulator, element)
    expect((await client.call("GET", "/api/v3/status")).json.currentTaxRates.groupId).toBe(10)
    const item = { name: "x", quantity: 1, unitPrice: 112.5, labels: ["Q"], totalAmount: 112.5 }
    expect((await client.submit({ ...sale, items: [item] })).json).toMatchObject({ taxGroupRevision: 10, taxItems: [{ label: "Q", amount: 12.5 }] })
    expect((await client.submit({ ...sale, items: [{ ...item, labels: ["F"] }] })).json.modelState[0].errors).toEqual(["2310"])
    client.close()
  })

  it.each([
    [{ environment: "sandbox" }, /validFrom is required/],
    [{ environment: "sandbox", validFrom: "2090-01-01", taxCategories: [{}] }, /validFrom must be a date and time with offset/],
    [{ environment: "sandbox", validFrom: "2090-13-01T00:00:00Z", taxCategories: [{}] }, /must be a date and time that exists/],
    [{ environment: "sandbox", validFrom: "2090-01-01T00:00:00Z", taxCategories: [{}] }, /name is required/],
    [{
      environment: "sandbox",
      validFrom: "2090-01-01T00:00:00Z",
      taxCategories: [{ name: "V", categoryType: 0, taxRates: [{ label: "A", rate: 1.234 }] }]
    }, /rate must be a number/],
    [{
      environment: "sandbox",
      validFrom: "2090-01-01T00:00:00Z",
      taxCategories: [{ name: "V", categoryType: 0, taxRates: [{ label: "A", rate: 1 }, { label: "A", rate: 2 }] }]
    }, /label A is given twice/]
  ])("refuses rates %j", async (body, message) => {
    const before = (await control("GET", "/tax-rates")).json
    expect(await control("POST", "/tax-rates", body)).toMatchObject({ status: 400, json: { error: expect.stringMatching(message) } })
    expect((await control("GET", "/tax-rates")).json).toEqual(before)
  })

  it("changes settings one by one", async () => {
    expect((await control("PATCH", "/settings", { headerForm: "left" })).json).toEqual({
      notFoundForm: "200-null", headerForm: "left", pacRefusalStatus: 400, labelOrder: "first-use", internalDataBytes: 256, paymentDecimals: 2
    })
    expect((await control("PATCH", "/settings", { notFoundForm: "500" })).json.error).toMatch(/notFoundForm must be one of 200-null, 200-empty, 204, 404/)
    const client = new VpfrClient(simulator, element)
    const { journal } = (await client.submit(sale)).json
    expect(journal.split("\r\n")[1]).toBe("RS111911206")
    client.close()
  })

  it("counts receipts by element, newest first, up to a limit", async () => {
    const own = await simulator.issueElement({ ...bakery, sameKeyAs: element.jid })
    const client = new VpfrClient(simulator, own)
    const numbers: Array<string> = []
    for (let turn = 0; turn < 4; turn++) numbers.unshift((await client.submit(sale)).json.invoiceNumber)
    client.close()
    const { json } = await control("GET", `/receipts?element=${own.jid}&limit=3`)
    expect(json.count).toBe(4)
    expect(json.receipts.map((receipt: Json) => receipt.invoiceNumber)).toEqual(numbers.slice(0, 3))
    expect((await control("GET", "/receipts?limit=x")).status).toBe(400)
    expect((await control("GET", "/receipts?requestid=x")).json.error).toMatch(/requestid is not known here/)
  })

  it("shows one receipt as it travelled", async () => {
    const client = new VpfrClient(simulator, element)
    const submitted = await client.submit(sale, "shown")
    client.close()
    const { json } = await control("GET", `/receipts/${submitted.json.invoiceNumber}`)
    expect(json).toMatchObject({ receipt: { requestId: "shown", environment: "sandbox" }, request: JSON.stringify(sale), answer: submitted.text })
    expect((await control("GET", "/receipts/AAAAAAAA-BBBBBBO0-1")).status).toBe(404)
  })

  it("names what it knows where it knows nothing", async () => {
    expect(await control("GET", "/nothing")).toMatchObject({ status: 404, json: { error: expect.stringContaining("GET /receipts") } })
    expect((await control("PUT", "/faults", {})).status).toBe(404)
  })
})
