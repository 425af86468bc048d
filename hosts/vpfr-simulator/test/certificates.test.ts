import { execFileSync } from "node:child_process"
import { createPrivateKey, X509Certificate } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createSecureContext } from "node:tls"
import forge from "node-forge"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Element, type PfxFlavour, type RunningSimulator, startSimulator } from "../src/index.ts"
import { bakery } from "./support/requests.ts"

let simulator: RunningSimulator
const elements = new Map<PfxFlavour, Element>()
const flavours: ReadonlyArray<PfxFlavour> = ["3des", "rc2-40", "modern"]

const elementOf = (flavour: PfxFlavour): Element => {
  const element = elements.get(flavour)
  if (element === undefined) throw new Error(flavour)
  return element
}

beforeAll(async () => {
  simulator = await startSimulator()
  for (const pfxFlavour of flavours) elements.set(pfxFlavour, await simulator.issueElement({ ...bakery, pfxFlavour }))
})
afterAll(() => simulator.stop())

const present = <A>(value: A | null | undefined): A => {
  if (value === null || value === undefined) throw new Error("missing")
  return value
}

const oid = (name: string): string => present(forge.pki.oids[name])

describe("Elements come as PFX files others can open", () => {
  it.each(["3des", "rc2-40"] as const)("%s with node-forge: one key, the certificate and its chain", (flavour) => {
    const { certificatePem, password, pfx, privateKeyPem } = elementOf(flavour)
    const asn1 = forge.asn1.fromDer(Buffer.from(pfx).toString("latin1"))
    const opened = forge.pkcs12.pkcs12FromAsn1(asn1, password)
    const bagsOf = (bagType: string) => opened.getBags({ bagType })[bagType] ?? []
    const keyBags = bagsOf(oid("pkcs8ShroudedKeyBag"))
    const certificates = bagsOf(oid("certBag"))
    expect(keyBags).toHaveLength(1)
    expect(certificates).toHaveLength(3)
    const key = createPrivateKey(forge.pki.privateKeyToPem(present(keyBags[0]?.key)))
    expect(key.equals(createPrivateKey(privateKeyPem))).toBe(true)
    expect(forge.pki.certificateToPem(present(certificates[0]?.cert)).replace(/\s/g, "")).toBe(certificatePem.replace(/\s/g, ""))
    expect(() => forge.pkcs12.pkcs12FromAsn1(asn1, "WRONG123")).toThrow(/MAC/)
  })

  it.each(["3des", "modern"] as const)("%s with Node", (flavour) => {
    const { password, pfx } = elementOf(flavour)
    expect(() => createSecureContext({ pfx: Buffer.from(pfx), passphrase: password })).not.toThrow()
  })

  it("rc2-40 is what Node refuses", () => {
    const { password, pfx } = elementOf("rc2-40")
    expect(() => createSecureContext({ pfx: Buffer.from(pfx), passphrase: password })).toThrow("Unsupported PKCS12 PFX data")
  })

  it.each([["3des", []], ["modern", []], ["rc2-40", ["-legacy"]]] as const)("%s with openssl", (flavour, options) => {
    const { password, pfx } = elementOf(flavour)
    const directory = mkdtempSync(join(tmpdir(), "pfx-"))
    try {
      writeFileSync(join(directory, "element.pfx"), pfx)
      const text = execFileSync("openssl", ["pkcs12", "-in", join(directory, "element.pfx"), "-passin", `pass:${password}`, "-nodes", ...options], { encoding: "utf8" })
      expect(text.match(/BEGIN CERTIFICATE/g)).toHaveLength(3)
      expect(text.match(/BEGIN PRIVATE KEY/g)).toHaveLength(1)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

describe("An element's certificate (V-PFR §9)", () => {
  const fields = (subject: string) => Object.fromEntries(subject.split("\n").map((line) => line.split("=") as [string, string]))

  it("names the business, marked as simulated, the premise and the UID", () => {
    const { certificatePem, jid } = elementOf("3des")
    const subject = fields(new X509Certificate(certificatePem).subject)
    expect(subject).toMatchObject({
      C: "RS",
      ST: "Нови Сад-Центар",
      L: "Нови Сад",
      street: "Булевар ослобођења 1",
      O: "СИМУЛАТОР Пекара Зора",
      OU: "1108934-Пекара Зора",
      serialNumber: jid,
      CN: `${jid.slice(0, 4)} 1108934-Пекара Зора`
    })
    expect(subject).toHaveProperty("SN")
    expect(subject).toHaveProperty("GN")
  })

  it("has an eight-character UID and password and a six-character PAC", () => {
    for (const { jid, pac, password } of elements.values()) {
      expect([jid, password, pac]).toEqual([
        expect.stringMatching(/^[A-Z0-9]{8}$/),
        expect.stringMatching(/^[A-Z0-9]{8}$/),
        expect.stringMatching(/^[A-Z0-9]{6}$/)
      ])
    }
  })

  it("chains to the environment's root and to no other", () => {
    const { certificatePem, chainPem } = elementOf("3des")
    const leaf = new X509Certificate(certificatePem)
    // The first certificate of a PEM file is the one Node reads: the issuing authority's.
    const issuing = new X509Certificate(chainPem)
    const root = new X509Certificate(simulator.trustAnchorsPem("sandbox"))
    const other = new X509Certificate(simulator.trustAnchorsPem("production"))
    expect(leaf.checkIssued(issuing) && leaf.verify(issuing.publicKey)).toBe(true)
    expect(issuing.checkIssued(root) && issuing.verify(root.publicKey) && root.verify(root.publicKey)).toBe(true)
    expect(issuing.verify(other.publicKey)).toBe(false)
  })

  it.each([["sandbox", "5", "RS111911206"], ["production", "3", "111911206"]] as const)(
    "%s: environment %s in the extension types, tax identifier %s",
    async (environment, arc, tin) => {
      const element = await simulator.issueElement({ ...bakery, environment, sameKeyAs: elementOf("3des").jid })
      const extensions = forge.pki.certificateFromPem(element.certificatePem).extensions as ReadonlyArray<{ id: string; value: string }>
      const valueOf = (last: string) => extensions.find(({ id }) => id === `1.3.6.1.4.1.49952.${arc}.8.${last}`)?.value
      expect(valueOf("6")?.slice(2)).toBe(tin)
      expect(valueOf("7")?.slice(2)).toBe(`${simulator[environment].url}/`)
      expect(valueOf("5")?.slice(2)).toBe(`${simulator[environment].url}/`)
    }
  )

  it("can share a key pair, to have many elements quickly", async () => {
    const first = elementOf("3des")
    const second = await simulator.issueElement({ ...bakery, sameKeyAs: first.jid })
    expect(second.privateKeyPem).toBe(first.privateKeyPem)
    expect(second.jid).not.toBe(first.jid)
    await expect(simulator.issueElement({ ...bakery, sameKeyAs: "AAAAAAAA" })).rejects.toThrow("There is no element AAAAAAAA")
  })
})
