import { connect } from "node:tls"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ClientCertificateMode, type Element, type RunningSimulator, startSimulator } from "../src/index.ts"
import { bakery, sale } from "./support/requests.ts"
import type { Json } from "./support/Json.ts"
import { VpfrClient } from "./support/VpfrClient.ts"

const modes: ReadonlyArray<ClientCertificateMode> = ["handshake", "renegotiation"]

describe.each(modes)("Client certificates asked for by %s (V-PFR §1.5, §1.7)", (clientCertificate) => {
  let simulator: RunningSimulator
  let element: Element
  let client: VpfrClient

  beforeAll(async () => {
    simulator = await startSimulator({ clientCertificate })
    element = await simulator.issueElement(bakery)
    client = new VpfrClient(simulator, element)
  })
  afterAll(async () => {
    client.close()
    await simulator.stop()
  })

  it("serves a known element, on one connection after another and over kept ones", async () => {
    const large = { ...sale, items: Array.from({ length: 900 }, () => ({ ...sale.items[0], name: "Ж".repeat(200) })) }
    for (const body of [sale, large, sale]) expect((await client.submit(body)).status).toBe(200)
    const fresh = new VpfrClient(simulator, element)
    expect((await fresh.submit(large)).status).toBe(200)
    expect((await fresh.call("GET", "/api/v3/status")).status).toBe(200)
    fresh.close()
  })

  it("knows the element again on resumed sessions", async () => {
    const busy = new VpfrClient(simulator, element)
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => busy.call("GET", "/api/v3/status", { headers: { Connection: "close" } })))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    }
    busy.close()
  })

  it("answers 413 to a body beyond its limit", async () => {
    expect((await client.submit(" ".repeat(9 * 1024 * 1024))).status).toBe(413)
  })

  it("answers 403 with the web server's page without a certificate", async () => {
    const anonymous = new VpfrClient(simulator, element, false)
    const answer = await anonymous.submit(sale)
    expect(answer).toMatchObject({ status: 403, contentType: "text/html; charset=utf-8" })
    expect(answer.text).toContain("<h3>403.7 ")
    anonymous.close()
  })

  it("answers 403 to an element of the other environment", async () => {
    const production = await simulator.issueElement({ ...bakery, environment: "production", sameKeyAs: element.jid })
    const astray = new VpfrClient({ ...simulator, production: simulator.sandbox, trustAnchorsPem: () => simulator.trustAnchorsPem("sandbox") }, production)
    expect((await astray.submit(sale)).text).toContain("403.16")
    astray.close()
    const home = new VpfrClient(simulator, production)
    expect((await home.call("GET", "/api/v3/status")).status).toBe(200)
    home.close()
  })

  it("answers 403 to an expired element, and to a revoked one over its kept connection", async () => {
    const expired = await simulator.issueElement({ ...bakery, notBefore: Date.now() - 7_200_000, notAfter: Date.now() - 3_600_000 })
    const late = new VpfrClient(simulator, expired)
    expect((await late.submit(sale)).text).toContain("403.17")
    late.close()
    const revoked = await simulator.issueElement({ ...bakery, sameKeyAs: element.jid })
    const former = new VpfrClient(simulator, revoked)
    expect((await former.submit(sale)).status).toBe(200)
    await simulator.revokeElement(revoked.jid)
    expect((await former.submit(sale)).text).toContain("403.13")
    former.close()
  })

  it("speaks TLS 1.2 and HTTP/1.1", async () => {
    const { port } = new URL(simulator.sandbox.url)
    const negotiate = (minVersion: "TLSv1.2" | "TLSv1.3") =>
      new Promise<readonly [string | null, string | false | null]>((resolve, reject) => {
        const ca = simulator.trustAnchorsPem("sandbox")
        const socket = connect({ host: "127.0.0.1", port: Number(port), ca, minVersion, ALPNProtocols: ["h2", "http/1.1"] }, () => {
          resolve([socket.getProtocol(), socket.alpnProtocol])
          socket.destroy()
        })
        socket.on("error", reject)
      })
    expect(await negotiate("TLSv1.2")).toEqual(["TLSv1.2", "http/1.1"])
    await expect(negotiate("TLSv1.3")).rejects.toThrow(/protocol version/)
  })
})

describe("Headers and paths", () => {
  let simulator: RunningSimulator
  let client: VpfrClient

  beforeAll(async () => {
    simulator = await startSimulator()
    client = new VpfrClient(simulator, await simulator.issueElement(bakery))
  })
  afterAll(async () => {
    client.close()
    await simulator.stop()
  })

  it.each([{ PAC: "" }, { PAC: "AAAAAA" }, { PAC: "a" }])("refuses submissions and searches with PAC header %j, naming the PAC", async (headers) => {
    for (const answer of [await client.submit(sale, "pac", headers), await client.call("GET", "/api/v3/invoices/pac", { headers })]) {
      expect(answer.status).toBe(400)
      expect(answer.json.Message).toContain("PAC")
    }
    expect(simulator.receipts("pac")).toEqual([])
  })

  it.each([401, 403, 400])("refuses a wrong PAC with %i where that is set", async (pacRefusalStatus) => {
    await fetch(`${simulator.controlUrl}/settings`, { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ pacRefusalStatus }) })
    expect((await client.submit(sale, undefined, { PAC: "AAAAAA" })).status).toBe(pacRefusalStatus)
  })

  it("refuses what is no JSON, no JSON type, or under a RequestId longer than 32", async () => {
    expect(await client.submit("{\"invoiceType\":")).toMatchObject({ status: 400, json: { Message: expect.stringContaining("JSON") } })
    expect((await client.submit(sale, undefined, { "Content-Type": "text/plain" })).status).toBe(415)
    expect((await client.submit(sale, undefined, { "Content-Type": "text/json; charset=utf-8" })).status).toBe(200)
    expect((await client.submit(sale, "x".repeat(33))).json.modelState).toEqual([{ property: "requestId", errors: ["2801"] }])
  })

  it("answers 404 and 405 elsewhere", async () => {
    expect((await client.call("GET", "/api/v3/pin")).status).toBe(404)
    expect((await client.call("GET", "/api/v3/invoices")).status).toBe(405)
    expect((await client.call("POST", "/api/v3/status", { body: {} })).status).toBe(405)
  })

  it("is alive (attention)", async () => {
    expect(await client.call("GET", "/api/v3/attention")).toMatchObject({ status: 200, text: "" })
  })

  it("describes itself (environment-parameters), СИМУЛАТОР in every name", async () => {
    const { json } = await client.call("GET", "/api/v3/environment-parameters")
    expect(json).toMatchObject({
      organizationName: expect.stringContaining("СИМУЛАТОР"),
      environmentName: expect.stringContaining("СИМУЛАТОР"),
      endpoints: { vsdc: `${simulator.sandbox.url}/`, root: simulator.sandbox.verificationUrl },
      supportedLanguages: ["sr-Cyrl-RS", "en-US"]
    })
  })

  it("lists current, past and scheduled rates in status, newest first", async () => {
    const { json, text } = await client.call("GET", "/api/v3/status")
    expect(Object.keys(json)).toEqual(["sdcDateTime", "supportedLanguages", "uid", "taxCoreApi", "currentTaxRates", "allTaxRates"])
    expect(json.currentTaxRates.groupId).toBe(8)
    expect(json.allTaxRates.map((group: Json) => group.groupId)).toEqual([9, 8, 5, 2, 1])
    expect(text).toContain("{\"rate\":9.00,\"label\":\"A\"}")
    expect(Math.abs(Date.parse(json.sdcDateTime) - Date.now())).toBeLessThan(5000)
  })
})
