import type { License } from "@overa/domain"
import { DateTime } from "effect"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { sampleSale } from "../src/http/sampleSale.ts"
import { type ApiAnswer, newKey } from "../src/support/ApiClient.ts"
import { memoryLicense, type MemoryShop, memoryShop } from "../src/support/memoryTenancy.ts"
import { damaged } from "../src/support/schemaArbitrary.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

const now = DateTime.nowUnsafe()
const tomorrow = DateTime.add(now, { days: 1 })
const yesterday = DateTime.subtract(now, { days: 1 })

const mostly = <A extends string | boolean>(usual: A, ...others: ReadonlyArray<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 9 * others.length, arbitrary: fc.constant(usual) }, ...others.map((other) => ({ weight: 1, arbitrary: fc.constant(other) })))

const badLicenses: ReadonlyArray<License | null> = [
  null,
  { ...memoryLicense, startsAt: tomorrow },
  { ...memoryLicense, expiresAt: yesterday },
  { ...memoryLicense, suspended: true }
]
const license: fc.Arbitrary<License | null> = fc.oneof({ weight: 2, arbitrary: fc.constant(memoryLicense) }, fc.constantFrom(...badLicenses))

/** The possible states of an operator's settings, a V-PFR and a taxpayer. */
const installation = fc.record({
  environment: fc.constantFrom("sandbox" as const, "production" as const),
  license,
  adapterConfigured: mostly(true, false),
  trafficEnabled: mostly(true, false),
  esirNumber: mostly("1234/1.0", ""),
  taxRates: mostly(true, false),
  store: mostly(true, true, true, false),
  sellers: mostly(true, false),
  taxpayer: mostly("active", "inactive"),
  vatStatus: mostly("IN_VAT", "OUTSIDE_VAT"),
  commerceMode: mostly("distance", "in_person"),
  premise: mostly("active", "suspended", "closed"),
  paymentMode: mostly("all", "restricted"),
  element: mostly("valid", "none", "expired", "of the other environment"),
  authority: fc.constantFrom("sign" as const, "reject", "unavailable", "elementUnavailable", "silent", "cancelled")
})
type State = typeof installation extends fc.Arbitrary<infer A> ? A : never

/** How a body differs from the plain sale: first what steps 5 to 10 check, then anything. */
const change = fc.record({
  label: mostly("current", "Љ", "А"),
  payment: mostly("CARD", "CASH", "VOUCHER", "CHECK"),
  product: mostly(false, true),
  decimals: mostly("two", "three"),
  premise: mostly("own", "unknown", "of another taxpayer"),
  kind: mostly("sale", "external copy", "copy that names its sale wrongly", "sale with a reference", "sale with a reference", "own copy", "copy of an unsaid type"),
  damage: mostly(false, true)
})
type Change = typeof change extends fc.Arbitrary<infer A> ? A : never

const external = { source: "EXTERNAL", pfrNumber: "ABCD1234-EFGH5678-15", pfrTime: "2026-08-29T09:05:00.1234567+02:00", invoiceType: "NORMAL", transactionType: "SALE" }
const kindFields: Readonly<Record<Change["kind"], Readonly<Record<string, unknown>>>> = {
  sale: {},
  "external copy": { invoiceType: "COPY", reference: external },
  "copy that names its sale wrongly": { invoiceType: "COPY", reference: { ...external, transactionType: "REFUND" } },
  "copy of an unsaid type": { invoiceType: "COPY", reference: { ...external, invoiceType: "PROFORMA" } },
  "sale with a reference": { reference: external },
  "own copy": { invoiceType: "COPY", reference: { source: "SVC", fiscalDocumentId: randomUUID() } }
}

describe("a dry run and the sale itself, over generated installations, states and bodies", () => {
  const { api, memory } = sharedMemoryApi()

  const elementOf = (element: State["element"], shop: MemoryShop) => {
    const { activeElement } = memoryShop(shop.organizationId, shop.environment).place
    if (element === "none" || activeElement === null) return null
    if (element === "expired") return { ...activeElement, validTo: yesterday }
    return element === "valid" ? activeElement : { ...activeElement, environment: shop.environment === "sandbox" ? "production" as const : "sandbox" as const }
  }

  const arrange = (state: State): void => {
    const { adapterConfigured, esirNumber, license: held, sellers, store, taxRates, trafficEnabled } = state
    Object.assign(memory.surroundings, { license: held, adapterConfigured, trafficEnabled, esirNumber, taxRates, store, sellers })
    memory.authority.mood = state.authority
    const shop = memory.shops[state.environment]
    const { premise, taxpayer } = shop.place
    shop.place = {
      ...shop.place,
      taxpayer: { ...taxpayer, status: state.taxpayer, vatStatus: state.vatStatus },
      premise: premise === null ? null : { ...premise, commerceMode: state.commerceMode, status: state.premise, paymentMode: state.paymentMode },
      activeElement: elementOf(state.element, shop)
    }
  }

  const placeOf = ({ environment }: State) => environment === "sandbox" ? api.target : api.target.production

  const bodyOf = (state: State, { decimals, kind, label, payment, premise, product }: Change) => {
    const sale = sampleSale(api.target, { of: placeOf(state), environment: state.environment, clientReference: randomUUID() })
    const items = sale.items.map((item) => ({
      ...item,
      ...(label === "current" ? {} : { taxLabels: [label] }),
      ...(product ? { catalogProductId: randomUUID() } : {})
    }))
    const elsewhere = premise === "own" ? {} : { businessPremiseId: premise === "unknown" ? randomUUID() : api.target.other.businessPremiseId }
    const payments = decimals === "two"
      ? [{ type: payment, amount: 2401 }]
      : [{ type: payment, amount: 2400.995 }, { type: payment, amount: 0.005 }]
    return { ...sale, ...kindFields[kind], ...elsewhere, items, payments }
  }

  const cases = fc.record({ state: installation, change }).chain(({ change: asked, state }) =>
    fc.record({
      state: fc.constant(state),
      body: asked.damage ? damaged(fc.constant<unknown>(bodyOf(state, asked))) : fc.constant<unknown>(bodyOf(state, asked))
    }))

  const send = async (state: State, path: string, body: unknown, key?: string): Promise<ApiAnswer> =>
    api.send({ method: "POST", path, token: await api.token(placeOf(state)), body: JSON.stringify(body ?? null), ...(key === undefined ? {} : { key }) })

  /** An answer about a document: it was reserved, whatever the V-PFR then answered. */
  const wasReserved = ({ json }: ApiAnswer): boolean => typeof json?.id === "string" && "fiscalized" in json && "clientReference" in json
  const toldWith = (answer: ApiAnswer) => ({ status: answer.status, json: answer.json, retryAfter: answer.headers.get("retry-after"), link: answer.headers.get("link") })

  /** Whether the V-PFR is known to reject it: a payment has more than two decimals. */
  const hasThreeDecimals = (body: unknown): boolean =>
    (body as { readonly payments: ReadonlyArray<{ readonly amount: number }> }).payments.some(({ amount }) => Number(amount.toFixed(2)) !== amount)

  it("say yes to the same requests, and no to the others in the same words; only the sale leaves a trace", { timeout: 300_000 }, async () => {
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(cases, async ({ body, state }) => {
        arrange(state)
        const before = memory.authority.arrived.length
        const tried = await send(state, "/v1/fiscal-documents/dry-run", body)
        expect(memory.authority.arrived).toHaveLength(before)
        const key = newKey()
        const issued = await send(state, "/v1/fiscal-documents", body, key)
        const isKnownRejected = wasReserved(issued) && hasThreeDecimals(body)
        const outcome = wasReserved(issued) ? (isKnownRejected ? "reserved, to be rejected" : "reserved") : String(issued.json.code ?? issued.status)
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
        if (!wasReserved(issued)) {
          expect(toldWith(tried)).toEqual(toldWith(issued))
          return
        }
        // A replay would be marked: nothing was stored under this key, nor elsewhere.
        expect(issued.headers.get("idempotency-replayed")).toBeNull()
        const reference = (body as { readonly clientReference: string }).clientReference
        const stored = await api.get(`/v1/journal?clientReference=${encodeURIComponent(reference)}`, placeOf(state))
        expect(stored.json.items.map(({ idempotencyKey }: { readonly idempotencyKey: string }) => idempotencyKey)).toEqual([key])
        if (isKnownRejected) {
          expect([tried.status, Object.keys(tried.json.errors)]).toEqual([422, ["Payments.Amount"]])
          return
        }
        expect([tried.status, tried.json.valid]).toEqual([200, true])
        if (issued.status === 201) expect(tried.json.totalAmount).toBe(issued.json.pfr.totalAmount)
        expect(tried.json.journalPreview === null).toBe(!state.sellers || tried.json.taxes === null)
      }),
      { numRuns: 900, seed: 20_260_829 }
    )
    // Every refusal of steps 5 to 10 must have occurred, otherwise the agreement would prove little.
    expect([...seen.keys()]).toEqual(expect.arrayContaining([
      "reserved", "reserved, to be rejected", "422", "TAXPAYER_NOT_FOUND", "BUSINESS_PREMISE_NOT_FOUND", "CREDENTIAL_ENVIRONMENT_MISMATCH", "LICENSE_REQUIRED", "LICENSE_NOT_STARTED",
      "LICENSE_EXPIRED", "LICENSE_SUSPENDED", "LPFR_REQUIRED_FOR_IN_PERSON_SALES", "BUSINESS_PREMISE_INACTIVE", "PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE",
      "ACTIVE_SECURITY_ELEMENT_REQUIRED", "PFR_SANDBOX_NOT_CONFIGURED", "PFR_ENVIRONMENT_DISABLED", "CURRENT_TAX_CONFIGURATION_UNAVAILABLE",
      "TAX_LABEL_NOT_CURRENT", "TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT", "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED", "STORE_UNAVAILABLE"
    ]))
    expect(seen.get("reserved")).toBeGreaterThan(60)
  })
})
