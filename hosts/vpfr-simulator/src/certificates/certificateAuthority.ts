import { isIP } from "node:net"
import { type KeyObject, X509Certificate } from "node:crypto"
import type { DataDirectory } from "../DataDirectory.ts"
import type { EnvironmentName } from "../EnvironmentName.ts"
import { type KeyPair, keyPairNamed } from "./KeyStore.ts"
import { taxCoreArc } from "./taxCoreArc.ts"
import {
  alternativeNames,
  authorityExtensions,
  certificatePem,
  type DistinguishedName,
  type Extension,
  issueCertificate,
  leafExtensions
} from "./x509.ts"

const day = 24 * 60 * 60 * 1000
const year = 365 * day

export interface LeafRequest {
  readonly subject: DistinguishedName
  readonly publicKey: KeyObject
  readonly notBefore: number
  readonly notAfter: number
  readonly extensions: ReadonlyArray<Extension>
}

export interface ServerIdentity {
  readonly keyPem: string
  /** Leaf and issuing authority, as a server sends them. */
  readonly chainPem: string
}

/** One environment's private PKI: a root and the issuing authority under it (V-PFR §9: RCA → ICA). */
export interface CertificateAuthority {
  readonly rootPem: string
  readonly issuingPem: string
  readonly issue: (request: LeafRequest) => Buffer
  /** The certificate with which audit data is encrypted for the authority, in DER; created on the first request, then always the same. */
  readonly encryptionCertificate: () => Promise<Buffer>
  /** A fresh certificate for the HTTPS server, valid a year. */
  readonly serverIdentity: (hostNames: ReadonlyArray<string>, now: number) => Promise<ServerIdentity>
}

const authorityNames = (environment: EnvironmentName): { readonly root: DistinguishedName; readonly issuing: DistinguishedName } => {
  const organization = "Overa СИМУЛАТОР ПФР"
  const suffix = environment === "sandbox" ? "Sandbox" : "Production"
  return {
    root: { country: "RS", organization, commonName: `СИМУЛАТОР ${suffix} RCA` },
    issuing: { country: "RS", organization, commonName: `СИМУЛАТОР ${suffix} ICA 1` }
  }
}

const establish = async (
  directory: DataDirectory,
  environment: EnvironmentName,
  root: KeyPair,
  issuing: KeyPair,
  now: number
): Promise<{ readonly rootPem: string; readonly issuingPem: string }> => {
  const file = `authority-${environment}.json`
  const kept = await directory.read(file)
  if (kept !== null) return JSON.parse(kept)
  const names = authorityNames(environment)
  const common = { issuer: names.root, issuerPublicKey: root.publicKey, issuerPrivateKey: root.privateKey, notBefore: now - day }
  const rootDer = issueCertificate({
    ...common,
    subject: names.root,
    publicKey: root.publicKey,
    notAfter: now + 20 * year,
    extensions: authorityExtensions(1)
  })
  const issuingDer = issueCertificate({
    ...common,
    subject: names.issuing,
    publicKey: issuing.publicKey,
    notAfter: now + 15 * year,
    extensions: authorityExtensions(0)
  })
  const established = { rootPem: certificatePem(rootDer), issuingPem: certificatePem(issuingDer) }
  await directory.write(file, JSON.stringify(established))
  return established
}

const addressOctets = (address: string): Buffer =>
  isIP(address) === 4 ? Buffer.from(address.split(".").map(Number)) : Buffer.concat([Buffer.alloc(15), Buffer.from([1])])

/** Opens an environment's authority, creating its keys and certificates on the first start. */
export const openCertificateAuthority = async (
  directory: DataDirectory,
  environment: EnvironmentName,
  now: number
): Promise<CertificateAuthority> => {
  const [root, issuing, server] = await Promise.all(
    ["root", "issuing", "server"].map((name) => keyPairNamed(directory, `${environment}-${name}`))
  ) as [KeyPair, KeyPair, KeyPair]
  const { issuingPem, rootPem } = await establish(directory, environment, root, issuing, now)
  const issue = (request: LeafRequest) =>
    issueCertificate({
      ...request,
      issuer: authorityNames(environment).issuing,
      issuerPublicKey: issuing.publicKey,
      issuerPrivateKey: issuing.privateKey
    })
  let encryption: Promise<Buffer> | undefined
  return {
    rootPem,
    issuingPem,
    issue,
    encryptionCertificate: () => encryption ??= keptEncryptionCertificate(directory, environment, issue, now),
    serverIdentity: async (hostNames, at) => {
      const names = hostNames.filter((name) => isIP(name) === 0)
      const addresses = hostNames.filter((name) => isIP(name) === 4 || name === "::1").map(addressOctets)
      const leaf = issue({
        subject: { country: "RS", organization: "Overa СИМУЛАТОР ПФР", commonName: names[0] ?? "localhost" },
        publicKey: server.publicKey,
        notBefore: at - day,
        notAfter: at + year,
        extensions: [...leafExtensions(["1.3.6.1.5.5.7.3.1"]), alternativeNames(names, addresses)]
      })
      return {
        keyPem: server.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        chainPem: certificatePem(leaf) + issuingPem
      }
    }
  }
}

/** Class 36, encryption (V-PFR §9). */
const keptEncryptionCertificate = async (
  directory: DataDirectory,
  environment: EnvironmentName,
  issue: CertificateAuthority["issue"],
  now: number
): Promise<Buffer> => {
  const file = `encryption-${environment}.pem`
  const kept = await directory.read(file)
  if (kept !== null) return derOf(kept)
  const { publicKey } = await keyPairNamed(directory, `${environment}-encryption`)
  const der = issue({
    subject: { country: "RS", organization: "Overa СИМУЛАТОР ПФР", commonName: "СИМУЛАТОР TaxCore Encryption" },
    publicKey,
    notBefore: now - day,
    notAfter: now + 10 * year,
    extensions: leafExtensions([`${taxCoreArc(environment)}.3.6`])
  })
  await directory.write(file, certificatePem(der))
  return der
}

export const derOf = (pem: string): Buffer => new X509Certificate(pem).raw
