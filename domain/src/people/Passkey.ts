import type { DateTime } from "effect"

/** The public half of a passkey, by which a sign-in is checked (Web Authentication Level 3, credential record). */
export interface Passkey {
  /** Base64url; unique in the installation. */
  readonly id: string
  /** A COSE_Key as the authenticator gave it (RFC 9052). */
  readonly publicKey: Uint8Array
  /** The authenticator's count of signatures; 0 if it does not count them. */
  readonly counter: number
  /** The ways by which the browser can reach the authenticator (`internal`, `hybrid`, `usb` …); only a hint to the browser. */
  readonly transports: ReadonlyArray<string>
  /** The person's own name for it. */
  readonly name: string
  readonly createdAt: DateTime.Utc
  readonly lastUsedAt: DateTime.Utc | null
}

/** A passkey to be added. */
export type NewPasskey = Pick<Passkey, "id" | "publicKey" | "counter" | "transports" | "name">

/** More than a person needs; the page that asks for one lists them all. */
export const mostPasskeys = 20

/** The portal's identity for authenticators: a passkey made for one site cannot be used for another. */
export interface PasskeySite {
  /** The address in the browser, without path and final slash. */
  readonly origin: string
  /** The host's name (relying party id). */
  readonly host: string
}

const isAddressNumber = (host: string): boolean => host.startsWith("[") || /^[\d.]+$/.test(host)

/** The site of an origin; null where the host is an IP address, for which browsers make no passkey. */
export const passkeySite = (origin: string): PasskeySite | null => {
  const host = new URL(origin).hostname
  return isAddressNumber(host) ? null : { origin, host }
}
