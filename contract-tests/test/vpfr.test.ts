import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { type InvoiceToSign, TaxAuthority, type TaxRateHistory, TaxRates } from "@overa/domain"
import { chainsToRoot, readPfx, VpfrTaxAuthority, VpfrTaxRates } from "@overa/adapter-vpfr"
import type { FaultOrder, SimulatorOptions } from "@overa/vpfr-simulator"
import { type Misfortune, taxAuthorityContract } from "../src/ports/TaxAuthority.contract.ts"
import { saleContent } from "../src/support/documentContents.ts"
import { simulatedVpfr, type SimulatedVpfr } from "../src/support/simulatedVpfr.ts"

const faults: Record<Misfortune, FaultOrder> = {
  refuseConnection: { fault: "refuse-connection", times: 1 },
  failHandshake: { fault: "fail-tls", times: 1 },
  resetBeforeRequest: { fault: "reset-before-request", times: 1 },
  resetMidRequest: { fault: "reset-mid-request", times: 1 },
  signThenHang: { fault: "sign-then-hang", times: 1 },
  signThenReset: { fault: "sign-then-reset", times: 1 },
  truncateAnswer: { fault: "truncate-answer", times: 1 },
  mangleAnswer: { fault: "mangle-answer", times: 1 },
  foreignAnswer: { fault: "foreign-answer", times: 1 },
  wrongAmount: { fault: "wrong-amount", times: 1, amount: 1 },
  serverError: { fault: "status", times: 1, code: 500 },
  signThenServerError: { fault: "status", times: 1, code: 503, sign: true },
  tooManyRequests: { fault: "status", times: 1, code: 429 },
  webPage: { fault: "html-page", times: 1, code: 200 },
  refuseElement: { fault: "status", times: 1, code: 401 },
  rejectLabel: { fault: "reject", times: 1, modelState: [{ property: "items[0].labels[0]", errors: ["2310"] }] }
}

const openRuntime = (far: SimulatedVpfr) =>
  ManagedRuntime.make(
    Layer.merge(VpfrTaxAuthority.layer, VpfrTaxRates.layer).pipe(Layer.provide(far.layer({ submissionDeadlineMillis: 1_500 })))
  )

const currentRates = (history: TaxRateHistory) => history.groups[0] ?? assert.fail("no tax rates")

taxAuthorityContract("the V-PFR client against the simulator over mutual TLS", async () => {
  const far = await simulatedVpfr()
  const shop = await far.addElement()
  const runtime = openRuntime(far)
  const history = await runtime.runPromise(Effect.gen(function*() {
    const rates = yield* TaxRates
    return yield* rates.fresh(far.tenant, shop.id)
  }))
  const invoice = (content: InvoiceToSign["content"]) => ({ ...shop.invoice(content), taxRates: currentRates(history) })
  return {
    run: (effect) => runtime.runPromise(effect),
    invoice,
    invoiceOfFreshElement: async (content) => (await far.addElement({ sameKeyAs: shop.element.jid })).invoice(content),
    befall: async (misfortune) => void (await far.simulator.addFault(faults[misfortune])),
    clear: () => far.simulator.clearFaults(),
    signed: (requestId) => far.simulator.receipts(requestId).length,
    close: async () => {
      await runtime.dispose()
      await far.simulator.stop()
    }
  }
})

describe("The V-PFR client and the elements of the simulator", () => {
  let far: SimulatedVpfr
  let runtime: ReturnType<typeof openRuntime>
  beforeAll(async () => {
    far = await simulatedVpfr()
    runtime = openRuntime(far)
  })
  afterAll(async () => {
    await runtime.dispose()
    await far.simulator.stop()
  })

  const submit = (invoice: InvoiceToSign, requestId: string) =>
    runtime.runPromise(
      Effect.gen(function*() {
        const authority = yield* TaxAuthority
        const opened = yield* authority.open(invoice)
        const submittedAt = yield* DateTime.now
        const callerGone = new AbortController().signal
        return yield* opened.submit(invoice, { requestId, firstByteWithinMillis: 5_000, callerGone, submittedAt })
      }).pipe(Effect.catch((notPossible) => Effect.succeed(notPossible)))
    )

  it.each(["3des", "rc2-40", "modern"] as const)("a PFX protected by %s opens and chains to the operator's root", async (pfxFlavour) => {
    const element = await far.simulator.issueElement({
      environment: "production",
      businessName: "Продавница",
      tin: "100000001",
      locationName: "1000001-Продавница",
      address: "Кнеза Милоша 1",
      city: "Београд",
      pfxFlavour
    })
    const file = await Effect.runPromise(readPfx(element.pfx, Redacted.make(element.password)))
    assert.strictEqual(file.facts.jid, element.jid)
    assert.strictEqual(file.facts.tin, "100000001")
    assert.strictEqual(file.facts.vsdcUrl, `${far.simulator.production.url}/`)
    assert.strictEqual(file.privateKeyPem.trim(), element.privateKeyPem.trim())
    assert.isTrue(chainsToRoot(file.certificateChainPem, far.simulator.trustAnchorsPem("production"), Date.now()))
    assert.isFalse(chainsToRoot(file.certificateChainPem, far.simulator.trustAnchorsPem("sandbox"), Date.now()))
  })

  it("a wrong PAC is the element refused; the circuit opens and the next document is not tried", async () => {
    const shop = await far.addElement()
    const credentials = far.vault.get(shop.id) ?? assert.fail("not in the vault")
    far.vault.set(shop.id, { ...credentials, pac: Redacted.make("WRONG0") })
    const first = await submit(shop.invoice(saleContent()), "a1")
    assert.isTrue(first._tag === "NotSent" && first.elementRefused, JSON.stringify(first))
    const second = await submit(shop.invoice(saleContent()), "a2")
    assert.strictEqual(second._tag, "SubmissionNotPossible")
    assert.strictEqual(far.simulator.receipts(null).length, 0)
  })

  it("a revoked element is refused", async () => {
    const shop = await far.addElement()
    await far.simulator.revokeElement(shop.element.jid)
    const outcome = await submit(shop.invoice(saleContent()), "a3")
    assert.strictEqual(outcome._tag, "NotSent", JSON.stringify(outcome))
    assert.strictEqual("failureCode" in outcome ? outcome.failureCode : "", "PFR_SECURITY_ELEMENT_UNAVAILABLE")
  })

  it("an element of production is no element of the sandbox", async () => {
    const shop = await far.addElement({ environment: "production" })
    const invoice = shop.invoice(saleContent())
    const outcome = await submit({ ...invoice, tenant: { ...invoice.tenant, environment: "sandbox" } }, "a4")
    assert.strictEqual(outcome._tag, "SubmissionNotPossible")
  })

  it("without a tax configuration there is none to be had", async () => {
    const shop = await far.addElement()
    await far.simulator.addFault({ fault: "no-tax-configuration" })
    const answer = await runtime.runPromise(Effect.gen(function*() {
      const rates = yield* TaxRates
      return yield* rates.fresh(far.tenant, shop.id)
    }).pipe(Effect.map(() => "fresh"), Effect.catch((unavailable) => Effect.succeed(unavailable._tag))))
    await far.simulator.clearFaults()
    assert.strictEqual(answer, "TaxConfigurationUnavailable")
  })
})

describe("The forms the real far end may take, which nobody could ask about (V-PFR §12)", () => {
  const document = (far: SimulatedVpfr, requestId: string) =>
    Effect.gen(function*() {
      const shop = yield* Effect.promise(() => far.addElement())
      const authority = yield* TaxAuthority
      const invoice = shop.invoice(saleContent())
      const opened = yield* authority.open(invoice)
      const submittedAt = yield* DateTime.now
      const before = yield* authority.find(invoice, { requestId, submittedAt })
      const attempt = { requestId, firstByteWithinMillis: 5_000, callerGone: new AbortController().signal, submittedAt }
      const outcomes = [yield* opened.submit(invoice, attempt), yield* opened.submit(invoice, { ...attempt, requestId: `${requestId}b` })]
      return [before._tag, ...outcomes.map((outcome) => outcome._tag)]
    })

  it.each<readonly [string, SimulatorOptions]>([
    ["asks for the certificate by renegotiation, as IIS does", { clientCertificate: "renegotiation" }],
    ["finds nothing with 200 and no body", { notFoundForm: "200-empty" }],
    ["finds nothing with 204", { notFoundForm: "204" }],
    ["finds nothing with 404, header lines as of 2023", { notFoundForm: "404", headerForm: "left" }]
  ])("a far end that %s", async (_, options) => {
    const far = await simulatedVpfr({ ...options, signers: 1 })
    const runtime = openRuntime(far)
    const tags = await runtime.runPromise(document(far, "a"))
    await runtime.dispose()
    await far.simulator.stop()
    assert.deepStrictEqual(tags, ["NothingFound", "Signed", "Signed"])
  })
})
