import { generateKeyPairSync } from "node:crypto"
import forge from "node-forge"

/** A key pair and its certificate, PEM, made for one test run and trusted by nobody else. */
export interface Identity {
  readonly privateKey: string
  readonly certificate: string
}

type Extensions = Parameters<forge.pki.Certificate["setExtensions"]>[0]
type Subject = ReadonlyArray<forge.pki.CertificateField>

let serial = 1

const issue = (subject: Subject, extensions: Extensions, issuer: Identity | null, validTo: Date): Identity => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = `01${(serial += 1).toString(16).padStart(8, "0")}`
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000)
  certificate.validity.notAfter = validTo
  certificate.setSubject([...subject])
  certificate.setIssuer(issuer === null ? [...subject] : forge.pki.certificateFromPem(issuer.certificate).subject.attributes)
  certificate.setExtensions(extensions)
  certificate.sign(forge.pki.privateKeyFromPem(issuer?.privateKey ?? privateKey), forge.md.sha256.create())
  return { privateKey, certificate: forge.pki.certificateToPem(certificate) }
}

const tomorrow = () => new Date(Date.now() + 86_400_000)

/** Who signs a certificate again, and from when to when it is valid. */
interface Renewal {
  readonly issuer: Identity
  readonly validFrom?: Date
  readonly validTo?: Date
}

/** The same subject, key and extensions under a new serial number. */
export const renewed = (old: Identity, { issuer, validFrom, validTo = tomorrow() }: Renewal): Identity => {
  const certificate = forge.pki.certificateFromPem(old.certificate)
  certificate.serialNumber = `01${(serial += 1).toString(16).padStart(8, "0")}`
  if (validFrom !== undefined) certificate.validity.notBefore = validFrom
  certificate.validity.notAfter = validTo
  certificate.setIssuer(forge.pki.certificateFromPem(issuer.certificate).subject.attributes)
  certificate.sign(forge.pki.privateKeyFromPem(issuer.privateKey), forge.md.sha256.create())
  return { privateKey: old.privateKey, certificate: forge.pki.certificateToPem(certificate) }
}

export const authority = (name: string, issuer: Identity | null = null): Identity =>
  issue(
    [{ name: "commonName", value: name }],
    [{ name: "basicConstraints", cA: true, critical: true }, { name: "keyUsage", keyCertSign: true, cRLSign: true }],
    issuer,
    tomorrow()
  )

/** A server certificate for 127.0.0.1 and localhost, or for another name alone. */
export const serverIdentity = (issuer: Identity, otherName: string | null = null): Identity =>
  issue(
    [{ name: "commonName", value: otherName ?? "localhost" }],
    [{
      name: "subjectAltName",
      altNames: otherName === null ? [{ type: 2, value: "localhost" }, { type: 7, ip: "127.0.0.1" }] : [{ type: 2, value: otherName }]
    }],
    issuer,
    tomorrow()
  )

/** An element's certificate with the given JID (V-PFR §9). */
export const elementIdentity = (issuer: Identity, jid: string, validTo = tomorrow()): Identity =>
  issue(
    [
      { name: "commonName", value: `${jid.slice(0, 4)} Test` },
      { name: "organizationName", value: "Test" },
      { name: "serialNumber", value: jid } as forge.pki.CertificateField & { readonly type?: string }
    ].map((field) => (field.name === "serialNumber" ? { type: "2.5.4.5", value: jid } : field)),
    [{ name: "extKeyUsage", clientAuth: true }],
    issuer,
    validTo
  )
