import { createPrivateKey, X509Certificate } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import forge from "node-forge"
import { chainsToRoot, readPfx } from "@overa/adapter-vpfr"
import { certificateExtensions, extensionText } from "../src/certificateExtensions.ts"
import { ellipticPfx } from "./support/ellipticElement.ts"
import { authority, elementIdentity, type Identity, serverIdentity } from "./support/throwawayCertificates.ts"

const password = "ABCD1234"
const pfxOf = (identity: Identity | null, certificates: ReadonlyArray<Identity>, algorithm: "3des" | "aes256" = "3des") =>
  Buffer.from(
    forge.asn1.toDer(forge.pkcs12.toPkcs12Asn1(
      identity === null ? null : forge.pki.privateKeyFromPem(identity.privateKey),
      certificates.map(({ certificate }) => forge.pki.certificateFromPem(certificate)),
      password,
      { algorithm }
    )).getBytes(),
    "binary"
  )
const read = (bytes: Uint8Array, secret = password) =>
  Effect.runPromise(readPfx(bytes, Redacted.make(secret)).pipe(Effect.catch((error) => Effect.succeed(error))))
const fileOf = async (bytes: Uint8Array, secret = password) => {
  const result = await read(bytes, secret)
  return "facts" in result ? result : assert.fail(result.detail)
}

const root = authority("Test root")
const issuing = authority("Test issuing", root)
const leaf = elementIdentity(issuing, "TESTJID1")

describe("An element's PFX (V-PFR §9)", () => {
  it.each(["3des", "aes256"] as const)("RSA under %s: key, leaf, intermediates without the root, facts", async (algorithm) => {
    const file = await fileOf(pfxOf(leaf, [root, issuing, leaf], algorithm))
    assert.strictEqual(file.facts.jid, "TESTJID1")
    assert.isNull(file.facts.tin)
    assert.match(file.facts.fingerprintSha256, /^[0-9A-F]{64}$/)
    assert.isBelow(file.facts.validFrom, file.facts.validTo)
    const certificates = file.certificateChainPem.match(/-----BEGIN[\s\S]+?END CERTIFICATE-----/g) ?? []
    assert.deepStrictEqual(
      certificates.map((pem) => new X509Certificate(pem).fingerprint256),
      [leaf, issuing].map(({ certificate }) => new X509Certificate(certificate).fingerprint256)
    )
    assert.isTrue(new X509Certificate(leaf.certificate).checkPrivateKey(createPrivateKey(file.privateKeyPem)))
    assert.match(file.privateKeyPem, /^-----BEGIN PRIVATE KEY-----/)
  })

  it("an elliptic key, Cyrillic names, and the extensions of the tax authority", async () => {
    const { facts, privateKeyPem } = await fileOf(ellipticPfx, "TESTPASS")
    assert.strictEqual(createPrivateKey(privateKeyPem).asymmetricKeyType, "ec")
    assert.include(facts.subject, "TEST Продавница")
    assert.deepInclude(facts, {
      jid: "TESTEC01",
      tin: "RS100000001",
      taxCoreApiUrl: "https://api.test/",
      vsdcUrl: "https://vsdc.test/"
    })
  })

  it.each<readonly [string, () => Uint8Array, string, string]>([
    ["a wrong password", () => pfxOf(leaf, [leaf]), "WRONG", "WRONG_PASSWORD"],
    ["an empty password", () => pfxOf(leaf, [leaf]), "", "WRONG_PASSWORD"],
    ["a wrong password of a modern file", () => ellipticPfx, "WRONG", "WRONG_PASSWORD"],
    ["no file", () => Buffer.alloc(0), password, "NOT_A_PFX"],
    ["something else", () => Buffer.from("PK\u0003\u0004 a zip archive"), password, "NOT_A_PFX"],
    ["a PEM file", () => Buffer.from(leaf.certificate), password, "NOT_A_PFX"],
    ["a file cut off", () => pfxOf(leaf, [leaf]).subarray(0, 500), password, "NOT_A_PFX"],
    ["a file far too large", () => Buffer.alloc(300_000), password, "NOT_A_PFX"],
    ["no key", () => pfxOf(null, [leaf]), password, "NO_KEY"],
    ["a key without its certificate", () => pfxOf(leaf, [issuing]), password, "NO_MATCHING_CERTIFICATE"],
    ["a certificate without a JID", () => {
      const nameless = serverIdentity(issuing)
      return pfxOf(nameless, [nameless])
    }, password, "NO_JID"]
  ])("%s is refused with its reason", async (_, bytes, secret, fault) => {
    const result = await read(bytes(), secret)
    assert.strictEqual("fault" in result ? result.fault : "read", fault)
  })
})

describe("Private extensions of a certificate", () => {
  it("none where there are none", () => {
    const plain = certificateExtensions(new X509Certificate(leaf.certificate).raw)
    assert.deepStrictEqual([...plain.keys()], ["2.5.29.37"])
  })
  it.each([
    [Buffer.from("100000001"), "100000001"],
    [Buffer.from("\u000c\u0009100000001"), "100000001"],
    [Buffer.from("\u0016\u0009100000001"), "100000001"],
    [Buffer.from("\u0000\u0001"), null]
  ])("the text of %s is %s", (value, text) => {
    assert.strictEqual(extensionText(value), text)
  })
})

describe("chainsToRoot: roots are the operator's alone (Decisions §4, Trust)", () => {
  const now = Date.now()
  const chain = leaf.certificate + issuing.certificate
  it.each<readonly [string, string, string, number, boolean]>([
    ["through the intermediate", chain, root.certificate, now, true],
    ["among several roots", chain, authority("Other").certificate + root.certificate, now, true],
    ["the issuing authority itself configured", leaf.certificate, issuing.certificate, now, true],
    ["the intermediate missing", leaf.certificate, root.certificate, now, false],
    ["a root of the same name", chain, authority("Test root").certificate, now, false],
    ["an issuer that is no authority", elementIdentity(leaf, "TESTJID2").certificate + leaf.certificate, root.certificate, now, false],
    ["a root brought along in the chain", chain + root.certificate, authority("Other").certificate, now, false],
    ["before it began", chain, root.certificate, now - 7_200_000, false],
    ["after it ended", chain, root.certificate, now + 200_000_000, false],
    ["nothing", "", root.certificate, now, false]
  ])("%s", (_, elementChain, roots, at, expected) => {
    assert.strictEqual(chainsToRoot(elementChain, roots, at), expected)
  })
})
