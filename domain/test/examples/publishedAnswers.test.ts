import { DateTime, Result } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type ExpectedAnswer, outcomeOfAnswer, Quantity, Dinars, readSignedAnswer, searchOutcomeOfAnswer } from "@overa/domain"
import { decodeVerificationLink } from "../../src/verification/VerificationLink.ts"
import { decimal, facts, line, sale } from "./verificationSale.ts"
import { saleAnswerText, saleLink } from "./verificationVectors.ts"

const textOf = (name: string): string => readFileSync(new URL(`./published/answers/${name}.json`, import.meta.url), "utf8")
type Members = Readonly<Record<string, unknown>>
const membersOf = (name: string) => JSON.parse(textOf(name)) as Members
const whyNot = (text: string): string => {
  const read = readSignedAnswer(text)
  return Result.isFailure(read) ? read.failure.reason : "read"
}

const noSignature = "a signature that is not 256 bytes in base64, and no readable link"

describe("answers that others have published", () => {
  it.each([
    ["republika-srpska-sale", noSignature],
    ["republika-srpska-copy", noSignature],
    ["relayed-by-an-esir", "not a JSON object"],
    ["public-check", "no usable invoiceNumber"]
  ])("%s, as it was published, is no signed answer, and the reason is said", (name, reason) => {
    expect(whyNot(textOf(name))).toBe(reason)
    expect(outcomeOfAnswer(sale, textOf(name), facts)).toMatchObject({ _tag: "NoAnswer", failureCode: "OUTCOME_UNKNOWN", foreignAnswer: textOf(name) })
  })

  it("the link that an ESIR relayed is read, and names the receipt of the answer around it", () => {
    const [relayed] = membersOf("relayed-by-an-esir") as unknown as ReadonlyArray<Record<"verificationUrl" | "invoiceNumber", string>>
    const link = Result.getOrThrow(decodeVerificationLink(relayed?.verificationUrl ?? ""))
    expect(`${link.requestedBy}-${link.signedBy}-${link.totalCounter}`).toBe(relayed?.invoiceNumber)
  })
})

/** The published sale with its binary members whole, as the V-PFR of Republika Srpska sends it: the link has our layout. */
const root = "https://sandbox.suf.poreskaupravars.org/v/?vl="
const linkFor = (jid: string, amount: bigint): string => {
  const payload = Buffer.from(decodeURIComponent(saleLink.slice(saleLink.indexOf("vl=") + 3)), "base64")
  payload.write(`${jid}${jid}`, 1, "ascii")
  payload.writeUInt32LE(138, 17)
  payload.writeUInt32LE(100, 21)
  payload.writeBigUInt64LE(amount, 25)
  payload.writeBigUInt64BE(BigInt(Date.parse("2024-03-12T06:47:09.548Z")), 33)
  const bytes = Buffer.concat([payload.subarray(0, 43), Buffer.of(0), payload.subarray(54)])
  return root + encodeURIComponent(bytes.toString("base64"))
}
const whole = { ...membersOf("republika-srpska-sale"), signature: (JSON.parse(saleAnswerText) as { signature: string }).signature, verificationUrl: linkFor("RX4F7Y5L", 1_000_000n) }
const asked: ExpectedAnswer = {
  jid: "RX4F7Y5L",
  taxRates: null,
  content: {
    ...sale.content, buyer: null, payments: [{ type: "CASH", amount: decimal("100") }],
    items: [{ ...line, name: "Artikl 1", quantity: Quantity.make(decimal("2")), unitPrice: Dinars.make(decimal("50")), taxLabels: ["F"] }]
  }
}
const then = { ...facts, submittedAt: DateTime.makeUnsafe("2024-03-12T06:47:08Z") }
const ownTin = { tin: "RS111911206" }
const ownLink = { verificationUrl: (whole.verificationUrl).replace("sandbox.suf.poreskaupravars.org", "sandbox.suf.purs.gov.rs") }
const hostReason = "its link leads to sandbox.suf.poreskaupravars.org, the tax authority of Republika Srpska"
const tinReason = "its tin 4402692070009 is not of Serbia, which has nine digits"

describe("an answer of another tax authority is never our receipt, even if element, amount, kind and time are ours", () => {
  it.each([
    ["as it is", {}, `${hostReason}; ${tinReason}`],
    ["with a TIN of nine digits, by its link", ownTin, hostReason],
    ["with no TIN, by its link", { tin: null }, hostReason],
    ["with an unreadable link, by the link's host", { ...ownTin, verificationUrl: `${root}AAAA` }, hostReason],
    ["with our link, by its TIN", ownLink, tinReason],
    ["of Fiji", { ...ownTin, verificationUrl: whole.verificationUrl.replace("sandbox.suf.poreskaupravars.org", "vms.frcs.org.fj") }, "its link leads to vms.frcs.org.fj, the tax authority of Fiji"]
  ])("%s", (_, change, reason) => {
    const text = JSON.stringify({ ...whole, ...change })
    expect(whyNot(text)).toBe("read")
    expect(outcomeOfAnswer(asked, text, then)).toEqual({
      _tag: "NoAnswer", failureCode: "OUTCOME_UNKNOWN", detail: `the answer is not to this request: ${reason}`, foreignAnswer: text
    })
    expect(searchOutcomeOfAnswer(asked, text, then)).toEqual({ _tag: "FoundForeign", text, detail: reason })
  })

  it("the same answer with a TIN and a link of Serbia is ours, and an unknown host alone is only remarked on", () => {
    expect(outcomeOfAnswer(asked, JSON.stringify({ ...whole, ...ownTin, ...ownLink }), then)._tag).toBe("Signed")
    const moved = { verificationUrl: whole.verificationUrl.replace("sandbox.suf.poreskaupravars.org", "notporeskaupravars.org") }
    const outcome = outcomeOfAnswer(asked, JSON.stringify({ ...whole, ...ownTin, ...moved }), then)
    expect(outcome._tag === "Signed" && outcome.remarks.map(({ kind }) => kind)).toContain("VERIFICATION_HOST_DIFFERS")
  })
})
