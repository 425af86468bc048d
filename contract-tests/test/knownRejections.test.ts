import { VpfrTaxAuthority } from "@overa/adapter-vpfr"
import {
  decodeAdvanceClosingRequest, decodeFiscalDocumentRequest, type DocumentContent, type ExternalCopy, knownRejections, type NormalSale, readBodyTree, type SubmissionOutcome,
  TaxAuthority
} from "@overa/domain"
import { openApiDocument, operations } from "@overa/rest-api"
import { DateTime, Effect, Layer, ManagedRuntime, Result } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { saleContent } from "../src/support/documentContents.ts"
import { completed, edgeBodies, fullBody } from "../src/support/edgeBodies.ts"
import type { Components } from "../src/support/schemaArbitrary.ts"
import { type IssuedElement, simulatedVpfr, type SimulatedVpfr } from "../src/support/simulatedVpfr.ts"

const sandbox = { environment: "sandbox" } as const
const published = openApiDocument(operations, { baseUrl: "https://api.overa.test", tokenUrl: "https://api.overa.test/oauth/token", contactEmail: null })
const components = published.components.schemas as Components

/** The bodies of an operation at, within and beyond every bound that it publishes. */
const edgesOf = (id: string): ReadonlyArray<unknown> => {
  const { example, schema } = operations.find((one) => one.id === id)?.body ?? expect.fail(`${id} has no body`)
  const whole = fullBody(schema, components)
  return [example, completed(example, whole)].flatMap((base) => edgeBodies(schema, components, base))
}

const treeOf = (body: unknown): unknown => Result.getOrThrow(readBodyTree(JSON.stringify(body)))

/** The label's existence is checked with the tax rates, not with the body. */
const withLabel = (items: DocumentContent["items"]): DocumentContent["items"] => items.map((item) => ({ ...item, taxLabels: ["A"] }))

const contentOfSale = (request: NormalSale | ExternalCopy): DocumentContent => {
  const { buyer, cashier, invoiceType, items, payments, reference, transactionType } = request
  return saleContent({
    buyer, cashier, invoiceType, payments, transactionType,
    items: withLabel(items),
    reference: reference === null || reference.source !== "EXTERNAL" ? null : { ...reference, fiscalDocumentId: null } as DocumentContent["reference"]
  })
}

const acceptedSales = (bodies: ReadonlyArray<unknown>): ReadonlyArray<DocumentContent> =>
  bodies.flatMap((body) => {
    const read = decodeFiscalDocumentRequest(treeOf(body), sandbox)
    return Result.isSuccess(read) ? [contentOfSale(read.success)] : []
  })

const acceptedClosings = (bodies: ReadonlyArray<unknown>): ReadonlyArray<DocumentContent> =>
  bodies.flatMap((body) => {
    const read = decodeAdvanceClosingRequest(treeOf(body), sandbox)
    if (Result.isFailure(read)) return []
    const { buyer, cashier, items, remainingPayments } = read.success
    return [saleContent({ buyer, cashier, items: withLabel(items), payments: remainingPayments })]
  })

/** The same sale, its payments split at an amount. */
const split = (body: unknown, amounts: ReadonlyArray<number>): unknown => {
  const { items } = body as { readonly items: ReadonlyArray<object> }
  const [item] = items
  return { ...body as object, items: [{ ...item, quantity: 1, unitPrice: 100 }], payments: amounts.map((amount) => ({ type: "CARD", amount })) }
}

describe("what the V-PFR is known to reject, beside the simulator that rejects it", () => {
  let far: SimulatedVpfr
  let shop: IssuedElement
  let runtime: ManagedRuntime.ManagedRuntime<TaxAuthority, never>
  beforeAll(async () => {
    far = await simulatedVpfr()
    shop = await far.addElement()
    runtime = ManagedRuntime.make(VpfrTaxAuthority.layer.pipe(Layer.provide(far.layer())))
  })
  afterAll(async () => {
    await runtime.dispose()
    await far.simulator.stop()
  })

  const submit = (content: DocumentContent): Promise<SubmissionOutcome> =>
    runtime.runPromise(Effect.gen(function*() {
      const authority = yield* TaxAuthority
      const element = yield* authority.open({ tenant: far.tenant, elementId: shop.id, jid: shop.element.jid })
      const terms = { requestId: randomUUID().replaceAll("-", ""), firstByteWithinMillis: 10_000, callerGone: new AbortController().signal, submittedAt: yield* DateTime.now }
      return yield* element.submit({ content, taxRates: null }, terms)
    }))
  const rejectedOf = (outcome: SubmissionOutcome): ReadonlyArray<string> =>
    outcome._tag === "Rejected" ? outcome.rejection.items.map(({ codes, property }) => `${property} ${codes.join()}`) : []

  it("of every sale that the service accepts it is all that is rejected: payments with more than two decimals", { timeout: 120_000 }, async () => {
    const edges = edgesOf("issueFiscalDocument")
    const sale = operations.find(({ id }) => id === "issueFiscalDocument")?.body?.example
    const amounts = [[60.005, 39.995], [0.001, 99.999], [99.99, 0.005, 0.005], [60, 40], [100], [33.33, 33.33, 33.34]]
    const contents = acceptedSales([...edges, ...amounts.map((one) => split(sale, one))])
    expect(contents.length).toBeGreaterThan(40)
    const known = contents.map((content) => knownRejections(content).map(({ pointer }) => pointer))
    const rejected: Array<ReadonlyArray<string>> = []
    for (const content of contents) {
      const outcome = await submit(content)
      expect(["Signed", "Rejected"]).toContain(outcome._tag)
      rejected.push(rejectedOf(outcome))
    }
    const named = known.map((pointers) => pointers.map((pointer) => `payments[${pointer.split("/")[2]}].amount 2804`))
    expect(rejected).toEqual(named)
    expect(named.filter((one) => one.length > 0)).toHaveLength(3)
  })

  it("of every closing that the service accepts nothing is rejected", { timeout: 120_000 }, async () => {
    const contents = acceptedClosings(edgesOf("closeAdvanceCase"))
    expect(contents.length).toBeGreaterThan(40)
    for (const content of contents) expect((await submit(content))._tag).toBe("Signed")
  })
})
