import { DateTime } from "effect"
import { describe, expect, it } from "vitest"
import { backUpStep } from "../../src/going-live/backUpStep.ts"
import { certificateStep, chainStep, credentialStep } from "../../src/going-live/placeSteps.ts"
import { green, inOrder, isReady, notTried, notUsed, red } from "../../src/going-live/RehearsalStep.ts"
import { mailStep, paperStep, webhooksStep } from "../../src/going-live/shopSteps.ts"
import { clockStep, pakStep, readBackStep, type ReadBack, trainingStep, type Trial, vpfrStep } from "../../src/going-live/trialSteps.ts"
import { BusinessPremiseId, SecurityElementId, TaxpayerId } from "../../src/tenancy/identifiers.ts"
import type { SecurityElement } from "../../src/tenancy/SecurityElement.ts"

const now = DateTime.makeUnsafe("2026-03-01T12:00:00Z")
const nothing = ["", ""] as const
const ago = (hours: number) => DateTime.add(now, { hours: -hours })
const signed: Trial = { _tag: "Signed", invoiceNumber: "AB12CD34-AB12CD34-1", millis: 900, secondsAhead: 0, attention: [] }
const readBack: ReadBack = { search: "FOUND", signatureValid: true, leadsToAuthority: true, journalFault: null }

describe("a rehearsal of going live", () => {
  it("is ready only when every step works or is not used", () => {
    expect(isReady([])).toBe(false)
    expect(isReady([green("chain", nothing), notUsed("mail", nothing)])).toBe(true)
    expect(isReady([green("chain", nothing), notTried("paper", nothing)])).toBe(false)
    expect(isReady([green("chain", nothing), red("mail", nothing, "the operator", nothing)])).toBe(false)
    expect(inOrder([notTried("paper", nothing), green("chain", nothing)]).map(({ step }) => step)).toEqual(["chain", "paper"])
  })

  it.each([
    ["nothing known", { archive: null, statedAt: null }, "RED"],
    ["an archive that has kept nothing", { archive: { lastArchivedAt: null, lastFailedAt: null }, statedAt: null }, "RED"],
    ["an archive of this hour", { archive: { lastArchivedAt: ago(0.5), lastFailedAt: ago(5) }, statedAt: null }, "GREEN"],
    ["an archive that fails, whatever is stated", { archive: { lastArchivedAt: ago(5), lastFailedAt: ago(1) }, statedAt: ago(1) }, "RED"],
    ["a stated back-up of this night", { archive: null, statedAt: ago(23) }, "GREEN"],
    ["a stated back-up of the night before", { archive: null, statedAt: ago(24) }, "RED"],
    ["a back-up that is still to come", { archive: null, statedAt: ago(-1) }, "RED"]
  ] as const)("back-up: %s", (_name, found, state) => {
    expect(backUpStep(found, now).state).toBe(state)
  })

  it.each([
    ["in step", 0, null, "GREEN"],
    ["thirty seconds apart", -30, null, "GREEN"],
    ["more, ahead", 31, null, "RED"],
    ["more, behind", -31, null, "RED"],
    ["so far ahead that nothing is sent", 0, 241, "RED"]
  ] as const)("clock: %s", (_name, secondsAhead, tooFar, state) => {
    expect(clockStep({ ...signed, secondsAhead }, tooFar).state).toBe(state)
  })

  it.each([
    ["in five seconds", { _tag: "Answered", millis: 5_000 }, "GREEN", "5.00 s"],
    ["later: each sale would wait as long", { _tag: "Answered", millis: 5_001 }, "RED", "5.00 s"],
    ["never", { _tag: "NoAnswer", detail: "ECONNREFUSED" }, "RED", "ECONNREFUSED"],
    ["to no element", { _tag: "NoElement" }, "NOT_TRIED", "element"]
  ] as const)("V-PFR: it answers %s", (_name, found, state, says) => {
    const step = vpfrStep(found, "https://vpfr.example")
    expect(step).toMatchObject({ state, found: expect.arrayContaining([expect.stringContaining(says)]) })
    expect(step.todo?.who).toBe(state === "RED" ? "the operator" : undefined)
  })

  it.each([["five seconds", 5_000, "GREEN"], ["more", 5_001, "RED"]] as const)("training: signed after %s", (_name, millis, state) => {
    expect(trainingStep({ ...signed, millis }).state).toBe(state)
  })

  it.each([
    ["a month left", -300, 30, "GREEN"],
    ["a day less", -300, 29, "RED"],
    ["ended", -300, 0, "RED"],
    ["not begun", 1, 300, "RED"]
  ] as const)("certificate: %s", (_name, from, to, state) => {
    const element: SecurityElement = {
      id: SecurityElementId.make("01a1fc69-7fcd-7244-88a4-eb809aa50372"), taxpayerId: TaxpayerId.make("01a1fc69-7fcd-7244-88a4-eb809aa50373"),
      businessPremiseId: BusinessPremiseId.make("01a1fc69-7fcd-7244-88a4-eb809aa50374"), environment: "production", jid: "AB12CD34", subject: "", issuer: "", serialNumber: "",
      fingerprintSha256: "", validFrom: DateTime.add(now, { days: from }), validTo: DateTime.add(now, { days: to }), status: "ACTIVE"
    }
    expect(certificateStep(element, null, now)).toMatchObject({ state, todo: state === "RED" ? { who: "the owner" } : null })
  })

  it.each([
    ["of the taxpayer", "production", "111911206", "GREEN"],
    ["of somebody else", "production", "100000049", "RED"],
    ["of a stand-in, which the sandbox allows", "sandbox", "100000049", "GREEN"]
  ] as const)("chain: a certificate %s", (_name, environment, tin, state) => {
    expect(chainStep({ _tag: "Opened", chainTrusted: true, tin }, environment, "111911206").state).toBe(state)
    expect(chainStep({ _tag: "Opened", chainTrusted: false, tin }, environment, "111911206").state).toBe("RED")
  })

  it("an answer that is not as expected is no success, and the sentence names it", () => {
    expect(trainingStep({ ...signed, attention: ["TAX_DIFFERS"] })).toMatchObject({ state: "RED", found: expect.arrayContaining([expect.stringContaining("TAX_DIFFERS")]) })
    const rejected: Trial = { _tag: "NotSigned", documentId: "d", status: "REJECTED", failureCode: "PFR_VALIDATION_REJECTED", codes: ["2310"] }
    expect(trainingStep(rejected)).toMatchObject({ state: "RED", found: expect.arrayContaining([expect.stringContaining("2310")]) })
    expect(pakStep(rejected).state).toBe("NOT_TRIED")
    expect(pakStep({ ...rejected, status: "NOT_FISCALIZED", failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE" }).state).toBe("RED")
  })

  it.each([
    ["all agree", {}, "GREEN"],
    ["not found", { search: "NOTHING_FOUND" }, "RED"],
    ["another one found", { search: "OTHER" }, "RED"],
    ["no answer", { search: "NO_ANSWER" }, "RED"],
    ["a wrong signature", { signatureValid: false }, "RED"],
    ["no signer recorded", { signatureValid: null }, "RED"],
    ["another address", { leadsToAuthority: false }, "RED"],
    ["an unreadable journal", { journalFault: "line 3" }, "RED"]
  ] as const)("read back: %s", (_name, change, state) => {
    expect(readBackStep({ ...readBack, ...change }).state).toBe(state)
  })

  it("paper: a logo that is not drawn, or a sign the font lacks, is red on the paper where it happens", () => {
    const paper = { paper: "a4", hasLogo: true, missing: [] }
    expect(paperStep([paper, { ...paper, paper: "58mm", hasLogo: false }], { logo: true })).toMatchObject({ state: "RED", found: expect.arrayContaining([expect.stringContaining("58mm")]) })
    expect(paperStep([{ ...paper, hasLogo: false }], { logo: false }).state).toBe("GREEN")
    expect(paperStep([{ ...paper, missing: ["U+13000"] }], null)).toMatchObject({ state: "RED", found: expect.arrayContaining([expect.stringContaining("U+13000")]) })
    expect(paperStep(null, { logo: true }).state).toBe("NOT_TRIED")
  })

  it.each([
    ["none", [], "NOT_USED", null],
    ["taken by both", ["TAKEN", "TAKEN"], "GREEN", null],
    ["one that refuses", ["TAKEN", "REFUSED"], "RED", "the owner"],
    ["one that is paused", ["PAUSED", "TAKEN"], "RED", "the owner"],
    ["no worker, which alone puts the rest in doubt", ["REFUSED", "NOT_SENT"], "RED", "the operator"]
  ] as const)("events: %s", (_name, became, state, who) => {
    const step = webhooksStep(became.map((one) => ({ url: "https://shop.example/hooks", became: one, detail: "HTTP 500" })))
    expect([step.state, step.todo?.who ?? null]).toEqual([state, who])
    expect(step.found.every((sentence) => sentence !== "")).toBe(true)
  })

  it("mail is judged only where the shop uses it", () => {
    const works = { enabled: true, licensed: true, server: { fault: null }, failures: 0 }
    expect(mailStep(works).state).toBe("GREEN")
    expect(mailStep({ ...works, enabled: false, server: null, licensed: false }).state).toBe("NOT_USED")
    for (const change of [{ licensed: false }, { server: null }, { server: { fault: "535" } }, { failures: 1 }]) expect(mailStep({ ...works, ...change }).state).toBe("RED")
    expect(credentialStep(0, "production").state).toBe("RED")
  })
})
