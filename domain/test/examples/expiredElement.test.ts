import { DateTime, Result } from "effect"
import { assert, describe, it } from "vitest"
import {
  BusinessPremiseId,
  type FoundPremise,
  paymentModeNotAsked,
  premiseGate,
  SecurityElementId,
  TaxpayerId,
  withoutExpiredElement
} from "../../src/index.ts"

const utc = (text: string): DateTime.Utc => DateTime.toUtc(DateTime.makeUnsafe(text))
const long = { createdAt: utc("2026-01-01T00:00:00Z"), updatedAt: utc("2026-01-01T00:00:00Z") }
const taxpayerId = TaxpayerId.make("01900000-0000-7000-8000-0000000000a1")

const found: FoundPremise = {
  taxpayer: {
    ...long,
    id: taxpayerId,
    taxIdentifier: "100000008",
    name: "Shop",
    address: null,
    city: null,
    environment: "sandbox",
    vatStatus: "IN_VAT",
    status: "active"
  },
  premise: {
    ...long,
    id: BusinessPremiseId.make("01900000-0000-7000-8000-0000000000b1"),
    taxpayerId,
    puIdentifier: "1",
    name: "Web",
    commerceMode: "distance",
    environment: "sandbox",
    paymentMode: "all",
    status: "active"
  },
  activeElement: {
    id: SecurityElementId.make("01900000-0000-7000-8000-0000000000e1"),
    jid: "ABCD2345",
    environment: "sandbox",
    validTo: utc("2026-08-29T10:00:00Z")
  },
  preferredPaperFormat: "a4",
  brandingId: null
}

const gateAt = (time: string) => premiseGate(withoutExpiredElement(found, utc(time)), paymentModeNotAsked)

describe("an element whose certificate has expired", () => {
  it.each([
    ["2026-08-29T09:59:59.999Z", true],
    ["2026-08-29T10:00:00.000Z", false],
    ["2027-01-01T00:00:00.000Z", false]
  ])("at %s signs: %s", (time, signs) => {
    assert.strictEqual(Result.isSuccess(gateAt(time)), signs)
  })

  it("refuses as if the premise had none", () => {
    const refused = Result.getOrThrow(Result.flip(gateAt("2027-01-01T00:00:00.000Z")))
    assert.strictEqual(refused.code, "ACTIVE_SECURITY_ELEMENT_REQUIRED")
  })
})
