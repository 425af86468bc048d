import type { EnvironmentName } from "../EnvironmentName.ts"
import type { PfxFlavour } from "./pfxFile.ts"

/** The holder of a security element; the receipt's header is printed from these certificate fields (V-PFR §3, §9). */
export interface ElementSubject {
  readonly environment: EnvironmentName
  /** Subject O. "СИМУЛАТОР " is put in front, so that nobody takes a simulated receipt for a real one. */
  readonly businessName: string
  /** Nine digits. The sandbox prints them after `RS`, as the real one does. */
  readonly tin: string
  /** Subject OU; in production `<premise number>-<name>`. */
  readonly locationName: string
  /** Subject STREET. */
  readonly address: string
  /** Subject L. */
  readonly city: string
  /** Subject ST, the administrative unit, e.g. `Београд-Нови Београд`; the city when absent. */
  readonly district?: string
  /** Subject SN and G, the authorised person. */
  readonly surname?: string
  readonly givenName?: string
}

export interface IssueElement extends ElementSubject {
  readonly pfxFlavour?: PfxFlavour
  /** Unix milliseconds; a day ago when absent. */
  readonly notBefore?: number
  /** Unix milliseconds; three years ahead when absent. */
  readonly notAfter?: number
  /** Uses the key pair of another element, so that thousands of elements do not need thousands of keys. */
  readonly sameKeyAs?: string
}

/** A security element as the taxpayer receives it, and the contents of the PFX in PEM. */
export interface Element extends Required<ElementSubject> {
  /** The UID, eight upper-case alphanumerics; the certificate's subject SERIALNUMBER. */
  readonly jid: string
  readonly pfx: Uint8Array
  /** Eight upper-case alphanumerics. */
  readonly password: string
  /** Six upper-case alphanumerics, sent with every request. */
  readonly pac: string
  readonly certificatePem: string
  readonly privateKeyPem: string
  /** The issuing authority and the root. */
  readonly chainPem: string
  /** Unix milliseconds. */
  readonly notBefore: number
  readonly notAfter: number
}
