import { X509Certificate } from "node:crypto"
import forge from "node-forge"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chainsToRoot } from "@overa/adapter-vpfr"
import { parsePfx } from "../src/parsePfx.ts"
import { authority, elementIdentity, type Identity, renewed } from "./support/throwawayCertificates.ts"

const now = Date.now()
const day = 86_400_000
const password = "ABCD1234"

const root = authority("Test root")
const otherRoot = authority("Other root")
const issuing = authority("Test issuing", root)
const leaf = elementIdentity(issuing, "TESTJID1")
const times = (from: number, to: number) => ({ validFrom: new Date(now + from * day), validTo: new Date(now + to * day) })

const ended = renewed(issuing, { issuer: root, ...times(-20, -1) })
const coming = renewed(issuing, { issuer: root, ...times(5, 400) })
const namesake = authority("Test issuing", root)
const underOtherRoot = renewed(issuing, { issuer: otherRoot })
const endedLeaf = renewed(leaf, { issuer: issuing, ...times(-20, -1) })

const pfxOf = (identity: Identity, certificates: ReadonlyArray<Identity>): Uint8Array => {
  const file = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(identity.privateKey),
    certificates.map(({ certificate }) => forge.pki.certificateFromPem(certificate)),
    password,
    { algorithm: "3des", count: 1 }
  )
  return Buffer.from(forge.asn1.toDer(file).getBytes(), "binary")
}
const chainOf = (certificates: ReadonlyArray<Identity>): string => parsePfx(pfxOf(leaf, certificates), password, now).certificateChainPem
const fingerprints = (pem: string) =>
  (pem.match(/-----BEGIN[\s\S]+?END CERTIFICATE-----/g) ?? []).map((one) => new X509Certificate(one).fingerprint256)
const fingerprintsOf = (identities: ReadonlyArray<Identity>) => identities.map(({ certificate }) => new X509Certificate(certificate).fingerprint256)

const files: ReadonlyArray<readonly [string, ReadonlyArray<Identity>]> = [
  ["an intermediate that ended and its renewal", [leaf, ended, issuing]],
  ["a renewal that is not valid yet", [leaf, coming, issuing]],
  ["an intermediate of the same name with another key", [leaf, namesake, issuing]],
  ["an intermediate that another root has signed too", [leaf, underOtherRoot, issuing, otherRoot]],
  ["two certificates for the element's key", [endedLeaf, leaf, issuing]],
  ["one certificate twice", [leaf, issuing, issuing, leaf]],
  ["all of them", [endedLeaf, leaf, ended, coming, namesake, underOtherRoot, issuing, otherRoot, root]]
]

describe("Whether a PFX leads to a configured root does not depend on the order of its certificates (Decisions §4, Trust)", () => {
  it.each(files)("%s", (_, certificates) => {
    const expected = chainOf(certificates)
    fc.assert(
      fc.property(fc.shuffledSubarray([...certificates], { minLength: certificates.length }), (order) => {
        const chain = chainOf(order)
        expect(chain).toBe(expected)
        expect(chainsToRoot(chain, root.certificate, now)).toBe(true)
      }),
      { numRuns: 20 }
    )
  })

  it("what is valid now comes first, for a receiver that takes the first issuer", () => {
    expect(fingerprints(chainOf([endedLeaf, ended, coming, namesake, issuing, leaf])).slice(0, 2)).toEqual(fingerprintsOf([leaf, issuing]))
  })

  it("what has not signed the element is left out, and so are roots", () => {
    expect(fingerprints(chainOf([root, namesake, issuing, leaf]))).toEqual(fingerprintsOf([leaf, issuing]))
  })

  it("a renewal that is not valid yet is kept for the time when it is", () => {
    const chain = chainOf([leaf, issuing, coming])
    expect(fingerprints(chain)).toEqual(fingerprintsOf([leaf, issuing, coming]))
  })
})

describe("chainsToRoot searches every way up", () => {
  const pem = (...identities: ReadonlyArray<Identity>) => identities.map(({ certificate }) => certificate).join("")
  // Each has signed the other, and one of them is signed by the root as well.
  const first = authority("First", root)
  const second = authority("Second", first)
  const firstBySecond = renewed(first, { issuer: second })
  const element = elementIdentity(second, "TESTJID2")

  it.each<readonly [string, string, string, boolean]>([
    ["past one that ended", pem(leaf, ended, issuing), root.certificate, true],
    ["past one of the same name", pem(leaf, namesake, issuing), root.certificate, true],
    ["past one that leads elsewhere", pem(leaf, underOtherRoot, issuing), root.certificate, true],
    ["to either root", pem(leaf, issuing, underOtherRoot), otherRoot.certificate, true],
    ["out of a ring of authorities", pem(element, second, firstBySecond, first), root.certificate, true],
    ["a ring without a way out", pem(element, second, firstBySecond), root.certificate, false],
    ["only through one that ended", pem(leaf, ended), root.certificate, false],
    ["only through one that is not valid yet", pem(leaf, coming), root.certificate, false],
    ["only through one of the same name", pem(leaf, namesake), root.certificate, false]
  ])("%s", (_, chain, roots, expected) => {
    expect(chainsToRoot(chain, roots, now)).toBe(expected)
  })

  it("a file full of renewals is bounded", () => {
    const many = Array.from({ length: 18 }, (_, index) => renewed(issuing, { issuer: root, ...times(-1, 2 + index) }))
    expect(fingerprints(chainOf([leaf, ...many]))).toHaveLength(1 + 16)
  })
})
