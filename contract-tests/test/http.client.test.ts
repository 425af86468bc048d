import {
  AuthenticationFailed,
  DocumentRejected,
  NotIssued,
  type OrderMemory,
  type OrderProgress,
  OutcomeUnknown,
  OveraClient,
  RefundNotCompleted,
  RequestInvalid,
  RequestRefused,
  ServiceUnavailable,
  type Surroundings
} from "@overa/client"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { sampleCancellation, sampleCase, sampleClosing, samplePayment } from "../src/http/sampleAdvance.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { type MemoryApi, startMemoryApi } from "../src/support/memoryApi.ts"

/** The client's actions: its requests and its pauses; no pause takes real time. */
interface Watched {
  readonly client: OveraClient
  readonly requests: Array<{ readonly method: string; readonly path: string; readonly key: string | null }>
  readonly pauses: Array<number>
  /** Called at each pause, in place of waiting. */
  onPause: () => void
}

describe("the client", () => {
  let memory: MemoryApi
  beforeAll(async () => {
    memory = await startMemoryApi()
  })
  afterAll(() => memory.running.stop())
  beforeEach(() => {
    memory.authority.mood = "sign"
    memory.surroundings.store = true
  })

  const watch = (change: Partial<{ clientSecret: string; baseUrl: string }> & Partial<Surroundings> = {}): Watched => {
    const { authUrl, baseUrl, clientId, clientSecret } = memory.target
    const watched: Watched = {
      requests: [],
      pauses: [],
      onPause: () => undefined,
      client: new OveraClient({
        baseUrl: change.baseUrl ?? baseUrl,
        authUrl,
        clientId,
        clientSecret: change.clientSecret ?? clientSecret,
        surroundings: {
          fetch: (url, init) => {
            watched.requests.push({
              method: init.method ?? "",
              path: new URL(url).pathname,
              key: new Headers(init.headers).get("Idempotency-Key")
            })
            return (change.fetch ?? fetch)(url, init)
          },
          wait: async (millis, signal) => {
            signal?.throwIfAborted()
            watched.pauses.push(millis)
            watched.onPause()
          },
          ...(change.now === undefined ? {} : { now: change.now })
        }
      })
    }
    return watched
  }
  const body = () => sampleSale(memory.target) as Parameters<OveraClient["sale"]>[0]
  const paths = ({ requests }: Watched) => requests.map(({ method, path }) => `${method} ${path}`)

  it("hands out the key before anything is sent, then issues the receipt under it", async () => {
    const watched = watch()
    const sale = watched.client.sale(body())
    expect(sale.key.length).toBeGreaterThanOrEqual(16)
    expect(watched.requests).toEqual([])
    const receipt = await sale.send()
    expect(receipt).toMatchObject({ fiscalized: true, idempotencyKey: sale.key })
    expect((await sale.send()).id).toBe(receipt.id)
  })

  it("asks for one token, however many calls begin at once", async () => {
    const watched = watch()
    await Promise.all(Array.from({ length: 10 }, () => watched.client.call("readRuntime", {})))
    expect(paths(watched).filter((path) => path === "POST /oauth/token")).toHaveLength(1)
  })

  it("renews the token half a minute before it ends", async () => {
    let now = Date.now()
    const watched = watch({ now: () => now })
    await watched.client.call("readRuntime", {})
    now += 269_000
    await watched.client.call("readRuntime", {})
    now += 2_000
    await watched.client.call("readRuntime", {})
    expect(paths(watched)).toEqual([
      "POST /oauth/token",
      "GET /v1/runtime",
      "GET /v1/runtime",
      "POST /oauth/token",
      "GET /v1/runtime"
    ])
  })

  it("sends the same request with the same key again after a 401, with a new token", async () => {
    let refusals = 1
    const watched = watch({
      fetch: (url, init) =>
        url.includes("/v1/") && refusals-- > 0 ? Promise.resolve(new Response("{}", { status: 401 })) : fetch(url, init)
    })
    const sale = watched.client.sale(body())
    await sale.send()
    expect(watched.requests.map(({ key }) => key)).toEqual([null, sale.key, null, sale.key])
  })

  it("repeats what was certainly not sent after 2, 5 and 15 seconds, under the same key", async () => {
    memory.authority.mood = "unavailable"
    const watched = watch()
    const sale = watched.client.sale(body())
    await expect(sale.send()).rejects.toBeInstanceOf(NotIssued)
    expect(watched.pauses).toEqual([2_000, 5_000, 15_000])
    expect(new Set(watched.requests.slice(1).map(({ key }) => key))).toEqual(new Set([sale.key]))
  })

  it("goes on where the service comes back", async () => {
    memory.authority.mood = "unavailable"
    const watched = watch()
    watched.onPause = () => {
      memory.authority.mood = "sign"
    }
    expect(await watched.client.sale(body()).send()).toMatchObject({ fiscalized: true })
    expect(watched.pauses).toEqual([2_000])
  })

  it("never sends an unknown outcome again", async () => {
    memory.authority.mood = "silent"
    const before = memory.authority.arrived.length
    const watched = watch()
    const failure = await watched.client.sale(body()).send().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(OutcomeUnknown)
    expect((failure as OutcomeUnknown).receipt).toBe("unknown")
    expect(watched.pauses).toEqual([])
    expect(memory.authority.arrived).toHaveLength(before + 1)
  })

  it("polls an unknown operation every 30 seconds, then less often, until it is told to stop", async () => {
    memory.authority.mood = "silent"
    const watched = watch()
    const failure = await watched.client.sale(body()).send().catch((error: unknown) => error) as OutcomeUnknown
    const stop = new AbortController()
    watched.onPause = () => {
      if (watched.pauses.length === 12) stop.abort(new Error("enough"))
    }
    await expect(watched.client.untilResolved(failure.document.id, stop.signal)).rejects.toThrow("enough")
    expect(watched.pauses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 30_000))
    expect(watched.pauses[11]).toBeGreaterThanOrEqual(30_000)
  })

  describe("one receipt for one order", () => {
    /** An order's memory as a database would keep it. */
    const orderMemory = () => {
      let progress: OrderProgress | null = null
      const said: Array<string> = []
      const memory: OrderMemory = {
        begin: (key) => Promise.resolve(progress ??= { key, documentId: null }),
        watch: (key, documentId) => {
          said.push(documentId === null ? "known" : "watch")
          if (progress?.key === key) progress = { key, documentId }
          return Promise.resolve()
        },
        forget: (key) => {
          said.push("forget")
          if (progress?.key === key) progress = null
          return Promise.resolve()
        }
      }
      return { memory, said, progress: () => progress }
    }

    it("two calls at once issue one", async () => {
      const { memory: order } = orderMemory()
      const before = memory.authority.arrived.length
      const receipts = await Promise.all([watch().client.fiscalize(body(), order), watch().client.fiscalize(body(), order)])
      expect(receipts[0]?.id).toBe(receipts[1]?.id)
      expect(memory.authority.arrived).toHaveLength(before + 1)
    })

    it.each(["FISCALIZED", "REJECTED"] as const)("awaits an unknown outcome that turns out %s", async (status) => {
      memory.authority.mood = "silent"
      const before = memory.authority.arrived.length
      const order = orderMemory()
      let looks = 0
      const watched = watch({
        fetch: async (url, init) => {
          const answer = await fetch(url, init)
          if (!url.includes("/v1/operations/") || ++looks < 3) return answer
          memory.authority.mood = "sign"
          const operation = await answer.json() as { readonly document: object }
          const document = { ...operation.document, status, fiscalized: status === "FISCALIZED" }
          return new Response(JSON.stringify({ ...operation, status, document }), { status: 200, headers: { "Content-Type": "application/json" } })
        }
      })
      const outcome = await watched.client.fiscalize(body(), order.memory).catch((error: unknown) => error)
      expect(looks).toBe(3)
      if (status === "FISCALIZED") expect(outcome).toMatchObject({ status: "FISCALIZED" })
      else expect(outcome).toBeInstanceOf(DocumentRejected)
      expect(order.said).toEqual(status === "FISCALIZED" ? ["watch"] : ["watch", "forget"])
      expect(memory.authority.arrived).toHaveLength(before + 1)
    })
  })

  it("answers a resolved operation at once", async () => {
    const { client } = watch()
    const receipt = await client.sale(body()).send()
    expect((await client.untilResolved(receipt.id)).status).toBe("FISCALIZED")
  })

  const wholeRefund = async (client: OveraClient, { businessPremiseId, id, taxpayerId }: { readonly businessPremiseId: string; readonly id: string; readonly taxpayerId: string }) => {
    const { lines } = await client.call("readRefundable", { path: { fiscalDocumentId: id } })
    return {
      taxpayerId, businessPremiseId, clientReference: "RETURN-1", original: { source: "SVC", fiscalDocumentId: id }, cashier: { id: "web" }, buyer: { id: "20:123456789" },
      items: lines.flatMap(({ item }) => item === null ? [] : [item]), payments: [{ type: "CARD", amount: 2401 }]
    } as const
  }

  it("refunds a receipt, and says what stopped a refund that did not complete", async () => {
    const { client } = watch()
    const receipt = await client.sale(body()).send()
    const refund = await wholeRefund(client, receipt)
    memory.authority.mood = "reject"
    const failure = await client.refund(refund).send().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RefundNotCompleted)
    expect((failure as RefundNotCompleted).workflow.status).toBe("FAILED")
    memory.authority.mood = "sign"
    expect((await client.refund(refund).send()).status).toBe("COMPLETED")
  })

  it("does not repeat a refund of unknown outcome: its `Retry-After` says when to ask", async () => {
    const watched = watch()
    const receipt = await watched.client.sale(body()).send()
    const refund = watched.client.refund(await wholeRefund(watched.client, receipt))
    memory.authority.mood = "silent"
    const failure = await refund.send().catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: "RefundNotCompleted", receipt: "unknown", workflow: { status: "REFUND_OUTCOME_UNKNOWN" } })
    expect(watched.pauses).toEqual([])
    expect(watched.requests.filter(({ path }) => path === "/v1/refund-workflows")).toHaveLength(1)
  })

  it("throws what the answer means: rejected, invalid, refused", async () => {
    const { client } = watch()
    memory.authority.mood = "reject"
    await expect(client.sale(body()).send()).rejects.toBeInstanceOf(DocumentRejected)
    const invalid = await client.sale({ ...body(), items: [] }).send().catch((error: unknown) => error)
    expect(invalid).toBeInstanceOf(RequestInvalid)
    expect(Object.keys((invalid as RequestInvalid).problem.errors)).toContain("Items")
    const refused = await client.call("readFiscalDocument", { path: { fiscalDocumentId: "17" } }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RequestRefused)
    expect((refused as RequestRefused).code).toBe("FISCAL_DOCUMENT_NOT_FOUND")
  })

  it("repeats under the same key when the store was away", async () => {
    memory.surroundings.store = false
    const watched = watch()
    watched.onPause = () => {
      memory.surroundings.store = true
    }
    expect(await watched.client.sale(body()).send()).toMatchObject({ fiscalized: true })
  })

  it("keeps the key when the connection breaks, and says the receipt is unknown when it stays broken", async () => {
    const watched = watch({
      fetch: (url, init) => url.includes("/v1/") ? Promise.reject(new TypeError("fetch failed")) : fetch(url, init)
    })
    const sale = watched.client.sale(body())
    const failure = await sale.send().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ServiceUnavailable)
    expect((failure as ServiceUnavailable).receipt).toBe("unknown")
    expect(watched.pauses).toEqual([2_000, 5_000, 15_000])
  })

  it("says that a wrong secret is one", async () => {
    const { client } = watch({ clientSecret: "wrong" })
    await expect(client.call("readRuntime", {})).rejects.toBeInstanceOf(AuthenticationFailed)
  })

  it("fetches a representation as bytes", async () => {
    const { client } = watch()
    const receipt = await client.sale(body()).send()
    const bytes = await client.call("readRepresentation", {
      path: { fiscalDocumentId: receipt.id, representationFormat: "official-text" }
    })
    expect(new TextDecoder().decode(bytes)).toBe(receipt.pfr?.journal)
  })

  it("has an advance case as one object, from the first payment to the closing", async () => {
    const { client } = watch()
    const opened = await client.openAdvanceCase(sampleCase(memory.target)).send()
    const advance = client.advanceCase(opened.id)
    const paid = await advance.pay(samplePayment(memory.target, 1000)).send()
    expect(paid.totalAdvance).toBe(1000)
    const sale = paid.advanceSales[0]?.id ?? ""
    await advance.cancel(sampleCancellation(sale)).send()
    await advance.pay(samplePayment(memory.target, 500)).send()
    const closed = await advance.close(sampleClosing(memory.target, 1200, 700)).send()
    expect([closed.state, (await advance.read()).state]).toEqual(["CLOSED", "CLOSED"])
  })

  it("says of an advance that was not sent, rejected or lost what it says of any document", async () => {
    const { client } = watch()
    const { id } = await client.openAdvanceCase(sampleCase(memory.target)).send()
    const pay = () => client.advanceCase(id).pay(samplePayment(memory.target, 100)).send()
    memory.authority.mood = "reject"
    await expect(pay()).rejects.toBeInstanceOf(DocumentRejected)
    memory.authority.mood = "unavailable"
    await expect(pay()).rejects.toBeInstanceOf(NotIssued)
  })

  it("has proforma and training documents", async () => {
    const { client } = watch()
    const workflow = await client.proformaOrTraining({ ...sampleSale(memory.target), invoiceType: "PROFORMA" as const, transactionType: "SALE" as const } as never).send()
    expect(workflow.status).toBe("COMPLETED")
  })
})
