import { DateTime, Option, Result } from "effect"
import * as fc from "fast-check"
import { PaymentType } from "../../src/documents/LineItem.ts"
import { allowedPaymentTypes, checkPaymentTypes, hasCash, paidBy, paymentModeNotAsked } from "../../src/documents/composeContent.ts"
import { type License, type LicensedUse, licensedUseOf, licenseGate, productionFiscalization } from "../../src/licensing/licenseGate.ts"
import type { BusinessPremise, PremiseForIssuing } from "../../src/tenancy/Taxpayer.ts"
import { checkElementEnvironment, environmentGate, findPremise, premiseGate, withoutExpiredElement } from "../../src/tenancy/premiseGate.ts"
import { BusinessPremiseId, SecurityElementId, TaxpayerId } from "../../src/tenancy/identifiers.ts"
import { Scope } from "../../src/tenancy/Caller.ts"
import { certificateWarning, certificateWarningDays, daysUntil } from "../../src/tenancy/SecurityElement.ts"
import { credentialKeyId, secretDigest } from "../../src/tenancy/secretDigest.ts"
import { createHmac } from "node:crypto"
import { documentKinds } from "../arbitraries/ReferencedDocument.ts"
import { decimal } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const now = DateTime.makeUnsafe("2026-08-29T10:00:00Z")
const dayFromNow = (days: number): DateTime.Utc => DateTime.add(now, { days })
const codeOf = (result: Result.Result<unknown, { readonly code: string }>): string => (Result.isFailure(result) ? result.failure.code : "")

const license: fc.Arbitrary<License | null> = fc.option(
  fc.record({
    startsAt: fc.integer({ min: -5, max: 5 }).map(dayFromNow),
    expiresAt: fc.option(fc.integer({ min: -5, max: 5 }).map(dayFromNow)),
    suspended: fc.boolean(),
    modules: fc.subarray<"advance" | "email">(["advance", "email"])
  })
)
/** A valid licence, so that the checks after it are reached. */
const inForce = fc.subarray<"advance" | "email">(["advance", "email"]).map((modules): License => ({
  startsAt: dayFromNow(-1),
  expiresAt: dayFromNow(1),
  suspended: false,
  modules
}))
const uses: ReadonlyArray<LicensedUse> = ["SALE", "COPY", "PROFORMA_TRAINING", "ADVANCE", "EMAIL", "EXEMPT"]

/** The reasons why a licence does not allow production, in the order of the answers. */
const reasonOf = (held: License | null): string => {
  if (held === null) return "LICENSE_REQUIRED"
  if (DateTime.isLessThan(now, held.startsAt)) return "LICENSE_NOT_STARTED"
  if (held.expiresAt !== null && !DateTime.isLessThan(now, held.expiresAt)) return "LICENSE_EXPIRED"
  return held.suspended ? "LICENSE_SUSPENDED" : ""
}

rule("LICENSE-1", {
  says: "In production a sale, copy, proforma, training document and advance need a licence in force; the first reason against it is told.",
  source: "Spec, Authentication 8; Spec, Errors, Catalogue; Decisions §2, step 7",
  proves: ["LICENSE_REQUIRED", "LICENSE_NOT_STARTED", "LICENSE_EXPIRED", "LICENSE_SUSPENDED"]
}, ({ holds, holdsForEvery }) => {
  holds("required, not started, expired, suspended, in this order", { license, use: fc.constantFrom(...uses.filter((use) => use !== "EXEMPT" && use !== "ADVANCE" && use !== "EMAIL")) },
    ({ license: held, use }) => codeOf(licenseGate(held, { environment: "production", use, now })) === reasonOf(held))
  holdsForEvery("it is in force from its start to just before its end",
    [[0, 1, ""], [1, 2, "LICENSE_NOT_STARTED"], [-1, 0, "LICENSE_EXPIRED"], [0, null, ""]] as const, ([start, end, code]) =>
      codeOf(licenseGate({ startsAt: dayFromNow(start), expiresAt: end === null ? null : dayFromNow(end), suspended: false, modules: [] },
        { environment: "production", use: "SALE", now })) === code)
  holds("GET /v1/license tells the same in advance", { license }, ({ license: held }) => {
    const told = productionFiscalization(held, now)
    return (told.reason ?? "") === reasonOf(held) && told.productionFiscalizationAllowed === (reasonOf(held) === "")
  })
})

rule("LICENSE-2", {
  says: "Refunds and advance cancellations are never stopped by licensing, nor is anything in sandbox.",
  source: "Spec, Authentication 7 and 8; Spec, Refunds rule 5"
}, ({ holds, holdsForEvery }) => {
  holds("with any licence or none", { license }, ({ license: held }) =>
    codeOf(licenseGate(held, { environment: "production", use: "EXEMPT", now })) === "" &&
    uses.every((use) => codeOf(licenseGate(held, { environment: "sandbox", use, now })) === ""))
  holdsForEvery("a Normal Refund and an Advance Refund are exempt, no other kind is", documentKinds, ({ invoiceType, transactionType }) =>
    (licensedUseOf(invoiceType, transactionType) === "EXEMPT") ===
      (transactionType === "REFUND" && (invoiceType === "NORMAL" || invoiceType === "ADVANCE")))
  holdsForEvery("what the other kinds are licensed as", [
    ["NORMAL", "SALE", "SALE"],
    ["ADVANCE", "SALE", "ADVANCE"],
    ["COPY", "SALE", "COPY"],
    ["COPY", "REFUND", "COPY"],
    ["PROFORMA", "SALE", "PROFORMA_TRAINING"],
    ["PROFORMA", "REFUND", "PROFORMA_TRAINING"],
    ["TRAINING", "SALE", "PROFORMA_TRAINING"],
    ["TRAINING", "REFUND", "PROFORMA_TRAINING"]
  ] as const, ([invoiceType, transactionType, use]) => licensedUseOf(invoiceType, transactionType) === use)
})

rule("LICENSE-3", {
  says: "Advances and e-mail need their module enabled, asked after the licence itself.",
  source: "Spec, Authentication 8; Decisions §2",
  proves: ["MODULE_NOT_LICENSED"]
}, ({ holds }) => {
  holds("a missing module is named", { license: fc.oneof(license, inForce), use: fc.constantFrom("ADVANCE" as const, "EMAIL" as const) }, ({ license: held, use }) => {
    const gate = licenseGate(held, { environment: "production", use, now })
    const module = use === "ADVANCE" ? "advance" : "email"
    if (reasonOf(held) !== "") return codeOf(gate) === reasonOf(held)
    if (held?.modules.includes(module) === true) return Result.isSuccess(gate)
    return Result.isFailure(gate) && gate.failure.code === "MODULE_NOT_LICENSED" && gate.failure.module === module
  })
})

const taxpayerId = TaxpayerId.make("01900001-0000-7000-8000-000000000001")
const businessPremiseId = BusinessPremiseId.make("01900002-0000-7000-8000-000000000001")
const asked = { taxpayerId, businessPremiseId }

const premise = (fields: Partial<BusinessPremise> = {}): BusinessPremise => ({
  id: businessPremiseId,
  taxpayerId,
  puIdentifier: "1234567",
  name: "Web shop",
  commerceMode: "distance",
  environment: "production",
  paymentMode: "all",
  status: "active",
  createdAt: now,
  updatedAt: now,
  ...fields
})

const element = {
  id: SecurityElementId.make("01900004-0000-7000-8000-000000000001"),
  jid: "ABCD1234",
  environment: "production",
  validTo: dayFromNow(365)
} as const

const found = (fields: Partial<PremiseForIssuing> = {}): PremiseForIssuing => ({
  taxpayer: {
    id: taxpayerId,
    taxIdentifier: "101670560",
    name: "Shop",
    address: null,
    city: null,
    environment: "production",
    vatStatus: "IN_VAT",
    status: "active",
    createdAt: now,
    updatedAt: now
  },
  premise: premise(),
  activeElement: element,
  preferredPaperFormat: "a4",
  brandingId: null,
  ...fields
})

rule("PREMISE-1", {
  says: "The taxpayer is looked for first, then the premise; what is not there for this caller is not found.",
  source: "Spec, Errors, Catalogue; Decisions §2, step 5",
  proves: ["TAXPAYER_NOT_FOUND", "BUSINESS_PREMISE_NOT_FOUND"]
}, ({ holdsForEvery }) => {
  holdsForEvery("in this order", [
    [Option.none(), "TAXPAYER_NOT_FOUND"],
    [Option.some(found({ premise: null })), "BUSINESS_PREMISE_NOT_FOUND"],
    [Option.some(found()), ""]
  ] as const, ([directory, code]) => codeOf(findPremise(directory, asked)) === code)
  holdsForEvery("what is there is answered whole", [found()], (there) => {
    const answer = Result.getOrNull(findPremise(Option.some(there), asked))
    return answer?.premise === there.premise && answer?.taxpayer === there.taxpayer && answer?.activeElement === element
  })
})

rule("PREMISE-2", {
  says: "An active element of the environment the credential is not of is refused before anything is reserved.",
  source: "Spec, Authentication 7; Decisions §2, step 6",
  proves: ["CREDENTIAL_ENVIRONMENT_MISMATCH"]
}, ({ holdsForEvery }) => {
  holdsForEvery("either way round; without an active element there is nothing to mismatch", [
    ["sandbox", element, "CREDENTIAL_ENVIRONMENT_MISMATCH"],
    ["production", { ...element, environment: "sandbox" }, "CREDENTIAL_ENVIRONMENT_MISMATCH"],
    ["production", element, ""],
    ["sandbox", null, ""]
  ] as const, ([environment, activeElement, code]) => codeOf(checkElementEnvironment({ activeElement }, environment)) === code)
})

const paymentsOf = (types: ReadonlyArray<PaymentType>) => types.map((type) => ({ type, amount: decimal("1") }))
const paymentTypes = fc.array(fc.constantFrom(...PaymentType.literals), { minLength: 1, maxLength: 4 })

rule("PREMISE-3", {
  says: "A premise issues when it is one of distance commerce, active, takes the payments and has an active element; the first that fails " +
    "is told.",
  source: "Spec, Errors, Catalogue; Decisions §2, step 8",
  proves: ["LPFR_REQUIRED_FOR_IN_PERSON_SALES", "BUSINESS_PREMISE_INACTIVE", "ACTIVE_SECURITY_ELEMENT_REQUIRED"]
}, ({ holdsForEvery }) => {
  const states = (["distance", "in_person"] as const).flatMap((commerceMode) =>
    (["active", "suspended", "closed"] as const).flatMap((status) =>
      [true, false].flatMap((paidByCard) => [true, false].map((hasElement) => ({ commerceMode, status, paidByCard, hasElement })))
    )
  )
  holdsForEvery("in this order, whatever else is wrong", states, ({ commerceMode, status, paidByCard, hasElement }) => {
    const [first = ""] = [
      commerceMode === "in_person" ? "LPFR_REQUIRED_FOR_IN_PERSON_SALES" : "",
      status === "active" ? "" : "BUSINESS_PREMISE_INACTIVE",
      paidByCard ? "PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE" : "",
      hasElement ? "" : "ACTIVE_SECURITY_ELEMENT_REQUIRED"
    ].filter((code) => code !== "")
    const at = premise({ commerceMode, status, paymentMode: "restricted" })
    const gate = premiseGate({ premise: at, activeElement: hasElement ? element : null }, paidBy(paymentsOf([paidByCard ? "CARD" : "CASH"])))
    return codeOf(gate) === first && (first !== "" || Result.getOrNull(gate) === element)
  })
})

rule("PAYMENT-1", {
  says: "A premise in restricted mode takes OTHER, CASH, WIRE_TRANSFER and VOUCHER; copies and a closing's Advance Refund are not asked.",
  source: "Spec, fiscal-documents rule 6; Decisions §2",
  proves: ["PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE"]
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("what is allowed in each mode", [["restricted", "OTHER,CASH,WIRE_TRANSFER,VOUCHER"], ["all", PaymentType.literals.join()]] as const,
    ([mode, types]) => allowedPaymentTypes(mode).join() === types)
  holds("each refused type is named once", { types: paymentTypes }, ({ types }) => {
    const refused = [...new Set(types)].filter((type) => ["CARD", "INSTANT_PAYMENT", "CHECK"].includes(type))
    const checked = checkPaymentTypes(paymentsOf(types), "restricted")
    return Result.isSuccess(checked) ? refused.length === 0 : checked.failure.paymentTypes.join() === refused.join()
  })
  holds("in mode all every type is taken", { types: paymentTypes }, ({ types }) => Result.isSuccess(checkPaymentTypes(paymentsOf(types), "all")))
  holdsForEvery("cash is told wherever it stands among the payments", [["CARD", "CASH"], ["CASH"], ["CARD"], []] as ReadonlyArray<ReadonlyArray<PaymentType>>,
    (types) => hasCash(paymentsOf(types)) === types.includes("CASH"))
  holdsForEvery("where the mode is not asked, nothing is refused", [premise({ paymentMode: "restricted" })],
    (at) => Result.isSuccess(premiseGate({ premise: at, activeElement: element }, paymentModeNotAsked)))
})

rule("ENVIRONMENT-1", {
  says: "Nothing is issued where the V-PFR is not configured, while a restore is declared, where traffic is off, or in production without an ESIR number.",
  source: "Spec, Errors, Catalogue; Decisions §2, steps 8a and 8b; Decisions §15",
  proves: ["PFR_SANDBOX_NOT_CONFIGURED", "RESTORE_IN_PROGRESS", "PFR_ENVIRONMENT_DISABLED"]
}, ({ holds }) => {
  holds("configuration is asked first", {
    environment: fc.constantFrom("sandbox" as const, "production" as const),
    adapterConfigured: fc.boolean(),
    restoring: fc.boolean(),
    trafficEnabled: fc.boolean(),
    esirNumber: fc.constantFrom("", "1234/1.0")
  }, ({ environment, ...settings }) => {
    const disabled = !settings.trafficEnabled || (environment === "production" && settings.esirNumber === "")
    const expected = settings.adapterConfigured ? (settings.restoring ? "RESTORE_IN_PROGRESS" : disabled ? "PFR_ENVIRONMENT_DISABLED" : "") : "PFR_SANDBOX_NOT_CONFIGURED"
    return codeOf(environmentGate(settings, environment)) === expected
  })
})

rule("SCOPE-1", {
  says: "A credential's bundle has the twelve scopes of the contract, and no others.",
  source: "Spec, Authentication 6"
}, ({ holdsForEvery }) => {
  holdsForEvery("each of them", [
    "fiscal:write",
    "fiscal:read",
    "refund:write",
    "advance:write",
    "advance:close",
    "proforma-training:write",
    "operations:read",
    "catalogue:read",
    "catalogue:write",
    "configuration:read",
    "tenant:read",
    "security-elements:read"
  ] as const, (scope) => Scope.literals.includes(scope) && Scope.literals.length === 12)
})

rule("CREDENTIAL-1", {
  says: "A secret is stored as its HMAC-SHA-256 under the key of the installation; the key's id is sixteen hex digits that change with the key.",
  source: "Decisions §7"
}, ({ holds }) => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const hmac = (bytes: Uint8Array, text: string): string => createHmac("sha256", bytes).update(text, "utf8").digest("hex")
  holds("as another library computes it", { key, secret: fc.string({ unit: "binary" }) }, ({ key: bytes, secret }) => secretDigest(bytes, secret) === hmac(bytes, secret))
  holds("two keys have two ids", { one: key, other: key }, ({ one, other }) =>
    /^[0-9a-f]{16}$/.test(credentialKeyId(one)) && (credentialKeyId(one) === credentialKeyId(other)) === (Buffer.compare(one, other) === 0))
})

rule("PREMISE-4", {
  says: "An element whose certificate has expired is no active element; everything else of the place stays.",
  source: "Decisions §2, step 8; V-PFR §9"
}, ({ holds, holdsForEvery }) => {
  holds("from the very end of its validity on, and not before", { millis: fc.integer({ min: -100_000, max: 100_000 }) }, ({ millis }) => {
    const place = { ...found({ activeElement: { ...element, validTo: DateTime.makeUnsafe(now.epochMilliseconds + millis) } }), premise: premise() }
    const usable = withoutExpiredElement(place, now)
    return millis <= 0 ? usable.activeElement === null && usable.premise === place.premise : usable === place
  })
  holdsForEvery("without an element nothing changes", [{ ...found({ activeElement: null }), premise: premise() }], (place) =>
    withoutExpiredElement(place, now) === place)
})

rule("CERTIFICATE-1", {
  says: "The operator is warned of a certificate's end at 60, 30, 14, 7 and 1 days, by the narrowest limit it has reached, and of its having expired.",
  source: "V-PFR §9"
}, ({ holds, holdsForEvery }) => {
  const inMillis = (millis: number) => DateTime.makeUnsafe(now.epochMilliseconds + millis)
  const day = 86_400_000
  holdsForEvery("at a limit, a millisecond before it and a millisecond after it", [...certificateWarningDays], (days) =>
    certificateWarning(inMillis(days * day), now) === days && certificateWarning(inMillis(days * day - 1), now) === days &&
    certificateWarning(inMillis(days * day + 1), now) === (certificateWarningDays.filter((other) => other > days).at(-1) ?? null))
  holdsForEvery("expired at its end and ever after", [0, -1, -100 * day], (millis) => certificateWarning(inMillis(millis), now) === 0)
  holds("a warning only narrows as time goes on", { left: fc.integer({ min: 1, max: 70 * day }), later: fc.integer({ min: 0, max: 70 * day }) },
    ({ left, later }) => (certificateWarning(inMillis(left - later), now) ?? 99) <= (certificateWarning(inMillis(left), now) ?? 99))
  holds("days left are whole days, rounded down, negative once it is over", { days: fc.integer({ min: -90, max: 90 }), rest: fc.integer({ min: 0, max: day - 1 }) },
    ({ days, rest }) => daysUntil(inMillis(days * day + rest), now) === days)
})
