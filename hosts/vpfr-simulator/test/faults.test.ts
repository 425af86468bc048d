import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Element, type FaultOrder, type RunningSimulator, startSimulator } from "../src/index.ts"
import { bakery, sale } from "./support/requests.ts"
import { VpfrClient } from "./support/VpfrClient.ts"

let simulator: RunningSimulator
let element: Element
let client: VpfrClient

beforeAll(async () => {
  simulator = await startSimulator()
  element = await simulator.issueElement(bakery)
})
afterAll(() => simulator.stop())
afterEach(async () => {
  client.close()
  await simulator.clearFaults()
})

const inForce = (...faults: ReadonlyArray<FaultOrder>) => {
  client = new VpfrClient(simulator, element)
  return Promise.all(faults.map((fault) => simulator.addFault(fault)))
}

let request = 0
const nextId = (): string => `fault-${++request}`

const signedFor = (requestId: string): number => simulator.receipts(requestId).length

/** Resolves as soon as the receipt is stored or the promise has ended. */
const untilSigned = async (requestId: string): Promise<void> => {
  await expect.poll(() => signedFor(requestId), { interval: 5, timeout: 5000 }).toBe(1)
}

/** Whether a promise is still pending after the simulator has answered another call. */
const isOpen = async (promise: Promise<unknown>, other: VpfrClient): Promise<boolean> => {
  let settled = false
  promise.then(() => settled = true, () => settled = true)
  for (let turn = 0; turn < 5; turn++) await other.call("GET", "/api/v3/attention")
  return !settled
}

describe("Connect faults (Decisions §9)", () => {
  it("refuse-connection without limit closes the port and everything open, until it is lifted", async () => {
    await inForce()
    expect((await client.submit(sale)).status).toBe(200)
    await simulator.addFault({ fault: "refuse-connection" })
    await expect(client.submit(sale)).rejects.toMatchObject({ code: "ECONNREFUSED" })
    await expect(client.submit(sale)).rejects.toMatchObject({ code: "ECONNREFUSED" })
    await simulator.clearFaults()
    expect((await client.submit(sale)).status).toBe(200)
  })

  it("refuse-connection counts connection attempts", async () => {
    await inForce({ fault: "refuse-connection", times: 2 })
    await expect(client.submit(sale)).rejects.toMatchObject({ code: "ECONNRESET" })
    await expect(client.submit(sale)).rejects.toMatchObject({ code: "ECONNRESET" })
    expect((await client.submit(sale)).status).toBe(200)
  })

  it("refuse-connection can be limited to an environment", async () => {
    await inForce({ fault: "refuse-connection", environment: "production" })
    expect((await client.submit(sale)).status).toBe(200)
  })

  it("fail-tls breaks the handshake and closes what is open", async () => {
    await inForce()
    expect((await client.submit(sale)).status).toBe(200)
    await simulator.addFault({ fault: "fail-tls", times: 1 })
    await expect(client.submit(sale)).rejects.toMatchObject({ message: expect.stringMatching(/handshake failure/) })
    expect((await client.submit(sale)).status).toBe(200)
  })
})

describe("Faults after which there is no receipt", () => {
  it.each(["reset-before-request", "reset-mid-request"] as const)("%s cuts the connection with a reset", async (fault) => {
    await inForce({ fault, times: 1 })
    const requestId = nextId()
    await expect(client.submit(sale, requestId)).rejects.toMatchObject({ code: "ECONNRESET" })
    expect(signedFor(requestId)).toBe(0)
    expect((await client.submit(sale, requestId)).status).toBe(200)
  })

  it("hang answers nothing", async () => {
    await inForce({ fault: "hang", times: 1 })
    const other = new VpfrClient(simulator, element)
    const requestId = nextId()
    const hanging = client.submit(sale, requestId)
    expect(await isOpen(hanging, other)).toBe(true)
    client.close()
    await expect(hanging).rejects.toThrow("socket hang up")
    expect(signedFor(requestId)).toBe(0)
    other.close()
  })

  it("reject answers the given modelState", async () => {
    const modelState = [{ property: "items[0].name", errors: ["2801", "2806"] }]
    await inForce({ fault: "reject", modelState, times: 1 })
    const requestId = nextId()
    expect(await client.submit(sale, requestId)).toMatchObject({ status: 400, json: { message: "The request is invalid.", modelState } })
    expect(signedFor(requestId)).toBe(0)
  })

  it("status answers code, body and content type as given", async () => {
    await inForce({ fault: "status", code: 503, body: "later", contentType: "text/plain", times: 1 })
    const requestId = nextId()
    expect(await client.submit(sale, requestId)).toMatchObject({ status: 503, text: "later", contentType: "text/plain" })
    expect(signedFor(requestId)).toBe(0)
  })

  it("html-page answers the web server's page", async () => {
    await inForce({ fault: "html-page", times: 1 })
    const answer = await client.submit(sale)
    expect(answer).toMatchObject({ status: 500, contentType: "text/html; charset=utf-8" })
    expect(answer.text).toMatch(/^<!DOCTYPE html[\s\S]*<h3>.+<\/h3>/)
  })

  it("no-tax-configuration withholds the rates and answers 2400", async () => {
    await inForce({ fault: "no-tax-configuration", element: element.jid })
    expect((await client.submit(sale)).json.modelState).toEqual([{ property: "", errors: ["2400"] }])
    expect((await client.call("GET", "/api/v3/status")).json).toMatchObject({ currentTaxRates: null, allTaxRates: [] })
    await simulator.clearFaults()
    expect((await client.call("GET", "/api/v3/status")).json.currentTaxRates.groupId).toBe(8)
  })
})

describe("Faults after which there is a receipt", () => {
  it("sign-then-hang signs and stays silent", async () => {
    await inForce({ fault: "sign-then-hang", times: 1 })
    const other = new VpfrClient(simulator, element)
    const requestId = nextId()
    const hanging = client.submit(sale, requestId)
    await untilSigned(requestId)
    expect(await isOpen(hanging, other)).toBe(true)
    expect((await other.search(requestId)).json.invoiceNumber).toBe(simulator.receipts(requestId)[0]?.invoiceNumber)
    client.close()
    await expect(hanging).rejects.toThrow("socket hang up")
    other.close()
  })

  it("sign-then-reset signs and cuts the connection", async () => {
    await inForce({ fault: "sign-then-reset", times: 1 })
    const requestId = nextId()
    await expect(client.submit(sale, requestId)).rejects.toMatchObject({ code: "ECONNRESET" })
    expect(signedFor(requestId)).toBe(1)
    expect((await client.search(requestId)).json.totalAmount).toBe(68.46)
  })

  it("truncate-answer sends half of what it announced", async () => {
    await inForce({ fault: "truncate-answer", times: 1 })
    const requestId = nextId()
    await expect(client.submit(sale, requestId)).rejects.toMatchObject({ code: "ECONNRESET", message: "aborted" })
    expect(signedFor(requestId)).toBe(1)
    expect((await client.search(requestId)).json.totalAmount).toBe(68.46)
  })

  it("mangle-answer sends what cannot be parsed, with status 200", async () => {
    await inForce({ fault: "mangle-answer", times: 1 })
    const requestId = nextId()
    expect(await client.submit(sale, requestId)).toMatchObject({ status: 200, json: undefined })
    expect(signedFor(requestId)).toBe(1)
  })

  it("foreign-answer signs ours and sends somebody else's", async () => {
    await inForce({ fault: "foreign-answer", times: 1 })
    const requestId = nextId()
    const { json, status } = await client.submit(sale, requestId)
    expect(status).toBe(200)
    expect(json.requestedBy).not.toBe(element.jid)
    expect(json.invoiceNumber.startsWith(json.requestedBy)).toBe(true)
    expect(signedFor(requestId)).toBe(1)
    expect((await client.search(requestId)).json.requestedBy).toBe(element.jid)
  })

  it("wrong-amount signs another total than asked for", async () => {
    await inForce({ fault: "wrong-amount", times: 1 }, { fault: "wrong-amount", amount: -0.01, times: 1 })
    const requestId = nextId()
    expect((await client.submit(sale, requestId)).json.totalAmount).toBe(69.46)
    expect(simulator.receipts(requestId)[0]?.totalAmount).toBe("69.46")
    expect((await client.submit(sale)).json.totalAmount).toBe(68.45)
  })

  it("duplicate-number gives a number already given", async () => {
    await inForce()
    const first = await client.submit(sale)
    await simulator.addFault({ fault: "duplicate-number", times: 1 })
    const second = await client.submit(sale)
    expect(second.json.invoiceNumber).toBe(first.json.invoiceNumber)
    expect(second.json.signature).not.toBe(first.json.signature)
    expect((await client.submit(sale)).json.invoiceNumber).not.toBe(first.json.invoiceNumber)
  })

  it("clock-skew shifts the PFR time in answer, journal and link", async () => {
    const day = 86_400_000
    await inForce({ fault: "clock-skew", ms: -day, times: 1 })
    const before = Date.now()
    const skewed = Date.parse((await client.submit(sale)).json.sdcDateTime)
    expect(skewed).toBeGreaterThanOrEqual(before - day)
    expect(skewed).toBeLessThanOrEqual(Date.now() - day)
  })

  it.each(["status", "html-page"] as const)("%s with sign signs before it fails", async (fault) => {
    await inForce({ fault, code: 502, sign: true, times: 1 })
    const requestId = nextId()
    expect((await client.submit(sale, requestId)).status).toBe(502)
    expect(signedFor(requestId)).toBe(1)
  })

  it("delay postpones, and combines with a fault that decides", async () => {
    await inForce({ fault: "delay", ms: 120, times: 2 }, { fault: "status", code: 500, times: 1 })
    const started = performance.now()
    expect((await client.submit(sale)).status).toBe(500)
    expect((await client.submit(sale)).status).toBe(200)
    expect(performance.now() - started).toBeGreaterThanOrEqual(230)
  })
})

describe("Search faults", () => {
  it("search-unavailable fails searches, not submissions", async () => {
    await inForce({ fault: "search-unavailable", times: 1 })
    const requestId = nextId()
    expect((await client.submit(sale, requestId)).status).toBe(200)
    expect((await client.search(requestId)).status).toBe(503)
    expect((await client.search(requestId)).status).toBe(200)
  })

  it("search-not-found denies what exists", async () => {
    await inForce({ fault: "search-not-found", times: 1 })
    const requestId = nextId()
    await client.submit(sale, requestId)
    expect((await client.search(requestId)).text).toBe("null")
    expect((await client.search(requestId)).json.totalAmount).toBe(68.46)
  })
})

describe("Aiming", () => {
  it("times counts submissions and nothing else", async () => {
    await inForce({ fault: "status", code: 500, times: 2 })
    expect((await client.call("GET", "/api/v3/status")).status).toBe(200)
    expect((await client.search("x")).status).toBe(200)
    const statuses = [await client.submit(sale), await client.submit(sale), await client.submit(sale)].map(({ status }) => status)
    expect(statuses).toEqual([500, 500, 200])
  })

  it("element spares everybody else", async () => {
    const other = await simulator.issueElement({ ...bakery, sameKeyAs: element.jid })
    await inForce({ fault: "status", code: 500, element: other.jid })
    const otherClient = new VpfrClient(simulator, other)
    expect((await otherClient.submit(sale)).status).toBe(500)
    expect((await client.submit(sale)).status).toBe(200)
    otherClient.close()
  })

  it("probability strikes by chance, the same way for the same seed", async () => {
    const outcomes = async (seed: number): Promise<string> => {
      await simulator.clearFaults()
      await simulator.addFault({ fault: "reject", probability: 0.5, seed })
      const statuses: Array<number> = []
      for (let turn = 0; turn < 24; turn++) statuses.push((await client.submit(sale)).status)
      return statuses.join()
    }
    await inForce()
    const first = await outcomes(7)
    expect(await outcomes(7)).toBe(first)
    expect(await outcomes(8)).not.toBe(first)
    expect(first).toContain("200")
    expect(first).toContain("400")
  })

  it("endpoint strikes elsewhere than at submissions", async () => {
    await inForce({ fault: "status", code: 500, endpoint: "status", times: 1 }, { fault: "html-page", endpoint: "attention", times: 1 })
    expect((await client.submit(sale)).status).toBe(200)
    expect((await client.call("GET", "/api/v3/status")).status).toBe(500)
    expect((await client.call("GET", "/api/v3/status")).status).toBe(200)
    expect((await client.call("GET", "/api/v3/attention")).status).toBe(500)
  })

  it("one hanging element holds up nobody else", async () => {
    await inForce({ fault: "hang", element: element.jid })
    const other = new VpfrClient(simulator, await simulator.issueElement({ ...bakery, sameKeyAs: element.jid }))
    const hanging = Promise.allSettled(Array.from({ length: 8 }, () => client.submit(sale)))
    const answers = await Promise.all(Array.from({ length: 8 }, () => other.submit(sale)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    client.close()
    expect((await hanging).every(({ status }) => status === "rejected")).toBe(true)
    other.close()
  })
})
