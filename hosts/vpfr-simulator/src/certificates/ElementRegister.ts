import { createPrivateKey, createPublicKey, type KeyObject, randomInt, X509Certificate } from "node:crypto"
import { DurableLog } from "../receipts/DurableLog.ts"
import type { DataDirectory } from "../DataDirectory.ts"
import type { EnvironmentName } from "../EnvironmentName.ts"
import { type CertificateAuthority, derOf } from "./certificateAuthority.ts"
import { utf8String } from "./der.ts"
import type { Element, ElementSubject, IssueElement } from "./Element.ts"
import { generateRsaKeyPair, type KeyPair } from "./KeyStore.ts"
import { pfxFile } from "./pfxFile.ts"
import { taxCoreArc } from "./taxCoreArc.ts"
import { certificatePem, type DistinguishedName, type Extension, leafExtensions } from "./x509.ts"

const day = 24 * 60 * 60 * 1000
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/** Upper-case alphanumerics, the alphabet of UIDs, passwords and PACs (V-PFR §9). */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("")

/** Makes a simulated business recognizable wherever a person reads its name. */
export const simulatedBusinessName = (name: string): string => name.includes("СИМУЛАТОР") ? name : `СИМУЛАТОР ${name}`

/** The addresses in a certificate; a client compares them and never connects to them (Decisions §4, Trust). */
export interface CertificateAddresses {
  readonly taxCoreApi: string
  readonly vsdc: string
}

const taxCoreExtensions = (subject: ElementSubject, addresses: CertificateAddresses): ReadonlyArray<Extension> => {
  const arc = taxCoreArc(subject.environment)
  return [
    { type: `${arc}.5`, value: utf8String(addresses.taxCoreApi) },
    { type: `${arc}.6`, value: utf8String(subject.environment === "sandbox" ? `RS${subject.tin}` : subject.tin) },
    { type: `${arc}.7`, value: utf8String(addresses.vsdc) }
  ]
}

const distinguishedName = (jid: string, subject: Required<ElementSubject>): DistinguishedName => ({
  country: "RS",
  state: subject.district,
  locality: subject.city,
  street: subject.address,
  organization: subject.businessName,
  organizationalUnit: subject.locationName,
  surname: subject.surname,
  givenName: subject.givenName,
  serialNumber: jid,
  commonName: `${jid.slice(0, 4)} ${subject.locationName}`
})

const completeSubject = (request: IssueElement): Required<ElementSubject> => ({
  environment: request.environment,
  businessName: simulatedBusinessName(request.businessName),
  tin: request.tin,
  locationName: request.locationName,
  address: request.address,
  city: request.city,
  district: request.district ?? request.city,
  surname: request.surname ?? "СИМУЛАТОР",
  givenName: request.givenName ?? "Овлашћено лице"
})

interface Validity {
  readonly notBefore: number
  readonly notAfter: number
}

/** Every issued element, kept with its PFX so that a sandbox finds it again after a restart. */
export class ElementRegister {
  readonly #log: DurableLog
  readonly #authorities: Record<EnvironmentName, CertificateAuthority>
  readonly #addresses: Record<EnvironmentName, CertificateAddresses>
  readonly #now: () => number
  readonly #byJid = new Map<string, Element>()
  readonly #byFingerprint = new Map<string, Element>()
  readonly #revoked = new Set<string>()

  private constructor(
    log: DurableLog,
    authorities: Record<EnvironmentName, CertificateAuthority>,
    addresses: Record<EnvironmentName, CertificateAddresses>,
    now: () => number
  ) {
    this.#log = log
    this.#authorities = authorities
    this.#addresses = addresses
    this.#now = now
  }

  static async open(
    directory: DataDirectory,
    authorities: Record<EnvironmentName, CertificateAuthority>,
    addresses: Record<EnvironmentName, CertificateAddresses>,
    now: () => number
  ): Promise<ElementRegister> {
    const log = await DurableLog.open(directory.pathOf("elements.ndjson"))
    const register = new ElementRegister(log, authorities, addresses, now)
    await log.readAll((line) => {
      const entry = JSON.parse(line)
      if ("revoked" in entry) register.#revoked.add(entry.revoked)
      else register.#remember({ ...entry, pfx: Buffer.from(entry.pfx, "base64") })
    })
    return register
  }

  #remember(element: Element): void {
    this.#byJid.set(element.jid, element)
    this.#byFingerprint.set(new X509Certificate(element.certificatePem).fingerprint256, element)
  }

  async #keyPair(sameKeyAs: string | undefined): Promise<KeyPair> {
    if (sameKeyAs === undefined) return generateRsaKeyPair()
    const other = this.#byJid.get(sameKeyAs)
    if (other === undefined) throw new RangeError(`There is no element ${sameKeyAs} whose key could be used.`)
    const privateKey = createPrivateKey(other.privateKeyPem)
    return { privateKey, publicKey: createPublicKey(privateKey) }
  }

  #freshJid(): string {
    for (;;) {
      const jid = randomCode(8)
      if (!this.#byJid.has(jid)) return jid
    }
  }

  #certificate(jid: string, subject: Required<ElementSubject>, publicKey: KeyObject, validity: Validity): Buffer {
    const { environment } = subject
    return this.#authorities[environment].issue({
      ...validity,
      subject: distinguishedName(jid, subject),
      publicKey,
      // The class of a V-SDC client certificate is 32 (V-PFR §9): the last two segments of this usage.
      extensions: [
        ...leafExtensions(["1.3.6.1.5.5.7.3.2", `${taxCoreArc(environment)}.3.2`]),
        ...taxCoreExtensions(subject, this.#addresses[environment])
      ]
    })
  }

  /** A new element with a new UID, password and PAC. Stored before it is returned. */
  async issue(request: IssueElement): Promise<Element> {
    const keys = await this.#keyPair(request.sameKeyAs)
    const { issuingPem, rootPem } = this.#authorities[request.environment]
    const jid = this.#freshJid()
    const subject = completeSubject(request)
    const validity = {
      notBefore: request.notBefore ?? this.#now() - day,
      notAfter: request.notAfter ?? this.#now() + 3 * 365 * day
    }
    const leaf = this.#certificate(jid, subject, keys.publicKey, validity)
    const password = randomCode(8)
    const pfx = pfxFile({
      privateKey: keys.privateKey,
      certificates: [leaf, derOf(issuingPem), derOf(rootPem)],
      friendlyName: `${jid} ${subject.locationName}`,
      password,
      flavour: request.pfxFlavour ?? "3des"
    })
    const element: Element = {
      ...subject,
      ...validity,
      jid,
      password,
      pac: randomCode(6),
      pfx,
      certificatePem: certificatePem(leaf),
      privateKeyPem: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      chainPem: issuingPem + rootPem
    }
    await this.#log.append(JSON.stringify({ ...element, pfx: pfx.toString("base64") }))
    this.#remember(element)
    return element
  }

  /** From now on every request with this element's certificate is answered 403. */
  async revoke(jid: string): Promise<void> {
    await this.#log.append(JSON.stringify({ revoked: jid }))
    this.#revoked.add(jid)
  }

  isRevoked(jid: string): boolean {
    return this.#revoked.has(jid)
  }

  find(jid: string): Element | undefined {
    return this.#byJid.get(jid)
  }

  findByFingerprint(fingerprint: string): Element | undefined {
    return this.#byFingerprint.get(fingerprint)
  }

  all(): ReadonlyArray<Element> {
    return [...this.#byJid.values()]
  }

  close(): Promise<void> {
    return this.#log.close()
  }
}

/** The tax identifier as the signer writes and prints it (V-PFR §3: sandbox `RS111911206`, production bare). */
export const printedTin = (element: Element): string =>
  element.environment === "sandbox" ? `RS${element.tin}` : element.tin
