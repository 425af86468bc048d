import { createHash, randomBytes, sign, type KeyObject } from "node:crypto"
import {
  bitString,
  explicit,
  implicit,
  integer,
  nullValue,
  objectIdentifier,
  octetString,
  printableString,
  sequence,
  setOf,
  time,
  trueValue,
  utf8String
} from "./der.ts"

/** Attribute types of a subject in the order they are written. */
const attributeTypes = {
  commonName: "2.5.4.3",
  surname: "2.5.4.4",
  serialNumber: "2.5.4.5",
  country: "2.5.4.6",
  locality: "2.5.4.7",
  state: "2.5.4.8",
  street: "2.5.4.9",
  organization: "2.5.4.10",
  organizationalUnit: "2.5.4.11",
  givenName: "2.5.4.42"
} as const

export type DistinguishedName = Partial<Record<keyof typeof attributeTypes, string>>

export interface Extension {
  readonly type: string
  readonly critical?: boolean
  readonly value: Uint8Array
}

export interface CertificateRequest {
  readonly subject: DistinguishedName
  readonly publicKey: KeyObject
  readonly issuer: DistinguishedName
  readonly issuerPublicKey: KeyObject
  readonly issuerPrivateKey: KeyObject
  /** Unix milliseconds. */
  readonly notBefore: number
  /** Unix milliseconds. */
  readonly notAfter: number
  readonly extensions: ReadonlyArray<Extension>
}

const sha256WithRsa = sequence(objectIdentifier("1.2.840.113549.1.1.11"), nullValue)

const nameOf = (name: DistinguishedName): Buffer =>
  sequence(
    ...Object.entries(name).map(([attribute, value]) => {
      const text = attribute === "country" || attribute === "serialNumber" ? printableString(value) : utf8String(value)
      return setOf(sequence(objectIdentifier(attributeTypes[attribute as keyof DistinguishedName]), text))
    })
  )

/** RFC 5280 §4.2.1.2, method 1: SHA-1 of the key bits, which for RSA are the PKCS#1 form. */
const keyIdentifier = (key: KeyObject): Buffer =>
  createHash("sha1").update(key.export({ type: "pkcs1", format: "der" })).digest()

const extensionOf = (extension: Extension): Buffer =>
  sequence(
    objectIdentifier(extension.type),
    ...(extension.critical === true ? [trueValue] : []),
    octetString(extension.value)
  )

/** A version 3 certificate in DER, signed with SHA-256 and RSA. */
export const issueCertificate = (request: CertificateRequest): Buffer => {
  const identifiers: ReadonlyArray<Extension> = [
    { type: "2.5.29.14", value: octetString(keyIdentifier(request.publicKey)) },
    { type: "2.5.29.35", value: sequence(implicit(0, keyIdentifier(request.issuerPublicKey))) }
  ]
  const toBeSigned = sequence(
    explicit(0, integer(2)),
    integer(Buffer.concat([Buffer.from([0x5a]), randomBytes(15)])),
    sha256WithRsa,
    nameOf(request.issuer),
    sequence(time(request.notBefore), time(request.notAfter)),
    nameOf(request.subject),
    request.publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...[...request.extensions, ...identifiers].map(extensionOf)))
  )
  return sequence(toBeSigned, sha256WithRsa, bitString(sign("sha256", toBeSigned, request.issuerPrivateKey)))
}

export const certificatePem = (der: Uint8Array): string => {
  const lines = Buffer.from(der).toString("base64").match(/.{1,64}/g) ?? []
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n")
}

export const authorityExtensions = (pathLength: number): ReadonlyArray<Extension> => [
  { type: "2.5.29.19", critical: true, value: sequence(trueValue, integer(pathLength)) },
  // keyCertSign and cRLSign
  { type: "2.5.29.15", critical: true, value: bitString(Buffer.from([0x06]), 1) }
]

/** digitalSignature and keyEncipherment, with the extended usages given. */
export const leafExtensions = (extendedUsages: ReadonlyArray<string>): ReadonlyArray<Extension> => [
  { type: "2.5.29.19", critical: true, value: sequence() },
  { type: "2.5.29.15", critical: true, value: bitString(Buffer.from([0xa0]), 5) },
  { type: "2.5.29.37", value: sequence(...extendedUsages.map(objectIdentifier)) }
]

export const alternativeNames = (hostNames: ReadonlyArray<string>, addresses: ReadonlyArray<Uint8Array>): Extension => ({
  type: "2.5.29.17",
  value: sequence(
    ...hostNames.map((name) => implicit(2, Buffer.from(name, "latin1"))),
    ...addresses.map((address) => implicit(7, address))
  )
})
