import { BigDecimal, DateTime, Result } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { decodeVerificationLink, invoiceNumberOf, verifyLinkDigest } from "../../src/verification/VerificationLink.ts"
import { createHash } from "node:crypto"

const [, ...rows] = readFileSync(new URL("./published/links.tsv", import.meta.url), "utf8").trimEnd().split("\n").map((line) => line.split("\t"))
const md5 = (bytes: Uint8Array): Uint8Array => createHash("md5").update(bytes).digest()

describe("links of receipts that others have published", () => {
  it.each(rows.filter(([, version]) => version === "3"))("%s is read as an independent decoder reads it", (number, _version, amount, signedAt, url) => {
    const link = Result.getOrThrow(decodeVerificationLink(url ?? ""))
    expect(invoiceNumberOf(link)).toBe(number)
    expect(BigDecimal.equals(link.totalAmount, BigDecimal.fromStringUnsafe(amount ?? ""))).toBe(true)
    expect(link.sdcTimeMillis).toBe(DateTime.toEpochMillis(DateTime.makeUnsafe((signedAt ?? "").replace(/000Z$/, "Z"))))
    expect(verifyLinkDigest(link, md5)).toBe(true)
  })

  it("one of another country and version is refused, and the reason is its version", () => {
    const [, , , , url] = rows.find(([, version]) => version === "2") ?? []
    const read = decodeVerificationLink(url ?? "")
    expect(Result.isFailure(read) ? read.failure.reason : "read").toBe("version 2, not 3")
  })
})
