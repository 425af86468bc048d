import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import {
  checkReceipt,
  counterExtension,
  decodeVerificationLink,
  invoiceTypeNumber,
  kindOfCounterExtension,
  verifyLinkDigest,
  verifySignature
} from "@overa/domain"
import {
  proformaLink,
  refundLink,
  saleLink,
  sandboxTin,
  signerModulus,
  verificationRoot
} from "./verificationVectors.ts"

const decoded = (url: string) => Result.getOrThrow(decodeVerificationLink(url))
const payload = (url: string) => atob(decodeURIComponent(url.slice(url.indexOf("vl=") + 3)))
const linkOf = (binary: string) => verificationRoot + encodeURIComponent(btoa(binary))
const replaceAt = (text: string, at: number, char: string) => text.slice(0, at) + char + text.slice(at + 1)

describe("Verification links of real receipts (V-PFR §7.4)", () => {
  const vectors = [
    { name: "sale", url: saleLink, number: "YJLQTEQR-YJLQTEQR-11389", kind: "NORMAL SALE", total: "68.46", buyer: "RS34564565" },
    { name: "proforma", url: proformaLink, number: "YJLQTEQR-YJLQTEQR-92455", kind: "PROFORMA SALE", total: "730", buyer: null },
    { name: "refund", url: refundLink, number: "YJLQTEQR-YJLQTEQR-92714", kind: "NORMAL REFUND", total: "730", buyer: null }
  ]

  it.each(vectors)("$name: reads what was signed", ({ url, number, kind, total, buyer }) => {
    const link = decoded(url)
    assert.strictEqual(`${link.requestedBy}-${link.signedBy}-${link.totalCounter}`, number)
    assert.strictEqual(`${link.invoiceType} ${link.transactionType}`, kind)
    assert.isTrue(BigDecimal.equals(link.totalAmount, BigDecimal.fromStringUnsafe(total)))
    assert.strictEqual(link.buyerId, buyer)
    assert.strictEqual(link.root, verificationRoot)
  })

  it.each(vectors)("$name: digest and signature hold, and one changed fact breaks them", ({ url }) => {
    const link = decoded(url)
    const facts = { tin: sandboxTin, buyerId: link.buyerId, modulus: signerModulus }
    assert.isTrue(verifyLinkDigest(link))
    assert.isTrue(verifySignature(link, facts))
    assert.isFalse(verifySignature(link, { ...facts, tin: "RS111911207" }))
    assert.isFalse(verifySignature(link, { ...facts, buyerId: "10:123456789" }))
    assert.isFalse(verifySignature(link, { ...facts, buyerId: "x".repeat(21) }))
    assert.isFalse(verifySignature(link, { ...facts, modulus: signerModulus + 2n }))
    assert.isFalse(verifySignature(link, { ...facts, modulus: 1n }))
    assert.isFalse(verifySignature({ ...link, totalCounter: link.totalCounter + 1 }, facts))
    assert.isFalse(verifySignature({ ...link, signature: new Uint8Array(256).fill(255) }, facts))
  })

  it("the sale's time is that of its answer", () => {
    assert.strictEqual(new Date(decoded(saleLink).sdcTimeMillis).toISOString(), "2023-06-06T11:21:15.504Z")
    assert.strictEqual(decoded(saleLink).transactionTypeCounter, 8652)
  })
})

describe("Links that are none", () => {
  const sale = payload(saleLink)
  it.each([
    ["no vl=", "https://sandbox.suf.purs.gov.rs/v/"],
    ["nothing", ""],
    ["no base64", `${verificationRoot}%%%`],
    ["broken percent sequence", `${verificationRoot}A1lK%2`],
    ["too short", linkOf(sale.slice(0, 43))],
    ["cut by one byte", linkOf(sale.slice(0, -1))],
    ["one byte too long", linkOf(`${sale}x`)],
    ["another version", linkOf(replaceAt(sale, 0, "\u0004"))],
    ["an unknown invoice type", linkOf(replaceAt(sale, 41, "\u0005"))],
    ["an unknown transaction type", linkOf(replaceAt(sale, 42, "\u0002"))],
    ["a JID that is no JID", linkOf(replaceAt(sale, 1, "y"))],
    ["a time beyond all calendars", linkOf(replaceAt(sale, 33, "\u00ff"))]
  ])("%s", (_, url) => {
    assert.isTrue(Result.isFailure(decodeVerificationLink(url)))
  })

  it("damage that keeps the layout is found by the digest", () => {
    const damaged = decoded(linkOf(replaceAt(sale, 60, String.fromCharCode((sale.charCodeAt(60) + 1) % 256))))
    assert.isFalse(verifyLinkDigest(damaged))
  })

  it.each([
    ["lower-case percent-encoding", saleLink.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())],
    ["a plus sign left bare", saleLink.replaceAll("%2B", "+")],
    ["a plus sign turned into a blank", saleLink.replaceAll("%2B", " ")],
    ["blanks around", `  ${saleLink}\n`],
    ["further parameters", `${saleLink}&utm=1#top`]
  ])("survives %s", (_, url) => {
    assert.isTrue(verifyLinkDigest(decoded(url)))
  })

  it("a buyer padded with leading zeros is the bare one", () => {
    const padded = `${sale.slice(0, 43)}\u0014${"\0".repeat(10)}${sale.slice(44)}`
    assert.strictEqual(decoded(linkOf(padded)).buyerId, "RS34564565")
  })
})

describe("checkReceipt: anyone, offline", () => {
  it("says what it could check and what it could not", () => {
    const bare = Result.getOrThrow(checkReceipt(saleLink))
    assert.deepInclude(bare, {
      invoiceNumber: "YJLQTEQR-YJLQTEQR-11389",
      undamaged: true,
      signatureValid: null,
      leadsToAuthority: null
    })
    const full = Result.getOrThrow(checkReceipt(saleLink, { tin: sandboxTin, signerModulus, verificationRoot }))
    assert.deepInclude(full, { undamaged: true, signatureValid: true, leadsToAuthority: true })
    const elsewhere = Result.getOrThrow(
      checkReceipt(saleLink.replace("sandbox.suf", "suf.example"), { tin: sandboxTin, signerModulus, verificationRoot })
    )
    assert.deepInclude(elsewhere, { signatureValid: true, leadsToAuthority: false })
  })
})

describe("Marks after the counter (V-PFR §8.3)", () => {
  it("name ten kinds in two languages, and no other", () => {
    const marks = "ПП ПР АП АР КП КР РП РР ОП ОР".split(" ")
    assert.deepStrictEqual(
      (Object.keys(invoiceTypeNumber) as Array<keyof typeof invoiceTypeNumber>).flatMap((invoiceType) =>
        (["SALE", "REFUND"] as const).map((transactionType) => counterExtension({ invoiceType, transactionType }))
      ).sort(),
      [...marks].sort()
    )
    for (const mark of marks) {
      const kind = kindOfCounterExtension(mark)
      assert.isNotNull(kind)
      assert.strictEqual(kind === null ? "" : counterExtension(kind), mark)
    }
    assert.deepStrictEqual(kindOfCounterExtension("PR"), { invoiceType: "PROFORMA", transactionType: "REFUND" })
    assert.deepStrictEqual(kindOfCounterExtension("ПР"), { invoiceType: "NORMAL", transactionType: "REFUND" })
    assert.isNull(kindOfCounterExtension("XX"))
  })
})
