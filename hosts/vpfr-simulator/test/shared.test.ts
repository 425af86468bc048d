import { X509Certificate } from "node:crypto"
import { get } from "node:https"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Element, type RunningSimulator, startSimulator } from "../src/index.ts"
import type { Json } from "./support/Json.ts"
import { bakery } from "./support/requests.ts"
import { VpfrClient } from "./support/VpfrClient.ts"

let simulator: RunningSimulator
let element: Element

beforeAll(async () => {
  simulator = await startSimulator()
  element = await simulator.issueElement(bakery)
})
afterAll(() => simulator.stop())

/** The address a client reads from its certificate: the value of the extension whose last number is 5 (V-PFR §9). */
const taxCoreApi = (): string => {
  const text = new X509Certificate(element.certificatePem).raw.toString("latin1")
  return /https:\/\/[\w.:]+\//.exec(text)?.[0] ?? ""
}

const ask = (url: string, method = "GET"): Promise<{ readonly status: number; readonly json: Json }> =>
  new Promise((resolve, reject) => {
    get(url, { method, ca: simulator.trustAnchorsPem("sandbox"), agent: false }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json }))
    }).on("error", reject)
  })

describe("The shared services at the certificate's taxCoreApi, without a client certificate (V-PFR §1.1)", () => {
  it("tax rates: the groups of status, the current one in a list", async () => {
    const client = new VpfrClient(simulator, element)
    const status = (await client.call("GET", "/api/v3/status")).json
    client.close()
    const { json } = await ask(`${taxCoreApi()}api/v3/tax-rates`)
    expect(json).toEqual({ currentTaxRates: [status.currentTaxRates], allTaxRates: status.allTaxRates })
  })

  it("configuration: what environment-parameters says", async () => {
    const client = new VpfrClient(simulator, element)
    const parameters = (await client.call("GET", "/api/v3/environment-parameters")).json
    client.close()
    expect((await ask(`${taxCoreApi()}api/v3/configuration`)).json).toEqual(parameters)
  })

  it("environments: a list with a name, an address, a description and the environment's name each", async () => {
    const { json } = await ask(`${taxCoreApi()}api/v3/environments`)
    expect(json.map((each: Json) => [each.environmentName, each.url])).toEqual([
      ["SANDBOX", new URL(simulator.sandbox.url).host], ["PRODUCTION", new URL(simulator.production.url).host]
    ])
    for (const each of json) expect(each).toMatchObject({ name: expect.stringContaining("СИМУЛАТОР") as string, description: expect.stringContaining("СИМУЛАТОР") as string })
  })

  it("encryption certificate: one X.509 certificate as a JSON string, the same every time, of the environment's own authority", async () => {
    const [first, again] = await Promise.all([1, 2].map(() => ask(`${taxCoreApi()}api/v3/encryption-certificate`)))
    expect(again?.json).toBe(first?.json)
    const certificate = new X509Certificate(Buffer.from(first?.json as string, "base64"))
    const [issuing = ""] = element.chainPem.split(/(?<=-----END CERTIFICATE-----\n)/)
    expect(certificate.checkIssued(new X509Certificate(issuing))).toBe(true)
    expect(certificate.verify(new X509Certificate(issuing).publicKey)).toBe(true)
    expect(certificate.keyUsage).toEqual(["1.3.6.1.4.1.49952.5.8.3.6"])
  })

  it("are read only, and the back-end calls of an E-SDC are not there", async () => {
    expect((await ask(`${taxCoreApi()}api/v3/tax-rates`, "POST")).status).toBe(405)
    expect((await ask(`${taxCoreApi()}api/v3/sdc/token`)).status).toBe(404)
  })
})
