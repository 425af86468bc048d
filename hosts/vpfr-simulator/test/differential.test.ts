import { checkReceipt, taxByLabel } from "@overa/domain"
import { BigDecimal, Result } from "effect"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Element, type RunningSimulator, startSimulator } from "../src/index.ts"
import { formatUnits } from "../src/exactDecimal.ts"
import { initialTaxRates } from "../src/taxes/initialTaxRates.ts"
import { groupValidAt, ratesByLabel } from "../src/taxes/TaxRateGroup.ts"
import { taxItems } from "../src/taxes/taxItems.ts"
import type { Json } from "./support/Json.ts"
import { bakery, refund, sale } from "./support/requests.ts"
import { VpfrClient } from "./support/VpfrClient.ts"

// The simulator and the service compute independently; here their results are compared.

const group = groupValidAt(initialTaxRates("sandbox", 0), Date.parse("2026-11-21T12:00:00Z"))
const rates = group === undefined ? new Map<string, never>() : ratesByLabel(group)
const decimal = (units: bigint, scale: number) => BigDecimal.fromStringUnsafe(formatUnits(units, scale))

const line = fc.record({
  quantity: fc.bigInt({ min: 1n, max: 10n ** 7n }),
  unitPrice: fc.bigInt({ min: 0n, max: 10n ** 8n }),
  labels: fc.uniqueArray(fc.constantFrom(...rates.keys()), { minLength: 1, maxLength: 4 })
})

type Line = typeof line extends fc.Arbitrary<infer A> ? A : never

const ours = (lines: ReadonlyArray<Line>) =>
  taxItems(
    lines.map(({ labels, quantity, unitPrice }) => ({ quantity, labels, totalAmount: (2n * quantity * unitPrice + 1000n) / 2000n })),
    rates
  ).map(({ amount, label }) => `${label} ${formatUnits(amount, 4)}`)

const theirGroup = {
  validFrom: "2024-02-01T00:00:00+01:00",
  groupId: 8,
  rates: [...rates.values()].map((rate, index) => ({ ...rate, rate: decimal(BigInt(rate.rate), 2), orderId: index + 1 }))
} as unknown as Parameters<typeof taxByLabel>[1]

const theirs = (lines: ReadonlyArray<Line>) => {
  const exact = lines.map(({ labels, quantity, unitPrice }) => ({ quantity: decimal(quantity, 3), unitPrice: decimal(unitPrice, 2), taxLabels: labels }))
  return taxByLabel(exact, theirGroup).map(({ amount, label }) => `${label} ${formatUnits(BigDecimal.scale(amount, 4).value, 4)}`)
}

describe("Taxes: the simulator's and the service's arithmetic agree", () => {
  it("on any lines under any labels", () => {
    fc.assert(fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      expect(ours(lines).toSorted()).toEqual(theirs(lines).toSorted())
    }))
  })
})

describe("Links: the service's offline check believes the simulator's", () => {
  let simulator: RunningSimulator
  let element: Element
  let client: VpfrClient

  beforeAll(async () => {
    simulator = await startSimulator()
    element = await simulator.issueElement(bakery)
    client = new VpfrClient(simulator, element)
  })
  afterAll(async () => {
    client.close()
    await simulator.stop()
  })

  it.each([["a sale", sale, 256], ["a refund to a buyer", refund, 256], ["a sale with 512 bytes of internal data", sale, 512]] as const)("of %s", async (_name, body, internalDataBytes) => {
    await fetch(`${simulator.controlUrl}/settings`, { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ internalDataBytes }) })
    const { json } = await client.submit(body)
    const signers = await (await fetch(`${simulator.controlUrl}/signers`)).json() as Json
    const signer = signers.sandbox.find((candidate: Json) => candidate.uid === json.signedBy)
    const checked = checkReceipt(json.verificationUrl, {
      tin: json.tin,
      signers: [{ name: signer.uid, modulus: BigInt(`0x${signer.modulusHex}`) }],
      verificationRoot: simulator.sandbox.verificationUrl
    })
    expect(Result.isSuccess(checked) ? checked.success : checked.failure).toMatchObject({
      invoiceNumber: json.invoiceNumber,
      undamaged: true,
      signatureValid: true,
      leadsToAuthority: true
    })
  })
})
