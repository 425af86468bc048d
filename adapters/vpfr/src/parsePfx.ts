import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import forge from "node-forge"
import { certificateExtensions, extensionText } from "./certificateExtensions.ts"
import type { ElementFacts, ElementFile, PfxFault } from "./ElementFile.ts"
import { isIssuedBy, issuersOf, isValidAt } from "./issuedBy.ts"

/** The reason why a PFX file cannot be an element. */
export class PfxRefused extends Error {
  override readonly name = "PfxRefused"
  readonly fault: PfxFault
  constructor(fault: PfxFault, message: string) {
    super(message)
    this.fault = fault
  }
}

const derOf = (node: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(node).getBytes(), "binary")

const openFile = (bytes: Uint8Array, password: string): forge.pkcs12.Pkcs12Pfx => {
  let node: forge.asn1.Asn1
  try {
    node = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes).toString("binary")), true)
  } catch {
    throw new PfxRefused("NOT_A_PFX", "the file is not a PFX (PKCS#12) file")
  }
  try {
    return forge.pkcs12.pkcs12FromAsn1(node, true, password)
  } catch (error) {
    const message = error instanceof Error ? error.message : ""
    if (/MAC could not be verified|Invalid password/i.test(message)) {
      throw new PfxRefused("WRONG_PASSWORD", "the password does not open this PFX file")
    }
    throw /Unsupported|Cannot read encrypted|OID/i.test(message)
      ? new PfxRefused("UNSUPPORTED", "the PFX file is protected in a way that is not supported")
      : new PfxRefused("NOT_A_PFX", "the file is not a PFX (PKCS#12) file, or it is damaged")
  }
}

const bagsOf = (file: forge.pkcs12.Pkcs12Pfx, oid: string | undefined): ReadonlyArray<forge.pkcs12.Bag> =>
  oid === undefined ? [] : file.getBags({ bagType: oid })[oid] ?? []

/** forge decrypts every key but understands RSA only; other keys stay in PKCS#8. */
const keysOf = (file: forge.pkcs12.Pkcs12Pfx): ReadonlyArray<KeyObject> =>
  [...bagsOf(file, forge.pki.oids["pkcs8ShroudedKeyBag"]), ...bagsOf(file, forge.pki.oids["keyBag"])].map((bag) => {
    const pkcs8 = bag.key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key)) : bag.asn1
    return createPrivateKey({ key: derOf(pkcs8), format: "der", type: "pkcs8" })
  })

const certificatesOf = (file: forge.pkcs12.Pkcs12Pfx): ReadonlyArray<X509Certificate> =>
  bagsOf(file, forge.pki.oids["certBag"]).map((bag) =>
    new X509Certificate(derOf(bag.cert ? forge.pki.certificateToAsn1(bag.cert) : bag.asn1))
  )

/** A root: only the operator's own count (Decisions §4, Trust). */
const isSelfSigned = (certificate: X509Certificate): boolean => isIssuedBy(certificate, certificate)

/** The same order whatever the file's is: what is valid now first, then what ends last. */
const inOrder = (certificates: ReadonlyArray<X509Certificate>, atMillis: number): ReadonlyArray<X509Certificate> => {
  const unique = new Map(certificates.map((certificate) => [certificate.fingerprint256, certificate]))
  return [...unique.values()].toSorted((one, other) =>
    Number(isValidAt(other, atMillis)) - Number(isValidAt(one, atMillis)) ||
    other.validToDate.getTime() - one.validToDate.getTime() ||
    (one.fingerprint256 < other.fingerprint256 ? -1 : 1)
  )
}

/** Real chains have one or two; a file full of authorities that signed each other must not keep the host busy. */
const mostIntermediates = 16

/** The tax authority's libraries identify these by their last arc alone (V-PFR §9). */
const elementExtension = (extensions: ReadonlyMap<string, Buffer>, lastArc: 5 | 6 | 7): string | null => {
  for (const [oid, value] of extensions) {
    const parts = oid.split(".")
    if (oid.startsWith("1.3.6.1.4.1.49952.") && parts.length === 10 && parts[9] === String(lastArc)) return extensionText(value)
  }
  return null
}

const oneLine = (name: string): string => name.split("\n").join(", ")

const factsOf = (leaf: X509Certificate): ElementFacts => {
  const jid = /^serialNumber=(.+)$/m.exec(leaf.subject)?.[1]?.trim() ?? ""
  const extensions = certificateExtensions(leaf.raw)
  return {
    jid,
    tin: elementExtension(extensions, 6),
    subject: oneLine(leaf.subject),
    issuer: oneLine(leaf.issuer),
    serialNumber: leaf.serialNumber,
    fingerprintSha256: leaf.fingerprint256.replaceAll(":", ""),
    validFrom: leaf.validFromDate.getTime(),
    validTo: leaf.validToDate.getTime(),
    taxCoreApiUrl: elementExtension(extensions, 5),
    vsdcUrl: elementExtension(extensions, 7)
  }
}

/**
 * Opens a PFX file: legacy RC2 and 3DES protection as the portal issues it, modern AES, RSA and EC keys. Blocks for some ten
 * milliseconds, so services call `readPfx`. Throws {@link PfxRefused}.
 *
 * Of two certificates for one key, and of two intermediates that could be meant, the one comes first that is valid at the instant `atMillis`; what
 * comes out does not depend on the order of the certificates in the file.
 */
export const parsePfx = (bytes: Uint8Array, password: string, atMillis: number): ElementFile => {
  const file = openFile(bytes, password)
  const keys = keysOf(file)
  if (keys.length === 0) throw new PfxRefused("NO_KEY", "the PFX file holds no private key")
  const certificates = inOrder(certificatesOf(file), atMillis)
  const intermediates = certificates.filter((certificate) => !isSelfSigned(certificate))
  for (const key of keys) {
    const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key))
    if (leaf === undefined) continue
    const chain = [leaf, ...issuersOf(leaf, intermediates, mostIntermediates)]
    return {
      privateKeyPem: key.export({ type: "pkcs8", format: "pem" }).toString(),
      certificateChainPem: chain.map((certificate) => certificate.toString()).join(""),
      facts: factsOf(leaf)
    }
  }
  throw new PfxRefused("NO_MATCHING_CERTIFICATE", "no certificate in the PFX file belongs to its private key")
}
