import { assert, describe, it } from "@effect/vitest"
import { md5 } from "@noble/hashes/legacy.js"
import { BigDecimal, Result } from "effect"
import {
  checkReceipt,
  counterExtension,
  decodeVerificationLink,
  invoiceTypeNumber,
  kindOfCounterExtension,
  linkFacts,
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

const signers = [{ name: "the sandbox's signer", modulus: signerModulus }]
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

describe("Links that are none, and why", () => {
  const sale = payload(saleLink)
  it.each([
    ["no vl=", "https://sandbox.suf.purs.gov.rs/v/", "no base64 after vl="],
    ["nothing", "", "no base64 after vl="],
    ["no base64", `${verificationRoot}@@@`, "no base64 after vl="],
    ["no percent sequence", `${verificationRoot}%%%`, "no base64 after vl="],
    ["broken percent sequence", `${verificationRoot}A1lK%2`, "no base64 after vl="],
    ["too short", linkOf(sale.slice(0, 43)), "only 43 bytes"],
    ["the fixed part alone", linkOf(sale.slice(0, 44)), "length 44 fits no layout"],
    ["cut by one byte", linkOf(sale.slice(0, -1)), `length ${sale.length - 1} fits no layout`],
    ["one byte too long", linkOf(`${sale}x`), `length ${sale.length + 1} fits no layout`],
    ["another version", linkOf(replaceAt(sale, 0, "\u0004")), "version 4, not 3"],
    ["an unknown invoice type", linkOf(replaceAt(sale, 41, "\u0005")), "unknown invoice or transaction type"],
    ["an unknown transaction type", linkOf(replaceAt(sale, 42, "\u0002")), "unknown invoice or transaction type"],
    ["a requesting JID that is no JID", linkOf(replaceAt(sale, 1, " ")), "a JID that is no JID"],
    ["a signing JID that is no JID", linkOf(replaceAt(sale, 16, "-")), "a JID that is no JID"],
    ["a time beyond all calendars", linkOf(replaceAt(sale, 33, "\u00ff")), "a time out of range"]
  ])("%s", (_, url, reason) => {
    const read = decodeVerificationLink(url)
    assert.strictEqual(Result.isFailure(read) ? read.failure.reason : "read", reason)
  })

  it("the calendar's last millisecond is still a time, the one after it is none", () => {
    const at = (millis: bigint) => {
      const bytes = Array.from({ length: 8 }, (_, i) => String.fromCharCode(Number((millis >> BigInt(56 - 8 * i)) & 255n)))
      return decodeVerificationLink(linkOf(sale.slice(0, 33) + bytes.join("") + sale.slice(41)))
    }
    assert.strictEqual(Result.getOrThrow(at(8_640_000_000_000_000n)).sdcTimeMillis, 8_640_000_000_000_000)
    assert.isTrue(Result.isFailure(at(8_640_000_000_000_001n)))
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
    ["further parameters", `${saleLink}&utm=1#top`],
    ["a place on the page", `${saleLink}#top`],
    ["another parameter before it", saleLink.replace("?vl=", "?lang=sr&vl=")],
    ["the query alone", saleLink.slice(saleLink.indexOf("?"))]
  ])("survives %s", (_, url) => {
    assert.isTrue(verifyLinkDigest(decoded(url)))
  })

  it("its address is read without blanks around it", () => {
    assert.strictEqual(decoded(` \t${saleLink}\n`).root, verificationRoot)
  })

  it("a buyer padded with leading zeros is the bare one", () => {
    const padded = `${sale.slice(0, 43)}\u0014${"\0".repeat(10)}${sale.slice(44)}`
    assert.strictEqual(decoded(linkOf(padded)).buyerId, "RS34564565")
    const nobody = `${sale.slice(0, 43)}\u0014${"\0".repeat(20)}${sale.slice(54)}`
    assert.isNull(decoded(linkOf(nobody)).buyerId)
    const inside = `${sale.slice(0, 43)}\u000A${"RS\x00\x0034565"}A${sale.slice(54)}`
    assert.strictEqual(decoded(linkOf(inside)).buyerId, "RS\x00\x0034565A")
  })

  it("internal data of 512 bytes is read as such, and the signature after it", () => {
    const long = decoded(linkOf(sale.slice(0, 54) + "\u00e5".repeat(256) + sale.slice(54)))
    assert.strictEqual(long.encryptedInternalData.length, 512)
    assert.deepStrictEqual(long.signature, decoded(saleLink).signature)
    assert.deepStrictEqual(long.digest, decoded(saleLink).digest)
    assert.strictEqual(long.digested.length, sale.length + 256 - 16)
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
    const full = Result.getOrThrow(checkReceipt(saleLink, { tin: sandboxTin, signers, verificationRoot }))
    assert.deepInclude(full, { undamaged: true, signatureValid: true, leadsToAuthority: true })
    for (const options of [{ tin: sandboxTin }, { signers }]) {
      assert.isNull(Result.getOrThrow(checkReceipt(saleLink, options)).signatureValid)
    }
    const elsewhere = Result.getOrThrow(
      checkReceipt(saleLink.replace("sandbox.suf", "suf.example"), { tin: sandboxTin, signers, verificationRoot })
    )
    assert.deepInclude(elsewhere, { signatureValid: true, leadsToAuthority: false })
  })

  const forged = (bytesAt: number, jid: string) => {
    const binary = payload(saleLink)
    const changed = binary.slice(0, bytesAt) + jid + binary.slice(bytesAt + 8, -16)
    return linkOf(changed + String.fromCharCode(...md5(Uint8Array.from(changed, (char) => char.charCodeAt(0)))))
  }

  it.each([["requestedBy", 1], ["signedBy", 9]] as const)("a forged %s with a recomputed checksum passes every check, so it is never said to be proven", (fact, at) => {
    const check = Result.getOrThrow(checkReceipt(forged(at, "FORGED99"), { tin: sandboxTin, signers, verificationRoot }))
    assert.deepInclude(check, { undamaged: true, signatureValid: true, leadsToAuthority: true })
    assert.strictEqual(check.link[fact], "FORGED99")
    assert.strictEqual(check.standing[fact], "NOT_COVERED")
    // Only the key identifies the signer, whatever the link says.
    assert.strictEqual(check.signer?.name, "the sandbox's signer")
  })

  it("every other fact is proven by the signature, and only claimed where it was not verified", () => {
    const covered = linkFacts.filter((fact) => fact !== "requestedBy" && fact !== "signedBy")
    assert.strictEqual(covered.length, 7)
    const verified = Result.getOrThrow(checkReceipt(saleLink, { tin: sandboxTin, signers }))
    const another = [{ name: "another", modulus: signerModulus + 2n }]
    const unverified = [checkReceipt(saleLink), checkReceipt(saleLink, { tin: sandboxTin, signers: another })].map(Result.getOrThrow)
    for (const fact of covered) {
      assert.strictEqual(verified.standing[fact], "PROVEN")
      for (const { standing } of unverified) assert.strictEqual(standing[fact], "CLAIMED")
    }
    assert.deepStrictEqual(unverified.map(({ signatureValid, signer }) => [signatureValid, signer]), [[null, null], [false, null]])
    const among = Result.getOrThrow(checkReceipt(saleLink, { tin: sandboxTin, signers: [...another, ...signers] }))
    assert.strictEqual(among.signer, signers[0])
  })

  it("a changed fact that is signed fails the signature", () => {
    const binary = payload(saleLink)
    for (const at of [17, 21, 25, 40, 41, 42]) {
      const changed = replaceAt(binary, at, String.fromCharCode((binary.charCodeAt(at) ^ 1) & 0xff)).slice(0, -16)
      const url = linkOf(changed + String.fromCharCode(...md5(Uint8Array.from(changed, (char) => char.charCodeAt(0)))))
      assert.deepInclude(Result.getOrThrow(checkReceipt(url, { tin: sandboxTin, signers })), { undamaged: true, signatureValid: false })
    }
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
