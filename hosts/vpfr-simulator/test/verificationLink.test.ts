import { createPublicKey } from "node:crypto"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { signatureVerifies } from "../src/receipts/signature.ts"
import { decodeVerificationLink, encodeVerificationLink } from "../src/receipts/verificationLink.ts"

const read = (name: string): string => readFileSync(new URL(`samples/${name}`, import.meta.url), "utf8").trim()

// V-PFR §3.1 and §7.4: real links of the sandbox signer YJLQTEQR and the modulus of its key.
const links = read("links.txt").split("\n").map(decodeURIComponent)
const key = createPublicKey({
  format: "jwk",
  key: { kty: "RSA", e: "AQAB", n: Buffer.from(read("YJLQTEQR.modulus.txt"), "hex").toString("base64url") }
})

const decoded = (vl: string) => {
  const link = decodeVerificationLink(vl)
  if (link === null) throw new Error("unreadable")
  return link
}

const expected = [
  { total: 11389, ofKind: 8652, amount: 684600n, time: "2023-06-06T11:21:15.504", type: "Normal", transaction: "Sale", buyer: "RS34564565" },
  { total: 92455, ofKind: 25734, amount: 7300000n, time: "2024-02-29T16:07:27.455", type: "ProForma", transaction: "Sale", buyer: "" },
  { total: 92714, ofKind: 25659, amount: 7300000n, time: "2024-03-01", type: "Normal", transaction: "Refund", buyer: "" }
]

describe("Links of real receipts (V-PFR §7.1, §7.4)", () => {
  it.each(expected.map((facts, index) => [index, facts] as const))("link %i decodes", (index, facts) => {
    const link = decoded(links[index] ?? "")
    expect({
      total: link.totalCounter,
      ofKind: link.transactionTypeCounter,
      amount: link.totalAmount,
      type: link.invoiceType,
      transaction: link.transactionType,
      buyer: link.buyerId
    }).toEqual({ total: facts.total, ofKind: facts.ofKind, amount: facts.amount, type: facts.type, transaction: facts.transaction, buyer: facts.buyer })
    expect([link.requestedBy, link.signedBy]).toEqual(["YJLQTEQR", "YJLQTEQR"])
    expect(new Date(link.time).toISOString()).toContain(facts.time)
  })

  it.each(links.map((vl, index) => [index, vl] as const))("link %i carries a signature that verifies", (_index, vl) => {
    const link = decoded(vl)
    expect(signatureVerifies("RS111911206", link, link.signature, key)).toBe(true)
    expect(signatureVerifies("RS111911207", link, link.signature, key)).toBe(false)
    expect(signatureVerifies("RS111911206", { ...link, totalAmount: link.totalAmount + 1n }, link.signature, key)).toBe(false)
  })

  it.each(links.map((vl, index) => [index, vl] as const))("link %i is written again byte for byte", (_index, vl) => {
    expect(encodeVerificationLink(decoded(vl)).toString("base64")).toBe(vl)
  })

  it("reads nothing out of a damaged link", () => {
    const bytes = Buffer.from(links[0] ?? "", "base64")
    for (const at of [0, 20, 41, 43, 100, bytes.length - 1]) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      expect(decodeVerificationLink(damaged.toString("base64"))).toBeNull()
    }
    expect(decodeVerificationLink("")).toBeNull()
    expect(decodeVerificationLink(bytes.subarray(0, 100).toString("base64"))).toBeNull()
  })
})
