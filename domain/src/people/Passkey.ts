import type { DateTime } from "effect"

/** What a sign-in is compared with: the public half of a passkey (Web Authentication Level 3, credential record). */
export interface Passkey {
  /** Base64url; unique in the installation. */
  readonly id: string
  /** A COSE_Key as the authenticator gave it (RFC 9052). */
  readonly publicKey: Uint8Array
  /** Signatures as the authenticator counts them; 0 from one that does not count. */
  readonly counter: number
  /** How the browser may reach the authenticator: `internal`, `hybrid`, `usb` …; a hint, no rule. */
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

/** The portal as authenticators know it: a passkey made for one site is of no use to another. */
export interface PasskeySite {
  /** As the browser names it, without a final slash. */
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
