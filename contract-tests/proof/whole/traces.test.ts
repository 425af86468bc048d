import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type WholeInstallation, wholeInstallation } from "../../src/support/wholeInstallation.ts"

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

let installation: WholeInstallation
let answer: Response
let spans: ReadonlyArray<Span>

/** The bodies that the collector received, one JSON text after the other. */
const spansIn = (text: string): ReadonlyArray<Span> =>
  text.split(/(?<=\})(?=\{"resourceSpans")/).filter((body) => body.startsWith("{\"resourceSpans\"")).flatMap((body) =>
    (JSON.parse(body) as { readonly resourceSpans: ReadonlyArray<{ readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }> }> })
      .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))

beforeAll(async () => {
  installation = await wholeInstallation()
  const { api, shop } = installation
  const form = { grant_type: "client_credentials", client_id: shop.clientId, client_secret: shop.clientSecret }
  const { access_token: token } = await (await fetch(api.authUrl, { method: "POST", body: new URLSearchParams(form) })).json() as { readonly access_token: string }
  answer = await fetch(`${api.url}/v1/fiscal-documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": "one-trace-of-a-sale", "X-Request-Id": "request-of-the-trace" },
    body: JSON.stringify({
      taxpayerId: shop.taxpayerId, businessPremiseId: shop.businessPremiseId, clientReference: "trace", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" },
      items: [{ name: "Књига", unitOfMeasure: "ком", quantity: 1, unitPrice: 100, taxLabels: ["A"] }], payments: [{ type: "CARD", amount: 100 }]
    })
  })
  await answer.text()
  await installation.stopHosts()
  spans = spansIn(installation.traces.received())
}, 120_000)
afterAll(() => installation.close())

describe("a sale as a trace", () => {
  it("is one trace from the request to the answer: token, body, first commit, V-PFR, second commit", () => {
    expect(answer.status).toBe(201)
    const root = spans.find(({ name }) => name === "POST /v1/fiscal-documents")
    const own = spans.filter(({ traceId }) => traceId === root?.traceId)
    const steps = ["authenticate", "read the body", "OperationStore.reserve", "TaxAuthority.submit", "OperationStore.conclude"]
    const found = steps.map((name) => own.filter((span) => span.name === name))
    expect(found.map((all) => all.length)).toEqual([1, 1, 1, 1, 1])
    // One after the other, each within the request.
    const times = found.flat().flatMap(({ endTimeUnixNano, startTimeUnixNano }) => [BigInt(startTimeUnixNano), BigInt(endTimeUnixNano)])
    const inOrder = [BigInt(root?.startTimeUnixNano ?? 0), ...times, BigInt(root?.endTimeUnixNano ?? 0)]
    expect(inOrder.every((time, at) => at === 0 || time >= (inOrder[at - 1] ?? 0n))).toBe(true)
    const ids = new Set(own.map(({ spanId }) => spanId))
    expect(own.filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId))).toEqual([root])
  })

  it("is named by the request's line in the log", () => {
    const line = installation.log.find((text) => text.includes("request-of-the-trace")) ?? "{}"
    expect((JSON.parse(line) as { readonly traceId?: string }).traceId).toBe(spans.find(({ name }) => name === "POST /v1/fiscal-documents")?.traceId)
  })

  it("and each pass of a worker's job is one", () => {
    const passes = spans.filter(({ name }) => name === "worker reconcileUnknownOutcomes")
    expect(passes.length).toBeGreaterThan(0)
    expect(passes.every(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === "")).toBe(true)
    expect(spans.some(({ name, parentSpanId }) => name === "reconcileDue" && passes.some(({ spanId }) => spanId === parentSpanId))).toBe(true)
  })
})
